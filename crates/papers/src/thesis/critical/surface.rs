//! Figures 5.1 and 5.2 (section 5.2.1): how long UCT takes to see through two critical levels of Max.

use super::{C, MOST, Setup, TAU, converge, mean, time};
use crate::text::{decimal, drawn, interval};
use crate::{Bench, Experiment, Failed, Finding, Outcome, Scale, Table, Verdict};
use astragal_arena::convergence::Converged;
use astragal_core::Interval;
use astragal_plot::{Axis, Chart, Curve, Figure, Heat, Lines, Look};
use astragal_stats::{Estimate, LEVEL, bootstrap};

/// The experiment on two critical levels of Max.
pub(crate) static SURFACE: Experiment = Experiment {
    id: "thesis-fig5.1",
    title: "How long UCT takes to see through two critical levels (Figures 5.1, 5.2)",
    source: "Understanding Sampling-Based Adversarial Search (Ramanujan 2012), section 5.2.1, Figures 5.1 and 5.2",
    takes: &[(Scale::Quick, 80), (Scale::Full, 9000)],
    run: surface,
};

/// The exploration constants whose times are fitted: that of Table 5.1, and one on each side of it.
const CONSTANTS: [f64; 3] = [0.4, C, 1.0];

/// The last level at which Max decides.
const DEEPEST: u32 = 22;

/// a·N^(d1/2) + b·2^(d1/2)·N^((d2 − d1)/2), the thesis's equation 5.1.
#[derive(Clone, Copy, Debug)]
struct Fit {
    n: f64,
    a: f64,
    b: f64,
    /// The share of the variance of the logarithms that the fit explains.
    explained: f64,
}

impl Fit {
    fn time(&self, [first, second]: [u32; 2]) -> f64 {
        self.a * shape(self.n, self.b / self.a, [first, second])
    }

    /// The best fit to the logarithms of the times.
    fn of(levels: &[[u32; 2]], times: &[f64]) -> Self {
        let logs: Vec<f64> = times.iter().map(|time| libm::log(*time)).collect();
        let average = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        // The best a is known for given N and b/a, so only these two are searched, on successively finer
        // grids.
        let misfit = |n: f64, ratio: f64| {
            let rest: Vec<f64> =
                levels.iter().zip(&logs).map(|(at, log)| log - libm::log(shape(n, ratio, *at))).collect();
            let shift = average(&rest);
            (rest.iter().map(|x| (x - shift) * (x - shift)).sum::<f64>(), shift)
        };
        let (mut n, mut ratio, mut reach) = (2.75_f64, 0.0_f64, (1.25_f64, 6.0_f64));
        for _ in 0..10 {
            let grid = |middle: f64, reach: f64| (-6..=6).map(move |at| middle + reach * f64::from(at) / 6.0);
            let all = grid(n, reach.0).flat_map(|n| grid(ratio, reach.1).map(move |ratio| (n, ratio)));
            let tried = all.map(|(n, ratio)| (misfit(n.max(1.01), libm::exp(ratio)).0, n.max(1.01), ratio));
            (_, n, ratio) = tried.min_by(|x, y| x.0.total_cmp(&y.0)).expect("there are some");
            reach = (reach.0 / 2.5, reach.1 / 2.5);
        }
        let (left, shift) = misfit(n, libm::exp(ratio));
        let middle = average(&logs);
        let all = logs.iter().map(|log| (log - middle) * (log - middle)).sum::<f64>();
        let a = libm::exp(shift);
        Self { n, a, b: a * libm::exp(ratio), explained: 1.0 - left / all }
    }
}

fn shape(n: f64, ratio: f64, [first, second]: [u32; 2]) -> f64 {
    let half = |levels: u32| f64::from(levels) / 2.0;
    libm::pow(n, half(first)) + ratio * libm::pow(2.0, half(first)) * libm::pow(n, half(second - first))
}

/// The share of the variance that a straight line over d2 explains.
fn straight(points: &[(f64, f64)]) -> f64 {
    let count = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |(x, y), at| (x + at.0 / count, y + at.1 / count));
    let sum = |f: &dyn Fn(&(f64, f64)) -> f64| points.iter().map(f).sum::<f64>();
    let (xx, yy) = (sum(&|at| (at.0 - x) * (at.0 - x)), sum(&|at| (at.1 - y) * (at.1 - y)));
    let xy = sum(&|at| (at.0 - x) * (at.1 - y));
    xy * xy / (xx * yy)
}

/// Where a curve may be lowest: all points whose interval overlaps that of the lowest mean.
fn lowest(curve: &[(u32, Estimate)]) -> Vec<u32> {
    let best = curve.iter().min_by(|a, b| a.1.mean.total_cmp(&b.1.mean)).expect("a curve has points").1;
    curve.iter().filter(|(_, time)| time.lo <= best.hi).map(|(at, _)| *at).collect()
}

