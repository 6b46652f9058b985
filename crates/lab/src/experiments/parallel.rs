//! Independent pieces of work on several threads, in an order that nobody can see in the results.

use super::{Desk, Failed};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;

/// A stretch of an experiment: from how much is done to how much, and what it is about.
#[derive(Clone, Copy)]
pub(super) struct Stretch<'w> {
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) what: &'w str,
}

/// What the job gives for each number below `count`, in their order, from this many threads. The desk hears of each finished
/// piece and can end the whole between two.
pub(super) fn each<T: Send>(
    workers: usize,
    count: usize,
    stretch: Stretch<'_>,
    desk: &mut dyn Desk,
    job: impl Fn(usize) -> T + Sync,
) -> Result<Vec<T>, Failed> {
    let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let mut found: Vec<Option<T>> = (0..count).map(|_| None).collect();
    desk.progress(stretch.from, stretch.what);
    std::thread::scope(|scope| {
        let (send, receive) = mpsc::channel();
        for _ in 0..workers.clamp(1, count.max(1)) {
            let send = send.clone();
            let (next, stop, job) = (&next, &stop, &job);
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= count || send.send((index, job(index))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(send);
        let mut done = 0;
        for (index, value) in receive {
            found[index] = Some(value);
            done += 1;
            let share = done as f64 / count as f64;
            desk.progress(stretch.from + share * (stretch.to - stretch.from), stretch.what);
            if desk.cancelled() {
                stop.store(true, Ordering::Relaxed);
            }
        }
    });
    if desk.cancelled() {
        return Err(Failed::Cancelled);
    }
    Ok(found.into_iter().map(|value| value.expect("every piece was done")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiments::Unattended;

    const ALL: Stretch<'_> = Stretch { from: 0.0, to: 1.0, what: "" };

    #[test]
    fn results_come_in_order_whatever_the_number_of_workers() {
        for workers in [0, 1, 2, 7] {
            let found = each(workers, 100, ALL, &mut Unattended::default(), |index| index * index).unwrap();
            assert!(found.iter().enumerate().all(|(index, &square)| square == index * index));
        }
        assert!(each(2, 0, ALL, &mut Unattended::default(), |index| index).unwrap().is_empty());
    }

    #[test]
    fn a_desk_ends_the_work_between_two_pieces() {
        struct Impatient(usize);
        impl Desk for Impatient {
            fn progress(&mut self, _done: f64, _what: &str) {
                self.0 += 1;
            }
            fn parts(&mut self) -> crate::experiments::Parts<'_> {
                unreachable!("nothing is kept here")
            }

            fn cancelled(&self) -> bool {
                self.0 > 3
            }
        }
        let begun = AtomicUsize::new(0);
        let slowly = |_| {
            begun.fetch_add(1, Ordering::Relaxed);
            std::thread::sleep(std::time::Duration::from_millis(1));
        };
        let result = each(1, 100_000, ALL, &mut Impatient(0), slowly);
        assert_eq!(result, Err(Failed::Cancelled));
        assert!(begun.load(Ordering::Relaxed) < 50_000);
    }
}
