"""Text in, typed objects out, with the default model; the answers shown are of `LLM("embedded")`.

$ python examples/typed_extraction.py
Order(order_id='A-20931', customer='Wexford Libraries', product='reading lamps', quantity=24, price=38.5, ...
valid: True, 67 tokens, 18 of them forced by the schema
"""

from pathlib import Path

from models import Order

import guided

TEXT = (Path(__file__).parent / "texts" / "orders" / "lamps.txt").read_text(encoding="utf-8")


def main() -> None:
    """Read one order; `extract_detailed` also says how the result came about."""
    llm = guided.LLM()
    extraction = llm.extract_detailed(TEXT, Order)
    completion = extraction.completion
    print(repr(extraction.value))
    print(f"valid: {extraction.is_valid}, {len(completion.token_ids)} tokens, ", end="")
    print(f"{completion.num_forced_tokens} of them forced by the schema")


if __name__ == "__main__":
    main()
