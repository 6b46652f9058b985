//! What *Monte Carlo \*-Minimax Search* does not say, and the ways in which it can be read: which evaluation
//! functions, which outcomes of the dice were merged, and whether sibling actions saw the same dice.

use super::claims::judges;
use crate::Scale;
use crate::mcms::players::{DOMAINS, Domain, dpw, mcts};

/// One way to read the paper in one of its games.
pub(super) struct Reading {
    /// Its name in tables and figures.
    pub(super) name: &'static str,
    /// The game with its outcomes.
    pub(super) game: &'static str,
    /// The evaluation function.
    pub(super) eval: &'static str,
    /// What samples depend on.
    pub(super) keys: &'static str,
}

const fn reading(name: &'static str, game: &'static str, eval: &'static str) -> Reading {
    Reading { name, game, eval, keys: "path" }
}

/// The readings of each game, in the order of the domains. The first is that of the other experiments.
pub(super) const READINGS: [&[Reading]; 4] = [
    &[
        reading("lead, 11 results", "pig", "lead"),
        reading("lead, 21 pairs", "pig(outcomes=pairs)", "lead"),
        reading("lead, 36 rolls", "pig(outcomes=rolls)", "lead"),
        reading("banked, 11 results", "pig", "banked"),
        reading("banked, 21 pairs", "pig(outcomes=pairs)", "banked"),
        reading("banked, 36 rolls", "pig(outcomes=rolls)", "banked"),
    ],
    &[
        reading("proximity", "ewn", "proximity"),
        Reading { keys: "siblings", ..reading("proximity, same dice", "ewn", "proximity") },
        reading("noisy proximity", "ewn", "noisy(eval=proximity,sigma=30)"),
        reading("even", "ewn", "even"),
        Reading { keys: "siblings", ..reading("even, same dice", "ewn", "even") },
    ],
    &[
        reading("progress, 126 throws", "cant-stop", "progress"),
        reading("progress, 1296 rolls", "cant-stop(outcomes=rolls)", "progress"),
        reading("columns, 126 throws", "cant-stop", "columns"),
        reading("columns, 1296 rolls", "cant-stop(outcomes=rolls)", "columns"),
    ],
    &[
        reading("assets, 23 kinds", "ra", "assets"),
        reading("assets, 180 tiles", "ra(outcomes=tiles)", "assets"),
        reading("score, 23 kinds", "ra", "score"),
        reading("score, 180 tiles", "ra(outcomes=tiles)", "score"),
    ],
];

/// A player of the paper.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Player {
    /// exp, Star1 or Star2.
    Classic(usize),
    /// expSS, star1SS or star2SS.
    Sampled(usize),
    Mcts,
    Dpw,
}

impl Player {
    /// Every player, in the order of the paper's Table 1.
    pub(super) const ALL: [Self; 8] = [
        Self::Mcts,
        Self::Dpw,
        Self::Classic(0),
        Self::Classic(1),
        Self::Classic(2),
        Self::Sampled(0),
        Self::Sampled(1),
        Self::Sampled(2),
    ];

    /// The one of the two MCTS players that the paper found to be the better one in a game.
    pub(super) fn best_mcts(domain: &Domain) -> Self {
        if domain.dpw_is_best { Self::Dpw } else { Self::Mcts }
    }

    /// Its spec, under a reading.
    pub(super) fn spec(self, domain: &Domain, reading: &Reading) -> String {
        let Reading { eval, keys, .. } = reading;
        let with = |spec: String| spec.replacen('(', &format!("(eval={eval},"), 1);
        match self {
            Self::Classic(0) => format!("expectimax(eval={eval})"),
            Self::Classic(at) => format!("star{at}(table=order,eval={eval})"),
            Self::Sampled(at) => {
                let (name, width) = (["expss", "star1ss", "star2ss"][at], domain.widths[at]);
                format!("{name}(width={width},enumerate=off,keys={keys},eval={eval})")
            }
            Self::Mcts => with(mcts(domain.mcts)),
            Self::Dpw => with(dpw(domain.mcts, domain.dpw)),
        }
    }
}

/// A bar of Figure 2, or the match by which the paper chose its MCTS player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bar {
    /// A sampling player against its classic counterpart.
    Sampling(usize),
    Star1SsExpSs,
    Star2SsStar1Ss,
    Star1Mcts,
    Star1SsMcts,
    MctsDpw,
}

impl Bar {
    /// The bars that are measured over all budgets.
    pub(super) const SAMPLING: [Self; 3] = [Self::Sampling(0), Self::Sampling(1), Self::Sampling(2)];

    /// The others, which are measured with one.
    pub(super) const OTHERS: [Self; 5] =
        [Self::Star1SsExpSs, Self::Star2SsStar1Ss, Self::Star1Mcts, Self::Star1SsMcts, Self::MctsDpw];

    /// Whether its score is compared with that of another bar, and so must not depend on when it was ended.
    pub(super) fn is_compared(self) -> bool {
        matches!(self, Self::Star1Mcts | Self::Star1SsMcts)
    }

