//! The matches: they go on until their verdict is decided, and players of different families get the nodes
//! that they visit in the same time.

use super::claims::judges;
use super::readings::{Bar, Cell, Equal, FIRST_LOOK, LOOKS, Player, READINGS};
use crate::bench::Batch;
use crate::mcms::players::DOMAINS;
use crate::{Bench, Failed, Verdict};
use astragal_arena::budget::Budgets;
use astragal_arena::contest::{Contest, PairRow};
use astragal_arena::play::Decision;
use astragal_arena::work::Work;
use astragal_catalog::game;
use astragal_core::{Budget, Interval, Turn, Watch};
use astragal_stats::{Estimate, LEVEL, Pairs, adjust};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The level of an interval at one of several looks, so that all of them together have the usual one.
pub(super) const LOOK_LEVEL: f64 = 1.0 - (1.0 - LEVEL) / LOOKS as f64;

/// Scores that are level: no difference that matters.
pub(super) const EVEN: Interval = Interval { lo: 0.45, hi: 0.55 };

/// What a match shows.
pub(super) struct Played {
    pub(super) cell: Cell,
    /// The budgets of both players.
    pub(super) budgets: [u64; 2],
    pub(super) pairs: u64,
    /// The score of the left player, with the luck of the dice taken out.
    pub(super) score: Estimate,
}

impl Played {
    /// Whether every claim about it is decided, or else which player is the better one.
    fn is_decided(&self) -> bool {
        let judges = judges(self.cell.game, self.cell.bar);
        match self.cell.bar.is_compared() {
            true => false,
            false if judges.is_empty() => Side::of(&self.score) != Side::Undecided,
            false => judges.iter().all(|judge| judge.verdict(&self.score) != Verdict::Open),
        }
    }
}

/// Which player is the better one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
    /// Neither by more than five points.
    Neither,
    Undecided,
}

impl Side {
    pub(super) fn of(score: &Estimate) -> Self {
        if score.lo > 0.5 {
            Self::Left
        } else if score.hi < 0.5 {
            Self::Right
        } else if EVEN.covers(&score.interval()) {
            Self::Neither
        } else {
            Self::Undecided
        }
    }
}

/// The score of some pairs without their luck. Where there is no luck, or all pairs ended alike, the plain
/// interval is taken, which is never a point.
fn score(rows: &[PairRow]) -> Estimate {
    let scores: Vec<f64> = rows.iter().map(PairRow::score).collect();
    let luck: Vec<f64> = rows.iter().map(PairRow::luck).collect();
    let plain = scores.iter().copied().collect::<Pairs>().estimate(LOOK_LEVEL);
    let adjusted = adjust(&scores, &luck, LOOK_LEVEL).adjusted;
    let usable = adjusted.error > 0.0 && adjusted.hi - adjusted.lo < plain.hi - plain.lo;
    let Estimate { mean, lo, hi, error } = if usable { adjusted } else { plain };
    // Without its luck a score can leave the range of scores, and says no more than that it is at the end.
    let [mean, lo, hi] = [mean, lo, hi].map(|score| score.clamp(0.0, 1.0));
    Estimate { mean, lo, hi, error }
}

/// How many nodes the measured players visit in a millisecond, by game and reading.
pub(super) struct Rates(BTreeMap<(usize, usize), Vec<f64>>);

/// Nodes of a search that is measured, and how many searches.
const SEARCH: u64 = 20_000;
const SEARCHES: usize = 25;

impl Rates {
    /// Measures all players once on this machine; what is in the store is not measured again.
    pub(super) fn measure(bench: &mut Bench<'_>) -> Result<Self, Failed> {
        let all: Vec<(usize, usize)> = READINGS
            .iter()
            .enumerate()
            .flat_map(|(game, readings)| (0..readings.len()).map(move |reading| (game, reading)))
            .collect();
        let part = "nodes a millisecond of all players, medians of 25 searches";
        let batch = Batch { experiment: "mcms-explained", part, count: all.len() };
        let found: Vec<Vec<f64>> = bench.each(batch, "nodes a millisecond", |at, watch| {
            let (game, reading) = all[at];
            measure(game, reading, watch)
        })?;
        Ok(Self(all.into_iter().zip(found).collect()))
    }

