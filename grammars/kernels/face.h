/* The beginning of an extension module's C source: what it uses of Python, of numba's runtime, and of the processor.

   Python is declared here instead of by Python.h: 23 functions and 6 objects of the stable interface of CPython 3.11
   and later. One module therefore runs in all of them, and building for another platform needs no files of Python.
   tests/grammars/kernels/test_build.py compares these declarations with those of Python.h. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(_WIN32)
#define PYTHON __declspec(dllimport)
#define OPENED __declspec(dllexport)
#else
#define PYTHON
#define OPENED __attribute__((visibility("default")))
#endif
#define INSIDE __attribute__((visibility("hidden")))
#define OF_THREAD _Thread_local

#if !defined(Py_PYTHON_H)
typedef intptr_t Py_ssize_t;
typedef struct _object {
    intptr_t ob_refcnt;
    void *ob_type;
} PyObject;
typedef struct {
    void *buf;
    PyObject *obj;
    Py_ssize_t len, itemsize;
    int readonly, ndim;
    char *format;
    Py_ssize_t *shape, *strides, *suboffsets;
    void *internal;
} Py_buffer;
typedef PyObject *(*PyCFunction)(PyObject *, PyObject *);
typedef struct PyMethodDef {
    const char *ml_name;
    PyCFunction ml_meth;
    int ml_flags;
    const char *ml_doc;
} PyMethodDef;
typedef struct PyModuleDef {
    struct {
        PyObject ob_base;
        PyObject *(*m_init)(void);
        Py_ssize_t m_index;
        PyObject *m_copy;
    } m_base;
    const char *m_name, *m_doc;
    Py_ssize_t m_size;
    PyMethodDef *m_methods;
    void *m_slots;
    void *m_traverse, *m_clear, *m_free;
} PyModuleDef;
typedef struct _ts PyThreadState;
#define PyModuleDef_HEAD_INIT {{1, NULL}, NULL, 0, NULL}
#define PYTHON_ABI_VERSION 3
#define METH_FASTCALL 0x80
#define PyBUF_WRITABLE 0x1
#define PyBUF_FORMAT 0x4
#define PyBUF_STRIDES 0x18
#define PyBUF_C_CONTIGUOUS 0x38
#define Py_None (&_Py_NoneStruct)
#endif

PYTHON extern PyObject _Py_NoneStruct;
PYTHON extern PyObject *PyExc_ImportError, *PyExc_IndexError, *PyExc_RuntimeError, *PyExc_TypeError;
PYTHON extern PyObject *(Py_NewRef)(PyObject *);
PYTHON extern void Py_DecRef(PyObject *);
PYTHON extern int PyObject_GetBuffer(PyObject *, Py_buffer *, int);
PYTHON extern void PyBuffer_Release(Py_buffer *);
PYTHON extern int PyObject_IsTrue(PyObject *);
PYTHON extern PyObject *PyObject_CallMethod(PyObject *, const char *, const char *, ...);
PYTHON extern long long PyLong_AsLongLong(PyObject *);
PYTHON extern PyObject *PyLong_FromLongLong(long long);
PYTHON extern double PyFloat_AsDouble(PyObject *);
PYTHON extern PyObject *PyFloat_FromDouble(double);
PYTHON extern PyObject *PyBool_FromLong(long);
PYTHON extern PyObject *PyTuple_New(Py_ssize_t);
PYTHON extern int PyTuple_SetItem(PyObject *, Py_ssize_t, PyObject *);
PYTHON extern PyObject *PyErr_Format(PyObject *, const char *, ...);
PYTHON extern PyObject *PyErr_Occurred(void);
PYTHON extern void PyErr_Clear(void);
PYTHON extern PyThreadState *PyEval_SaveThread(void);
PYTHON extern void PyEval_RestoreThread(PyThreadState *);
PYTHON extern PyObject *PyModule_Create2(PyModuleDef *, int);
PYTHON extern int PyModule_AddStringConstant(PyObject *, const char *, const char *);

/* The memory of arrays that kernels make, as numba's runtime lays it out. */
typedef struct {
    size_t references;
    void *destroy, *destroy_argument, *data;
    size_t size;
    void *allocator;
} memory;

INSIDE void *NRT_Allocate(size_t size)
{
    return malloc(size);
}

INSIDE void NRT_Free(void *place)
{
    free(place);
}