/// The pairs of levels with this deeper one.
fn pairs(d2: u32) -> impl Iterator<Item = [u32; 2]> {
    (0..d2).step_by(2).map(move |d1| [d1, d2])
}

fn surface(bench: &mut Bench<'_>) -> Result<Outcome, Failed> {
    // For the constant of Table 5.1, all levels down to a depth and the deepest that such trees can have;
    // fewer for the others.
    let (trees, depth, others): (u64, u32, u32) = bench.scale.pick((20, 16, 12), (300, 20, 20));
    let levels = CONSTANTS.map(|c| -> Vec<[u32; 2]> {
        let (most, deepest) = if c == C { (depth, Some(DEEPEST)) } else { (others, None) };
        (2..=most).step_by(2).chain(deepest).flat_map(pairs).collect()
    });
    let setups: Vec<Setup> = CONSTANTS
        .iter()
        .zip(&levels)
        .flat_map(|(c, levels)| {
            levels.iter().map(|[d1, d2]| Setup::uct(format!("critical(levels={d1}+{d2})"), *c))
        })
        .collect();
    let found = converge(&setups, TAU, MOST, trees, bench)?;
    let given_up = found.iter().flatten().filter(|one| one.time.is_none()).count();
    let best = CONSTANTS.iter().position(|c| *c == C).expect("one of them");
    let times = Times { levels, found, trees: trees as usize, depth, best, seed: bench.seed };
    let (form, n) = times.fitted(best, DEEPEST);
    let mut findings = equation(&form, &n);
    findings.extend((0..CONSTANTS.len()).map(|c| times.constant(c, others)));
    findings.extend(SLICES.map(|d1| times.exponential(d1)));
    findings.extend([depth, DEEPEST].map(|d2| times.fastest(d2)));
    Ok(Outcome {
        summary: format!(
            "UCT with random playouts in binary trees of depth 24 in which Max must choose right at depths d1 and d2 to win for sure; all other leaves are won, drawn or lost by lot. A time is the simulation from which on the mean value of the root stays {TAU} or more, averaged over {trees} trees; a search goes on until it has seen twice as many simulations{}. The equation a·N^(d1/2) + b·2^(d1/2)·N^((d2 − d1)/2) is fitted to the logarithms of the times.",
            match given_up {
                0 => String::new(),
                _ => format!(", and {given_up} that did not within {MOST} count as that many"),
            }
        ),
        findings,
        tables: vec![times.table(&form)],
        figures: vec![
            ("figure5.1".into(), "Orange is longer, in steps of factors.".into(), times.heat()),
            (
                "figure5.2".into(),
                "Left: a level near the root; right: the other level deep down.".into(),
                times.slices(&form),
            ),
        ],
    })
}

/// The upper levels of the slices of Figure 5.2.
const SLICES: [u32; 2] = [0, 4];

/// The measured times.
struct Times {
    /// The levels for each constant.
    levels: [Vec<[u32; 2]>; CONSTANTS.len()],
    /// The trees for each constant and pair of levels.
    found: Vec<Vec<Converged>>,
    trees: usize,
    /// The deepest level down to which all levels are measured.
    depth: u32,
    /// The index of the constant of Table 5.1.
    best: usize,
    seed: u64,
}

impl Times {
    /// The results for a constant, by pair of levels.
    fn of(&self, c: usize) -> &[Vec<Converged>] {
        let before: usize = self.levels[..c].iter().map(Vec::len).sum();
        &self.found[before..][..self.levels[c].len()]
    }

    fn at(&self, c: usize, wanted: [u32; 2]) -> Estimate {
        let place = self.levels[c].iter().position(|pair| *pair == wanted).expect("one of them");
        mean(&self.of(c)[place], |one| time(one, MOST))
    }

    /// The best fit of the equation to the times of some trees, for levels down to a maximum.
    fn fit(&self, c: usize, most: u32, trees: &[usize]) -> Fit {
        let average = |all: &Vec<Converged>| {
            trees.iter().map(|tree| time(&all[*tree], MOST)).sum::<f64>() / trees.len() as f64
        };
        let all = self.levels[c].iter().zip(self.of(c)).filter(|(pair, _)| pair[1] <= most);
        let (levels, times): (Vec<[u32; 2]>, Vec<f64>) =
            all.map(|(pair, found)| (*pair, average(found))).unzip();
        Fit::of(&levels, &times)
    }

    /// The fit to all trees, and its N with an interval. The unit of resampling is a tree with its times for
    /// all levels.
    fn fitted(&self, c: usize, most: u32) -> (Fit, Estimate) {
        let every: Vec<usize> = (0..self.trees).collect();
        let n = bootstrap(&every, |trees| self.fit(c, most, trees).n, 400, LEVEL, self.seed);
        (self.fit(c, most, &every), n)
    }

