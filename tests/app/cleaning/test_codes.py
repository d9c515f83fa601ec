"""Codes name rows of a catalog as Arrow's own lookup would."""

import pyarrow as pa
import pyarrow.compute as pc
from hypothesis import given, settings
from hypothesis import strategies as st

from app.cleaning.codes import Codes
from app.cleaning.tables import NO_TAG

CODE = st.one_of(st.none(), st.text(max_size=3), st.text("0123456789ABCDEF", min_size=6, max_size=30))


@settings(deadline=None)
@given(known=st.lists(CODE, max_size=40), others=st.lists(CODE, max_size=20), first=st.integers(0, 5))
def test_what_is_known_is_found_and_nothing_else(
    known: list[str | None], others: list[str | None], first: int
) -> None:
    catalog = pa.array(known, pa.string())
    asked = pa.array([code or "" for code in [*others, *known]], pa.string()).slice(first)
    named = pc.index_in(asked, value_set=pc.drop_null(catalog))
    rows = [index for index, code in enumerate(known) if code is not None]
    expected = [
        NO_TAG if row is None or not code else rows[row]
        for row, code in zip(named.to_pylist(), asked.to_pylist(), strict=True)
    ]
    assert Codes(catalog).rows_of(asked).tolist() == expected
