"""The order workflow of the constraint-aware paper (its Figure 1): its streams, and what never happens."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from benchmarks.streams import Stream

CASES, AT_ONCE, QUOTES = 20_000, 1_000, 3
EACH_MS = 1
CONSTRAINTS = (
    "exclusive(UseLocalStock, UseRemoteStock), prior(GenerateInvoice, SendInvoice), "
    "prior(GenerateQuote, SendQuote), exclusive(CancelOrder, FinishOrder), "
    "prior(CheckInventory, UseRemoteStock), prior(FinishOrder, FinishOrder) BY order_id"
)
SEQUENCE = (
    "EVENT SEQ(CheckInventory, UseRemoteStock, GenerateInvoice) "
    "WHERE [order_id] AND GenerateInvoice.price > 200 WITHIN {window} ms"
)
BRANCHES = (
    "EVENT SEQ(AND(SEQ(OrderFromSupplier, GenerateQuote), SEQ(UseRemoteStock, GenerateInvoice)), "
    "FinishOrder) "
    "WHERE [order_id] AND GenerateQuote.price > 200 WITHIN {window} ms"
)
ENDED = "EVENT SEQ(SendInvoice, !(CancelOrder)) WHERE [order_id] WITHIN {window} ms"


@dataclass(frozen=True)
class Workflow:
    """How likely each order is to fail, and how: by its stock, by its invoice, by its quotes."""

    local: float = 0.0
    cheap_invoice: float = 0.0
    cheap_quotes: float = 0.0
    cancelled: float = 0.0


def stream(workflow: Workflow, cases: int = CASES, batch: int = 20_000, seed: int = 1) -> Stream:
    """Orders one after the other come in while others are under way; 20 events each."""
    chosen = np.random.default_rng(seed)
    waiting = (list(_order(number, workflow, chosen)) for number in range(cases))
    going = [order for _, order in zip(range(AT_ONCE), waiting, strict=False)]
    rows: list[tuple[str, int, int, float]] = []
    while going:
        at = int(chosen.integers(len(going)))
        rows.append(going[at].pop(0))
        if not going[at]:
            after = next(waiting, None)
            if after is None:
                going.pop(at)
            else:
                going[at] = after
    return [_batch(rows[first : first + batch], first) for first in range(0, len(rows), batch)]


def _order(
    number: int, workflow: Workflow, chosen: np.random.Generator
) -> Iterator[tuple[str, int, int, float]]:
    def event(name: str, price: float = 0.0) -> tuple[str, int, int, float]:
        return name, number, int(chosen.integers(100)), price

    draws = chosen.random(4)
    local, cheap, quoted, cancelled = draws < (
        workflow.local,
        workflow.cheap_invoice,
        workflow.cheap_quotes,
        workflow.cancelled,
    )
    yield event("ReceiveOrder")
    yield event("CheckCustomer")
    yield event("CheckInventory")
    stock = [event("UseLocalStock" if local else "UseRemoteStock")]
    stock += [event("PackItems"), event("GenerateInvoice", 100 if cheap else 300)]
    stock += [event("SendInvoice"), event("ReceivePayment"), event("BookPayment")]
    supply = [event("OrderFromSupplier"), event("ConfirmSupply")]
    supply += [event("GenerateQuote", 100 if quoted else 300) for _ in range(QUOTES)]
    supply += [event("SendQuote"), event("ReceiveSupply")]
    while stock or supply:
        take_stock = supply == [] or (stock != [] and chosen.random() < 0.5)
        yield (stock if take_stock else supply).pop(0)
    yield event("Ship")
    yield event("NotifyCustomer")
    yield event("CancelOrder" if cancelled else "FinishOrder")
    yield event("Archive")


def _batch(rows: list[tuple[str, int, int, float]], first: int) -> pa.RecordBatch:
    names, orders, sizes, prices = zip(*rows, strict=True)
    return pa.RecordBatch.from_pydict(
        {
            "event": pa.array(names, pa.string()).dictionary_encode(),
            "ts": pa.array(np.arange(first, first + len(rows)) * EACH_MS),
            "order_id": pa.array(orders, pa.int64()),
            "size": pa.array(sizes, pa.int64()),
            "price": pa.array(prices, pa.float64()),
        }
    )
