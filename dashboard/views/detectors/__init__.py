"""Detectors: what each looks for, its switch, its parameters, and what others would have meant."""

from dashboard.views.detectors.page import show

__all__ = ["show"]
