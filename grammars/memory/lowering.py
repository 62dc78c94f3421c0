"""Lowering of struct accesses in compiled kernels: the Numba types of `structs`, and the machine code of accesses.

A struct is its address. A field is a load or store at a constant offset; an element is one at address + index * size.
All integers are int64 in kernels. A checked build compares every index with the length first, and raises an IndexError
with struct, field, index and length. If a table is full, or a kernel waits, all kernels end (`kernels.ending`).
"""

# mypy: allow-untyped-calls, allow-untyped-decorators
# mypy: disable-error-code="misc, name-defined, call-arg, no-any-return, override, attr-defined"

from __future__ import annotations

import ctypes
import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.imputils import RefType, iternext_impl, lower_constant
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_getattr, infer_global, signature
from numba.extending import (
    intrinsic,
    lower_builtin,
    lower_cast,
    lower_getattr_generic,
    lower_setattr_generic,
    models,
    overload,
    register_model,
    typeof_impl,
)

from ..kernels.ending import FULL, WAITING, TableFullError, WaitingError
from ..kernels.jit import fault_number, full_table
from ..kernels.modes import BUILDING_CHECKED, JIT, MODE
from .layout import (
    ArrayField,
    Element,
    FieldKind,
    HasLayout,
    Scalar,
    StructReference,
    StructRow,
    TableField,
    num_bytes_of,
)
from .rows import array_at, row_at
from .structs import INT32, Struct, StructMeta
from .waiting import wait

IS_CHECKED = MODE == BUILDING_CHECKED
_I64 = ir.IntType(64)


class StructType(types.Type):
    """Numba's type of a struct: its address."""

    def __init__(self, struct: type[HasLayout]) -> None:
        self.struct = struct
        super().__init__(name=f"{struct.__module__}.{struct.__qualname__}")


class StructClassType(types.Type):
    """Numba's type of a struct's class, for `Trie.at(address)`."""

    def __init__(self, struct: type[HasLayout]) -> None:
        self.struct = struct
        super().__init__(name=f"class {struct.__module__}.{struct.__qualname__}")


class SpanType(types.IterableType):
    """Numba's type of an `Array`: address and length. slot: its struct and field, for errors."""

    def __init__(self, element: Element, slot: str) -> None:
        self.element, self.slot = element, slot
        super().__init__(name=f"Array[{_name_of(element)}]" + (f" {slot}" if IS_CHECKED else ""))

    @property
    def iterator_type(self) -> SpanIteratorType:
        return SpanIteratorType(self)


class TableType(types.Type):
    """Numba's type of a `Table`: the address of its header."""

    def __init__(self, element: Element, slot: str) -> None:
        self.element, self.slot = element, slot
        super().__init__(name=f"Table[{_name_of(element)}]" + (f" {slot}" if IS_CHECKED else ""))


@register_model(StructType)
@register_model(TableType)
class _AddressModel(models.PrimitiveModel):
    def __init__(self, manager: Any, of_type: Any) -> None:
        super().__init__(manager, of_type, _I64)


@register_model(SpanType)
class _SpanModel(models.StructModel):
    def __init__(self, manager: Any, of_type: Any) -> None:
        super().__init__(manager, of_type, [("address", types.int64), ("length", types.int64)])


register_model(StructClassType)(models.OpaqueModel)


@lower_constant(StructClassType)
def _lower_class(context: Any, builder: Any, struct: StructClassType, value: Any) -> Any:
    return context.get_dummy_value()


@typeof_impl.register(StructMeta)
def _typeof_struct_class(struct: type[Struct], context: Any) -> StructClassType:
    return StructClassType(struct)


# Types of expressions.


@infer_getattr
class _StructAttributes(AttributeTemplate):
    key = StructType

    def generic_resolve(self, struct: StructType, name: str) -> Any:
        if name == "address":
            return types.int64
        field = struct.struct.layout.fields.get(name)
        return None if field is None else _type_of(field.kind, f"{struct.struct.__name__}.{name}")


