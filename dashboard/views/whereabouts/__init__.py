"""Whereabouts: where things and people probably are."""

from dashboard.views.whereabouts.page import show

__all__ = ["show"]