    /// The rates of all players under a reading, in the order of the paper's Table 1.
    pub(super) fn of(&self, game: usize, reading: usize) -> &[f64] {
        &self.0[&(game, reading)]
    }

    /// How many milliseconds the budgets of a match take both players.
    pub(super) fn milliseconds(&self, played: &Played) -> [f64; 2] {
        let players = played.cell.bar.players();
        [0, 1].map(|at| played.budgets[at] as f64 / self.rate(&played.cell, players[at]))
    }

    fn rate(&self, cell: &Cell, player: Player) -> f64 {
        let player = match player {
            Player::Best if cell.domain().dpw_is_best => Player::Dpw,
            Player::Best => Player::Mcts,
            other => other,
        };
        let at = Player::ALL.iter().position(|other| *other == player).expect("all players are measured");
        self.of(cell.game, cell.reading)[at]
    }
}

/// Nodes a millisecond of the measured players: the median over some positions of a game.
fn measure(at: usize, reading: usize, watch: &mut dyn Watch) -> Result<Vec<f64>, Failed> {
    let reading = &READINGS[at][reading];
    let game = game(reading.game)?;
    let mut random = game.engine("random")?;
    let mut engines = Vec::new();
    for player in Player::ALL {
        engines.push((game.engine(&player.spec(&DOMAINS[at], reading))?, Vec::new()));
    }
    let mut position = game.start();
    for step in 0_u32.. {
        position = match position.turn() {
            Turn::Over(_) => game.start(),
            Turn::Chance => {
                // Any fixed sequence of dice will do.
                let number = (f64::from(step) * 0.618_034).fract();
                position.chance(number).expect("a chance node has outcomes").1
            }
            Turn::Decide(_) => {
                let choice = random.analyze(&*position, step.into(), &Budget::default(), watch);
                let next = position.act(&choice.best.expect("a player decides"))?;
                if position.actions().len() > 1 {
                    for (engine, rates) in &mut engines {
                        let mut clock = Decision::start(watch);
                        let budget = Budget::nodes(SEARCH);
                        let found = engine.analyze(&*position, step.into(), &budget, &mut clock);
                        rates.push(found.counts.nodes as f64 / (1e3 * clock.elapsed().as_secs_f64()));
                    }
                }
                next
            }
        };
        crate::bench::check(watch)?;
        if engines[0].1.len() == SEARCHES {
            break;
        }
    }
    // The median, for a machine that others use stands still now and then.
    let median = |(_, mut rates): (_, Vec<f64>)| {
        rates.sort_unstable_by(f64::total_cmp);
        rates[SEARCHES / 2]
    };
    Ok(engines.into_iter().map(median).collect())
}

/// The nodes of both players: those of the match for the classic one, if there is one, and for the other what
/// it visits in the same time, to two digits. Without rates both have the same.
fn nodes(cell: &Cell, rates: Option<&Rates>) -> [u64; 2] {
    let (Equal::Time, Some(rates)) = (cell.equal, rates) else { return [cell.nodes; 2] };
    let players = cell.bar.players();
    let rate = players.map(|player| rates.rate(cell, player));
    let known = usize::from(matches!(players[1], Player::Classic(_)));
    let other = two_digits(cell.nodes as f64 * rate[1 - known] / rate[known]);
    if known == 0 { [cell.nodes, other] } else { [other, cell.nodes] }
}

/// The number with two digits that are not 0.
pub(super) fn two_digits(number: f64) -> u64 {
    let unit = 10_f64.powi(number.max(10.0).log10().floor() as i32 - 1);
    ((number / unit).round() * unit).max(1.0) as u64
}

