//! The matches: all players get the same time, and matches continue as long as a verdict needs them.

use super::readings::{Bar, Cell, Equal, FIRST_LOOK, LOOKS, Player, READINGS};
use crate::bench::Batch;
use crate::mcms::players::DOMAINS;
use crate::{Bench, Failed};
use astragal_arena::budget::Budgets;
use astragal_arena::contest::{Contest, PairRow};
use astragal_arena::play::Decision;
use astragal_arena::terms::Terms;
use astragal_arena::work::Work;
use astragal_catalog::game;
use astragal_core::{Budget, Interval, Turn, Watch};
use astragal_stats::{Adjusted, Estimate, LEVEL, Pairs, adjust, wilson};
use std::collections::{BTreeMap, BTreeSet};

/// The confidence level of an interval at one look, so that all looks together have the usual level.
pub(super) const LOOK_LEVEL: f64 = 1.0 - (1.0 - LEVEL) / LOOKS as f64;

/// Scores that count as level: no difference that matters.
pub(super) const EVEN: Interval = Interval { lo: 0.45, hi: 0.55 };

/// What a match shows.
pub(super) struct Played {
    /// Its index among all matches.
    pub(super) at: usize,
    pub(super) cell: Cell,
    /// The budgets of both players.
    pub(super) budgets: [u64; 2],
    /// The score and the luck of the left player, pair by pair.
    pub(super) pairs: Vec<(f64, f64)>,
    /// The score adjusted for the luck of the dice.
    pub(super) score: Estimate,
}

impl Played {
    fn new(at: usize, cell: Cell, budgets: [u64; 2], rows: &[PairRow]) -> Self {
        let pairs: Vec<(f64, f64)> = rows.iter().map(|row| (row.score(), row.luck())).collect();
        Self { at, cell, budgets, score: score(&pairs), pairs }
    }

    /// The difference between the left player's score and that of another match, pair by pair. Pairs with the
    /// same number have the same dice.
    pub(super) fn more_than(&self, that: &Self) -> Estimate {
        let both = self.pairs.iter().zip(&that.pairs);
        let (more, luck): (Vec<f64>, Vec<f64>) =
            both.map(|(this, that)| (this.0 - that.0, this.1 - that.1)).unzip();
        let found = adjust(&more, &luck, LOOK_LEVEL).adjusted;
        if found.error > 0.0 {
            return found;
        }
        // All pairs differ by the same amount; at most this share of all pairs could differ by any other.
        let other = wilson(0.0, more.len() as f64, LOOK_LEVEL).hi * (1.0 + found.mean.abs());
        Estimate { lo: (found.mean - other).max(-1.0), hi: (found.mean + other).min(1.0), ..found }
    }
}

/// The score of some pairs adjusted for luck, or the plain score if there is no luck to remove or if the
/// adjusted score would leave the range of scores.
fn score(pairs: &[(f64, f64)]) -> Estimate {
    let (scores, luck): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
    let Adjusted { adjusted: Estimate { mean, lo, hi, error }, coefficient, .. } =
        adjust(&scores, &luck, LOOK_LEVEL);
    if coefficient == 0.0 || error == 0.0 || !(0.0..=1.0).contains(&mean) {
        return scores.into_iter().collect::<Pairs>().estimate(LOOK_LEVEL);
    }
    Estimate { mean, lo: lo.max(0.0), hi: hi.min(1.0), error }
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

/// The nodes per millisecond of the measured players, by game and reading.
pub(super) struct Rates(BTreeMap<(usize, usize), Vec<f64>>);

/// The nodes of a measured search, the number of positions, and the number of searches of each.
const SEARCH: u64 = 20_000;
const POSITIONS: usize = 25;
const TIMES: usize = 3;

impl Rates {
    /// Measures all players once on this machine, except those already in the store.
    pub(super) fn measure(bench: &mut Bench<'_>) -> Result<Self, Failed> {
        let all: Vec<(usize, usize)> = READINGS
            .iter()
            .enumerate()
            .flat_map(|(game, readings)| (0..readings.len()).map(move |reading| (game, reading)))
            .collect();
        let part = "nodes a millisecond of all players, the best of three searches, medians of 25 positions";
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

    /// The time that the budgets of a match take each player, in milliseconds.
    pub(super) fn milliseconds(&self, played: &Played) -> [f64; 2] {
        let players = played.cell.bar.players();
        [0, 1].map(|at| played.budgets[at] as f64 / self.rate(&played.cell, players[at]))
    }

    fn rate(&self, cell: &Cell, player: Player) -> f64 {
        let player = player.of(cell.domain());
        let at = Player::ALL.iter().position(|other| *other == player).expect("all players are measured");
        self.of(cell.game, cell.reading)[at]
    }
}

/// The nodes per millisecond of the measured players: the median over some positions of a game. Each position
/// is searched by all players in turn, several times, and the fastest search counts: other load on the
/// machine can only slow a search down.
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
                // Any fixed dice sequence will do.
                let number = (f64::from(step) * 0.618_034).fract();
                position.chance(number).expect("a chance node has outcomes").1
            }
            Turn::Decide(_) => {
                let choice = random.analyze(&*position, step.into(), &Budget::default(), watch);
                let next = position.act(&choice.best.expect("a player decides"))?;
                if position.actions().len() > 1 {
                    engines.iter_mut().for_each(|(_, rates)| rates.push(0.0));
                    for turn in 0..TIMES * engines.len() {
                        let (engine, rates) = &mut engines[turn % Player::ALL.len()];
                        let mut clock = Decision::start(watch);
                        let budget = Budget::nodes(SEARCH);
                        let found = engine.analyze(&*position, step.into(), &budget, &mut clock);
                        let rate = found.counts.nodes as f64 / (1e3 * clock.elapsed().as_secs_f64());
                        let best = rates.last_mut().expect("it has a place for this position");
                        *best = rate.max(*best);
                    }
                }
                next
            }
        };
        crate::bench::check(watch)?;
        if engines[0].1.len() == POSITIONS {
            break;
        }
    }
    let median = |(_, mut rates): (_, Vec<f64>)| {
        rates.sort_unstable_by(f64::total_cmp);
        rates[POSITIONS / 2]
    };
    Ok(engines.into_iter().map(median).collect())
}

