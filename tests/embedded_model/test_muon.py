"""Muon beside the one of torch, and what it makes of a matrix."""

from __future__ import annotations

import pytest
import torch

from examples.embedded_model.muon import Muon, orthogonalized


def _matrices() -> list[torch.nn.Parameter]:
    generator = torch.Generator().manual_seed(3)
    return [torch.nn.Parameter(torch.randn(shape, generator=generator)) for shape in ((24, 24), (40, 16), (16, 40))]


def test_steps_are_those_of_torch() -> None:
    own, other = _matrices(), _matrices()
    optimizer = Muon(own, lr=0.02, weight_decay=0.05, dtype=torch.bfloat16)
    reference = torch.optim.Muon(other, lr=0.02, weight_decay=0.05, adjust_lr_fn="match_rms_adamw")
    generator = torch.Generator().manual_seed(4)
    for _ in range(5):
        for one, like in zip(own, other, strict=True):
            one.grad = torch.randn(one.shape, generator=generator)
            like.grad = one.grad.clone()
        optimizer.step()
        reference.step()
    for one, like in zip(own, other, strict=True):
        assert torch.equal(one, like)


def test_a_matrix_without_a_gradient_stays() -> None:
    own = _matrices()
    before = [one.detach().clone() for one in own]
    own[0].grad = torch.ones_like(own[0])
    Muon(own, lr=0.02, weight_decay=0.05).step()
    assert [torch.equal(one, like) for one, like in zip(own, before, strict=True)] == [False, True, True]


@pytest.mark.parametrize("shape", [(32, 32), (64, 20), (20, 64)])
def test_singular_values_come_near_to_one_and_their_vectors_stay(shape: tuple[int, int]) -> None:
    matrix = torch.randn(shape, generator=torch.Generator().manual_seed(5))
    left, values, right = torch.linalg.svd(matrix, full_matrices=False)
    moved = left.T @ orthogonalized(matrix) @ right.T
    assert torch.allclose(moved, torch.diag(torch.diagonal(moved)), atol=1e-3)
    large = values > values.max() / 50  # what is smaller needs more iterations
    assert ((torch.diagonal(moved)[large] > 0.5) & (torch.diagonal(moved)[large] < 1.3)).all()


def test_of_no_gradient_comes_no_step() -> None:
    assert not orthogonalized(torch.zeros(4, 6)).any()
