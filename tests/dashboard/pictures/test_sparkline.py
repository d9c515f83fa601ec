"""A figure's last minutes as a small line."""

from __future__ import annotations

from dashboard.pictures import sparkline


def test_the_line_goes_from_left_to_right_and_from_its_least_to_its_greatest() -> None:
    assert 'points="3.0,41.0 150.0,22.0 297.0,3.0"' in sparkline.svg([1, 2, 3])


def test_a_figure_that_does_not_change_or_is_alone_is_drawn_too() -> None:
    assert 'points="3.0,41.0 297.0,41.0"' in sparkline.svg([5, 5])
    assert 'points=""' in sparkline.svg([])
