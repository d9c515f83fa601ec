"""Which of the sites a browser looks at: its cookie says which, and its account whether it may."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from app import site_name, store
from app.place import scenario
from app.place.find import find_scenario
from app.store import Account, RefusedError, Site
from dashboard.context import Context, home_context
from dashboard.sign_in import session
from dashboard.sign_in.cookies import SignInCookies
from dashboard.words import text

SITE_COOKIE = "vigil_site"
SITE_PATH = "/site/"
HOME = "0"  # no site can have this name
_contexts: dict[str, tuple[Context, Site, Context]] = {}


def go_to_site(request: Request) -> Response:
    """Followed by the browser; what the cookie says is looked at again with every run of a page."""
    name, alert = request.path_params["name"], request.query_params.get("alert", "")
    response = RedirectResponse(f"/alert?id={quote(alert, safe='')}" if alert else "/", 303)
    if name == HOME or site_name.fault(name):
        response.delete_cookie(SITE_COOKIE)
        return response
    return SignInCookies(home_context()).put(response, SITE_COOKIE, name, request)


def chosen_context(account: Account) -> Context:
    """That of the site that was chosen last; RefusedError if the account may not go there."""
    home = home_context()
    if not home.has_other_sites:
        return home
    own = store.site_of(home.store)
    name = session.cookies().get(SITE_COOKIE) or _first(account, own)
    if name == own and account.may_enter(own):
        return home
    found = store.find_site(home.store, name)
    if found is None or not account.may_enter(name):
        raise RefusedError(text.sites.NOT_YOURS)
    return _of(home, found)


def _first(account: Account, own: str) -> str:
    """Where to begin: here, else at the first site that is the account's."""
    return own if account.may_enter(own) or not account.sites else account.sites[0]


def _of(home: Context, site: Site) -> Context:
    """Read once for all browsers, until the site is another."""
    kept = _contexts.get(site.name)
    if kept is None or kept[0] is not home or kept[1] != site:
        kept = _contexts[site.name] = (home, site, _made(home, site))
    return kept[2]


def _made(home: Context, site: Site) -> Context:
    path = find_scenario(site.scenario)
    return replace(
        home,
        store=store.at_site(home.store, site.name),
        scenario=replace(scenario.load(path), title=site.title),
        path=path,
        log=home.log_of(site),
        data=None,
        checkpoint=None,
        demo=False,
        truth=None,
    )
