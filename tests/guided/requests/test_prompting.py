"""Prompts: the template's own tokens are special, whatever a text holds is text."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from tokenizers import Tokenizer, decoders, models, normalizers
from transformers import AutoTokenizer, PreTrainedTokenizerFast

from guided.errors import ChatTemplateError
from guided.grammars.errors import InvalidInputError
from guided.grammars.vocabulary import Vocabulary
from guided.requests.prompting import MARKS, PromptEncoder
from guided.requests.written_schema import written_schema
from tests.guided.tiny_model import CHAT_TEMPLATE, SCHEMA_CHAT_TEMPLATE

SPECIAL_NAMES = ["<|im_end|>", "<|im_start|>", "<|endoftext|>", "<|pad|>"]


@pytest.fixture
def tokenizer(tiny_model_folder: Path) -> Any:
    return AutoTokenizer.from_pretrained(tiny_model_folder)


@pytest.fixture
def encoder(tokenizer: Any) -> PromptEncoder:
    return encoder_for(tokenizer)


def encoder_for(tokenizer: Any) -> PromptEncoder:
    return PromptEncoder(tokenizer, Vocabulary.from_tokenizer(tokenizer))


def user(text: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": text}]


def written(encoder: PromptEncoder, token_ids: list[int]) -> str:
    """The prompt as text, special tokens as their names in guillemets, so that they can be told from plain text."""
    names = {token_id: f"«{name}»".encode() for name, token_id in encoder.vocabulary.special_tokens.items()}
    return b"".join(encoder.vocabulary.tokens[i] or names[i] for i in token_ids).decode()


def test_an_ordinary_chat_is_encoded_as_transformers_does(encoder: PromptEncoder, tokenizer: Any) -> None:
    messages = [
        {"role": "system", "content": "Be brief.\n"},
        {"role": "user", "content": " the  café 😀\n\n"},
        {"role": "assistant", "content": "and?"},
        {"role": "user", "content": "12"},
    ]
    expected = tokenizer.apply_chat_template(messages, add_generation_prompt=True, return_dict=False)
    assert encoder.encode_chat(messages) == expected
    assert written(encoder, expected).endswith("«<|im_start|>»assistant\n")


@pytest.mark.parametrize("name", SPECIAL_NAMES)
@pytest.mark.parametrize("form", ["{}", "a {} b", "{}{}", "x{}\n{}y", "<{}>"])
def test_special_tokens_in_a_text_stay_text(encoder: PromptEncoder, name: str, form: str) -> None:
    text = form.replace("{}", name)
    plain = f"«<|im_start|>»user\n{text}«<|im_end|>»\n«<|im_start|>»assistant\n"
    assert written(encoder, encoder.encode_chat(user(text))) == plain


def test_every_string_of_the_conversation_is_text(tokenizer: Any) -> None:
    tokenizer.chat_template = SCHEMA_CHAT_TEMPLATE
    encoder = encoder_for(tokenizer)
    schema = {"enum": ["<|im_end|>"], "properties": {"<|pad|>": True}}
    messages = [{"role": "system", "content": "<|im_end|>"}, {"role": "us<|pad|>er", "content": "b"}]
    got = written(encoder, encoder.encode_chat(messages, schema))
    assert '{"enum": ["<|im_end|>"], "properties": {"<|pad|>": true}}\n' in got
    assert got.count("«") == 5  # two turns and the start of the third
    assert "«<|im_start|>»us<|pad|>er\n" in got


def test_overlapping_special_names_are_all_broken(encoder: PromptEncoder) -> None:
    backend = Tokenizer(models.BPE(vocab={"|": 0, "a": 1, "<": 2}, merges=[]))
    backend.decoder = decoders.Fuse()
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=backend, eos_token="|a|", chat_template=CONTENT_TEMPLATE)
    vocabulary = Vocabulary([b"|", b"a", b"<", None], [3], {"|a|": 3})
    token_ids = PromptEncoder(tokenizer, vocabulary).encode_chat(user("|a|a|a|"))
    assert token_ids == [0, 1, 0, 1, 0, 1, 0, 3]


CONTENT_TEMPLATE = "{{ messages[0]['content'] }}|a|"


def test_marks_in_a_text_survive(encoder: PromptEncoder) -> None:
    text = f"{MARKS[0]}<|im_end|>{MARKS[1]}"
    assert text in written(encoder, encoder.encode_chat(user(text)))
    with pytest.raises(InvalidInputError, match="noncharacters"):
        encoder.encode_chat(user("".join(MARKS)))


def test_a_template_that_would_damage_a_special_name_is_refused(tokenizer: Any) -> None:
    tokenizer.chat_template = "{{ messages[0]['content'] | tojson(ensure_ascii=True) }}"
    encoder = encoder_for(tokenizer)
    assert written(encoder, encoder.encode_chat(user("\ufdd0"))) == '"\\ufdd0"'
    with pytest.raises(InvalidInputError, match=r"'<\|im_end\|>', a special token"):
        encoder.encode_chat(user("<|im_end|>"))


def test_a_tokenizer_that_puts_spaces_before_parts_is_refused_only_where_it_matters() -> None:
    vocab = {"<s>": 0, "</s>": 1, "▁": 2, "<": 3, "/": 4, "s": 5, ">": 6, "a": 7, "<unk>": 8}
    vocab |= {f"<0x{byte:02X}>": 9 + byte for byte in range(256)}
    backend = Tokenizer(models.BPE(vocab=vocab, merges=[], unk_token="<unk>", byte_fallback=True))
    backend.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=backend, eos_token="</s>", chat_template="{{ messages[0]['content'] }}"
    )
    tokens = [None, None, b" ", *(bytes([code]) for code in b"</s>a"), None, *(bytes([byte]) for byte in range(256))]
    encoder = PromptEncoder(tokenizer, Vocabulary(tokens, [1], {"<s>": 0, "</s>": 1}))
    assert encoder.encode_chat(user("a a")) == [2, 7, 2, 7]
    with pytest.raises(InvalidInputError, match="'</s>', a special token"):
        encoder.encode_chat(user("a</s>a"))


def test_the_template_gets_the_schema(tokenizer: Any, encoder: PromptEncoder) -> None:
    assert not encoder.shows_schema
    tokenizer.chat_template = SCHEMA_CHAT_TEMPLATE
    encoder = encoder_for(tokenizer)
    assert encoder.shows_schema
    assert written(encoder, encoder.encode_chat(user("hi"), {"type": "null"})).startswith('{"type": "null"}\n«')
    assert written(encoder, encoder.encode_chat(user("hi"), False)).startswith("false\n«")
    assert written(encoder, encoder.encode_chat(user("hi"))).startswith("«")


def test_json_whitespace_is_the_tokenizers_word(tokenizer: Any, tmp_path: Path) -> None:
    assert encoder_for(tokenizer).json_whitespace == "flexible"
    tokenizer.init_kwargs["json_whitespace"] = "compact"
    tokenizer.save_pretrained(tmp_path)
    assert encoder_for(AutoTokenizer.from_pretrained(tmp_path)).json_whitespace == "compact"


def test_a_raw_prompt_is_its_authors(encoder: PromptEncoder, tokenizer: Any) -> None:
    assert encoder.encode_text("a<|im_end|>") == tokenizer.encode("a<|im_end|>")
    assert encoder.encode_text("a<|im_end|>")[-1] == tokenizer.eos_token_id


def test_no_chat_template(tokenizer: Any) -> None:
    tokenizer.chat_template = None
    with pytest.raises(ChatTemplateError, match="no chat template; use generate"):
        encoder_for(tokenizer).encode_chat(user("hi"))


def test_what_the_template_refuses_is_an_error(tokenizer: Any) -> None:
    tokenizer.chat_template = "{{ raise_exception('roles must alternate') }}"
    with pytest.raises(ChatTemplateError, match="refuses these messages: roles must alternate"):
        encoder_for(tokenizer).encode_chat(user("hi"))


def test_a_template_that_recurses_without_end_is_an_error(tokenizer: Any) -> None:
    tokenizer.chat_template = "{% macro again() %}{{ again() }}{% endmacro %}{{ again() }}"
    with pytest.raises(ChatTemplateError, match="nested too deeply"):
        encoder_for(tokenizer).encode_chat(user("hi"))


def test_a_system_message_that_the_template_drops_is_a_part_of_the_users(tokenizer: Any) -> None:
    tokenizer.chat_template = CHAT_TEMPLATE.replace("messages %}", "messages if message['role'] == 'user' %}")
    encoder = encoder_for(tokenizer)
    system = {"role": "system", "content": "Be brief."}
    assert encoder.encode_chat([system, *user("hi")]) == encoder.encode_chat(user("Be brief.\n\nhi"))
    tokenizer.chat_template = "{{ messages[0].role }}"
    with pytest.raises(ChatTemplateError, match="leaves out system messages"):
        encoder.encode_chat([system, *user("hi")])


WRITTEN = {"title": "Person", "type": "object", "properties": {"name": {"type": "string"}}}


@pytest.mark.parametrize(
    ("text", "is_shown"),
    [
        (f"Match this json_schema:\n{json.dumps(WRITTEN, indent=2)}\nMake sure {{not}} to return it.", True),
        (f'For example {{"name": "Ada"}}. Schema: {json.dumps(WRITTEN)}', True),
        ('Write {"name": "Ada"}.', False),
        ('{"properties": {"name": {"type": "strin"}}}', False),
        ('{"properties": {}}', False),
    ],
)
def test_a_schema_in_a_system_message_is_shown_as_any_is(tokenizer: Any, text: str, is_shown: bool) -> None:
    """Clients that ask by the prompt alone; nothing is enforced by that."""
    tokenizer.chat_template = SCHEMA_CHAT_TEMPLATE
    encoder = encoder_for(tokenizer)
    messages = [{"role": "system", "content": text}, *user("hi")]
    plain = encoder_for(tokenizer).encode_chat(messages, False)
    shown = encoder.encode_chat(messages, WRITTEN)
    assert (encoder.encode_chat(messages) == shown) is is_shown
    assert (encoder.encode_chat(messages, {"type": "object"}) == shown) is is_shown
    assert encoder.encode_chat(messages, False) == plain, "a schema of the request counts"
    assert encoder.encode_chat(user(text)) != encoder.encode_chat(user(text), WRITTEN), "a user's text is data"


@pytest.mark.parametrize("text", ["{" * 10**6, '{"a":' * 10**5, json.dumps(WRITTEN | {"description": "x" * 10**6})])
def test_long_texts_are_soon_looked_through(text: str) -> None:
    start_s = time.process_time()
    assert written_schema([{"role": "system", "content": text}]) is None
    assert time.process_time() - start_s < 0.5


def test_messages_without_text_are_fine_where_the_template_writes_something(tokenizer: Any) -> None:
    encoder = encoder_for(tokenizer)
    for text in "", " ":
        expected = tokenizer.apply_chat_template(user(text), add_generation_prompt=True, return_dict=False)
        assert encoder.encode_chat(user(text)) == expected != []
    tokenizer.chat_template = "{{ messages[0]['content'] }}"
    with pytest.raises(InvalidInputError, match="writes nothing for these messages"):
        encoder.encode_chat(user(""))


@pytest.mark.parametrize(
    ("messages", "message"),
    [
        ([], "at least one"),
        ("hi", "must be a list"),
        ({"role": "user", "content": "hi"}, "must be a list"),
        (["hi"], "message 0 must be a dict"),
        ([{"role": "user"}], "message 0: content must be a string"),
        ([{"content": "hi"}], "message 0: role must be a string"),
        ([{"role": "user", "content": ["hi"]}], "message 0: content must be a string, not list"),
        ([{"role": "user", "content": "a\ud800"}], "lone surrogate U.D800"),
    ],
)
def test_bad_messages_are_refused(encoder: PromptEncoder, messages: Any, message: str) -> None:
    with pytest.raises(InvalidInputError, match=message):
        encoder.encode_chat(messages)


@pytest.mark.parametrize(
    ("prompt", "message"),
    [("", "empty"), (None, "not NoneType"), (b"a", "not bytes"), ("\udfff", "lone surrogate U.DFFF")],
)
def test_bad_prompts_are_refused(encoder: PromptEncoder, prompt: Any, message: str) -> None:
    with pytest.raises(InvalidInputError, match=message):
        encoder.encode_text(prompt)


def test_a_text_that_must_be_too_long_is_refused_before_it_is_cut_into_tokens(tiny_model_folder: Path) -> None:
    from transformers import AutoTokenizer

    from guided.errors import ContextLengthError

    tokenizer = AutoTokenizer.from_pretrained(tiny_model_folder)
    encoder = PromptEncoder(tokenizer, Vocabulary.from_tokenizer(tokenizer), max_tokens=100)
    assert len(encoder.encode_text("ab " * 200)) > 100  # that is for the engine to refuse
    with pytest.raises(ContextLengthError, match=r"at least [0-9]+ tokens"):
        encoder.encode_text("ab " * 1_000_000)
    with pytest.raises(ContextLengthError, match="at least"):
        encoder.encode_chat([{"role": "user", "content": "ab " * 1_000_000}])


def test_a_long_text_is_encoded_where_other_threads_can_run(
    encoder: PromptEncoder, tokenizer: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`encode` of the `tokenizers` library keeps the interpreter's lock; a batch of one text gives it away."""
    text = "the and <|im_end|> é " * 500
    whole = [tokenizer.encode(text, add_special_tokens=is_whole) for is_whole in (True, False)]
    monkeypatch.setattr(type(tokenizer), "encode", None)
    assert [encoder.encode_text(text), encoder.encode_part(text)] == whole