def _method(name: str, returns: Callable[[Any], Any], num_arguments: int) -> type[AbstractTemplate]:
    """Return a template for a method with integer arguments.

    name: name that `lower_builtin` uses.
    returns: function from the type of the object to the type of the result.
    """

    class Method(AbstractTemplate):
        key = name

        def generic(self, arguments: Any, keywords: Any) -> Any:
            return signature(returns(self.this), *[types.int64] * num_arguments, recvr=self.this)

    return Method


_METHODS: dict[tuple[Any, str], Any] = {
    (StructClassType, "at"): _method("Struct.at", lambda of_class: StructType(of_class.struct), 1),
    (TableType, "span"): _method("Table.span", lambda table: SpanType(table.element, table.slot), 0),
    (TableType, "ensure"): _method("Table.ensure", lambda table: types.none, 1),
    (TableType, "reserve"): _method("Table.reserve", lambda table: types.int64, 1),
    (SpanType, "part"): _method("Array.part", lambda span: span, 2),
}


class _Attributes(AttributeTemplate):
    """numbers: attributes that are numbers; all others are methods."""

    numbers: tuple[str, ...] = ()

    def generic_resolve(self, value: Any, name: str) -> Any:
        if name in self.numbers:
            return types.int64
        method = _METHODS.get((type(value), name))
        return None if method is None else types.BoundFunction(method, value)


@infer_getattr
class _StructClassAttributes(_Attributes):
    key = StructClassType


@infer_getattr
class _TableAttributes(_Attributes):
    key = TableType
    numbers = ("used", "capacity")


@infer_getattr
class _SpanAttributes(_Attributes):
    key = SpanType
    numbers = ("address",)


@infer_global(operator.getitem)
class _GetItem(AbstractTemplate):
    def generic(self, arguments: Any, keywords: Any) -> Any:
        holder, index = arguments
        if isinstance(holder, SpanType | TableType) and isinstance(index, types.Integer):
            return signature(_item_type(holder.element, holder.slot), holder, types.int64)
        return None


@infer_global(operator.setitem)
class _SetItem(AbstractTemplate):
    def generic(self, arguments: Any, keywords: Any) -> Any:
        holder, index, value = arguments
        if isinstance(holder, SpanType | TableType) and isinstance(index, types.Integer):
            if not isinstance(holder.element, Scalar) or not isinstance(value, types.Integer | types.Boolean):
                return None
            return signature(types.none, holder, types.int64, types.int64)
        return None


@infer_global(len)
class _Len(AbstractTemplate):
    def generic(self, arguments: Any, keywords: Any) -> Any:
        return signature(types.int64, *arguments) if isinstance(arguments[0], SpanType) else None


def _type_of(kind: FieldKind, slot: str) -> Any:
    match kind:
        case Scalar():
            return types.int64
        case StructRow():
            return SpanType(kind.element, slot)
        case StructReference():
            return StructType(kind.struct)
        case ArrayField():
            return SpanType(kind.element, slot)
        case TableField():
            return TableType(kind.element, slot)


def _item_type(element: Element, slot: str) -> Any:
    if isinstance(element, Scalar):
        return types.int64
    return SpanType(element.element, slot) if isinstance(element, StructRow) else StructType(element)


def _name_of(element: Element) -> str:
    if isinstance(element, Scalar):
        return element.code
    return (
        f"{element.element.code} x {element.length}"
        if isinstance(element, StructRow)
        else f"{element.__module__}.{element.__qualname__}"
    )


# Machine code of expressions.


def _offset(builder: Any, address: Any, num_bytes: int) -> Any:
    return builder.add(address, ir.Constant(_I64, num_bytes)) if num_bytes else address


def _pointer(builder: Any, address: Any, kind: Scalar) -> Any:
    """Return a pointer to an integer.

    address: a number, or already a pointer if LLVM should know that accesses go to one array.
    """
    if isinstance(address.type, ir.PointerType):
        return address
    return builder.inttoptr(address, ir.IntType(8 * kind.num_bytes).as_pointer())


