"""Demo: stage incidents, watch them being told, and see how right the alerts are."""

from dashboard.views.demo.page import show

__all__ = ["show"]
