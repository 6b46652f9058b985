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

/// Exploration constants whose times are fitted: the one of Table 5.1, and those around it.
const CONSTANTS: [f64; 3] = [0.4, C, 1.0];

/// The last level at which Max decides.
const DEEPEST: u32 = 22;

/// a·N^(d1/2) + b·2^(d1/2)·N^((d2 − d1)/2), the thesis's equation 5.1.
#[derive(Clone, Copy, Debug)]
struct Fit {
    n: f64,
    a: f64,
    b: f64,
    /// The share of the variance of the logarithms that it explains.
    explained: f64,
}

impl Fit {
    fn time(&self, [first, second]: [u32; 2]) -> f64 {
        self.a * shape(self.n, self.b / self.a, [first, second])
    }

    /// The best fit of the logarithms of times.
    fn of(levels: &[[u32; 2]], times: &[f64]) -> Self {
        let logs: Vec<f64> = times.iter().map(|time| libm::log(*time)).collect();
        let average = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        // For given N and b/a the best a is known, so two numbers are looked for: on a grid, then on finer
        // ones.
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

/// How much of the variance of the logarithms a straight line over d2 explains.
fn straight(points: &[(f64, f64)]) -> f64 {
    let count = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |(x, y), at| (x + at.0 / count, y + at.1 / count));
    let sum = |f: &dyn Fn(&(f64, f64)) -> f64| points.iter().map(f).sum::<f64>();
    let (xx, yy) = (sum(&|at| (at.0 - x) * (at.0 - x)), sum(&|at| (at.1 - y) * (at.1 - y)));
    let xy = sum(&|at| (at.0 - x) * (at.1 - y));
    xy * xy / (xx * yy)
}

/// Where a curve may be lowest: everything whose interval reaches below the interval of the lowest mean.
fn lowest(curve: &[(u32, Estimate)]) -> Vec<u32> {
    let best = curve.iter().min_by(|a, b| a.1.mean.total_cmp(&b.1.mean)).expect("a curve has points").1;
    curve.iter().filter(|(_, time)| time.lo <= best.hi).map(|(at, _)| *at).collect()
}

fn surface(bench: &mut Bench<'_>) -> Result<Outcome, Failed> {
    // For the constant of Table 5.1 all levels down to a depth, and the deepest that such trees can have; for
    // others fewer.
    let (trees, depth, others): (u64, u32, u32) = bench.scale.pick((20, 16, 12), (300, 20, 20));
    let pairs = |d2: u32| (0..d2).step_by(2).map(move |d1| [d1, d2]);
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
    let of = |c: usize| {
        let before: usize = levels[..c].iter().map(Vec::len).sum();
        &found[before..][..levels[c].len()]
    };
    let given_up = found.iter().flatten().filter(|one| one.time.is_none()).count();
    let at = |c: usize, wanted: [u32; 2]| {
        let place = levels[c].iter().position(|pair| *pair == wanted).expect("one of them");
        mean(&of(c)[place], |one| time(one, MOST))
    };
    // The unit of a resample is a tree with its times under all levels.
    let fit = |c: usize, most: u32, trees: &[usize]| {
        let average = |all: &Vec<Converged>| {
            trees.iter().map(|tree| time(&all[*tree], MOST)).sum::<f64>() / trees.len() as f64
        };
        let all = levels[c].iter().zip(of(c)).filter(|(pair, _)| pair[1] <= most);
        let (levels, times): (Vec<[u32; 2]>, Vec<f64>) =
            all.map(|(pair, found)| (*pair, average(found))).unzip();
        Fit::of(&levels, &times)
    };
    let every: Vec<usize> = (0..trees as usize).collect();
    let fitted = |c: usize, most: u32| {
        let n = bootstrap(&every, |trees| fit(c, most, trees).n, 400, LEVEL, bench.seed);
        (fit(c, most, &every), n)
    };
    let best = CONSTANTS.iter().position(|c| *c == C).expect("one of them");
    let mut findings = Vec::new();
    let (form, n) = &fitted(best, DEEPEST);
    findings.push(Finding {
        claim: "N, with which the time grows for each two levels, is about 2.37".into(),
        published: "2.37, between 2 and 3".into(),
        measured: interval(n, 2),
        verdict: Verdict::within(n.interval(), Interval::new(2.27, 2.47)),
        rule: "agrees if the interval, over resampled trees, lies in 2.27 to 2.47, differs if outside".into(),
        note: format!("c = {C}, chosen by the times of Table 5.1, as the thesis does not name its constant; N depends on it, and on how deep the levels are"),
    });
    findings.push(Finding {
        claim: "The equation fits all times".into(),
        published: "very closely".into(),
        measured: format!("{} % of the variance of the logarithms", decimal(100.0 * form.explained, 1)),
        verdict: Verdict::of(form.explained > 0.95),
        rule: "agrees if it explains more than 95 %, differs otherwise".into(),
        note: format!("a = {}, b = {}", decimal(form.a, 2), decimal(form.b, 2)),
    });
    for (c, constant) in CONSTANTS.iter().enumerate() {
        let (form, n) = fitted(c, others);
        findings.push(Finding {
            claim: format!("N with c = {constant}, of levels down to {others}"),
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
        });
    }
    let slices = [0, 4];
    for d1 in slices {
        let points: Vec<(f64, f64)> = (d1 + 2..=depth)
            .step_by(2)
            .chain([DEEPEST])
            .map(|d2| (f64::from(d2), libm::log(at(best, [d1, d2]).mean)))
            .collect();
        let line = straight(&points);
        findings.push(Finding {
            claim: format!("d1 = {d1}: the time is exponential in d2"),
            published: "essentially exponential".into(),
            measured: format!("a line explains {} % of the logarithms", decimal(100.0 * line, 1)),
            verdict: Verdict::of(line > 0.95),
            rule: "agrees if it explains more than 95 %, differs otherwise".into(),
            note: String::new(),
        });
    }
    let depths = [depth, DEEPEST];
    for d2 in depths {
        let curve: Vec<(u32, Estimate)> = pairs(d2).map(|pair| (pair[0], at(best, pair))).collect();
        let lowest = lowest(&curve);
        let near = |d1: &u32| 2 * d1 >= d2 && 4 * d1 <= 3 * d2;
        let words: Vec<String> = lowest.iter().map(u32::to_string).collect();
        findings.push(Finding {
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
        });
    }
    let mut table = Table::new(
        "times",
        "Mean simulations until the value of the root stays 0.7 or more, their 95 % intervals, and what the fitted equation says.",
        &["c", "d1", "d2", "simulations", "low", "high", "equation", "trees"],
    );
    for (c, constant) in CONSTANTS.iter().enumerate() {
        for pair in &levels[c] {
            let time = at(c, *pair);
            let numbers = [time.mean, time.lo, time.hi].map(|x| decimal(x, 0));
            let equation = if c == best { decimal(form.time(*pair), 0) } else { String::new() };
            let words = [constant.to_string(), pair[0].to_string(), pair[1].to_string()].into_iter();
            table.rows.push(words.chain(numbers).chain([equation, trees.to_string()]).collect());
        }
    }
    let heat = {
        let d1s: Vec<u32> = (0..DEEPEST).step_by(2).collect();
        let d2s: Vec<u32> = (1..=DEEPEST / 2).rev().map(|half| 2 * half).collect();
        let cell = |d1: &u32, d2: u32| {
            if levels[best].contains(&[*d1, d2]) { at(best, [*d1, d2]).mean } else { f64::NAN }
        };
        let grid: Vec<Vec<f64>> = d2s.iter().map(|d2| d1s.iter().map(|d1| cell(d1, *d2)).collect()).collect();
        let all = || grid.iter().flatten().filter(|time| time.is_finite()).map(|time| libm::log10(*time));
        let (low, high) = (all().fold(f64::INFINITY, f64::min), all().fold(0.0, f64::max));
        let text = |time: &f64| if time.is_finite() { decimal(*time, 0) } else { String::new() };
        let names = |levels: &[u32]| levels.iter().map(u32::to_string).collect();
        Chart::Heat(Heat {
            across: ("d1".into(), names(&d1s)),
            down: ("d2".into(), names(&d2s)),
            texts: grid.iter().map(|row| row.iter().map(text).collect()).collect(),
            cells: grid.iter().map(|row| row.iter().map(|time| libm::log10(*time)).collect()).collect(),
            scale: (low, low, high),
        })
    };
    let mut figure = Figure::new("Simulations of UCT until it knows the value of the root");
    figure.subtitle = format!("Binary trees of depth 24 in which Max must find two moves, c = {C}");
    let surface = figure.panel("", heat);
    let curve = |name: String, points: Vec<(f64, Estimate)>| {
        Curve::new(name, Look::Marked, points.into_iter().map(|(x, time)| (x, drawn(&time, 1.0))))
    };
    let fitted = |name: String, points: Vec<[u32; 2]>, over: usize| {
        let point = |pair: [u32; 2]| (f64::from(pair[over]), astragal_plot::Estimate::exact(form.time(pair)));
        Curve::new(name, Look::Reference, points.into_iter().map(point))
    };
    let lines = |x: &str, curves: Vec<Curve>| {
        Chart::Lines(Lines {
            x: Axis::new(x),
            y: Axis::new("simulations").log(),
            curves,
            references: Vec::new(),
        })
    };
    let left = slices.iter().flat_map(|&d1| {
        let pairs: Vec<[u32; 2]> = (d1 + 2..=depth).step_by(2).chain([DEEPEST]).map(|d2| [d1, d2]).collect();
        let points = pairs.iter().map(|pair| (f64::from(pair[1]), at(best, *pair))).collect();
        [curve(format!("d1 = {d1}"), points), fitted("equation 5.1".into(), pairs, 1)]
    });
    let right = depths.iter().flat_map(|&d2| {
        let pairs: Vec<[u32; 2]> = pairs(d2).collect();
        let points = pairs.iter().map(|pair| (f64::from(pair[0]), at(best, *pair))).collect();
        [curve(format!("d2 = {d2}"), points), fitted("equation 5.1".into(), pairs, 0)]
    });
    let mut slices_figure = Figure::new("Slices of the surface");
    slices_figure.subtitle = "Means with 95 % intervals, and the fitted equation".into();
    slices_figure.columns = 2;
    let slices_figure = slices_figure
        .panel("one level fixed at the top", lines("d2", left.collect()))
        .panel("one level fixed at the bottom", lines("d1", right.collect()));
    Ok(Outcome {
        summary: format!(
            "UCT with random playouts in binary trees of depth 24 in which Max must choose right at depths d1 and d2 to win for sure; all other leaves are won, drawn or lost by lot. A time is the simulation from which on the mean value of the root stays {TAU} or more, averaged over {trees} trees; a search goes on until it has seen twice as many simulations{}. The equation a·N^(d1/2) + b·2^(d1/2)·N^((d2 − d1)/2) is fitted to the logarithms of the times.",
            match given_up {
                0 => String::new(),
                _ => format!(", and {given_up} that did not within {MOST} count as that many"),
            }
        ),
        findings,
        tables: vec![table],
        figures: vec![
            ("figure5.1".into(), "Orange is longer, in steps of factors.".into(), surface),
            (
                "figure5.2".into(),
                "Left: a level near the root; right: the other level deep down.".into(),
                slices_figure,
            ),
        ],
    })
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
        // Times that do not depend on the levels in this way are not explained.
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