    /// The slice with this upper level.
    fn slice(&self, d1: u32) -> Vec<[u32; 2]> {
        (d1 + 2..=self.depth).step_by(2).chain([DEEPEST]).map(|d2| [d1, d2]).collect()
    }

    fn constant(&self, c: usize, most: u32) -> Finding {
        let (form, n) = self.fitted(c, most);
        Finding {
            claim: format!("N with c = {}, of levels down to {most}", CONSTANTS[c]),
            published: String::new(),
            measured: interval(&n, 2),
            verdict: Verdict::New,
            rule: String::new(),
            note: format!(
                "the equation explains {} %; a = {}, b = {}",
                decimal(100.0 * form.explained, 1),
                decimal(form.a, 2),
                decimal(form.b, 2)
            ),
        }
    }

    fn exponential(&self, d1: u32) -> Finding {
        let point = |pair: [u32; 2]| (f64::from(pair[1]), libm::log(self.at(self.best, pair).mean));
        let points: Vec<(f64, f64)> = self.slice(d1).into_iter().map(point).collect();
        let line = straight(&points);
        Finding {
            claim: format!("d1 = {d1}: the time is exponential in d2"),
            published: "essentially exponential".into(),
            measured: format!("a line explains {} % of the logarithms", decimal(100.0 * line, 1)),
            verdict: Verdict::of(line > 0.95),
            rule: "agrees if it explains more than 95 %, differs otherwise".into(),
            note: String::new(),
        }
    }

    fn fastest(&self, d2: u32) -> Finding {
        let curve: Vec<(u32, Estimate)> = pairs(d2).map(|pair| (pair[0], self.at(self.best, pair))).collect();
        let lowest = lowest(&curve);
        let near = |d1: &u32| 2 * d1 >= d2 && 4 * d1 <= 3 * d2;
        let words: Vec<String> = lowest.iter().map(u32::to_string).collect();
        Finding {
            claim: format!("d2 = {d2}: UCT is fastest when d1 is a little over half of it"),
            published: "a little over d2/2".into(),
            measured: format!("fastest at d1 = {}", words.join(" or ")),
            verdict: match lowest.iter().filter(|d1| near(d1)).count() {
                0 => Verdict::Differs,
                all if all == lowest.len() => Verdict::Agrees,
                _ => Verdict::Open,
            },
            rule: "agrees if every d1 that may be fastest, by the intervals of the means, lies between d2/2 and 3/4 of d2; differs if none does".into(),
            note: String::new(),
        }
    }

    fn table(&self, form: &Fit) -> Table {
        let mut table = Table::new(
            "times",
            "Mean simulations until the value of the root stays 0.7 or more, their 95 % intervals, and what the fitted equation says.",
            &["c", "d1", "d2", "simulations", "low", "high", "equation", "trees"],
        );
        for (c, constant) in CONSTANTS.iter().enumerate() {
            for pair in &self.levels[c] {
                let time = self.at(c, *pair);
                let numbers = [time.mean, time.lo, time.hi].map(|x| decimal(x, 0));
                let equation = if c == self.best { decimal(form.time(*pair), 0) } else { String::new() };
                let words = [constant.to_string(), pair[0].to_string(), pair[1].to_string()].into_iter();
                table.rows.push(words.chain(numbers).chain([equation, self.trees.to_string()]).collect());
            }
        }
        table
    }

    /// Figure 5.1.
    fn heat(&self) -> Figure {
        let d1s: Vec<u32> = (0..DEEPEST).step_by(2).collect();
        let d2s: Vec<u32> = (1..=DEEPEST / 2).rev().map(|half| 2 * half).collect();
        let cell = |pair: [u32; 2]| match self.levels[self.best].contains(&pair) {
            true => self.at(self.best, pair).mean,
            false => f64::NAN,
        };
        let grid: Vec<Vec<f64>> =
            d2s.iter().map(|&d2| d1s.iter().map(|&d1| cell([d1, d2])).collect()).collect();
        let all = || grid.iter().flatten().filter(|time| time.is_finite()).map(|time| libm::log10(*time));
        let (low, high) = (all().fold(f64::INFINITY, f64::min), all().fold(0.0, f64::max));
        let text = |time: &f64| if time.is_finite() { decimal(*time, 0) } else { String::new() };
        let names = |levels: &[u32]| levels.iter().map(u32::to_string).collect();
        let heat = Heat {
            across: ("d1".into(), names(&d1s)),
            down: ("d2".into(), names(&d2s)),
            texts: grid.iter().map(|row| row.iter().map(text).collect()).collect(),
            cells: grid.iter().map(|row| row.iter().map(|time| libm::log10(*time)).collect()).collect(),
            scale: (low, low, high),
        };
        let mut figure = Figure::new("Simulations of UCT until it knows the value of the root");
        figure.subtitle = format!("Binary trees of depth 24 in which Max must find two moves, c = {C}");
        figure.panel("", Chart::Heat(heat))
    }

