"""Ask a running server with the official client (`pip install openai`); every answer fits the Pydantic model.

$ guided serve &
$ python examples/openai_client.py
name='Marisol Quintero' age=41 job_title='product designer' ...
"""

from pathlib import Path

from models import Person
from openai import OpenAI

TEXT = (Path(__file__).parent / "texts" / "people" / "colleague.txt").read_text(encoding="utf-8")


def main() -> None:
    """One `parse` call."""
    client = OpenAI(base_url="http://127.0.0.1:8000/v1", api_key="none")
    completion = client.chat.completions.parse(
        model="embedded",
        temperature=0,
        messages=[{"role": "user", "content": TEXT}],
        response_format=Person,
    )
    print(completion.choices[0].message.parsed)


if __name__ == "__main__":
    main()