    /// Its name in the paper.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Sampling(at) => ["expSS–exp", "star1SS–Star1", "star2SS–Star2"][at],
            Self::Star1SsExpSs => "star1SS–expSS",
            Self::Star2SsStar1Ss => "star2SS–star1SS",
            Self::Star1Mcts => "Star1–MCTS",
            Self::Star1SsMcts => "star1SS–MCTS",
            Self::MctsDpw => "MCTS–DPW",
        }
    }

    /// The players, the one whose score is shown first.
    pub(super) fn players(self, domain: &Domain) -> [Player; 2] {
        match self {
            Self::Sampling(at) => [Player::Sampled(at), Player::Classic(at)],
            Self::Star1SsExpSs => [Player::Sampled(1), Player::Sampled(0)],
            Self::Star2SsStar1Ss => [Player::Sampled(2), Player::Sampled(1)],
            Self::Star1Mcts => [Player::Classic(1), Player::best_mcts(domain)],
            Self::Star1SsMcts => [Player::Sampled(1), Player::best_mcts(domain)],
            Self::MctsDpw => [Player::Mcts, Player::Dpw],
        }
    }
}

/// A match: a bar under a reading, with this many nodes a decision.
#[derive(Clone, Copy)]
pub(super) struct Cell {
    /// The game, by its place among the domains.
    pub(super) game: usize,
    /// The reading, by its place among those of the game.
    pub(super) reading: usize,
    pub(super) bar: Bar,
    /// Nodes of a decision of the \*-Minimax players.
    pub(super) nodes: u64,
    /// The most pairs that are played for a verdict.
    pub(super) most: u64,
}

impl Cell {
    pub(super) fn domain(&self) -> &'static Domain {
        &DOMAINS[self.game]
    }

    pub(super) fn reading(&self) -> &'static Reading {
        &READINGS[self.game][self.reading]
    }

    /// The specs of the players.
    pub(super) fn engines(&self) -> [String; 2] {
        self.bar.players(self.domain()).map(|player| player.spec(self.domain(), self.reading()))
    }
}

/// Pairs at the first look at a match; each further look doubles them.
pub(super) const FIRST_LOOK: u64 = 16;

/// Nodes a decision: of the bars that are measured over several budgets, and of the others.
pub(super) fn budgets(game: usize, scale: Scale) -> (&'static [u64], u64) {
    match (scale, game) {
        (Scale::Quick, _) => (&[500, 2000], 1000),
        (_, 0 | 1) => (&[2000, 20_000, 200_000], 20_000),
        _ => (&[2000, 20_000], 5000),
    }
}

/// The most pairs of a match: the slower the game, the fewer, and few of a bar of which the paper says nothing.
fn most(game: usize, bar: Bar, nodes: u64, scale: Scale) -> u64 {
    match (game, nodes) {
        _ if scale == Scale::Quick => FIRST_LOOK,
        _ if judges(game, bar).is_empty() && !bar.is_compared() => 32,
        (0 | 1, 200_000..) => 64,
        (0 | 1, _) if bar.is_compared() => 128,
        (0 | 1, _) => 512,
        (_, 20_000..) => 32,
        (_, 5000..) => 64,
        _ => 256,
    }
}

/// The most looks at a match.
pub(super) const LOOKS: u32 = 6;

/// The reading that differs at most in the dice of siblings, and has them independent.
pub(super) fn without_siblings(game: usize, reading: usize) -> usize {
    let this = &READINGS[game][reading];
    let same = |other: &Reading| (other.game, other.eval, other.keys) == (this.game, this.eval, "path");
    READINGS[game].iter().position(same).expect("every evaluator has a reading with independent dice")
}

/// Every match.
pub(super) fn cells(scale: Scale) -> Vec<Cell> {
    let mut cells = Vec::new();
    for (game, readings) in READINGS.iter().enumerate() {
        let (varied, fixed) = budgets(game, scale);
        for reading in 0..readings.len() {
            let cell = |bar, nodes| Cell { game, reading, bar, nodes, most: most(game, bar, nodes, scale) };
            for bar in Bar::SAMPLING {
                cells.extend(varied.iter().map(|&nodes| cell(bar, nodes)));
            }
            for bar in Bar::OTHERS {
                // What is drawn makes no difference to players that do not sample.
                let samples = bar.players(&DOMAINS[game]).iter().any(|p| matches!(p, Player::Sampled(_)));
                if samples || without_siblings(game, reading) == reading {
                    cells.push(cell(bar, fixed));
                }
            }
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;
    use astragal_catalog::game;

    #[test]
    fn every_player_can_be_built_and_no_match_is_there_twice() {
        for scale in [Scale::Quick, Scale::Paper] {
            let cells = cells(scale);
            let mut seen = std::collections::BTreeSet::new();
            for cell in &cells {
                let reading = cell.reading();
                let engines = cell
                    .engines()
                    .map(|spec| game(reading.game).unwrap().engine(&spec).unwrap().spec().to_string());
                assert!(engines[0] != engines[1], "{engines:?}");
                assert!(seen.insert((reading.game, engines, cell.nodes)), "{} twice", reading.name);
                let looks = (cell.most / FIRST_LOOK).ilog2() + 1;
                assert!(cell.most.is_multiple_of(FIRST_LOOK) && looks <= LOOKS);
            }
        }
    }
}
