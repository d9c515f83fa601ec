"""Alerts in the store: what one holds, how it is raised, tied to others, found, treated and proven."""
