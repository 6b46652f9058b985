//! ChanceProbCut: forward pruning of chance nodes by shallower searches (Schadd, Winands & Uiterwijk 2009,
//! after Buro's ProbCut).
//!
//! The value v of a chance state at some depth is well predicted by `a·u + b` from its value u at a smaller
//! depth, with errors of standard deviation s. A node is cut with a bound if the prediction lies more than
//! `t·s` outside its window. Unlike other cuts this may be wrong, more rarely the larger t is. Such a cut
//! stands at any depth, even where every line ends, so the search may continue without noticing that its
//! result is final.
//!
//! The original predicts the outcomes of a node one by one. Their windows are wide while the other outcomes
//! are unknown, and rarely exceeded; the node as a whole is predicted better and cut sooner.

use crate::limits::{Limits, Stopped};
use crate::options::{Algorithm, Chance, Options, TableUse};
use crate::outcomes::{Every, Outcomes};
use crate::table::Memory;
use crate::threads::Thread;
use crate::variation::Slot;
use crate::walk::{Node, Walk};
use astragal_core::contract::{Play, walk};
use astragal_core::{Budget, Evaluator, Game, Interval, Turn, Watch};
use std::sync::{Arc, OnceLock};

/// A linear prediction of the value of a chance state from a shallower search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// The depth of the predicted value.
    pub depth: u32,
    /// The depth of the search that predicts it.
    pub shallow: u32,
    /// The factor applied to the shallow value.
    pub slope: f64,
    /// The constant added to the product.
    pub offset: f64,
    /// The standard deviation of the prediction errors.
    pub spread: f64,
}

/// Forward pruning by predictions fitted to a game, and its error margin. The first search that needs the
/// fits makes them; clones share them, and so belong to one game and one evaluator.
#[derive(Clone, Debug)]
pub struct ProbCut {
    t: f64,
    fits: Arc<OnceLock<Vec<Fit>>>,
}

/// The least depth that is predicted. Nearer to the leaves the search is as cheap as its prediction.
const LEAST: u32 = 2;

/// The greatest depth that is fitted: beyond it, errors change little.
const DEEPEST_FIT: u32 = 8;

/// How many decisions shallower the predicting search may be: up to two, because it matters which player
/// decides last.
const LESS: u32 = 2;

/// The most states used for a fit, from random play, and the fewest that are worth it.
const STATES: usize = 100;
const FEWEST: usize = 20;
const PLAY: Play = Play { games: 40, length: 60, seed: 1, unfinished: true };

/// Approximate limit of nodes of the searches for a fit.
const NODES: u64 = 4_000_000;

impl ProbCut {
    /// Forward pruning with a margin of this many standard deviations.
    #[must_use]
    pub fn new(t: f64) -> Self {
        Self { t, fits: Arc::default() }
    }

    /// The same fits, with a different margin in standard deviations.
    #[must_use]
    pub fn allowing(&self, t: f64) -> Self {
        Self { t, fits: Arc::clone(&self.fits) }
    }

    /// The fits, shallowest first; empty before a search has made them.
    #[must_use]
    pub fn fits(&self) -> &[Fit] {
        self.fits.get().map_or(&[], Vec::as_slice)
    }

    /// Makes the fits unless they exist. An interrupted attempt leaves none.
    pub(crate) fn fit_first<G: Game, E: Evaluator<G>>(
        &self,
        game: &G,
        evaluator: &E,
        watch: &mut dyn Watch,
    ) -> Result<(), Stopped> {
        if self.fits.get().is_none() {
            let fits = fit(game, evaluator, watch)?;
            self.fits.get_or_init(|| fits);
        }
        Ok(())
    }

    /// Explains why a search with these options cannot use such cuts.
    #[must_use]
    pub fn contradiction(options: &Options) -> Option<&'static str> {
        match options {
            Options { algorithm: Algorithm::Expectimax, .. } => Some("probcut is for searches with windows"),
            Options { chance: Chance::Sample { .. }, .. } => {
                Some("probcut compares depths, and samples differ at each depth")
            }
            Options { threads: 2.., .. } => {
                Some("what probcut cuts depends on the order of search, so it needs threads=1")
            }
            _ => None,
        }
    }

    /// The depth of the shallow search, and the window outside which its value predicts that a node at
    /// `depth` leaves its own.
    fn question(&self, depth: u32, window: Interval, limits: Interval) -> Option<(u32, Interval)> {
        let fit = match depth {
            ..LEAST => return None,
            _ => self.fits().iter().rev().find(|fit| fit.depth <= depth)?,
        };
        let margin = self.t * fit.spread;
        let shallow = |deep: f64| (deep - fit.offset) / fit.slope;
        // An end of the window that no value can pass needs no test.
        let lo = if window.lo > limits.lo { shallow(window.lo - margin) } else { f64::NEG_INFINITY };
        let hi = if window.hi < limits.hi { shallow(window.hi + margin) } else { f64::INFINITY };
        let asks = lo.is_finite() || hi.is_finite();
        asks.then_some((depth - (fit.depth - fit.shallow), Interval { lo, hi }))
    }
}

