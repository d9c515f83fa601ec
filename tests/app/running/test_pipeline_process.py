"""The pipeline's process: one at a time."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from app.running.pipeline_process import PipelineBusyError, claim


def test_a_second_pipeline_on_the_same_folder_is_refused(tmp_path: Path) -> None:
    first = claim(tmp_path / "checkpoint")
    with pytest.raises(PipelineBusyError, match="in use by another pipeline"):
        claim(tmp_path / "checkpoint")
    os.close(first)
    os.close(claim(tmp_path / "checkpoint"))
