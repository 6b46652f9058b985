//! A second front end: answers questions in JSON, one per line, on standard input.
//!
//! ```text
//! $ echo '{"game": "pig", "position": "88-96+7 p1", "engine": "star2", "depth": 4}' | cargo run --release --example serve
//! {"value":…,"best":"roll",…}
//! ```
//!
//! Besides `game` and `engine` a question may contain `position`, `seed`, and the limits `depth`, `nodes`,
//! `iterations` and `time_s`. The answer is a report, or an object with `error`.

use astragal::catalog::Analysis;
use astragal::prelude::*;
use serde::Deserialize;
use std::error::Error;
use std::io::{Write, stdin, stdout};
use std::time::Duration;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    game: String,
    engine: String,
    position: Option<String>,
    #[serde(default)]
    seed: u64,
    depth: Option<u32>,
    nodes: Option<u64>,
    iterations: Option<u64>,
    time_s: Option<f64>,
}

fn answer(question: &str) -> Result<Analysis, Box<dyn Error>> {
    let Question { game: spec, engine, position, seed, depth, nodes, iterations, time_s } =
        serde_json::from_str(question)?;
    let game = game(&spec)?;
    let position = match position {
        Some(text) => game.read(&text)?,
        None => game.start(),
    };
    let mut engine = game.engine(&engine)?;
    let time = time_s.map(Duration::try_from_secs_f64).transpose()?;
    let budget = Budget { depth, nodes, iterations, time };
    budget.check(engine.heeds()).map_err(|error| format!("'{}' has {error}", engine.info().name))?;
    if budget.is_unlimited() && !engine.heeds().is_empty() {
        return Err("the engine needs a limit".into());
    }
    Ok(engine.analyze(&*position, seed, &budget, &mut Clock::start()))
}

fn main() -> Result<(), Box<dyn Error>> {
    for question in stdin().lines() {
        let line = match answer(&question?) {
            Ok(analysis) => serde_json::to_string(&analysis)?,
            Err(error) => serde_json::json!({ "error": error.to_string() }).to_string(),
        };
        writeln!(stdout(), "{line}")?;
    }
    Ok(())
}
