//! What *Monte Carlo \*-Minimax Search* leaves unspecified, and how it can be read: which evaluation
//! functions, which outcomes of the dice were merged, and whether sibling actions saw the same dice.

use crate::Scale;
use crate::mcms::players::{
    CLASSIC, CLASSIC_NAMES, DOMAINS, Domain, EWN, PIG, SAMPLED_NAMES, dpw, mcts, sampled,
};

/// One reading of the paper for one of its games.
pub(super) struct Reading {
    /// Its name in tables and figures.
    pub(super) name: &'static str,
    /// The spec of the game, which determines its outcomes.
    pub(super) game: &'static str,
    /// The evaluation function.
    pub(super) eval: &'static str,
    /// What samples depend on.
    pub(super) keys: &'static str,
}

const fn reading(name: &'static str, game: &'static str, eval: &'static str) -> Reading {
    Reading { name, game, eval, keys: "path" }
}

/// The readings of each game, in the order of the domains. The first is the one used by the other
/// experiments.
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
    /// The one of the two that the paper found better in the game.
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

    /// Resolves `Best` for a game.
    pub(super) fn of(self, domain: &Domain) -> Self {
        match self {
            Self::Best if domain.dpw_is_best => Self::Dpw,
            Self::Best => Self::Mcts,
            other => other,
        }
    }

    fn name(self, domain: &Domain) -> &'static str {
        match self.of(domain) {
            Self::Classic(at) => CLASSIC_NAMES[at],
            Self::Sampled(at) => SAMPLED_NAMES[at],
            Self::Dpw => "DPW",
            _ => "MCTS",
        }
    }

    /// Its spec, under a reading.
    pub(super) fn spec(self, domain: &Domain, reading: &Reading) -> String {
        let Reading { eval, keys, .. } = reading;
        let eval = format!("eval={eval}");
        match self.of(domain) {
            Self::Classic(at) => with(CLASSIC[at], &eval),
            Self::Sampled(at) => with(&sampled(at, domain.widths[at]), &format!("{eval},keys={keys}")),
            Self::Dpw => with(&dpw(domain.mcts, domain.dpw), &eval),
            _ => with(&mcts(domain.mcts), &eval),
        }
    }
}

/// Adds settings to a spec.
fn with(spec: &str, settings: &str) -> String {
    match spec.split_once('(') {
        Some((name, rest)) => format!("{name}({settings},{rest}"),
        None => format!("{spec}({settings})"),
    }
}

/// Two players: a bar of Figure 2, one that it omits, or the match by which the paper chose its MCTS player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bar(pub(super) Player, pub(super) Player);

impl Bar {
    /// The sampling players against their classic counterparts, measured over all budgets.
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

    /// Its name in a game. The paper calls the better of the two MCTS players just MCTS.
    pub(super) fn name(self, game: usize) -> String {
        let domain = &DOMAINS[game];
        format!("{}–{}", self.0.name(domain), self.1.name(domain))
    }

    /// The players; the score shown is that of the first.
    pub(super) fn players(self) -> [Player; 2] {
        [self.0, self.1]
    }
}

/// The bars measured with a single budget. Two bars that Figure 2 omits are not played in the slow games.
fn others(game: usize) -> Vec<Bar> {
    let mut bars = vec![Bar::STAR1SS_EXPSS, Bar::STAR2SS_STAR1SS, Bar::STAR2SS_EXPSS, Bar::MCTS_DPW];
    bars.extend((0..3).map(Bar::sampled_mcts));
    bars.push(Bar::classic_mcts(1));
    if is_fast(game) {
        bars.extend([0, 2].map(Bar::classic_mcts));
    }
    bars
}

fn is_fast(game: usize) -> bool {
    matches!(game, PIG | EWN)
}

/// Which resource both players of a match have equally.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Equal {
    /// Time, if rates were measured.
    Time,
    Nodes,
}

/// A match: a bar under a reading, with this many nodes per decision.
#[derive(Clone, Copy)]
pub(super) struct Cell {
    /// The game, as an index into the domains.
    pub(super) game: usize,
    /// The reading, as an index into those of the game.
    pub(super) reading: usize,
    pub(super) bar: Bar,
    pub(super) equal: Equal,
    /// The nodes per decision: those of exp in the time that both players have, or those of both players.
    pub(super) nodes: u64,
    /// The minimum number of pairs, and the maximum for the sake of a verdict.
    pub(super) pairs: [u64; 2],
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

/// The budgets of a game, in nodes per decision.
pub(super) struct Budgets {
    /// For the sampling players against their classic counterparts.
    pub(super) sampling: &'static [u64],
    /// The one of these that tests the paper's claim; the others show the effect of more or less time.
    pub(super) asked: u64,
    /// For all other matches.
    pub(super) others: u64,
}

pub(super) fn budgets(game: usize, scale: Scale) -> Budgets {
    match scale {
        Scale::Quick => Budgets { sampling: &[500, 2000], asked: 2000, others: 1000 },
        _ if is_fast(game) => Budgets { sampling: &[2000, 20_000, 200_000], asked: 20_000, others: 20_000 },
        _ => Budgets { sampling: &[2000, 20_000], asked: 20_000, others: 5000 },
    }
}

/// The minimum and maximum number of pairs of a match: fewer where games take longer.
fn pairs(game: usize, nodes: u64, is_asked: bool, scale: Scale) -> [u64; 2] {
    match (is_fast(game), is_asked) {
        _ if scale == Scale::Quick => [FIRST_LOOK; 2],
        (_, false) => [if nodes > 20_000 { 32 } else { 64 }; 2],
        (true, true) => [FIRST_LOOK, 256],
        (false, true) => [FIRST_LOOK, 64],
    }
}

/// The maximum number of looks at a match.
pub(super) const LOOKS: u32 = 5;

/// The same reading with independent dice for siblings; possibly this reading itself.
pub(super) fn without_siblings(game: usize, reading: usize) -> usize {
    let this = &READINGS[game][reading];
    let same = |other: &Reading| (other.game, other.eval, other.keys) == (this.game, this.eval, "path");
    READINGS[game].iter().position(same).expect("every evaluator has a reading with independent dice")
}

/// Every match.
pub(super) fn cells(scale: Scale) -> Vec<Cell> {
    let mut cells = Vec::new();
    for (game, readings) in READINGS.iter().enumerate() {
        let Budgets { sampling, asked, others: one } = budgets(game, scale);
        for reading in 0..readings.len() {
            let cell = |bar, equal, nodes, is_asked| {
                let pairs = pairs(game, nodes, is_asked, scale);
                Cell { game, reading, bar, equal, nodes, pairs }
            };
            for bar in Bar::SAMPLING {
                cells.extend(sampling.iter().map(|&nodes| cell(bar, Equal::Time, nodes, nodes == asked)));
                if scale != Scale::Quick {
                    cells.push(cell(bar, Equal::Nodes, asked, true));
                }
            }
            for bar in others(game) {
                // How samples are drawn makes no difference to players that do not sample.
                let samples = bar.players().iter().any(|player| matches!(player, Player::Sampled(_)));
                if samples || without_siblings(game, reading) == reading {
                    cells.push(cell(bar, Equal::Time, one, true));
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
                let most = cell.pairs[1];
                assert!(most.is_multiple_of(FIRST_LOOK) && (most / FIRST_LOOK).ilog2() < LOOKS);
            }
        }
    }
}
