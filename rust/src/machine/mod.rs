//! What the machine offers: threads, instructions of some processors, a lock.
//!
//!     processor  instructions that some processors have; prefetching
//!     gate       a lock: many may read at a time, or one may write

pub mod gate;
pub mod processor;

/// Applies `work` to each item, each on a thread of its own, and keeps the order.
pub fn in_parallel<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    if items.len() == 1 {
        return items.into_iter().map(work).collect();
    }
    std::thread::scope(|scope| {
        let work = &work;
        let running: Vec<_> = items.into_iter().map(|item| scope.spawn(move || work(item))).collect();
        running.into_iter().map(|thread| thread.join().expect("a worker does not panic")).collect()
    })
}
