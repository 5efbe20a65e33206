//! Many may read at a time, or one may write.
//!
//! What sets it apart from a standard lock: a thread that reads may read again inside, also while somebody waits to
//! write; a thread that writes may read and write again inside; a thread that reads and wants to write gets a refusal,
//! because it would wait for itself; and waiting has a limit, so that the caller can look for Ctrl-C in between.
//!
//! No thread waits forever: a writer goes before readers that come later, and readers who waited while another thread
//! wrote go before the next writer.

#[cfg(loom)]
use loom::sync::{Condvar, Mutex, MutexGuard};
#[cfg(loom)]
use loom::thread::{ThreadId, current};
use std::time::{Duration, Instant};
#[cfg(not(loom))]
use std::{
    sync::{Condvar, Mutex, MutexGuard},
    thread::{ThreadId, current},
};

#[derive(Default)]
pub struct Gate {
    state: Mutex<State>,
    turn: Condvar,
}

#[derive(Default)]
struct State {
    readers: Vec<(ThreadId, usize)>, // each with how often it entered
    writer: Option<(ThreadId, usize)>,
    waiting_readers: usize,
    waiting_writers: usize,
    admitted: usize, // readers who waited while somebody wrote, and enter before the next writer
    lost: bool,
}

/// Why a thread may not enter, however long it waits.
#[derive(Debug, PartialEq, Eq)]
pub enum Refused {
    Reads, // it reads itself, and wants to write
    Lost,  // another thread was inside when this process was forked
}

/// How often a thread entered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inside {
    pub reads: usize,
    pub writes: usize,
}

impl State {
    fn reads(&mut self, thread: ThreadId) -> Option<&mut usize> {
        self.readers.iter_mut().find(|(reader, _)| *reader == thread).map(|(_, times)| times)
    }

    fn writes(&mut self, thread: ThreadId) -> Option<&mut usize> {
        self.writer.as_mut().filter(|(writer, _)| *writer == thread).map(|(_, times)| times)
    }

    /// Whether a new reader may enter; `waited`: it is one of those who waited.
    fn is_open_to_read(&self, waited: bool) -> bool {
        self.writer.is_none() && (self.waiting_writers == 0 || (waited && self.admitted > 0))
    }

    /// Whether a new writer may enter; the thread `but` may be inside as a reader.
    fn is_open_to_write(&self, but: Option<ThreadId>) -> bool {
        self.writer.is_none() && self.admitted == 0 && self.readers.iter().all(|(reader, _)| Some(*reader) == but)
    }
}

