"""Constrain a plain `model.generate(...)` of transformers, here on the files of the embedded model.

$ python examples/plain_generate.py
2026-05-05
"""

from transformers import AutoModelForCausalLM, AutoTokenizer, LogitsProcessorList

import guided
from guided.embedded import model_path
from guided.integrations.transformers import GuidedLogitsProcessor

DATE = r"2026-(0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8])"


def main() -> None:
    """Beam search whose every beam stays inside the regex."""
    tokenizer = AutoTokenizer.from_pretrained(model_path())
    model = AutoModelForCausalLM.from_pretrained(model_path())
    vocabulary = guided.Vocabulary.from_tokenizer(tokenizer, vocab_size=model.config.vocab_size)
    grammar = guided.compile_grammar(vocabulary, regex=DATE)
    prompt = tokenizer("Due date: ", return_tensors="pt", add_special_tokens=False)
    output = model.generate(
        **prompt,
        num_beams=4,
        do_sample=False,
        max_new_tokens=16,
        logits_processor=LogitsProcessorList([GuidedLogitsProcessor(grammar)]),
    )
    new_token_ids = output[0, prompt["input_ids"].shape[1] :].tolist()
    print(vocabulary.join(new_token_ids).decode())


if __name__ == "__main__":
    main()
