"""From a message to rows of the log: whatever arrives becomes readings, or a rejection with its reason."""

from app.ingest.payloads.decoding import MAX_PAYLOAD, Decoded, Rejected, decode
from app.ingest.payloads.formats import FORMATS, WILL
from app.ingest.payloads.routes import DEFAULT, Route

__all__ = ["DEFAULT", "FORMATS", "MAX_PAYLOAD", "WILL", "Decoded", "Rejected", "Route", "decode"]
