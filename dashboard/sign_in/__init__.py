"""Who may see the pages: the guard before them, the sign-in form, the signed cookie, the session."""
