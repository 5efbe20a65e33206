//! Every order in which threads can meet at the gate, tried one after the other: `make loom`.
#![cfg(loom)]

use _kernel::machine::gate::{Gate, Refused};
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread::spawn;
use std::time::Duration;

const LATE: Duration = Duration::from_secs(3600);

/// What the gate guards. Loom fails if it is written while it is read, and if anybody waits for ever.
struct Guarded {
    gate: Gate,
    value: UnsafeCell<usize>,
}

// SAFETY: that is what is tested.
unsafe impl Send for Guarded {}
unsafe impl Sync for Guarded {}

impl Guarded {
    fn new() -> Arc<Guarded> {
        Arc::new(Guarded { gate: Gate::default(), value: UnsafeCell::new(0) })
    }

    fn read(&self) -> usize {
        assert_eq!(self.gate.read_within(LATE), Ok(true));
        let found = self.value.with(|value| unsafe { *value });
        self.gate.leave_reading();
        found
    }

    fn write(&self) {
        assert_eq!(self.gate.write_within(LATE), Ok(true));
        self.value.with_mut(|value| unsafe { *value += 1 });
        self.gate.leave_writing();
    }
}

fn tried(work: impl Fn() + Sync + Send + 'static) {
    let mut all = loom::model::Builder::new();
    all.preemption_bound = Some(3);
    all.check(work);
}

#[test]
fn readers_and_writers_never_meet_and_nobody_waits_for_ever() {
    tried(|| {
        let guarded = Guarded::new();
        let (one, two) = (Arc::clone(&guarded), Arc::clone(&guarded));
        let threads = [spawn(move || one.write()), spawn(move || assert!(two.read() <= 2))];
        guarded.write();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        assert_eq!(guarded.read(), 2);
    });
}

#[test]
fn who_reads_may_read_again_while_another_waits_to_write() {
    tried(|| {
        let guarded = Guarded::new();
        let one = Arc::clone(&guarded);
        assert_eq!(guarded.gate.try_read(), Ok(true));
        let thread = spawn(move || one.write());
        assert_eq!((guarded.read(), guarded.gate.try_write()), (0, Err(Refused::Reads)));
        guarded.gate.leave_reading();
        thread.join().unwrap();
        assert_eq!(guarded.read(), 1);
    });
}

#[test]
fn a_fork_finds_nobody_else_inside() {
    tried(|| {
        let guarded = Guarded::new();
        let one = Arc::clone(&guarded);
        let thread = spawn(move || one.write());
        assert_eq!(guarded.gate.read_within(LATE), Ok(true));
        assert!(guarded.gate.seize_within(LATE));
        guarded.value.with_mut(|value| unsafe { *value += 1 });
        guarded.gate.leave_writing();
        guarded.gate.leave_reading();
        thread.join().unwrap();
        assert_eq!(guarded.read(), 2);
    });
}
