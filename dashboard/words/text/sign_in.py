"""Signing in and out."""

from __future__ import annotations

SIGN_IN = "Sign in"
SIGN_OUT = "Sign out"
ACCOUNT_NAME = "Name"
PASSWORD = "Password"
WRONG_PASSWORD = "Name or password is wrong, or the account is closed."
OTHER_SITE = "This account belongs to another site."
FORM_EXPIRED = "This form has expired. Please try again."
TOO_MANY_ATTEMPTS = "Too many attempts. Wait five minutes and try again."
SIGNED_OUT = "You are signed out."
SIGN_IN_AGAIN = "You are signed out. [Sign in again](/login)."
