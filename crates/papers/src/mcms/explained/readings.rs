//! What *Monte Carlo \*-Minimax Search* does not say, and the ways in which it can be read: which evaluation
//! functions, which outcomes of the dice were merged, and whether sibling actions saw the same dice.

use super::claims::judges;
use crate::Scale;
use crate::mcms::players::{CLASSIC, CLASSIC_NAMES, DOMAINS, Domain, SAMPLED_NAMES, dpw, mcts, sampled};

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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Player {
    /// exp, Star1 or Star2.
    Classic(usize),
    /// expSS, star1SS or star2SS.
    Sampled(usize),
    Mcts,
    Dpw,
    /// The one of the two that the paper found to be the better one in the game.
    Best,
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

    fn name(self) -> &'static str {
        match self {
            Self::Classic(at) => CLASSIC_NAMES[at],
            Self::Sampled(at) => SAMPLED_NAMES[at],
            Self::Mcts | Self::Best => "MCTS",
            Self::Dpw => "DPW",
        }
    }

    /// Its spec, under a reading.
    pub(super) fn spec(self, domain: &Domain, reading: &Reading) -> String {
        let Reading { eval, keys, .. } = reading;
        let eval = format!("eval={eval}");
        match self {
            Self::Classic(at) => with(CLASSIC[at], &eval),
            Self::Sampled(at) => with(&sampled(at, domain.widths[at]), &format!("{eval},keys={keys}")),
            Self::Dpw => with(&dpw(domain.mcts, domain.dpw), &eval),
            Self::Best if domain.dpw_is_best => Self::Dpw.spec(domain, reading),
            Self::Mcts | Self::Best => with(&mcts(domain.mcts), &eval),
        }
    }
}

/// A spec with further settings.
fn with(spec: &str, settings: &str) -> String {
    match spec.split_once('(') {
        Some((name, rest)) => format!("{name}({settings},{rest}"),
        None => format!("{spec}({settings})"),
    }
}

/// Two players: a bar of Figure 2, one that it leaves out, or the match by which the paper chose its MCTS
/// player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bar(pub(super) Player, pub(super) Player);

impl Bar {
    /// The sampling players against their classic counterparts, which are measured over all budgets.
    pub(super) const SAMPLING: [Self; 3] = [Self::sampling(0), Self::sampling(1), Self::sampling(2)];
    pub(super) const STAR1SS_EXPSS: Self = Self(Player::Sampled(1), Player::Sampled(0));
    pub(super) const STAR2SS_STAR1SS: Self = Self(Player::Sampled(2), Player::Sampled(1));
    pub(super) const STAR2SS_EXPSS: Self = Self(Player::Sampled(2), Player::Sampled(0));
    pub(super) const MCTS_DPW: Self = Self(Player::Mcts, Player::Dpw);

    const fn sampling(at: usize) -> Self {
        Self(Player::Sampled(at), Player::Classic(at))
    }

    /// exp, Star1 or Star2 against the best MCTS player.
    pub(super) const fn classic_mcts(at: usize) -> Self {
        Self(Player::Classic(at), Player::Best)
    }

    /// expSS, star1SS or star2SS against the best MCTS player.
    pub(super) const fn sampled_mcts(at: usize) -> Self {
        Self(Player::Sampled(at), Player::Best)
    }

    /// Whether its score is compared with that of another bar, and so must not depend on when it was ended.
    pub(super) fn is_compared(self) -> bool {
        self.1 == Player::Best
    }

    /// Its name in the paper.
    pub(super) fn name(self) -> String {
        format!("{}–{}", self.0.name(), self.1.name())
    }

    /// The players, the one whose score is shown first.
    pub(super) fn players(self) -> [Player; 2] {
        [self.0, self.1]
    }
}

/// The bars that are measured with one budget. Two that Figure 2 leaves out would take hours in the slow games.
fn others(game: usize) -> Vec<Bar> {
    let mut bars = vec![Bar::STAR1SS_EXPSS, Bar::STAR2SS_STAR1SS, Bar::STAR2SS_EXPSS, Bar::MCTS_DPW];
    bars.extend((0..3).map(Bar::sampled_mcts));
    bars.push(Bar::classic_mcts(1));
    if is_fast(game) {
        bars.extend([0, 2].map(Bar::classic_mcts));
    }
    bars
}

/// Pig and EWN.
fn is_fast(game: usize) -> bool {
    game < 2
}

/// What both players of a match have the same of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Equal {
    /// Time, where it was measured.
    Time,
    Nodes,
}

/// A match: a bar under a reading, with this many nodes a decision.
#[derive(Clone, Copy)]
pub(super) struct Cell {
    /// The game, by its place among the domains.
    pub(super) game: usize,
    /// The reading, by its place among those of the game.
    pub(super) reading: usize,
    pub(super) bar: Bar,
    pub(super) equal: Equal,
    /// Nodes of a decision of the classic player, or else of the left one.
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
        self.bar.players().map(|player| player.spec(self.domain(), self.reading()))
    }
}

/// Pairs at the first look at a match; each further look doubles them.
pub(super) const FIRST_LOOK: u64 = 16;

/// Nodes a decision: of the bars that are measured over several budgets, and of the others.
pub(super) fn budgets(game: usize, scale: Scale) -> (&'static [u64], u64) {
    match (scale, game) {
        (Scale::Quick, _) => (&[500, 2000], 1000),
        (_, game) if is_fast(game) => (&[2000, 20_000, 200_000], 20_000),
        _ => (&[2000, 20_000], 5000),
    }
}

/// The most pairs of a match: the slower the game, the fewer, and few of a bar of which the paper says nothing.
fn most(game: usize, bar: Bar, nodes: u64, scale: Scale) -> u64 {
    let is_asked = !bar.is_compared() && !judges(game, bar).is_empty();
    match (is_fast(game), nodes) {
        _ if scale == Scale::Quick => FIRST_LOOK,
        (true, 200_000..) => 64,
        (true, _) => {
            if is_asked {
                512
            } else {
                128
            }
        }
        (false, 5000) if is_asked => 64,
        (false, 5000..) => 32,
        (false, _) => 128,
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
            let cell = |bar, equal, nodes| {
                let most = most(game, bar, nodes, scale);
                Cell { game, reading, bar, equal, nodes, most }
            };
            for bar in Bar::SAMPLING {
                cells.extend(varied.iter().map(|&nodes| cell(bar, Equal::Time, nodes)));
                if scale != Scale::Quick {
                    cells.push(cell(bar, Equal::Nodes, fixed));
                }
            }
            for bar in others(game) {
                // What is drawn makes no difference to players that do not sample.
                let samples = bar.players().iter().any(|player| matches!(player, Player::Sampled(_)));
                if samples || without_siblings(game, reading) == reading {
                    cells.push(cell(bar, Equal::Time, fixed));
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
                let is_new = seen.insert((reading.game, engines, cell.nodes, cell.equal == Equal::Time));
                assert!(is_new, "{} twice", reading.name);
                let looks = (cell.most / FIRST_LOOK).ilog2() + 1;
                assert!(cell.most.is_multiple_of(FIRST_LOOK) && looks <= LOOKS);
            }
        }
    }
}
