"""`vigil pipeline SCENARIO`: Spark reads the log and puts alerts into the store, until it is told to stop."""

from __future__ import annotations

import argparse
import logging
import sys

from app import settings
from app.commands.arguments import add_settings, chosen_settings
from app.exit_codes import BROKEN
from app.place.find import find_scenario
from app.spark.jvm import Jvm, is_alone


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "scenario", nargs="?", help="a name such as store, or a scenario's file; default: that of the site"
    )
    add_settings(parser)


def run(arguments: argparse.Namespace) -> int:
    logging.basicConfig(format="%(asctime)s %(message)s", level=logging.INFO, stream=sys.stderr)
    try:
        chosen = chosen_settings(arguments)
        if arguments.scenario is not None or not chosen.site:
            find_scenario(arguments.scenario or "")
        jvm = Jvm(chosen.spark_memory, alone=is_alone(chosen.spark_master))
    except (settings.SettingsError, LookupError, OSError, RuntimeError) as error:
        print(f"vigil pipeline: {error}", file=sys.stderr)
        return 1
    return _run(chosen, arguments.scenario, jvm)


def _run(chosen: settings.Settings, named: str | None, jvm: Jvm) -> int:
    # Java takes seconds to start; meanwhile Python imports Spark, SQLAlchemy and the kernels.
    import sqlalchemy as sa

    from app import log, store
    from app.running.pipeline_process import PipelineBusyError, run_pipeline
    from app.running.site_place import SiteRemovedError, find_place
    from detectors.document import FaultyFileError

    try:
        return run_pipeline(chosen, find_place(named, chosen).resolve(), jvm)
    except sa.exc.DBAPIError as error:
        healing = store.can_heal(error)
        print(f"vigil pipeline: {error if healing else store.broken(error)}", file=sys.stderr)
        return 1 if healing else BROKEN
    except (store.StoreBrokenError, SiteRemovedError) as error:
        print(f"vigil pipeline: {error}", file=sys.stderr)
        return BROKEN
    except (FaultyFileError, LookupError, PipelineBusyError, log.LogUnreachableError) as error:
        print(f"vigil pipeline: {error}", file=sys.stderr)
        return 1
