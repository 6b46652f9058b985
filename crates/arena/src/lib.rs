//! The arena: matches in pairs, sequential tests, tournaments, tuning and records.
//!
//! Games and engines come from the catalogue, by their spec strings ([`Contest`](contest::Contest),
//! [`Tournament`](tournament::Tournament)), or from the caller ([`Match`](matches::Match),
//! [`League`](matches::League)). Nothing here touches a file, and no thread starts unless the caller asks for
//! it: the work is done and its results are kept by an [`Executor`](work::Executor), which the caller
//! provides.

pub mod account;
pub mod accuracy;
pub mod budget;
pub mod calibration;
pub mod contest;
pub mod convergence;
pub mod link;
pub mod matches;
pub mod pgn;
pub mod plan;
pub mod play;
pub mod record;
pub mod regret;
pub mod report;
pub mod revision;
pub mod sequential;
pub mod standings;
pub mod study;
pub mod survey;
pub mod terms;
pub mod tournament;
pub mod tune;
pub mod work;
