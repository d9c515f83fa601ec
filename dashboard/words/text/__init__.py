"""Every word that the dashboard says, a module for each page or topic: what a translator translates."""

from dashboard.words.text import account as account
from dashboard.words.text import actions as actions
from dashboard.words.text import alert as alert
from dashboard.words.text import alerts as alerts
from dashboard.words.text import clauses as clauses
from dashboard.words.text import demo as demo
from dashboard.words.text import detectors as detectors
from dashboard.words.text import display as display
from dashboard.words.text import events as events
from dashboard.words.text import failures as failures
from dashboard.words.text import health as health
from dashboard.words.text import incidents as incidents
from dashboard.words.text import live as live
from dashboard.words.text import pictures as pictures
from dashboard.words.text import report as report
from dashboard.words.text import sign_in as sign_in
from dashboard.words.text import sites as sites
from dashboard.words.text import terms as terms
from dashboard.words.text import whereabouts as whereabouts