/// The node budgets of both players: with equal time, what each visits in the time that exp takes for the
/// nodes of the match, to two digits. Otherwise, or without rates, both get the same.
fn nodes(cell: &Cell, rates: Option<&Rates>) -> [u64; 2] {
    let (Equal::Time, Some(rates)) = (cell.equal, rates) else { return [cell.nodes; 2] };
    let exp = rates.rate(cell, Player::Classic(0));
    cell.bar.players().map(|player| two_digits(cell.nodes as f64 * rates.rate(cell, player) / exp))
}

/// Rounds to two significant digits.
pub(super) fn two_digits(number: f64) -> u64 {
    let unit = 10_f64.powi(number.max(10.0).log10().floor() as i32 - 1);
    ((number / unit).round() * unit).max(1.0) as u64
}

/// Plays all matches in several looks, as far as they are not in the store. After its minimum number of
/// pairs, a match continues while `wanted` names it, up to its maximum.
pub(super) fn play(
    cells: &[Cell],
    rates: Option<&Rates>,
    bench: &mut Bench<'_>,
    wanted: impl Fn(&[Played]) -> BTreeSet<usize>,
) -> Result<Vec<Played>, Failed> {
    let mut contests = Vec::new();
    for cell in cells {
        let engines = cell.engines();
        let budgets = Budgets(nodes(cell, rates).map(Budget::nodes));
        let engines = [engines[0].as_str(), engines[1].as_str()];
        contests.push(Contest::new(
            cell.reading().game,
            None,
            engines,
            budgets,
            Terms::default(),
            bench.seed,
        )?);
    }
    let name = |at: usize| {
        let cell = &cells[at];
        let bar = cell.bar.name(cell.game);
        format!("{}, {}: {bar}, {} nodes", cell.domain().name, cell.reading().name, cell.nodes)
    };
    let played = |at: usize, rows: &[PairRow]| Played::new(at, cells[at], nodes(&cells[at], rates), rows);
    let mut all: Vec<Played> = (0..cells.len()).map(|at| played(at, &[])).collect();
    let mut open: Vec<usize> = (0..cells.len()).collect();
    let most = cells.iter().map(|cell| cell.pairs[1]).max().unwrap_or(FIRST_LOOK);
    let looks = (most / FIRST_LOOK).ilog2() + 1;
    for look in 0..looks {
        let pairs = FIRST_LOOK << look;
        let works: Vec<(&dyn Work, u64)> =
            open.iter().map(|&at| (&contests[at] as &dyn Work, pairs)).collect();
        // Each look plays about as many pairs as all before it.
        let share = |look: u32| if look == 0 { 0.0 } else { 0.5_f64.powi((looks - look) as i32) };
        bench.stage(share(look), share(look + 1)).units(&works, |work| name(open[work]))?;
        for &at in &open {
            all[at] = played(at, &bench.results(&contests[at], pairs)?);
        }
        let wanted = wanted(&all);
        open.retain(|&at| {
            let [least, most] = cells[at].pairs;
            pairs < least || (pairs < most && wanted.contains(&at))
        });
    }
    Ok(all)
}

