"""The store: alerts and their life, detectors' switches, accounts, readers, whereabouts and metrics, in SQL.

`open_store(url, site)` gives the engine that every function takes first: it shows and changes what that site
has, and nothing of any other. Times are epoch milliseconds, passed in.
Functions that a person causes take an `Actor` and raise `RefusedError` when the role is too low;
`record_*` functions are for Vigil's own processes.

Alerts       find_alert, alert_history, record_alerts; Alert, Evidence, Seen, Absence,
             ExpectedReader, Clause, Step
Search       open_alerts, open_counts, changes_since, last_change, newest_alert, search(Filter) -> Page,
             same_subject, choices, records (fired, resolved, false per detector), all_alerts (for export)
Report       report -> AlertReport (value, counts, times), availability (of readers)
Life         take, hand_over, resolve(RESOLUTIONS), reopen, snooze, wake, note: on a list of ids, all or none;
             lend(BookedLoan): one alert, and the loan goes to the pipeline (staff); LifeError says why not
Rules        close_by_rule, withdraw: what Vigil does by itself; open_about
Sites        add_site, remove_site (admin), forget_removed, find_site, list_sites, site_states;
             at_site: the same store for another one; site_of
Detectors    switches, switch, undo (manager), switch_history, switched_off, switch_on_due; record_defaults,
             record_versions, record_catalog (what a site has changed), record_learned,
             asked_to_learn (which rates count), record_applied
Incidents    open_incidents, incident_of, count_incidents; AlertIncident: alerts that belong together
Staging      stage (staff): a command to the simulator over MQTT; order_dose (staff): one that is due at once
Accounts     authenticate, find_account, list_accounts, add_account, set_role, set_sites, set_active,
             set_password, account_history, record_refusal (admin; one's own password: anyone)
Health       list_readers, silences_between, list_parts; record_readers, record_silences, cut_silences,
             record_part
Proofs       revise_proofs (what becomes known of the watching after an alert), is_proven, expected
Whereabouts  positions (as last seen), find_position, trail (moves of some time), way (of one tag),
             standing (where tags were)
Metrics      series, latest, totals; record_metrics
Aside        list_aside (`late`, `dead`); record_aside
Trouble      can_heal (by waiting), broken, StoreBrokenError
Keeping      as_json_lines, as_csv, apply_retention(Retention); unsent, mark_sent (the MQTT outbox)
"""

from app.store.accounts import (
    Account,
    AccountChange,
    AccountError,
    account_history,
    add_account,
    authenticate,
    find_account,
    list_accounts,
    record_refusal,
    set_active,
    set_password,
    set_role,
    set_sites,
)
from app.store.actor import ROLES, Actor, RefusedError
from app.store.alerts.alert import (
    STATES,
    Absence,
    Alert,
    Clause,
    Evidence,
    ExpectedReader,
    Seen,
    Step,
    alert_history,
    find_alert,
)
from app.store.alerts.export import as_csv, as_json_lines
from app.store.alerts.incident_search import AlertIncident, count_incidents, incident_of, open_incidents
from app.store.alerts.incidents import IncidentTie, tie
from app.store.alerts.life import (
    BORROWED,
    NEEDS_REASON,
    RESOLUTIONS,
    BookedLoan,
    LifeError,
    hand_over,
    lend,
    note,
    reopen,
    resolve,
    snooze,
    take,
    wake,
)
from app.store.alerts.proofs import expected, is_proven, revise_proofs
from app.store.alerts.raising import record_alerts
from app.store.alerts.report import AlertReport, ReportedAlert, report
from app.store.alerts.rules import close_by_rule, open_about, open_of, remark, withdraw
from app.store.alerts.search import (
    Changes,
    Filter,
    Page,
    Record,
    all_alerts,
    changes_since,
    choices,
    last_change,
    newest_alert,
    open_alerts,
    open_counts,
    records,
    same_subject,
    search,
)
from app.store.aside import Aside, list_aside, record_aside
from app.store.by_site import at_site, site_of
from app.store.counters import totals
from app.store.database import connect, find_store, migrate, open_store, writing
from app.store.healing import StoreBrokenError, broken, can_heal
from app.store.health import (
    VIGIL,
    HeldReadings,
    PartState,
    ReaderState,
    Silence,
    availability,
    cut_silences,
    forget_parts,
    list_held,
    list_parts,
    list_readers,
    record_held,
    record_part,
    record_readers,
    record_silences,
    silences_between,
)
from app.store.metrics import Point, latest, record_metrics, series
from app.store.outbox import OutboxMessage, mark_sent, unsent
from app.store.retention import Retention, apply_retention, compact
from app.store.sites import (
    Site,
    SiteError,
    SiteState,
    add_site,
    find_site,
    forget_removed,
    list_sites,
    remove_site,
    site_states,
)
from app.store.spared import SPARED, Spared, record_spared, spared
from app.store.staging import order_dose, stage
from app.store.switches import (
    Switch,
    SwitchChange,
    SwitchedOff,
    asked_to_learn,
    record_applied,
    record_catalog,
    record_defaults,
    record_learned,
    record_versions,
    switch,
    switch_history,
    switch_on_due,
    switched_off,
    switches,
    undo,
)
from app.store.whereabouts import (
    ItemMove,
    Position,
    find_position,
    positions,
    record_positions,
    standing,
    trail,
    way,
)

