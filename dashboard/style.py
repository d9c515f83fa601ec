"""The few styles that Streamlit's themes cannot set; static text, nothing from data."""

from __future__ import annotations

import streamlit as st

# Streamlit dims elements while a run is under way; with a tick each second that is a flicker.
_ALWAYS = """
<style>
  [data-stale="true"] { opacity: 1 !important; transition: none !important; }
  .stMainBlockContainer { padding-top: 4.5rem; padding-bottom: 2rem; }
  .stMainBlockContainer h1 { font-size: 1.7rem; padding: 0 0 0.4rem; }
  .stMainBlockContainer h2 { font-size: 1.4rem; padding: 0.5rem 0 0; }
  .stMainBlockContainer h3 { font-size: 1.15rem; padding: 0.8rem 0 0.2rem; }
  .st-key-explanation p { font-size: 1.25rem; font-weight: 500; }
  .st-key-clauses p { margin-bottom: 0; }
  .st-key-plan-picture { overflow-x: auto; }
  .st-key-plan-picture svg { max-width: none; }
  [data-testid="stMetric"] { padding: 0.4rem 0.9rem; }
  [data-testid="stMetric"] > div, .st-key-gauges [data-testid="stMetric"] { padding: 0; }
  [data-testid="stMetricLabel"] p { white-space: normal; }
  /* What is small or stands on a coloured button must be readable too: 4.5 to 1, as the guidelines ask. */
  [data-testid="stCaptionContainer"] { color: light-dark(#55616b, #b3bdc6); opacity: 1; }
  [data-testid^="stBaseButton-primary"] { color: light-dark(#ffffff, #10161c); }
  [data-testid^="stBaseButton-primary"] * { opacity: 1; }
  :is(a, button, summary, [role="slider"], [role="tab"]):focus-visible {
    outline: 3px solid light-dark(#0b5c8a, #56b4e9) !important; outline-offset: 2px;
  }
  /* Tables of sites: columns that line up; on a phone a block for each row, with its headings. */
  table.sites { width: 100%; border-collapse: collapse; font-size: 0.95rem; }
  .sites th { text-align: left; font-weight: 600; padding: 4px 8px; border-bottom: 1px solid currentcolor; }
  .sites td { padding: 6px 8px; border-bottom: 1px solid rgba(127, 127, 127, 0.35); vertical-align: top; }
  .sites .figure { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
  .sites :is(td, th):first-child { padding-left: 0; }
  .sites td:first-child a { font-weight: 600; }
  .sites a, .site-map a { color: light-dark(#0b5c8a, #7cc4f0); }
  .site-map { position: relative; border: 1px solid rgba(127, 127, 127, 0.35); border-radius: 8px;
    overflow: hidden; }
  .site-map .at { position: absolute; width: 0; height: 0; }
  .site-map .spot { position: absolute; left: -14px; top: -14px; display: flex; align-items: center; gap: 4px;
    white-space: nowrap; text-decoration: none; }
  .site-map .spot.before { left: auto; right: -14px; flex-direction: row-reverse; }
  .site-map .mark { width: 28px; height: 28px; line-height: 26px; text-align: center; font-size: 1.3rem;
    border: 2px solid transparent; border-radius: 50%; box-sizing: border-box; }
  .site-map .cut-off { border: 2px dashed currentcolor; }
  .site-map .name { font-size: 0.9rem; }
  @media (max-width: 700px) {
    .sites thead { display: none; }
    .sites tr { display: block; padding: 8px 0; border-bottom: 1px solid rgba(127, 127, 127, 0.35); }
    .sites td { display: flex; justify-content: space-between; gap: 1rem; border: 0; padding: 2px 0;
      text-align: right; }
    .sites td:empty { display: none; }
    .sites td::before { content: attr(data-heading); color: light-dark(#55616b, #b3bdc6); flex: none; }
    .sites td:first-child { display: block; text-align: left; }
    .sites td:first-child::before { content: none; }
  }
  [data-testid="stStatusWidget"] { display: none; }
  /* Toasts come below, over the map's corner: above they would cover figures and buttons. */
  [data-testid="stToastContainer"] { top: auto; bottom: 1rem; right: auto; left: 1rem; }
  /* What can be done stays in sight, however long the page is. */
  [data-testid="stLayoutWrapper"]:has(> .st-key-actions) { position: sticky; top: 3.75rem; z-index: 90; }
  .st-key-actions { background: light-dark(#ffffff, #10161c); padding: 0.4rem 0; }
  @media (max-width: 1000px) {
    /* On a phone what is to be done comes before the map. */
    .st-key-board [data-testid="stHorizontalBlock"] { flex-direction: column-reverse; }
    .st-key-board [data-testid="stColumn"] { width: 100%; }
  }
  @media (max-width: 640px) {
    /* Two beside each other: four above each other would push the feed off a phone's screen. */
    .st-key-figures [data-testid="stColumn"] { min-width: calc(50% - 1rem); flex: 1 1 40%; }
  }
</style>
"""
_WALL = """
<style>
  [data-testid="stHeader"] { display: none; }
  .stMainBlockContainer { padding: 1rem 1.5rem; }
  .stMainBlockContainer h1 { font-size: max(1.4rem, 3.2vh); padding: 0; }
  [data-testid="stAlert"] p { font-size: max(1.1rem, 2.4vh); }
  .feed .title { font-size: max(1.3rem, 3.2vh); line-height: 1.15; }
  .feed :is(.kind, .foot) { font-size: max(1rem, 2.2vh); }
  .feed .detail { display: none; }
  .feed svg { width: max(30px, 4vh); height: max(30px, 4vh); }
  .feed .take, [data-testid="stTooltipIcon"] { display: none; }
</style>
"""


_PRINT = """
<style>
  @media print {
    [data-testid="stHeader"], [data-testid="stTooltipIcon"], .st-key-print { display: none !important; }
    .stMainBlockContainer { padding: 0; }
    .stApp, .stMain, [data-testid="stAppViewContainer"] {
      position: static !important; height: auto !important; overflow: visible !important;
    }
    [data-testid="stMetric"] { break-inside: avoid; }
    @page { size: A4; margin: 12mm; }
  }
</style>
"""


def apply() -> None:
    st.html(_ALWAYS)


def apply_print() -> None:
    st.html(_PRINT)


def apply_wall() -> None:
    st.html(_WALL)