    /// Figure 5.2.
    fn slices(&self, form: &Fit) -> Figure {
        // Measured and fitted times of pairs of levels, plotted over one level of the pair.
        let curves = |name: String, pairs: Vec<[u32; 2]>, over: usize| {
            let x = |pair: &[u32; 2]| f64::from(pair[over]);
            let measured = pairs.iter().map(|pair| (x(pair), drawn(&self.at(self.best, *pair), 1.0)));
            let fitted = pairs.iter().map(|pair| (x(pair), astragal_plot::Estimate::exact(form.time(*pair))));
            [Curve::new(name, Look::Marked, measured), Curve::new("equation 5.1", Look::Reference, fitted)]
        };
        let lines = |x: &str, curves: Vec<Curve>| {
            Chart::Lines(Lines {
                x: Axis::new(x),
                y: Axis::new("simulations").log(),
                curves,
                references: Vec::new(),
            })
        };
        let left = SLICES.iter().flat_map(|&d1| curves(format!("d1 = {d1}"), self.slice(d1), 1));
        let right = [self.depth, DEEPEST];
        let right = right.iter().flat_map(|&d2| curves(format!("d2 = {d2}"), pairs(d2).collect(), 0));
        let mut figure = Figure::new("Slices of the surface");
        figure.subtitle = "Means with 95 % intervals, and the fitted equation".into();
        figure.columns = 2;
        figure
            .panel("one level fixed at the top", lines("d2", left.collect()))
            .panel("one level fixed at the bottom", lines("d1", right.collect()))
    }
}

/// The thesis's claims about its equation.
fn equation(form: &Fit, n: &Estimate) -> Vec<Finding> {
    vec![
        Finding {
            claim: "N, with which the time grows for each two levels, is about 2.37".into(),
            published: "2.37, between 2 and 3".into(),
            measured: interval(n, 2),
            verdict: Verdict::within(n.interval(), Interval::new(2.27, 2.47)),
            rule: "agrees if the interval, over resampled trees, lies in 2.27 to 2.47, differs if outside"
                .into(),
            note: format!(
                "c = {C}, chosen by the times of Table 5.1, as the thesis does not name its constant; N depends on it, and on how deep the levels are"
            ),
        },
        Finding {
            claim: "The equation fits all times".into(),
            published: "very closely".into(),
            measured: format!("{} % of the variance of the logarithms", decimal(100.0 * form.explained, 1)),
            verdict: Verdict::of(form.explained > 0.95),
            rule: "agrees if it explains more than 95 %, differs otherwise".into(),
            note: format!("a = {}, b = {}", decimal(form.a, 2), decimal(form.b, 2)),
        },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fit_finds_what_made_the_times() {
        let levels: Vec<[u32; 2]> =
            (2..=16).step_by(2).flat_map(|d2| (0..d2).step_by(2).map(move |d1| [d1, d2])).collect();
        for truth in
            [Fit { n: 2.37, a: 3.0, b: 5.0, explained: 1.0 }, Fit { n: 3.1, a: 20.0, b: 0.7, explained: 1.0 }]
        {
            let times: Vec<f64> = levels.iter().map(|at| truth.time(*at)).collect();
            let found = Fit::of(&levels, &times);
            assert!((found.n - truth.n).abs() < 0.01 && found.explained > 0.999, "{found:?}");
            assert!(
                (found.a / truth.a - 1.0).abs() < 0.1 && (found.b / truth.b - 1.0).abs() < 0.1,
                "{found:?}"
            );
        }
        // Times that do not depend on the levels in this form are not explained.
        let times: Vec<f64> = levels.iter().map(|[d1, d2]| f64::from(1 + (7 * d1 + 3 * d2) % 11)).collect();
        assert!(Fit::of(&levels, &times).explained < 0.5);
    }

    #[test]
    fn what_may_be_lowest_is_said_and_lines_are_told_from_curves() {
        let at = |mean: f64, reach: f64| Estimate { mean, lo: mean - reach, hi: mean + reach, error: reach };
        let curve = |times: [f64; 4]| -> Vec<(u32, Estimate)> {
            [0, 2, 4, 6].into_iter().zip(times.map(|time| at(time, 1.0))).collect()
        };
        assert_eq!(lowest(&curve([9.0, 6.0, 3.0, 7.0])), [4]);
        assert_eq!(lowest(&curve([9.0, 4.5, 3.0, 7.0])), [2, 4]);
        assert!(straight(&[(0.0, 1.0), (1.0, 2.0), (2.0, 3.0)]) > 0.999);
        assert!(straight(&[(0.0, 1.0), (1.0, 5.0), (2.0, 1.0)]) < 0.1);
    }
}
