"""Sites: all that the account may enter, side by side, and the way into the pages of each."""

from dashboard.views.sites.page import show

__all__ = ["show"]