__all__ = [
    "BORROWED",
    "NEEDS_REASON",
    "RESOLUTIONS",
    "ROLES",
    "SPARED",
    "STATES",
    "VIGIL",
    "Absence",
    "Account",
    "AccountChange",
    "AccountError",
    "Actor",
    "Alert",
    "AlertIncident",
    "AlertReport",
    "Aside",
    "BookedLoan",
    "Changes",
    "Clause",
    "Evidence",
    "ExpectedReader",
    "Filter",
    "HeldReadings",
    "IncidentTie",
    "ItemMove",
    "LifeError",
    "OutboxMessage",
    "Page",
    "PartState",
    "Point",
    "Position",
    "ReaderState",
    "Record",
    "RefusedError",
    "ReportedAlert",
    "Retention",
    "Seen",
    "Silence",
    "Site",
    "SiteError",
    "SiteState",
    "Spared",
    "Step",
    "StoreBrokenError",
    "Switch",
    "SwitchChange",
    "SwitchedOff",
    "account_history",
    "add_account",
    "add_site",
    "alert_history",
    "all_alerts",
    "apply_retention",
    "as_csv",
    "as_json_lines",
    "asked_to_learn",
    "at_site",
    "authenticate",
    "availability",
    "broken",
    "can_heal",
    "changes_since",
    "choices",
    "close_by_rule",
    "compact",
    "connect",
    "count_incidents",
    "cut_silences",
    "expected",
    "find_account",
    "find_alert",
    "find_position",
    "find_site",
    "find_store",
    "forget_parts",
    "forget_removed",
    "hand_over",
    "incident_of",
    "is_proven",
    "last_change",
    "latest",
    "lend",
    "list_accounts",
    "list_aside",
    "list_held",
    "list_parts",
    "list_readers",
    "list_sites",
    "mark_sent",
    "migrate",
    "newest_alert",
    "note",
    "open_about",
    "open_alerts",
    "open_counts",
    "open_incidents",
    "open_of",
    "open_store",
    "order_dose",
    "positions",
    "record_alerts",
    "record_applied",
    "record_aside",
    "record_catalog",
    "record_defaults",
    "record_held",
    "record_learned",
    "record_metrics",
    "record_part",
    "record_positions",
    "record_readers",
    "record_refusal",
    "record_silences",
    "record_spared",
    "record_versions",
    "records",
    "remark",
    "remove_site",
    "reopen",
    "report",
    "resolve",
    "revise_proofs",
    "same_subject",
    "search",
    "series",
    "set_active",
    "set_password",
    "set_role",
    "set_sites",
    "silences_between",
    "site_of",
    "site_states",
    "snooze",
    "spared",
    "stage",
    "standing",
    "switch",
    "switch_history",
    "switch_on_due",
    "switched_off",
    "switches",
    "take",
    "tie",
    "totals",
    "trail",
    "undo",
    "unsent",
    "wake",
    "way",
    "withdraw",
    "writing",
]  # fmt: skip
