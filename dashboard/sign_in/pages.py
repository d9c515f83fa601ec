"""Signing in: a signed cookie that names the account, and the forms that hand it out and take it back."""

from __future__ import annotations

import secrets
from html import escape
from pathlib import Path
from string import Template

import sqlalchemy as sa
from itsdangerous import BadSignature, TimestampSigner
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app import store as stores
from app.store import Account
from dashboard.context import Place
from dashboard.sign_in.attempts import Attempts
from dashboard.words import text

COOKIE = "vigil"
FORM_COOKIE = "vigil_form"
LASTS_S = 12 * 3600
DEMO = Account("demo", "admin", 0, True)
_PAGE = Template((Path(__file__).parent / "page.html").read_text())


class Gate:
    """Issues and reads the cookies of one place. A changed password or role ends the sign-ins before it."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self._signer = TimestampSigner(place.secret, salt="vigil sign-in")

    def issue(self, account: Account) -> str:
        return self._signer.sign(f"{account.generation}:{account.name}".encode()).decode()

    def account(self, cookie: str | None) -> Account | None:
        """Who holds this cookie, as the store knows them now; None if it is no longer good."""
        try:
            signed = self._signer.unsign(cookie or "", max_age=LASTS_S).decode()
        except BadSignature:
            return None
        generation, _, name = signed.partition(":")
        found = DEMO if self.place.demo and name == DEMO.name else stores.find_account(self.place.store, name)
        good = found is not None and found.active and str(found.generation) == generation
        return found if good else None

    def lets_in(self, cookie: str | None) -> bool:
        """With the store away the signature must do: the pages say what is wrong and show nothing else."""
        try:
            return self.account(cookie) is not None
        except sa.exc.SQLAlchemyError:
            return True

    def admit(self, response: Response, account: Account) -> Response:
        return self._set(response, COOKIE, self.issue(account))

    def _set(self, response: Response, name: str, value: str) -> Response:
        response.set_cookie(
            name, value, max_age=LASTS_S, httponly=True, samesite="lax", secure=self.place.secure
        )
        return response


class Forms(Gate):
    """The sign-in and sign-out pages. Each form carries a token that must equal the one in its cookie."""

    def __init__(self, place: Place, attempts: Attempts) -> None:
        super().__init__(place)
        self._attempts = attempts

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
        account = await run_in_threadpool(stores.authenticate, self.place.store, name, password)
        if account is None:
            return self._form(request, text.sign_in.SIGN_IN, text.sign_in.WRONG_PASSWORD, 401)
        self._attempts.forget(sender, name)
        return self.admit(RedirectResponse(_inside(str(form.get("next", "/"))), 303), account)

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
            title=escape(title),
            place=escape(self.place.scenario.title),
            problem=escape(problem),
            hidden="" if title == text.sign_in.SIGN_IN else "hidden",
            required="required" if title == text.sign_in.SIGN_IN else "disabled",
            name=escape(text.sign_in.ACCOUNT_NAME),
            password=escape(text.sign_in.PASSWORD),
            token=token,
            next=escape(_inside(request.query_params.get("next", "/")), quote=True),
        )
        headers = {"cache-control": "no-store", "content-security-policy": _POLICY}
        return self._set(HTMLResponse(page, status, headers), FORM_COOKIE, token)


_POLICY = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'"


def _genuine(request: Request, token: str) -> bool:
    """Whether the form is ours: another site can neither read nor set the cookie that it must repeat."""
    known = request.cookies.get(FORM_COOKIE, "")
    return bool(known) and secrets.compare_digest(known.encode(), token.encode())


def _inside(path: str) -> str:
    """Only a page of this dashboard is a place to go on to."""
    return path if path.startswith("/") and not path.startswith(("//", "/\\")) else "/"