INSIDE memory *NRT_MemInfo_alloc_aligned(size_t size, unsigned align)
{
    memory *made = malloc(sizeof(memory) + size + align);
    if (made != NULL) {
        uintptr_t first = (uintptr_t)(made + 1);
        *made = (memory){1, NULL, NULL, (void *)(first + (align - first % align) % align), size, NULL};
    }
    return made;
}

INSIDE void NRT_MemInfo_call_dtor(memory *made)
{
    free(made);
}

static int is_of(const char *format, const char *codes)
{
    return format != NULL && strchr(codes, format[format[0] == '@' || format[0] == '=' || format[0] == '<']) != NULL;
}

static int is_aligned(const Py_buffer *view)
{
    Py_ssize_t places = (Py_ssize_t)(intptr_t)view->buf;
    for (int axis = 0; axis < view->ndim; axis++)
        places |= view->strides[axis];
    return places % view->itemsize == 0;
}

static int get_array(PyObject *value, Py_buffer *view, int layout, int axes, const char *codes, Py_ssize_t size)
{
    if (PyObject_GetBuffer(value, view, layout | PyBUF_FORMAT) < 0) {
        PyErr_Clear();
        return 0;
    }
    if (view->ndim == axes && view->itemsize == size && is_of(view->format, codes) && is_aligned(view))
        return 1;
    PyBuffer_Release(view);
    return 0;
}

static OF_THREAD int64_t full_table;

/* A kernel of this thread says which table has no room: the address of its header. */
INSIDE void guided_note_full(int64_t header)
{
    full_table = header;
}

/* Let that table grow; 0 where it can't, which raised. The fourth word of its header is the struct that has it. */
static int has_grown(void)
{
    PyObject *owner = (Py_NewRef)((PyObject *)((intptr_t *)full_table)[3]);
    PyObject *done = PyObject_CallMethod(owner, "grow", NULL);
    Py_DecRef(owner);
    Py_DecRef(done);
    return done != NULL;
}

static PyObject *no_array(const char *name, int position, const char *wanted)
{
    PyErr_Format(PyExc_TypeError, "%s: argument %d must be %s", name, position, wanted);
    return NULL;
}

/* A tuple that owns its items; NULL where one could not be made, which raised. */
static inline PyObject *tuple_of(Py_ssize_t count, PyObject **items)
{
    PyObject *made = PyTuple_New(count);
    int is_whole = made != NULL;
    for (Py_ssize_t index = 0; index < count; index++) {
        if (made == NULL)
            Py_DecRef(items[index]);
        else if (items[index] == NULL || PyTuple_SetItem(made, index, items[index]) < 0)
            is_whole = 0;
    }
    if (is_whole)
        return made;
    Py_DecRef(made);
    return NULL;
}

#if defined(__x86_64__)
#include <cpuid.h>

/* x86-64-v2: SSE up to 4.2, POPCNT. */
static inline int has_v2(void)
{
    const unsigned wanted = 1u << 9 | 1u << 13 | 1u << 19 | 1u << 20 | 1u << 23; /* SSSE3, CX16, SSE4.1, SSE4.2, POPCNT */
    unsigned a, b, c = 0, d;
    return __get_cpuid(1, &a, &b, &c, &d) && (c & wanted) == wanted;
}

/* x86-64-v3: AVX2, FMA, BMI1 and 2, LZCNT, MOVBE, F16C, and an operating system that keeps the wide registers. */
static inline int has_v3(void)
{
    const unsigned basic = 1u << 12 | 1u << 22 | 1u << 27 | 1u << 28 | 1u << 29; /* FMA, MOVBE, OSXSAVE, AVX, F16C */
    const unsigned more = 1u << 3 | 1u << 5 | 1u << 8;                           /* BMI1, AVX2, BMI2 */
    unsigned a, b, c = 0, d;
    if (!has_v2() || !__get_cpuid(1, &a, &b, &c, &d) || (c & basic) != basic)
        return 0;
    __asm__("xgetbv" : "=a"(a), "=d"(d) : "c"(0));
    if ((a & 6) != 6 || !__get_cpuid_count(7, 0, &a, &b, &c, &d) || (b & more) != more)
        return 0;
    return __get_cpuid(0x80000001, &a, &b, &c, &d) && (c & 1u << 5) != 0; /* LZCNT */
}
#endif
