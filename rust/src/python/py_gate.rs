//! Many may read a model at a time, or one may write; also after the process was forked.

use super::errors::error;
use crate::machine::gate::{Gate, Inside, Refused};
use pyo3::panic::PanicException;
use pyo3::prelude::*;
use std::collections::HashSet;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

const SIGNALS: Duration = Duration::from_millis(50); // between two looks for Ctrl-C
const FORK: Duration = Duration::from_secs(10); // for which a fork waits until nobody is inside

/// A gate that can be replaced: a lock that another thread held when the process was forked is useless.
struct Renewable(AtomicPtr<Gate>);

impl Renewable {
    fn new() -> Arc<Renewable> {
        let new = Arc::new(Renewable(AtomicPtr::new(Box::into_raw(Box::default()))));
        let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() == all.capacity() {
            all.retain(|gate| gate.strong_count() > 0);
        }
        all.push(Arc::downgrade(&new));
        new
    }

    #[inline]
    fn get(&self) -> &Gate {
        // SAFETY: it points to a gate that is dropped with this one, or never.
        unsafe { &*self.0.load(Ordering::Acquire) }
    }

    /// Where no other thread lives any more. The old gate is left as it is.
    fn renew(&self, inside: Inside, lost: bool) {
        self.0.store(Box::into_raw(Box::new(Gate::entered(inside, lost))), Ordering::Release);
    }
}

impl Drop for Renewable {
    fn drop(&mut self) {
        // SAFETY: it was made by `Box::into_raw`, and nobody has it any more.
        drop(unsafe { Box::from_raw(*self.0.get_mut()) });
    }
}

/// All gates that there are. Locked only while the interpreter is held, so by nobody else when the process is forked.
static ALL: Mutex<Vec<Weak<Renewable>>> = Mutex::new(Vec::new());
/// The gates that are held while the process is forked: what this thread had entered before, and whether it got in.
static FORKING: Mutex<Vec<(Arc<Renewable>, Inside, bool)>> = Mutex::new(Vec::new());
static MADE: AtomicU64 = AtomicU64::new(0);

/// What guards one model: `with gate.reading:` for any number of threads, `with gate.writing:` for one alone.
#[pyclass(frozen, name = "Gate")]
pub struct PyGate {
    /// Gates are entered in this order by those who need two.
    #[pyo3(get)]
    number: u64,
    #[pyo3(get)]
    reading: Py<PyReading>,
    #[pyo3(get)]
    writing: Py<PyWriting>,
}

#[pymethods]
impl PyGate {
    #[new]
    fn new(py: Python<'_>) -> PyResult<PyGate> {
        let gate = Renewable::new();
        Ok(PyGate {
            number: MADE.fetch_add(1, Ordering::Relaxed),
            reading: Py::new(py, PyReading(Arc::clone(&gate)))?,
            writing: Py::new(py, PyWriting(gate))?,
        })
    }
}

/// Inside, no thread writes.
#[pyclass(frozen, name = "Reading")]
pub struct PyReading(Arc<Renewable>);

/// A gate that was entered to read, until it is dropped.
pub struct Entered<'a>(&'a Gate);

impl Drop for Entered<'_> {
    fn drop(&mut self) {
        self.0.leave_reading();
    }
}

impl PyReading {
    /// Enters, if that takes no waiting.
    pub fn at_once(&self) -> Option<Entered<'_>> {
        let gate = self.0.get();
        matches!(gate.try_read(), Ok(true)).then_some(Entered(gate))
    }
}

#[pymethods]
impl PyReading {
    fn __enter__(&self, py: Python<'_>) -> PyResult<()> {
        entered(py, self.0.get().try_read(), |limit| self.0.get().read_within(limit))
    }

    fn __exit__(&self, kind: &Bound<'_, PyAny>, error: &Bound<'_, PyAny>, _at: &Bound<'_, PyAny>) -> PyResult<()> {
        self.0.get().leave_reading();
        no_panic(kind, error)
    }
}

/// Inside, no other thread reads or writes.
#[pyclass(frozen, name = "Writing")]
pub struct PyWriting(Arc<Renewable>);

#[pymethods]
impl PyWriting {
    fn __enter__(&self, py: Python<'_>) -> PyResult<()> {
        entered(py, self.0.get().try_write(), |limit| self.0.get().write_within(limit))
    }

    fn __exit__(&self, kind: &Bound<'_, PyAny>, error: &Bound<'_, PyAny>, _at: &Bound<'_, PyAny>) -> PyResult<()> {
        self.0.get().leave_writing();
        no_panic(kind, error)
    }
}

#[inline]
fn entered(
    py: Python<'_>,
    at_once: Result<bool, Refused>,
    wait: impl Fn(Duration) -> Result<bool, Refused> + Sync,
) -> PyResult<()> {
    let refused = |refused: Refused| match refused {
        Refused::Reads => error(py, "changed_while_read", ()),
        Refused::Lost => error(py, "lost_in_fork", ()),
    };
    let mut inside = at_once.map_err(refused)?;
    while !inside {
        py.check_signals()?;
        inside = py.detach(|| wait(SIGNALS)).map_err(refused)?;
    }
    Ok(())
}

/// A panic that nothing else caught is no `Exception` in Python, so that nobody would catch it there.
fn no_panic(kind: &Bound<'_, PyAny>, raised: &Bound<'_, PyAny>) -> PyResult<()> {
    let py = kind.py();
    if kind.is_none() || !raised.is_instance_of::<PanicException>() {
        return Ok(());
    }
    let failed = error(py, "kernel_failed", (raised.str()?,));
    failed.set_cause(py, Some(PyErr::from_value(raised.clone())));
    Err(failed)
}

fn every() -> Vec<Arc<Renewable>> {
    ALL.lock().unwrap_or_else(PoisonError::into_inner).iter().filter_map(Weak::upgrade).collect()
}

/// Before the process is forked: waits until no other thread is inside a gate, and keeps them out.
#[pyfunction]
pub fn before_fork(py: Python<'_>) {
    let all = every();
    let end = Instant::now() + FORK;
    let held = py.detach(|| {
        let hold = |gate: Arc<Renewable>| {
            let (inside, left) = (gate.get().inside(), end.saturating_duration_since(Instant::now()));
            let seized = gate.get().seize_within(left);
            (gate, inside, seized)
        };
        all.into_iter().map(hold).collect()
    });
    *FORKING.lock().unwrap_or_else(PoisonError::into_inner) = held;
}

/// After that, in the process that goes on (False) and in the new one (True).
#[pyfunction]
pub fn after_fork(is_child: bool) {
    let held = std::mem::take(&mut *FORKING.lock().unwrap_or_else(PoisonError::into_inner));
    if is_child {
        let known: HashSet<_> = held.iter().map(|(gate, ..)| Arc::as_ptr(gate)).collect();
        for gate in every().into_iter().filter(|gate| !known.contains(&Arc::as_ptr(gate))) {
            gate.renew(Inside::default(), !gate.get().is_free()); // made by another thread at the last moment
        }
    }
    for (gate, inside, seized) in held {
        match is_child {
            true => gate.renew(inside, !seized),
            false if seized => gate.get().leave_writing(),
            false => (),
        }
    }
}
