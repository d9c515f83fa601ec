"""The configuration of a node of the hub, for nats-server and for people."""

from __future__ import annotations

import json
from collections.abc import Sequence

from app.hub.nodes import CLUSTER, DOMAIN, HEAD, Node, user_of
from app.hub.passwords import Passwords
from app.hub.permissions import OF_HEAD, Permissions, of_link

# A link that drops packets without a word is given up after 15 seconds, not after minutes.
LIVELY = 'max_payload: 8MB\nping_interval: "5s"\nping_max: 2\nwrite_deadline: "10s"'
WRITTEN = "# Written by `vigil hub config`, and anew with every call: changes made here are lost."
_TLS = 'cert_file: "server.pem", key_file: "server.key"'


def node_file(node: Node, nodes: Sequence[Node], sites: Sequence[str]) -> str:
    """Its certificates, passwords.conf and what it keeps are in the folder in which the server is started."""
    links = "\n".join(_link(site) for site in sites)
    return f"""\
# Node {node.number} of {len(nodes)} of the hub: {node.at(node.port)}.
{WRITTEN}
# The passwords are in passwords.conf.
include "passwords.conf"

server_name: "{node.name}"
listen: "0.0.0.0:{node.port}"
{LIVELY}
tls {{ {_TLS} }}
# What a power cut takes of the last moment is taken from the stores again.
jetstream {{ store_dir: "messages", domain: "{DOMAIN}", sync_interval: "200ms" }}
{_cluster(node, nodes)}
# Where the stores' servers come in, each with a user of its own.
leafnodes {{ listen: "0.0.0.0:{node.leaves_port}", no_advertise: true, tls {{ {_TLS} }} }}

accounts {{
  VIGIL {{
    jetstream: enabled
    users: [
      # Head office: pipeline, pages, `vigil site`.
      {{ user: "{HEAD}", password: $PASSWORD_{HEAD}, permissions: {spelled(OF_HEAD)} }}
{links}
    ]
  }}
  SYS {{ users: [ {{ user: "system", password: $PASSWORD_system }} ] }}
}}
system_account: SYS
"""


def node_passwords(passwords: Passwords) -> str:
    links = [f'LINK_{site}: "{password}"' for site, password in sorted(passwords.links.items())]
    own = [f'PASSWORD_{HEAD}: "{passwords.head}"', f'PASSWORD_system: "{passwords.system}"']
    return "\n".join([WRITTEN, *own, *links, ""])


def spelled(permissions: Permissions) -> str:
    publish, subscribe = (json.dumps(subjects) for subjects in (permissions.publish, permissions.subscribe))
    return f"{{ publish: {{ allow: {publish} }}, subscribe: {{ allow: {subscribe} }} }}"


def _cluster(node: Node, nodes: Sequence[Node]) -> str:
    """Whoever comes in there has to show a certificate of the chain's own authority."""
    if len(nodes) == 1:
        return ""
    routes = json.dumps([f"tls://{other.at(other.routes_port)}" for other in nodes])
    return f"""\
cluster {{
  name: "{CLUSTER}"
  listen: "0.0.0.0:{node.routes_port}"
  tls {{ {_TLS}, ca_file: "authority.pem", verify: true }}
  routes: {routes}
  # Whoever belongs to the hub is named here; no certificate holds for other addresses.
  no_advertise: true
}}
"""


def _link(site: str) -> str:
    permissions = spelled(of_link(site))
    return (
        f'      {{ user: "{user_of(site)}", password: $LINK_{site}, allowed_connection_types: ["LEAFNODE"],\n'
        f"        permissions: {permissions} }}"
    )
