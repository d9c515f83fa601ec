"""The sign-in and sign-out pages: forms outside Streamlit that hand the cookie out and take it back."""

from __future__ import annotations

import logging
import secrets
from html import escape
from pathlib import Path
from string import Template

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app import store
from dashboard.sign_in.attempts import Attempts
from dashboard.sign_in.cookies import COOKIE, SignInCookies
from dashboard.words import text

_log = logging.getLogger(__name__)
FORM_COOKIE = "vigil_form"
_PAGE = Template((Path(__file__).parent / "page.html").read_text())
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'"


class SignInPages:
    """Each form carries a token that must equal the one in its cookie."""

    def __init__(self, cookies: SignInCookies, attempts: Attempts) -> None:
        self._context, self._cookies, self._attempts = cookies.context, cookies, attempts

    async def sign_in(self, request: Request) -> Response:
        if request.method != "POST":
            return self._form(request, text.sign_in.SIGN_IN, "")
        form = await request.form()
        name, password = str(form.get("name", "")), str(form.get("password", ""))
        if not _genuine(request, str(form.get("token", ""))):
            return self._form(request, text.sign_in.SIGN_IN, text.sign_in.FORM_EXPIRED, 403)
        sender = request.client.host if request.client else ""
        if not self._attempts.may_try(sender, name):
            return self._form(request, text.sign_in.SIGN_IN, text.sign_in.TOO_MANY_ATTEMPTS, 429)
        account = await run_in_threadpool(store.authenticate, self._context.store, name, password)
        if account is None:
            await run_in_threadpool(self._note_refusal, name, sender)
            return self._form(request, text.sign_in.SIGN_IN, text.sign_in.WRONG_PASSWORD, 401)
        self._attempts.forget(sender, name)
        if not self._cookies.may_come(account):
            return self._form(request, text.sign_in.SIGN_IN, text.sign_in.OTHER_SITE, 403)
        return self._cookies.admit(
            RedirectResponse(_inside(str(form.get("next", "/"))), 303), account, request
        )

    def _note_refusal(self, name: str, sender: str) -> None:
        _log.warning("Refused to sign in %r from %s", name[:100], sender)
        store.record_refusal(self._context.store, name, sender, now_ms=self._context.now_ms())

    async def sign_out(self, request: Request) -> Response:
        if request.method != "POST":
            return self._form(request, text.sign_in.SIGN_OUT, "")
        form = await request.form()
        if not _genuine(request, str(form.get("token", ""))):
            return self._form(request, text.sign_in.SIGN_OUT, text.sign_in.FORM_EXPIRED, 403)
        response = RedirectResponse("/login", 303)
        response.delete_cookie(COOKIE)
        return response

    def _form(self, request: Request, title: str, problem: str, status: int = 200) -> Response:
        token = secrets.token_urlsafe(24)
        page = _PAGE.substitute(
            product=escape(text.terms.PRODUCT),
            title=escape(title),
            place=escape(self._context.scenario.title),
            problem=escape(problem),
            hidden="" if title == text.sign_in.SIGN_IN else "hidden",
            required="required" if title == text.sign_in.SIGN_IN else "disabled",
            name=escape(text.sign_in.ACCOUNT_NAME),
            password=escape(text.sign_in.PASSWORD),
            token=token,
            next=escape(_inside(request.query_params.get("next", "/")), quote=True),
        )
        headers = {"cache-control": "no-store", "content-security-policy": _POLICY}
        return self._cookies.put(HTMLResponse(page, status, headers), FORM_COOKIE, token, request)


def _genuine(request: Request, token: str) -> bool:
    """Whether the form is ours: another site can neither read nor set the cookie that it must repeat."""
    known = request.cookies.get(FORM_COOKIE, "")
    return bool(known) and secrets.compare_digest(known.encode(), token.encode())


def _inside(path: str) -> str:
    """Where to go on: only to a page of this dashboard."""
    return path if path.startswith("/") and not path.startswith(("//", "/\\")) else "/"
