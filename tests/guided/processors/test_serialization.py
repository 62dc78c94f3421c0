"""Processors as text: what `to_str` writes, and that nothing is unpickled that should not be."""

from __future__ import annotations

import json
import os
from pathlib import Path

import dill
import pytest
import torch

from guided.processors import CustomLogitProcessor, ProcessorRefusedError, ProcessorSettings, write_key_file
from guided.processors.serialization import serialize
from guided.processors.settings import sign


def make_class() -> type[CustomLogitProcessor]:
    """A class that dill writes whole, as it does with those of a script."""
    namespace = {"CustomLogitProcessor": CustomLogitProcessor, "__name__": "__main__"}
    source = """
class AddOne(CustomLogitProcessor):
    def __call__(self, logits, custom_param_list):
        for i, params in enumerate(custom_param_list):
            logits[i] += params.get("amount", 1)
        return logits
"""
    exec(source, namespace)
    made = namespace["AddOne"]
    assert isinstance(made, type)
    return made


class Scaled(CustomLogitProcessor):
    """A class of a module, with an attribute."""

    def __init__(self, factor: float = 1.0) -> None:
        self.factor = factor

    def __call__(self, logits: torch.Tensor, custom_param_list: object) -> torch.Tensor:
        return logits * self.factor


class Trap:
    """Unpickling it makes a folder."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> object:
        return (os.mkdir, (str(self.path),))


@pytest.fixture
def key_file(tmp_path: Path) -> Path:
    path = tmp_path / "key"
    write_key_file(path)
    return path


@pytest.fixture
def settings(key_file: Path) -> ProcessorSettings:
    return ProcessorSettings(key_file=key_file)


def test_to_str_is_json_with_a_hex_callable() -> None:  # A5.8
    fields = json.loads(make_class().to_str())
    assert list(fields) == ["callable"]
    assert dill.loads(bytes.fromhex(fields["callable"])).__name__ == "AddOne"


def test_round_trip(key_file: Path, settings: ProcessorSettings) -> None:  # A5.8
    processor = CustomLogitProcessor.from_str(make_class().to_str(key_file), settings)
    assert type(processor).__name__ == "AddOne"
    got = processor(torch.zeros(2, 3), [{"amount": 2}, {}])  # type: ignore[list-item]
    assert got.tolist() == [[2, 2, 2], [1, 1, 1]]


def test_attributes_of_an_object_travel(key_file: Path, settings: ProcessorSettings) -> None:
    loaded = CustomLogitProcessor.from_str(Scaled(3.0).to_str(key_file), settings)
    assert isinstance(loaded, Scaled)
    assert loaded.factor == 3.0
    from_class = CustomLogitProcessor.from_str(Scaled.to_str(key_file), settings)
    assert isinstance(from_class, Scaled)
    assert from_class.factor == 1.0


def test_same_text_is_deserialised_once(key_file: Path, settings: ProcessorSettings) -> None:  # A5.8
    text = make_class().to_str(key_file)
    assert CustomLogitProcessor.from_str(text, settings) is CustomLogitProcessor.from_str(text, settings)


@pytest.mark.parametrize("settings_given", [None, ProcessorSettings()])
def test_refused_unless_enabled(key_file: Path, settings_given: ProcessorSettings | None) -> None:  # B12
    with pytest.raises(ProcessorRefusedError, match=r"not enabled.*registered name.*key_file"):
        CustomLogitProcessor.from_str(make_class().to_str(key_file), settings_given)


def test_nothing_is_unpickled_before_the_signature_is_checked(  # B12
    tmp_path: Path, key_file: Path, settings: ProcessorSettings
) -> None:
    trap = dill.dumps(Trap(tmp_path / "sprung")).hex()
    signed = json.loads(make_class().to_str(key_file))["signature"]
    other_key = tmp_path / "other"
    write_key_file(other_key)
    forged = sign(bytes.fromhex(trap), other_key.read_bytes())
    for fields in (
        {"callable": trap},
        {"callable": trap, "signature": signed},
        {"callable": trap, "signature": forged},
    ):
        for given in (None, settings):
            with pytest.raises(ProcessorRefusedError):
                CustomLogitProcessor.from_str(json.dumps(fields), given)
    assert not (tmp_path / "sprung").exists()
    right = {"callable": trap, "signature": sign(bytes.fromhex(trap), key_file.read_bytes())}
    with pytest.raises(ProcessorRefusedError, match="not a CustomLogitProcessor"):
        CustomLogitProcessor.from_str(json.dumps(right), settings)
    assert (tmp_path / "sprung").exists()  # so the trap does work


def test_a_cached_payload_still_needs_its_signature(key_file: Path, settings: ProcessorSettings) -> None:  # B12
    text = make_class().to_str(key_file)
    CustomLogitProcessor.from_str(text, settings)
    fields = json.loads(text)
    for signature in ("", "0" * 64, fields["signature"][:-1], "ä" * 64, "\ud800"):
        with pytest.raises(ProcessorRefusedError):
            CustomLogitProcessor.from_str(json.dumps(fields | {"signature": signature}), settings)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[1]", "must be"),
        ('{"callable": 3}', "must be"),
        ('{"callable": "00"}', "not signed"),
        ('{"callable": "00", "signature": null}', "not signed"),
        ('{"callable": "0", "signature": "aa"}', "not hexadecimal"),
        ('{"callable": "00", "signature": "aa"}', "signature is not of this key"),
    ],
)
def test_every_refusal_says_why(settings: ProcessorSettings, text: str, reason: str) -> None:  # B12
    with pytest.raises(ProcessorRefusedError, match=reason):
        CustomLogitProcessor.from_str(text, settings)


def test_what_can_not_be_unpickled_is_refused(key_file: Path, settings: ProcessorSettings) -> None:
    payload = dill.dumps(Scaled).replace(b"Scaled", b"Gone__")
    fields = {"callable": payload.hex(), "signature": sign(payload, key_file.read_bytes())}
    with pytest.raises(ProcessorRefusedError, match="can't be unpickled here"):
        CustomLogitProcessor.from_str(json.dumps(fields), settings)


def test_size_is_limited(key_file: Path) -> None:
    with pytest.raises(ProcessorRefusedError, match="max_payload_bytes = 100"):
        CustomLogitProcessor.from_str(
            make_class().to_str(key_file), ProcessorSettings(key_file=key_file, max_payload_bytes=100)
        )


def test_keys_that_protect_nothing_are_refused(tmp_path: Path) -> None:
    missing, short, public = tmp_path / "missing", tmp_path / "short", tmp_path / "public"
    short.write_bytes(b"secret")
    short.chmod(0o600)
    public.write_bytes(os.urandom(32))
    public.chmod(0o644)
    for path, reason in ((missing, "can't be read"), (short, "6 bytes"), (public, "chmod 600")):
        with pytest.raises(ProcessorRefusedError, match=reason):
            serialize(make_class(), path)
        with pytest.raises(ProcessorRefusedError, match=reason):
            ProcessorSettings(key_file=path)
    with pytest.raises(FileExistsError):
        write_key_file(short)
    written = tmp_path / "written"
    write_key_file(written)
    assert written.stat().st_mode & 0o777 == 0o600
    assert len(written.read_bytes()) == 32
