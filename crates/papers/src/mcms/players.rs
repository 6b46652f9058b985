//! The players and games of *Monte Carlo \*-Minimax Search*, section 4, and the matches of its experiments.
//!
//! As in the paper, the *-Minimax players deepen iteratively and use the table for move ordering only. The
//! paper's evaluation functions are not published; ours are the first evaluators of each game.

use crate::duels::{self, Duel};
use crate::{Bench, Failed, Scale};
use astragal_arena::contest::Standing;
use astragal_arena::terms::Terms;
use astragal_core::Budget;
use std::time::Duration;

/// A game of the paper with the parameters that the paper found.
pub(super) struct Domain {
    /// Its name in the paper.
    pub(super) name: &'static str,
    /// Its spec here.
    pub(super) spec: &'static str,
    /// Sample widths of expSS, star1SS and star2SS.
    pub(super) widths: [u32; 3],
    /// C1 and dr of MCTS.
    pub(super) mcts: (u32, u32),
    /// C2 and α of DPW.
    pub(super) dpw: (f64, f64),
    /// Whether the paper found DPW better than MCTS.
    pub(super) dpw_is_best: bool,
    /// Matches per pairing in the paper.
    pub(super) matches: u64,
}

/// The indices of the games in `DOMAINS`.
pub(super) const PIG: usize = 0;
pub(super) const EWN: usize = 1;
pub(super) const CANT_STOP: usize = 2;
pub(super) const RA: usize = 3;

/// The four games.
pub(super) const DOMAINS: [Domain; 4] = [
    Domain {
        name: "Pig",
        spec: "pig",
        widths: [20, 25, 18],
        mcts: (50, 0),
        dpw: (5.0, 0.2),
        dpw_is_best: false,
        matches: 5000,
    },
    Domain {
        name: "EWN",
        spec: "ewn",
        widths: [1, 1, 2],
        mcts: (200, 100),
        dpw: (4.0, 0.25),
        dpw_is_best: false,
        matches: 5000,
    },
    Domain {
        name: "Can't Stop",
        spec: "cant-stop",
        widths: [25, 30, 15],
        mcts: (50, 10),
        dpw: (25.0, 0.3),
        dpw_is_best: true,
        matches: 2000,
    },
    Domain {
        name: "Ra",
        spec: "ra",
        widths: [5, 5, 2],
        mcts: (50, 0),
        dpw: (2.0, 0.1),
        dpw_is_best: true,
        matches: 2000,
    },
];

/// The classic algorithms, in the order of the sample widths. As in the paper, their bounds ignore the
/// horizon.
pub(super) const CLASSIC: [&str; 3] =
    ["expectimax", "star1(table=order,horizon=off)", "star2(table=order,horizon=off)"];

/// Their names in the paper, and those of their sampling variants.
pub(super) const CLASSIC_NAMES: [&str; 3] = ["exp", "Star1", "Star2"];
pub(super) const SAMPLED_NAMES: [&str; 3] = ["expSS", "star1SS", "star2SS"];

/// The sampling variant of an algorithm with a width. As in the paper, outcomes are sampled even where
/// enumerating all of them would cost the same.
pub(super) fn sampled(algorithm: usize, width: u32) -> String {
    sampled_with(algorithm, width, "")
}

/// The same with additional parameters, each preceded by a comma.
pub(super) fn sampled_with(algorithm: usize, width: u32, more: &str) -> String {
    let (name, bounds) = [("expss", ""), ("star1ss", ",horizon=off"), ("star2ss", ",horizon=off")][algorithm];
    format!("{name}(width={width}{more},enumerate=off{bounds})")
}

/// The payoff of a win in the paper's games. The paper's constant C1 is for such payoffs, ours for payoffs of
/// ±1.
const WIN: f64 = 100.0;

/// MCTS with the constants C1 and dr.
pub(super) fn mcts((c, dr): (u32, u32)) -> String {
    format!("mcts(c={},dr={dr})", f64::from(c) / WIN)
}

/// DPW with the constants C1 and dr, C2 and α.
pub(super) fn dpw((c, dr): (u32, u32), (c2, alpha): (f64, f64)) -> String {
    format!("dpw(c={},dr={dr},c2={c2},alpha={alpha})", f64::from(c) / WIN)
}

impl Domain {
    /// The best MCTS player, according to the paper.
    pub(super) fn best_mcts(&self) -> String {
        if self.dpw_is_best { dpw(self.mcts, self.dpw) } else { mcts(self.mcts) }
    }
}

/// The budget of a decision: the paper's 200 ms, or a node budget, which gives the same result on every
/// machine.
pub(super) fn budget(scale: Scale) -> Budget {
    scale.pick(Budget::nodes(QUICK_NODES), Budget::time(Duration::from_millis(200)))
}

/// Nodes per decision at the quick scale.
pub(super) const QUICK_NODES: u64 = 2000;

/// The budget in words.
pub(super) fn budget_words(scale: Scale) -> String {
    scale.pick(
        format!("{QUICK_NODES} nodes a decision (the paper: 200 ms)"),
        "200 ms a decision, as in the paper".into(),
    )
}

/// A match: a game, two engines, and the number of pairs.
pub(super) struct Pairing {
    /// The game.
    pub(super) game: &'static str,
    /// The engines; the score shown is that of the first.
    pub(super) engines: [String; 2],
    /// The number of pairs.
    pub(super) pairs: u64,
}

/// Plays all pairs that are not yet in the store, and returns the standing of each match.
pub(super) fn play(pairings: &[Pairing], bench: &mut Bench<'_>) -> Result<Vec<Standing>, Failed> {
    let duel = |pairing: &Pairing| Duel {
        game: pairing.game.into(),
        engines: pairing.engines.clone(),
        budgets: budget(bench.scale).into(),
        terms: Terms::default(),
        pairs: pairing.pairs,
    };
    let duels: Vec<Duel> = pairings.iter().map(duel).collect();
    Ok(duels::play(&duels, bench)?.iter().map(|rows| Standing::new(rows)).collect())
}
