"""Alert: one alert, why it fired and what can be done about it."""

from dashboard.views.alert.page import show

__all__ = ["show"]