/// The matches of a bar under a reading, by increasing budget.
pub(super) fn find(
    played: &[Played],
    game: usize,
    reading: usize,
    bar: Bar,
    equal: Equal,
) -> impl Iterator<Item = &Played> {
    let here =
        move |cell: &Cell| (cell.game, cell.reading, cell.bar, cell.equal) == (game, reading, bar, equal);
    played.iter().filter(move |played| here(&played.cell))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::unattended;
    use astragal_core::{Sampler, mix, unit};

    #[test]
    fn a_match_is_decided_each_way() {
        let side = |mean: f64, half: f64| {
            Side::of(&Estimate { mean, lo: mean - half, hi: mean + half, error: half / 2.0 })
        };
        assert_eq!(side(0.6, 0.05), Side::Left);
        assert_eq!(side(0.4, 0.05), Side::Right);
        assert_eq!(side(0.51, 0.03), Side::Neither);
        assert_eq!(side(0.55, 0.06), Side::Undecided);
        // A small but certain difference counts.
        assert_eq!(side(0.52, 0.01), Side::Left);
    }

    #[test]
    fn a_match_goes_on_as_long_as_it_is_wanted() {
        let cell = |game, pairs| Cell {
            game,
            reading: 0,
            bar: Bar::SAMPLING[0],
            equal: Equal::Time,
            nodes: 30,
            pairs,
        };
        let cells = [cell(0, [16, 64]), cell(1, [16, 64]), cell(1, [32, 64]), cell(0, [16, 16])];
        let all = unattended(1, 2, |bench| {
            // The first until it has 32 pairs, the second not, the last two always.
            play(&cells, None, bench, |all| {
                let first = (all[0].pairs.len() < 32).then_some(0);
                first.into_iter().chain([3]).collect()
            })
        })
        .unwrap();
        assert_eq!(all.iter().map(|played| played.pairs.len()).collect::<Vec<_>>(), [32, 16, 32, 16]);
    }

    #[test]
    fn scores_and_their_differences_cover_the_truth_with_and_without_luck() {
        let number = |seed: u64, at: u64| unit(Sampler::nth(mix(seed), at as u32));
        let played = |pairs: Vec<(f64, f64)>| {
            let (bar, equal) = (Bar::SAMPLING[0], Equal::Time);
            let cell = Cell { game: 0, reading: 0, bar, equal, nodes: 1, pairs: [64; 2] };
            Played { at: 0, cell, budgets: [1; 2], score: score(&pairs), pairs }
        };
        // A score of 60 % and one of 70 %, partly or not at all due to luck, which is the same in both.
        for most in [0.0, 0.25] {
            let [mut scores, mut differences] = [0; 2];
            for seed in 0..400 {
                let pairs = |chance: f64, salt: u64| -> Vec<(f64, f64)> {
                    let game = |at: u64| {
                        let luck = most * (2.0 * number(3 * seed, at) - 1.0);
                        (f64::from(u8::from(number(3 * seed + salt, at) < chance + luck)), luck)
                    };
                    let pair = |at: u64| {
                        let [(one, luck), (other, more)] = [game(2 * at), game(2 * at + 1)];
                        (0.5 * (one + other), 0.5 * (luck + more))
                    };
                    (0..64).map(pair).collect()
                };
                let (one, other) = (played(pairs(0.6, 1)), played(pairs(0.7, 2)));
                scores += u32::from(one.score.contains(0.6));
                differences += u32::from(other.more_than(&one).contains(0.1));
            }
            // 99 % of 400, less four standard deviations.
            assert!(scores >= 388 && differences >= 388, "{most}: {scores} {differences}");
        }
        // A match won throughout is not a certainty, nor is a difference that was the same throughout.
        let [won, lost] = [1.0, 0.0].map(|score| played(vec![(score, 0.0); 16]));
        assert!(won.score.lo < 0.9 && won.score.hi == 1.0, "{:?}", won.score);
        assert!(won.more_than(&won).hi > 0.1 && won.more_than(&lost).lo < 0.9);
    }

    #[test]
    fn budgets_of_the_same_time_have_two_digits() {
        assert_eq!([1234.0, 9960.0, 3.2, 0.0].map(two_digits), [1200, 10_000, 3, 1]);
    }
}