impl Gate {
    /// A gate that this thread has entered as often as `inside` tells, and no other thread.
    pub fn entered(inside: Inside, lost: bool) -> Gate {
        let me = current().id();
        let readers = if inside.reads > 0 { vec![(me, inside.reads)] } else { Vec::new() };
        let writer = (inside.writes > 0).then_some((me, inside.writes));
        Gate { state: Mutex::new(State { readers, writer, lost, ..State::default() }), turn: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("nothing panics inside")
    }

    /// Whether no thread is inside, as far as that is known without waiting.
    #[cfg(not(loom))]
    pub fn is_free(&self) -> bool {
        self.state.try_lock().is_ok_and(|state| state.readers.is_empty() && state.writer.is_none())
    }

    /// How often this thread entered.
    pub fn inside(&self) -> Inside {
        let (me, mut state) = (current().id(), self.lock());
        Inside { reads: state.reads(me).map_or(0, |times| *times), writes: state.writes(me).map_or(0, |times| *times) }
    }

    /// Enters to read, if that takes no waiting.
    #[inline]
    pub fn try_read(&self) -> Result<bool, Refused> {
        let (me, mut state) = (current().id(), self.lock());
        if state.lost {
            return Err(Refused::Lost);
        }
        if let Some(times) = state.reads(me) {
            *times += 1;
            return Ok(true);
        }
        let open = state.is_open_to_read(false) || state.writes(me).is_some();
        if open {
            state.readers.push((me, 1));
        }
        Ok(open)
    }

    /// Waits until it may enter to read, and enters; false if the time is over.
    pub fn read_within(&self, limit: Duration) -> Result<bool, Refused> {
        if self.try_read()? {
            return Ok(true);
        }
        let mut state = self.lock();
        state.waiting_readers += 1;
        let mut state = self.wait(state, limit, |state| state.is_open_to_read(true));
        state.waiting_readers -= 1;
        let open = state.is_open_to_read(true);
        if open {
            state.admitted = state.admitted.saturating_sub(1);
            state.readers.push((current().id(), 1));
        }
        state.admitted = state.admitted.min(state.waiting_readers);
        self.turn.notify_all(); // a writer may wait for the last of those who were admitted
        Ok(open)
    }

    /// Enters to write, if that takes no waiting.
    #[inline]
    pub fn try_write(&self) -> Result<bool, Refused> {
        let (me, mut state) = (current().id(), self.lock());
        if state.lost {
            return Err(Refused::Lost);
        }
        if let Some(times) = state.writes(me) {
            *times += 1;
            return Ok(true);
        }
        if state.reads(me).is_some() {
            return Err(Refused::Reads);
        }
        let open = state.is_open_to_write(None) && state.waiting_writers == 0;
        if open {
            state.writer = Some((me, 1));
        }
        Ok(open)
    }

    /// Waits until it may enter to write, and enters; false if the time is over.
    pub fn write_within(&self, limit: Duration) -> Result<bool, Refused> {
        Ok(self.try_write()? || self.write_when_open(limit, None))
    }

    /// The same for a thread that may read itself: nobody else is inside then. For a moment in which nothing is read or
    /// written, as when the process is forked.
    pub fn seize_within(&self, limit: Duration) -> bool {
        let me = current().id();
        if let Some(times) = self.lock().writes(me) {
            *times += 1;
            return true;
        }
        self.write_when_open(limit, Some(me))
    }

    fn write_when_open(&self, limit: Duration, but: Option<ThreadId>) -> bool {
        let mut state = self.lock();
        state.waiting_writers += 1;
        let mut state = self.wait(state, limit, |state| state.is_open_to_write(but));
        state.waiting_writers -= 1;
        let open = state.is_open_to_write(but);
        match open {
            true => state.writer = Some((current().id(), 1)),
            false => self.turn.notify_all(), // readers who waited for this writer need not any more
        }
        open
    }

    fn wait<'a>(
        &self,
        mut state: MutexGuard<'a, State>,
        limit: Duration,
        is_open: impl Fn(&State) -> bool,
    ) -> MutexGuard<'a, State> {
        let end = Instant::now() + limit;
        while !is_open(&state) {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            state = self.turn.wait_timeout(state, left).expect("nothing panics inside").0;
        }
        state
    }

    /// Leaves what was entered to read.
    #[inline]
    pub fn leave_reading(&self) {
        let (me, mut state) = (current().id(), self.lock());
        let Some(at) = state.readers.iter().position(|(reader, _)| *reader == me) else { return };
        state.readers[at].1 -= 1;
        if state.readers[at].1 == 0 {
            state.readers.swap_remove(at);
            if state.waiting_writers > 0 {
                self.turn.notify_all();
            }
        }
    }

    /// Leaves what was entered to write.
    pub fn leave_writing(&self) {
        let (me, mut state) = (current().id(), self.lock());
        let Some(times) = state.writes(me) else { return };
        *times -= 1;
        if *times == 0 {
            state.writer = None;
            state.admitted = state.waiting_readers;
            self.turn.notify_all();
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread::{sleep, spawn};

    const SOON: Duration = Duration::from_millis(20);
    const LATE: Duration = Duration::from_secs(60);

    #[test]
    fn a_thread_reads_and_writes_again_inside() {
        let gate = Gate::default();
        assert_eq!(gate.try_write(), Ok(true));
        assert_eq!((gate.try_write(), gate.try_read()), (Ok(true), Ok(true)));
        gate.leave_reading();
        gate.leave_writing();
        assert_eq!(gate.inside(), Inside { reads: 0, writes: 1 });
        gate.leave_writing();
        assert_eq!((gate.try_read(), gate.try_read()), (Ok(true), Ok(true)));
        assert_eq!(gate.inside(), Inside { reads: 2, writes: 0 });
    }

    #[test]
    fn who_reads_is_refused_to_write_and_loses_nothing() {
        let gate = Gate::default();
        assert_eq!(gate.try_read(), Ok(true));
        assert_eq!(gate.write_within(LATE), Err(Refused::Reads));
        gate.leave_reading();
        assert_eq!(gate.write_within(SOON), Ok(true));
    }

    #[test]
    fn nobody_else_enters_while_one_writes_and_waiting_has_a_limit() {
        let gate = Arc::new(Gate::default());
        assert_eq!(gate.try_write(), Ok(true));
        let other = Arc::clone(&gate);
        let found = spawn(move || (other.read_within(SOON), other.write_within(SOON))).join().unwrap();
        assert_eq!(found, (Ok(false), Ok(false)));
        gate.leave_writing();
        let other = Arc::clone(&gate);
        assert_eq!(spawn(move || other.read_within(SOON)).join().unwrap(), Ok(true));
    }

    #[test]
    fn who_waits_to_write_goes_before_readers_that_come_later_but_not_before_those_inside() {
        let gate = Arc::new(Gate::default());
        assert_eq!(gate.try_read(), Ok(true));
        let other = Arc::clone(&gate);
        let writer = spawn(move || other.write_within(LATE));
        while gate.lock().waiting_writers == 0 {
            sleep(Duration::from_millis(1));
        }
        let other = Arc::clone(&gate);
        assert_eq!(spawn(move || other.read_within(SOON)).join().unwrap(), Ok(false));
        assert_eq!(gate.try_read(), Ok(true)); // inside already
        gate.leave_reading();
        gate.leave_reading();
        assert_eq!(writer.join().unwrap(), Ok(true));
    }

    #[test]
    fn readers_who_waited_go_before_the_next_writer() {
        let gate = Arc::new(Gate::default());
        assert_eq!(gate.try_write(), Ok(true));
        let order = Arc::new(Mutex::new(Vec::new()));
        let (other, seen) = (Arc::clone(&gate), Arc::clone(&order));
        let reader = spawn(move || {
            assert_eq!(other.read_within(LATE), Ok(true));
            seen.lock().unwrap().push("read");
            other.leave_reading();
        });
        while gate.lock().waiting_readers == 0 {
            sleep(Duration::from_millis(1));
        }
        let (other, seen) = (Arc::clone(&gate), Arc::clone(&order));
        let writer = spawn(move || {
            assert_eq!(other.write_within(LATE), Ok(true));
            seen.lock().unwrap().push("wrote");
            other.leave_writing();
        });
        while gate.lock().waiting_writers == 0 {
            sleep(Duration::from_millis(1));
        }
        gate.leave_writing();
        reader.join().unwrap();
        writer.join().unwrap();
        assert_eq!(*order.lock().unwrap(), ["read", "wrote"]);
    }

    #[test]
    fn a_gate_can_be_seized_by_one_who_reads_and_stays_entered_in_a_copy() {
        let gate = Gate::default();
        assert_eq!(gate.try_read(), Ok(true));
        assert!(gate.seize_within(SOON));
        assert_eq!(gate.inside(), Inside { reads: 1, writes: 1 });
        gate.leave_writing();
        assert!(!gate.is_free());
        let copy = Gate::entered(gate.inside(), false);
        assert_eq!(copy.inside(), Inside { reads: 1, writes: 0 });
        assert_eq!(Gate::entered(Inside::default(), true).try_read(), Err(Refused::Lost));
    }

    #[test]
    fn readers_see_whole_changes_only() {
        let gate = Arc::new(Gate::default());
        let (one, two) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let rounds = if cfg!(miri) { 20 } else { 2000 };
        let running: Vec<_> = (0..4)
            .map(|number| {
                let (gate, one, two) = (Arc::clone(&gate), Arc::clone(&one), Arc::clone(&two));
                spawn(move || {
                    for _ in 0..rounds {
                        if number == 0 {
                            while !gate.write_within(LATE).unwrap() {}
                            one.fetch_add(1, Ordering::Relaxed);
                            two.fetch_add(1, Ordering::Relaxed);
                            gate.leave_writing();
                        } else {
                            while !gate.read_within(LATE).unwrap() {}
                            assert_eq!(one.load(Ordering::Relaxed), two.load(Ordering::Relaxed));
                            gate.leave_reading();
                        }
                    }
                })
            })
            .collect();
        running.into_iter().for_each(|thread| thread.join().unwrap());
        assert_eq!(one.load(Ordering::Relaxed), rounds);
    }
}