def _read(builder: Any, address: Any, kind: Scalar) -> Any:
    width = 8 * kind.num_bytes
    value = builder.load(_pointer(builder, address, kind))
    if width == 64:
        return value
    return builder.sext(value, _I64) if kind.is_signed else builder.zext(value, _I64)


def _write(builder: Any, address: Any, kind: Scalar, value: Any) -> None:
    width = 8 * kind.num_bytes
    number = value if width == 64 else builder.trunc(value, ir.IntType(width))
    builder.store(number, _pointer(builder, address, kind))


_WORD = Scalar("i8")


def _span(context: Any, builder: Any, span_type: Any, address: Any, length: Any) -> Any:
    span = cgutils.create_struct_proxy(span_type)(context, builder)
    span.address, span.length = address, length
    return span._getvalue()


@lower_cast(SpanType, SpanType)
def _cast_span(context: Any, builder: Any, source: SpanType, target: SpanType, value: Any) -> Any:
    """Assign an array to another array's variable. The types of both differ by `SpanType.slot` in a checked build."""
    assert source.element == target.element, f"{source} can't be {target}"
    return value


@lower_getattr_generic(StructType)
def _get_field(context: Any, builder: Any, struct: StructType, address: Any, name: str) -> Any:
    if name == "address":
        return address
    field = struct.struct.layout.fields[name]
    slot, kind = _offset(builder, address, field.offset), field.kind
    match kind:
        case Scalar():
            return _read(builder, slot, kind)
        case StructRow():
            span_type = _type_of(kind, f"{struct.struct.__name__}.{name}")
            return _span(context, builder, span_type, slot, ir.Constant(_I64, kind.length))
        case StructReference():
            return _read(builder, slot, _WORD)
        case ArrayField():
            span_type = _type_of(kind, f"{struct.struct.__name__}.{name}")
            length = _read(builder, _offset(builder, slot, 8), _WORD)
            return _span(context, builder, span_type, _read(builder, slot, _WORD), length)
        case TableField():
            return slot


@lower_setattr_generic(StructType)
def _set_field(context: Any, builder: Any, sig: Any, arguments: Any, name: str) -> None:
    struct, value = sig.args[0], arguments[1]
    field = struct.struct.layout.fields[name]
    slot, kind = _offset(builder, arguments[0], field.offset), field.kind
    match kind:
        case Scalar():
            _write(builder, slot, kind, value)
        case StructReference():
            _write(builder, slot, _WORD, value)
        case ArrayField():
            span = cgutils.create_struct_proxy(sig.args[1])(context, builder, value=value)
            _write(builder, slot, _WORD, span.address)
            _write(builder, _offset(builder, slot, 8), _WORD, span.length)
        case _:
            raise TypeError(f"{struct}.{name} can't be set as a whole")


@lower_getattr_generic(TableType)
def _get_of_table(context: Any, builder: Any, table: TableType, header: Any, name: str) -> Any:
    return _read(builder, _offset(builder, header, _HEADER[name]), _WORD)


@lower_setattr_generic(TableType)
def _set_of_table(context: Any, builder: Any, sig: Any, arguments: Any, name: str) -> None:
    if name != "used":
        raise TypeError(f"a kernel can't set the {name} of a table")
    _write(builder, _offset(builder, arguments[0], _HEADER[name]), _WORD, arguments[1])


_HEADER = {"used": 8, "capacity": 16, "owner": 24, "wanted": 32}


@lower_getattr_generic(SpanType)
def _get_of_span(context: Any, builder: Any, span_type: SpanType, value: Any, name: str) -> Any:
    return cgutils.create_struct_proxy(span_type)(context, builder, value=value).address


