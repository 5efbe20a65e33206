//! Errors for Python; a panic in the kernel becomes an error of likelier's own.

use crate::count::totals::TooLarge;
use pyo3::call::PyCallArgs;
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The error that a function of `likelier._base.errors` makes.
pub fn error<'py>(py: Python<'py>, made_by: &str, args: impl PyCallArgs<'py>) -> PyErr {
    let made = || py.import("likelier._base.errors")?.getattr(made_by)?.call1(args);
    made().map_or_else(|error| error, PyErr::from_value)
}

/// Works while the interpreter is released.
pub fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    py.detach(|| catch_unwind(AssertUnwindSafe(work))).map_err(|cause| panicked(py, cause))
}

/// Works while the interpreter is held.
pub fn guarded<T>(py: Python<'_>, work: impl FnOnce() -> T) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|cause| panicked(py, cause))
}

pub fn too_large(_: TooLarge) -> PyErr {
    PyOverflowError::new_err("a sum would be larger than 2^62")
}

fn panicked(py: Python<'_>, cause: Box<dyn Any + Send>) -> PyErr {
    let text = cause.downcast_ref::<String>().map(String::as_str).or(cause.downcast_ref::<&str>().copied());
    error(py, "kernel_failed", (text.unwrap_or("for a reason that it does not tell"),))
}
