"""The signed cookie that names an account: handed out at sign-in, asked for with every request."""

from __future__ import annotations

import sqlalchemy as sa
from itsdangerous import BadSignature, TimestampSigner
from starlette.requests import HTTPConnection
from starlette.responses import Response

from app import store
from app.store import Account
from dashboard.context import Context

COOKIE = "vigil"
LASTS_S = 12 * 3600
DEMO = Account("demo", "admin", 0, True)


class SignInCookies:
    """Issues and reads the cookies of one place. A changed password or role ends the sign-ins before it."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self._signer = TimestampSigner(context.secret, salt="vigil sign-in")

    def issue(self, account: Account) -> str:
        return self._signer.sign(f"{account.generation}:{account.name}".encode()).decode()

    def account(self, cookie: str | None) -> Account | None:
        """Who holds this cookie, as the store knows them now; None if it is no longer good."""
        try:
            signed = self._signer.unsign(cookie or "", max_age=LASTS_S).decode()
        except BadSignature:
            return None
        generation, _, name = signed.partition(":")
        found = self._find(name)
        good = found is not None and found.active and str(found.generation) == generation
        return found if good and found is not None and self.may_come(found) else None

    def may_come(self, account: Account) -> bool:
        """Whether the account is of a site that these pages show."""
        own = account.may_enter(store.site_of(self.context.store))
        return own or (self.context.has_other_sites and bool(account.sites))

    def lets_in(self, cookie: str | None) -> bool:
        """With the store away the signature must do: the pages say what is wrong and show nothing else."""
        try:
            return self.account(cookie) is not None
        except sa.exc.SQLAlchemyError:
            return True

    def admit(self, response: Response, account: Account, asked: HTTPConnection) -> Response:
        return self.put(response, COOKIE, self.issue(account), asked)

    def put(self, response: Response, name: str, value: str, asked: HTTPConnection) -> Response:
        """Who came over TLS, here or at a trusted proxy, gets a cookie that goes no other way."""
        secure = self.context.secure or asked.url.scheme == "https"
        response.set_cookie(name, value, max_age=LASTS_S, httponly=True, samesite="lax", secure=secure)
        return response

    def _find(self, name: str) -> Account | None:
        if self.context.demo and name == DEMO.name:
            return DEMO
        return store.find_account(self.context.store, name)