@lower_builtin("Struct.at", StructClassType, types.Integer)
def _lower_at(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    return arguments[1]


@lower_builtin("Table.span", TableType)
def _lower_span(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    (header,) = arguments
    length = _read(builder, _offset(builder, header, _HEADER["capacity"]), _WORD)
    return _span(context, builder, sig.return_type, _read(builder, header, _WORD), length)


@lower_builtin("Table.ensure", TableType, types.int64)
def _lower_ensure(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    header, capacity = arguments
    room = _read(builder, _offset(builder, header, _HEADER["capacity"]), _WORD)
    with builder.if_then(builder.icmp_signed(">", capacity, room), likely=False):
        _write(builder, _offset(builder, header, _HEADER["wanted"]), _WORD, capacity)
        if MODE == JIT:
            slot = ir.Constant(_I64, ctypes.addressof(full_table))
            _write(builder, slot, _WORD, _read(builder, _offset(builder, header, _HEADER["owner"]), _WORD))
            context.call_conv.return_user_exc(builder, TableFullError, ())
        else:
            of_note = ir.FunctionType(ir.VoidType(), [_I64])
            builder.call(cgutils.get_or_insert_function(builder.module, of_note, "guided_note_full"), [header])
            context.call_conv._return_errcode_raw(builder, ir.Constant(ir.IntType(32), FULL))
    return context.get_dummy_value()


@lower_builtin("Table.reserve", TableType, types.int64)
def _lower_reserve(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    header, count = arguments
    slot = _offset(builder, header, _HEADER["used"])
    start = _read(builder, slot, _WORD)
    end = builder.add(start, count)
    _lower_ensure(context, builder, sig, (header, end))
    _write(builder, slot, _WORD, end)
    return start


@lower_builtin("Array.part", SpanType, types.int64, types.int64)
def _lower_part(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    value, first, count = arguments
    span = cgutils.create_struct_proxy(sig.args[0])(context, builder, value=value)
    if IS_CHECKED:
        _check(context, builder, sig.args[0].slot, builder.add(first, count), builder.add(span.length, _ONE))
    size = ir.Constant(_I64, num_bytes_of(sig.args[0].element))
    return _span(context, builder, sig.return_type, builder.add(span.address, builder.mul(first, size)), count)


_ONE = ir.Constant(_I64, 1)


@lower_builtin(len, SpanType)
def _lower_len(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    return cgutils.create_struct_proxy(sig.args[0])(context, builder, value=arguments[0]).length


@lower_builtin(operator.getitem, SpanType, types.int64)
@lower_builtin(operator.getitem, TableType, types.int64)
def _get_item(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    element, slot = sig.args[0].element, _place_of(context, builder, sig.args[0], *arguments[:2])
    if isinstance(element, Scalar):
        return _read(builder, slot, element)
    if isinstance(element, StructRow):
        return _span(context, builder, sig.return_type, slot, ir.Constant(_I64, element.length))
    return slot


@lower_builtin(operator.setitem, SpanType, types.int64, types.int64)
@lower_builtin(operator.setitem, TableType, types.int64, types.int64)
def _set_item(context: Any, builder: Any, sig: Any, arguments: Any) -> None:
    _write(builder, _place_of(context, builder, sig.args[0], *arguments[:2]), sig.args[0].element, arguments[2])


def _place_of(context: Any, builder: Any, holder: Any, value: Any, index: Any) -> Any:
    """Return the address of an element. For integers it is a pointer into the array, so that LLVM can vectorize
    loops.
    """
    if isinstance(holder, TableType):
        address = _read(builder, value, _WORD)
        if IS_CHECKED:
            _check(context, builder, holder.slot, index, _read(builder, _offset(builder, value, 16), _WORD))
    else:
        span = cgutils.create_struct_proxy(holder)(context, builder, value=value)
        address = span.address
        if IS_CHECKED:
            _check(context, builder, holder.slot, index, span.length)
    if isinstance(holder.element, Scalar):
        return builder.gep(_pointer(builder, address, holder.element), [index])
    return builder.add(address, builder.mul(index, ir.Constant(_I64, num_bytes_of(holder.element))))


def _check(context: Any, builder: Any, slot: str, index: Any, length: Any) -> None:
    """End the kernel if an index, as an unsigned number, is not below a length. The caller in Python gets an error."""
    with builder.if_then(builder.icmp_unsigned(">=", index, length), likely=False):
        for name, value in (("guided_index", index), ("guided_length", length)):
            known = builder.module.globals.get(name)
            builder.store(value, known or ir.GlobalVariable(builder.module, _I64, name))
        context.call_conv._return_errcode_raw(builder, ir.Constant(ir.IntType(32), fault_number(slot)))


@intrinsic
def _wait(typing_context: Any) -> Any:
    def generate(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
        with builder.if_then(ir.Constant(ir.IntType(1), 1)):  # the code behind it becomes a block of its own
            if MODE == JIT:
                context.call_conv.return_user_exc(builder, WaitingError, ())
            else:
                context.call_conv._return_errcode_raw(builder, ir.Constant(ir.IntType(32), WAITING))
        return context.get_dummy_value()

    return signature(types.none), generate


@overload(wait)
def _overload_wait() -> Any:
    return lambda: _wait()


@intrinsic
def _row_at(typing_context: Any, address: Any, length: Any) -> Any:
    return signature(SpanType(INT32, "a row of a mask"), types.int64, types.int64), _make_span


@intrinsic
def _structs_at(typing_context: Any, struct: Any, address: Any, length: Any) -> Any:
    def generate(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
        return _make_span(context, builder, sig, arguments[1:])

    return signature(SpanType(struct.struct, struct.struct.__name__), struct, types.int64, types.int64), generate


def _make_span(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    return _span(context, builder, sig.return_type, *arguments)


@overload(row_at)
def _overload_row_at(address: Any, num_words: Any) -> Any:
    def row_of_address(address: Any, num_words: Any) -> Any:
        return _row_at(address, num_words)

    return row_of_address


@overload(array_at)
def _overload_array_at(struct: Any, address: Any, length: Any) -> Any:
    def array_of_address(struct: Any, address: Any, length: Any) -> Any:
        return _structs_at(struct, address, length)

    return array_of_address


# Iteration over an array's elements.


class SpanIteratorType(types.SimpleIteratorType):
    """Numba's type of an iterator over an array."""

    def __init__(self, span: SpanType) -> None:
        self.span = span
        super().__init__(f"iterator of {span.name}", _item_type(span.element, span.slot))


@register_model(SpanIteratorType)
class _SpanIteratorModel(models.StructModel):
    def __init__(self, manager: Any, of_type: Any) -> None:
        members = [("address", types.int64), ("end", types.int64), ("here", types.EphemeralPointer(types.int64))]
        super().__init__(manager, of_type, members)


@lower_builtin("getiter", SpanType)
def _lower_getiter(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    span = cgutils.create_struct_proxy(sig.args[0])(context, builder, value=arguments[0])
    iterator = cgutils.create_struct_proxy(sig.return_type)(context, builder)
    size = ir.Constant(_I64, num_bytes_of(sig.args[0].element))
    iterator.end = builder.add(span.address, builder.mul(span.length, size))
    iterator.here = cgutils.alloca_once_value(builder, span.address)
    return iterator._getvalue()


@lower_builtin("iternext", SpanIteratorType)
@iternext_impl(RefType.UNTRACKED)
def _lower_iternext(context: Any, builder: Any, sig: Any, arguments: Any, result: Any) -> None:
    iterator_type = sig.args[0]
    iterator = cgutils.create_struct_proxy(iterator_type)(context, builder, value=arguments[0])
    here = builder.load(iterator.here)
    is_valid = builder.icmp_signed("<", here, iterator.end)
    result.set_valid(is_valid)
    with builder.if_then(is_valid):
        element = iterator_type.span.element
        if isinstance(element, Scalar):
            result.yield_(_read(builder, here, element))
        elif isinstance(element, StructRow):
            length = ir.Constant(_I64, element.length)
            result.yield_(_span(context, builder, iterator_type.yield_type, here, length))
        else:
            result.yield_(here)
        builder.store(_offset(builder, here, num_bytes_of(element)), iterator.here)