/// Plays all matches until they are decided, as far as the store does not have them.
pub(super) fn play(
    cells: &[Cell],
    rates: Option<&Rates>,
    bench: &mut Bench<'_>,
) -> Result<Vec<Played>, Failed> {
    let mut contests = Vec::new();
    for cell in cells {
        let engines = cell.engines();
        let budgets = Budgets(nodes(cell, rates).map(Budget::nodes));
        let engines = [engines[0].as_str(), engines[1].as_str()];
        contests.push(Contest::new(cell.reading().game, None, engines, budgets, 0, bench.seed)?);
    }
    let name = |at: usize| {
        let cell = &cells[at];
        format!("{}, {}: {}, {} nodes", cell.domain().name, cell.reading().name, cell.bar.name(), cell.nodes)
    };
    let mut played: Vec<Option<Played>> = cells.iter().map(|_| None).collect();
    let mut open: Vec<usize> = (0..cells.len()).collect();
    let most = cells.iter().map(|cell| cell.most).max().unwrap_or(FIRST_LOOK);
    let looks = (most / FIRST_LOOK).ilog2() + 1;
    for look in 0..looks {
        let pairs = |at: usize| (FIRST_LOOK << look).min(cells[at].most);
        let works: Vec<(&dyn Work, u64)> =
            open.iter().map(|&at| (&contests[at] as &dyn Work, pairs(at))).collect();
        // Each look plays about as much as all before.
        let share = |look: u32| if look == 0 { 0.0 } else { 0.5_f64.powi((looks - look) as i32) };
        bench.stage(share(look), share(look + 1)).units(&works, |work| name(open[work]))?;
        for &at in &open {
            let rows: Vec<PairRow> = bench.results(&contests[at], pairs(at))?;
            played[at] = Some(Played {
                cell: cells[at],
                budgets: nodes(&cells[at], rates),
                pairs: rows.len() as u64,
                score: score(&rows),
            });
        }
        open.retain(|&at| {
            let played = played[at].as_ref().expect("it was played");
            !played.is_decided() && played.pairs < cells[at].most
        });
    }
    Ok(played.into_iter().flatten().collect())
}

/// The matches of a bar under a reading, that of the largest budget first.
pub(super) fn find(played: &[Played], game: usize, reading: usize, bar: Bar, equal: Equal) -> Vec<&Played> {
    let here = |cell: &Cell| (cell.game, cell.reading, cell.bar, cell.equal) == (game, reading, bar, equal);
    let mut found: Vec<&Played> = played.iter().filter(|played| here(&played.cell)).collect();
    found.sort_by_key(|played| Reverse(played.cell.nodes));
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::unattended;

    #[test]
    fn a_match_is_decided_each_way() {
        let side = |mean: f64, half: f64| {
            Side::of(&Estimate { mean, lo: mean - half, hi: mean + half, error: half / 2.0 })
        };
        assert_eq!(side(0.6, 0.05), Side::Left);
        assert_eq!(side(0.4, 0.05), Side::Right);
        assert_eq!(side(0.51, 0.03), Side::Neither);
        assert_eq!(side(0.55, 0.06), Side::Undecided);
        // A small difference that is certain is one.
        assert_eq!(side(0.52, 0.01), Side::Left);
    }

    #[test]
    fn a_match_goes_on_until_it_is_decided_and_no_longer() {
        let cell = |game, nodes| {
            let (bar, equal) = (Bar::SAMPLING[0], Equal::Time);
            Cell { game, reading: 0, bar, equal, nodes, most: 64 }
        };
        let cells = [cell(0, 30), cell(0, 60), cell(1, 30), cell(1, 100)];
        let all = unattended(1, 2, |bench| play(&cells, None, bench)).unwrap();
        assert_eq!(all.len(), cells.len());
        for played in &all {
            assert!(played.is_decided() || played.pairs == 64, "{} pairs", played.pairs);
            // With one doubling less it was not decided.
            if played.pairs > FIRST_LOOK {
                let before = [Cell { most: played.pairs / 2, ..played.cell }];
                let before = unattended(1, 1, |bench| play(&before, None, bench)).unwrap();
                assert_eq!(
                    (Side::of(&before[0].score), before[0].pairs),
                    (Side::Undecided, played.pairs / 2)
                );
            }
        }
        assert!(all.iter().any(|played| played.pairs > FIRST_LOOK), "every match was decided at once");
    }

    #[test]
    fn budgets_of_the_same_time_have_two_digits() {
        assert_eq!([1234.0, 9960.0, 3.2, 0.0].map(two_digits), [1200, 10_000, 3, 1]);
    }
}
