"""Pages tell what is wrong instead of failing: the store away, the sign-in ended, a role too low."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

import sqlalchemy as sa
import streamlit as st

from app.demo.change_place import NoSuchPlaceError
from app.store import AccountError, LifeError, RefusedError, broken, can_heal
from dashboard.context import current_context, showing
from dashboard.sign_in.session import SignedOutError, account
from dashboard.site_choice import chosen_context
from dashboard.words import text, times
from dashboard.words.escape import escaped

P = ParamSpec("P")
_log = logging.getLogger(__name__)
_down_since: list[int] = []
_failures = [0]


def shows_failures(page: Callable[P, None]) -> Callable[P, None]:
    """A page, or a part of one that refreshes by itself, that survives what may happen around it; each time
    only for somebody who is still signed in."""

    @wraps(page)
    def shown(*args: P.args, **kwargs: P.kwargs) -> None:
        before = _failures[0]
        try:
            with showing(chosen_context(account())):
                page(*args, **kwargs)
            # A page within this one may have failed and told so itself.
            if _failures[0] == before:
                _down_since.clear()
        except sa.exc.SQLAlchemyError as error:
            _failures[0] += 1
            _log.exception("the store cannot be read")
            _tell_store_down(error)
        except SignedOutError:
            st.warning(text.sign_in.SIGN_IN_AGAIN, icon=":material/lock:")
        except (RefusedError, LifeError, AccountError, NoSuchPlaceError, LookupError) as error:
            st.error(escaped(error), icon=":material/block:")

    return shown


def _tell_store_down(error: sa.exc.SQLAlchemyError) -> None:
    context = current_context()
    if not _down_since:
        _down_since.append(context.now_ms())
    since = times.moment(_down_since[0], context.zone)
    st.error(text.failures.STORE_DOWN.format(since), icon=":material/database_off:")
    lasting = text.failures.STORE_BROKEN.format(escaped(broken(error)))
    st.caption(text.failures.STORE_DOWN_HINT if can_heal(error) else lasting)
