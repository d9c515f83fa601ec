"""Account: my own, and everybody's for admins."""

from __future__ import annotations

TITLE = "Account"
TITLE_OF = "Account: {}"
ROLES = {"viewer": "viewer", "staff": "staff", "manager": "manager", "admin": "admin"}
SIGNED_IN_AS = "Signed in as **{}** ({})."
DEMO_ACCOUNT = "The demo signs in whoever sits at this machine. A real installation asks for a password."
CHANGE_PASSWORD = "Change password"
OLD_PASSWORD, NEW_PASSWORD, FIRST_PASSWORD = "Present password", "New password", "First password"
WRONG_OLD_PASSWORD = "The present password is wrong."
PASSWORD_CHANGED = "Your password is changed. Please sign in again with the new one."
ACCOUNTS = "Accounts"
ROLE = "Role"
OPEN_ACCOUNT, CLOSED_ACCOUNT = "open", "closed"
ADD_ACCOUNT, CHANGE_ACCOUNT = "Add an account", "Change an account"
NEW_ROLE, MAY_SIGN_IN, UNCHANGED = "New role", "May sign in", "unchanged"
MAY_SIGN_INS = {None: "unchanged", True: "yes", False: "no longer"}
CHANGE, BY = "Change", "By"
ACCOUNT_CHANGES = {
    "added": "added", "role": "role changed", "opened": "may sign in again", "closed": "closed",
    "password": "password changed", "refused": "sign-in refused",
}  # fmt: skip
NO_ACCOUNTS = "Nobody has an account yet."
