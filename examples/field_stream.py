"""Show each field of an extraction as soon as it is written; then how sure the model was of them.

$ python examples/field_stream.py
/order_id = 'A-20931'
/customer = 'Wexford Libraries'
...
least sure: /status, 0.98
"""

from pathlib import Path

from models import Order

import guided

TEXT = (Path(__file__).parent / "texts" / "orders" / "lamps.txt").read_text(encoding="utf-8")


def main() -> None:
    """Fields first, while the document grows; their confidences once it is complete."""
    with guided.LLM() as llm, llm.stream_extract(TEXT, Order, confidence=True) as stream:
        for event in stream:
            if event.kind == "done" and event.pointer:
                print(f"{event.pointer} = {event.value!r}", flush=True)
        confidence = stream.extraction.confidence or {}
    sureness = {pointer: one.processed for pointer, one in confidence.items() if pointer}
    pointer = min(sureness, key=sureness.__getitem__)
    print(f"least sure: {pointer}, {sureness[pointer]:.2f}")


if __name__ == "__main__":
    main()
