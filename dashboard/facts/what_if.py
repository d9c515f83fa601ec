"""Asks what other parameters would have meant, in a process of its own, and keeps the best answer so far."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
import threading

from app.detection.what_if import Answer, Question


class AskedPreview:
    """One question; `answer` grows until it is whole, `failed` says that none comes any more."""

    def __init__(self, question: Question) -> None:
        self.question = question
        self.answer = Answer(0.0, 0, 0)
        self.failed = False
        self._process = subprocess.Popen(
            [sys.executable, "-m", "app.detection.what_if"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert self._process.stdin is not None
        with self._process.stdin as told:  # not as an argument, which others could see: a log has a password
            told.write(pickle.dumps(question))
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def stop(self) -> None:
        """Nobody waits for it any more."""
        self._process.kill()

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as lines:
            for line in lines:
                self.answer = Answer(**json.loads(line))
        self.failed = self._process.wait() != 0 and self.answer.done < 1
