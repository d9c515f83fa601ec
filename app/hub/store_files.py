"""The configuration of a store's own server, a leaf of the hub, and of the processes beside it."""

from __future__ import annotations

from collections.abc import Sequence

from app.hub.node_file import LIVELY, WRITTEN, spelled
from app.hub.nodes import DOMAIN, INGEST, Node, user_of
from app.hub.passwords import Passwords
from app.hub.permissions import of_ingest

BEGUN = (
    "# Begun by `vigil hub config`, which leaves it alone from then on. VIGIL_LOG_PASSWORD is in vigil.env."
)


def server_file(site: str, nodes: Sequence[Node], port: int) -> str:
    """The addresses of the hub stand with the password in passwords.conf, because they hold it."""
    remotes = ", ".join(f"$NODE_{node.number}" for node in nodes)
    return f"""\
# The server of the site {site}: ingest writes to it, the hub takes from it.
{WRITTEN}
# The passwords are in passwords.conf.
include "passwords.conf"

server_name: "{site}"
listen: "127.0.0.1:{port}"
{LIVELY}
jetstream {{ store_dir: "messages", domain: "{site}", sync_interval: always }}

# The link to the hub; to any of its nodes that answers.
leafnodes {{
  reconnect: "1s"
  remotes: [ {{ urls: [ {remotes} ], account: VIGIL, tls {{ ca_file: "authority.pem" }} }} ]
}}

accounts {{
  VIGIL {{
    jetstream: enabled
    users: [
      {{ user: "{INGEST}", password: $PASSWORD_{INGEST}, permissions: {spelled(of_ingest(site))} }}
    ]
  }}
  SYS {{ users: [ {{ user: "system", password: $PASSWORD_system }} ] }}
}}
system_account: SYS
"""


def server_passwords(site: str, nodes: Sequence[Node], passwords: Passwords) -> str:
    """The servers' own account is each server's own matter: nobody signs in as that."""
    link = passwords.links[site]
    found = [
        f'NODE_{node.number}: "tls://{user_of(site)}:{link}@{node.at(node.leaves_port)}"' for node in nodes
    ]
    own = [f'PASSWORD_{name}: "{passwords.ingests[site]}"' for name in (INGEST, "system")]
    return "\n".join([WRITTEN, *own, *found, ""])


def settings_file(site: str, port: int) -> str:
    return f"""\
{BEGUN}
site = "{site}"
log_url = "nats://127.0.0.1:{port}/{site}"
log_user = "{INGEST}"
log_hub = "{DOMAIN}"
# The broker to which the readers of the site publish.
broker_url = "mqtt://127.0.0.1:1883"
"""