impl Fit {
    /// The least-squares line through the values at two depths; none if it does not rise.
    fn new(depth: u32, shallow: u32, values: &[Vec<f64>]) -> Option<Self> {
        let (us, vs) = (&values[shallow as usize], &values[depth as usize]);
        let count = us.len() as f64;
        let mean = |of: &[f64]| of.iter().sum::<f64>() / count;
        let (u_mean, v_mean) = (mean(us), mean(vs));
        let pairs = || us.iter().zip(vs);
        let together: f64 = pairs().map(|(u, v)| (u - u_mean) * (v - v_mean)).sum();
        let alone: f64 = us.iter().map(|u| (u - u_mean).powi(2)).sum();
        let slope = together / alone;
        let offset = v_mean - slope * u_mean;
        let errors: f64 = pairs().map(|(u, v)| (v - slope * u - offset).powi(2)).sum();
        let spread = (errors / (count - 2.0)).sqrt();
        (slope.is_finite() && slope > 0.0).then_some(Self { depth, shallow, slope, offset, spread })
    }

    /// The prediction from a shallow value.
    #[must_use]
    pub fn predict(&self, shallow: f64) -> f64 {
        self.slope * shallow + self.offset
    }
}

/// Fits predictions to exact searches of states from random play, as deep as about four million nodes allow.
/// Greater depths use the deepest fit. The same arguments give the same fits.
fn fit<G: Game, E: Evaluator<G>>(
    game: &G,
    evaluator: &E,
    watch: &mut dyn Watch,
) -> Result<Vec<Fit>, Stopped> {
    let states = chance_states(game, PLAY);
    if watch.cancelled() {
        return Err(Stopped);
    }
    let mut fits = Vec::new();
    if states.len() < FEWEST {
        return Ok(fits);
    }
    let options = Options::new(Algorithm::Star2 { probes: 1 });
    let options = Options { table: TableUse::Values, table_mib: 4, ..options };
    let mut memory = Memory::of_mib(options.table_mib, options.threads);
    // The values of all states at each depth.
    let mut values: Vec<Vec<f64>> = Vec::new();
    let (mut spent, mut last, mut growth) = (0, 0, 1.0);
    for depth in 0..=DEEPEST_FIT {
        if spent as f64 + last as f64 * growth > NODES as f64 {
            break;
        }
        let mut nodes = 0;
        let mut found = Vec::new();
        for state in &states {
            memory.forget();
            let limits = Limits::new(&Budget::default(), watch);
            let mut walk = Walk::new(game, evaluator, Every, &options, &memory, Thread::ALONE, limits);
            found.push(walk.value_at(state, depth, Interval::WHOLE)?);
            nodes += walk.counts.nodes;
            if spent + nodes > 2 * NODES {
                // The growth was underestimated, and an incomplete depth cannot be fitted.
                return Ok(fits);
            }
        }
        values.push(found);
        growth = if last == 0 { 1.0 } else { (nodes as f64 / last as f64).max(1.0) };
        (spent, last) = (spent + nodes, nodes);
        if depth >= LEAST {
            let shallower = depth.saturating_sub(LESS)..depth;
            let tried = shallower.filter_map(|shallow| Fit::new(depth, shallow, &values));
            fits.extend(tried.min_by(|a, b| a.spread.total_cmp(&b.spread)));
        }
    }
    Ok(fits)
}

/// Chance states from random play, evenly spaced.
fn chance_states<G: Game>(game: &G, play: Play) -> Vec<G::State> {
    let mut states = Vec::new();
    // Contract violations are not reported here: the states seen up to then suffice.
    let _ = walk(game, play, |state, turn| {
        if turn == Turn::Chance {
            states.push(state.clone());
        }
        Ok(())
    });
    let step = (states.len() / STATES).max(1);
    states.into_iter().step_by(step).take(STATES).collect()
}

impl<G: Game, E: Evaluator<G>, C: Outcomes<G>> Walk<'_, G, E, C> {
    /// The end of the window beyond which a chance node probably lies, if a shallower search predicts so.
    pub(crate) fn probable_cut(
        &mut self,
        state: &G::State,
        node: Node<C::Place>,
        window: Interval,
        limits: Interval,
    ) -> Result<Option<f64>, Stopped> {
        let Some(cuts) = self.cuts else { return Ok(None) };
        let Some((depth, question)) = cuts.question(node.depth, window, limits) else { return Ok(None) };
        let before = std::mem::replace(&mut self.incomplete, false);
        let value = self.value(state, Node { depth, slot: Slot::NONE, ..node }, question)?;
        let complete = !std::mem::replace(&mut self.incomplete, before);
        if complete {
            // Every line has ended: a deeper search would find nothing else, so this value or bound is no
            // prediction.
            return Ok(question.verdict(value, &limits).answers(&window));
        }
        let bound = match value {
            _ if value <= question.lo => window.lo,
            _ if value >= question.hi => window.hi,
            _ => return Ok(None),
        };
        self.counts.cuts += 1;
        self.incomplete = true;
        Ok(Some(bound))
    }
}
