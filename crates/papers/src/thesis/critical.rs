//! Section 5.2: trees with critical levels, in which only some decisions matter. After how many simulations does
//! UCT know the value of the root?

use crate::judged::measure;
use crate::text::{decimal, drawn, interval};
use crate::{Bench, Experiment, Failed, Finding, Outcome, Scale, Table, Verdict};
use astragal_arena::convergence::{Converged, Convergence};
use astragal_catalog::game;
use astragal_core::Interval;
use astragal_plot::{Axis, Chart, Curve, Figure, Heat, Lines, Look};
use astragal_stats::{Estimate, LEVEL, Running, bootstrap};

/// The value of the root has converged when it stays this or more.
const TAU: f64 = 0.7;

/// The thesis does not say which exploration constant it used here. Of 0.2, 0.3, 0.4, 0.5, 0.7, 0.75, 0.8 and 1
/// those from 0.7 to 0.8 give the times of its Table 5.1; this is the one between.
const C: f64 = 0.75;

/// Simulations after which a search is given up.
const MOST: u64 = 4_000_000;

/// UCT with a constant, in trees.
struct Setup {
    game: String,
    engine: String,
}

impl Setup {
    fn uct(game: String, c: f64) -> Self {
        Self { game, engine: format!("uct(c={c})") }
    }
}

/// Lets all of them converge.
fn converge(
    setups: &[Setup],
    tau: f64,
    most: u64,
    trees: u64,
    bench: &mut Bench<'_>,
) -> Result<Vec<Vec<Converged>>, Failed> {
    let works = setups
        .iter()
        .map(|Setup { game: spec, engine }| {
            Ok(Convergence::new(game(spec)?.into(), engine, tau, most, bench.seed)?)
        })
        .collect::<Result<Vec<Convergence>, Failed>>()?;
    measure(&works, trees, bench, |at| setups[at].game.clone())
}

/// The time of a tree. One that was given up, because its value was not seen to settle, counts as the most.
fn time(converged: &Converged, most: u64) -> f64 {
    converged.time.unwrap_or(most) as f64
}

fn mean<'a>(all: impl IntoIterator<Item = &'a Converged>, measure: impl Fn(&Converged) -> f64) -> Estimate {
    all.into_iter().map(measure).collect::<Running>().estimate(LEVEL)
}

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
        // For given N and b/a the best a is known, so two numbers are looked for: on a grid, then on finer ones.
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

/// The experiment on strategies of both sides.
pub(crate) static BOTH_SIDES: Experiment = Experiment {
    id: "thesis-table5.1",
    title: "Strategies of both sides and misleading first samples (Tables 5.1, 5.2)",
    source: "Understanding Sampling-Based Adversarial Search (Ramanujan 2012), section 5.2.1, Tables 5.1 and 5.2",
    takes: &[(Scale::Quick, 40), (Scale::Full, 700)],
    run: both_sides,
};

/// Where the strategies are: the thesis says shallow, mid-level and deep, of levels 2 to 18 and 1 to 19.
const MAX_LEVELS: [u32; 3] = [2, 10, 18];
const MIN_LEVELS: [[u32; 2]; 3] = [[1, 3], [9, 11], [17, 19]];
const NAMES: [&str; 3] = ["shallow", "mid-level", "deep"];

/// What was published: simulations and shares of visits in the wrong subtree in per cent, favourable and not.
const TIMES: [[[f64; 2]; 3]; 3] = [
    [[36.0, 148.0], [77.0, 610.0], [560.0, 3800.0]],
    [[950.0, 1000.0], [1500.0, 1900.0], [7900.0, 13_000.0]],
    [[16_000.0, 16_000.0], [17_000.0, 17_000.0], [30_000.0, 33_000.0]],
];
const SHARES: [[[f64; 2]; 3]; 3] = [
    [[33.0, 21.0], [34.0, 30.0], [40.0, 36.0]],
    [[3.0, 4.0], [14.0, 16.0], [31.0, 31.0]],
    [[0.2, 0.3], [1.8, 2.0], [16.0, 16.0]],
];

/// A number agrees if it is at most this factor away.
const FACTOR: f64 = 1.5;

fn around(known: f64) -> Interval {
    Interval::new(known / FACTOR, known * FACTOR)
}

/// The share of visits in the right subtree, in per cent.
fn wrong(converged: &Converged) -> f64 {
    100.0 * converged.visits[1] as f64 / converged.visits.iter().sum::<u64>() as f64
}

fn both_sides(bench: &mut Bench<'_>) -> Result<Outcome, Failed> {
    let runs = bench.scale.pick(200, 4000);
    let cells: Vec<(usize, usize)> = (0..3).flat_map(|max| (0..3).map(move |min| (max, min))).collect();
    let setups: Vec<Setup> = cells
        .iter()
        .map(|&(max, min)| {
            let [y1, y2] = MIN_LEVELS[min];
            Setup::uct(format!("two-sided(max={},min={y1}+{y2})", MAX_LEVELS[max]), C)
        })
        .collect();
    let found = converge(&setups, TAU, MOST, runs, bench)?;
    let half = |at: usize, favourable: bool| -> Vec<&Converged> {
        found[at].iter().filter(|one| one.favourable == Some(favourable)).collect()
    };
    let mut table = Table::new(
        "convergence",
        "Simulations until the value of the root stays 0.7 or more, and the share of them in the wrong subtree in per cent, with 95 % intervals.",
        &["Max", "Min", "first estimates", "runs", "simulations", "published", "wrong %", "published %"],
    );
    let rule = format!(
        "agrees if the interval lies within a factor of {FACTOR} of what is published, differs if outside"
    );
    let (mut times, mut shares) = (Vec::new(), Vec::new());
    for (at, &(max, min)) in cells.iter().enumerate() {
        for (which, favourable) in [true, false].into_iter().enumerate() {
            let runs = half(at, favourable);
            let measured = mean(runs.iter().copied(), |one| time(one, MOST));
            let share = mean(runs.iter().copied(), wrong);
            let (known, known_share) = (TIMES[max][min][which], SHARES[max][min][which]);
            let word = if favourable { "favourable" } else { "unfavourable" };
            let name = format!("Max {}, Min {}, {word}", NAMES[max], NAMES[min]);
            let row = [
                NAMES[max].into(),
                NAMES[min].into(),
                word.into(),
                runs.len().to_string(),
                interval(&measured, 0),
                decimal(known, 0),
                interval(&share, 1),
                decimal(known_share, 1),
            ];
            table.rows.push(row.into());
            times.push(Finding {
                claim: format!("{name}: simulations"),
                published: decimal(known, 0),
                measured: interval(&measured, 0),
                verdict: Verdict::within(measured.interval(), around(known)),
                rule: rule.clone(),
                note: String::new(),
            });
            shares.push(Finding {
                claim: format!("{name}: share of visits in the wrong subtree"),
                published: format!("{known_share} %"),
                measured: format!("{} %", interval(&share, 1)),
                verdict: Verdict::within(share.interval(), around(known_share)),
                rule: rule.clone(),
                note: String::new(),
            });
        }
    }
    let logs = |at: usize, favourable: bool| mean(half(at, favourable), |one| libm::log2(time(one, MOST)));
    let between = |from: Estimate, to: Estimate| to.less(&from, LEVEL);
    let cell = |max: usize, min: usize| 3 * max + min;
    let gap = |max: usize, min: usize| {
        let at = cell(max, min);
        between(logs(at, true), logs(at, false))
    };
    let trend = |claim: &str, by: Estimate| Finding {
        claim: claim.into(),
        published: "it is claimed".into(),
        measured: format!("by a factor of 2^{}", interval(&by, 2)),
        verdict: Verdict::above(by.interval(), 0.0),
        rule: "agrees if the interval of the difference of logarithms lies above 0, differs if below".into(),
        note: String::new(),
    };
    let mut findings = vec![
        trend("Max shallow, Min shallow: unfavourable first estimates cost time", gap(0, 0)),
        trend(
            "The cost is greater with a shallow strategy of Max than with a deep one (Min mid-level)",
            between(gap(2, 1), gap(0, 1)),
        ),
        trend(
            "The cost is greater with a deep strategy of Min than with a shallow one (Max mid-level)",
            between(gap(1, 0), gap(1, 2)),
        ),
        trend(
            "A deeper strategy of Min slows UCT down though first estimates are favourable (Max mid-level)",
            between(logs(cell(1, 0), true), logs(cell(1, 2), true)),
        ),
    ];
    findings.extend(times);
    findings.extend(shares);
    let curve = |favourable: bool, min: usize| {
        let points = (0..3).map(|max| {
            let time = mean(half(cell(max, min), favourable), |one| time(one, MOST));
            (f64::from(MAX_LEVELS[max]), drawn(&time, 1.0))
        });
        Curve::new(if favourable { "favourable" } else { "unfavourable" }, Look::Marked, points)
    };
    let published = |which: usize, min: usize| {
        let points = (0..3)
            .map(|max| (f64::from(MAX_LEVELS[max]), astragal_plot::Estimate::exact(TIMES[max][min][which])));
        Curve::new(
            if which == 0 { "favourable, published" } else { "unfavourable, published" },
            Look::Reference,
            points,
        )
    };
    let mut figure = Figure::new("Simulations until the value of the root stays 0.7 or more");
    figure.subtitle = "Means with 95 % intervals, by what the first estimates said".into();
    figure.columns = 3;
    figure.width = 900.0;
    for (min, name) in NAMES.iter().enumerate() {
        let curves = vec![curve(true, min), curve(false, min), published(0, min), published(1, min)];
        let chart = Chart::Lines(Lines {
            x: Axis::new("level of Max's strategy"),
            y: Axis::new("simulations").log(),
            curves,
            references: Vec::new(),
        });
        figure = figure.panel(format!("Min's strategy is {name}"), chart);
    }
    Ok(Outcome {
        summary: format!(
            "UCT (c = {C}) with random playouts in a binary tree of depth 20: on the left Max wins if he finds a move at his level, on the right Min wins if she finds two, and random play prefers the right. {runs} runs in each of nine trees; where the thesis says shallow, mid-level and deep we take levels {} for Max, and {} for Min. A run is favourable if the first simulation after both moves were tried once went to the left. The thesis names neither its levels nor its constant; of 0.2, 0.3, 0.4, 0.5, 0.7, 0.75, 0.8 and 1 the constant was chosen because it gives these times, so that they agree in size says less than that their pattern does.",
            MAX_LEVELS.map(|level| level.to_string()).join(", "),
            MIN_LEVELS.map(|[y1, y2]| format!("{y1} and {y2}")).join(", ")
        ),
        findings,
        tables: vec![table],
        figures: vec![("table5.1".into(), "Dashed and dotted: as published.".into(), figure)],
    })
}

/// The experiment on ε-greedy UCT.
pub(crate) static SCENARIOS: Experiment = Experiment {
    id: "thesis-5.2.2",
    title: "ε-greedy UCT: what the formulas say and what the search does (Figure 5.5)",
    source: "Understanding Sampling-Based Adversarial Search (Ramanujan 2012), section 5.2.2, Figure 5.5",
    takes: &[(Scale::Quick, 4), (Scale::Full, 120)],
    run: scenarios,
};

/// Simulations after which an ε-greedy search is given up: with much exploration its value never gets there.
const GREEDY_MOST: u64 = 20_000;
/// The trees are this deep.
const GREEDY_DEPTH: u32 = 12;

/// C(τ, value, iter), the thesis's equation 5.3: visits until a mean that is too small reaches τ.
fn visits_needed(tau: f64, value: f64, visits: f64) -> f64 {
    if value < tau { visits * (tau - value) / (1.0 - tau) } else { 0.0 }
}

/// Scenario A as the thesis has it, with the statistics of the right child after the tie.
fn scenario_a(p: f64, tau: f64, e: f64) -> f64 {
    let rounds = 1.0 / (1.0 - p);
    2.0 * rounds + visits_needed(tau, 1.0 - 2.0 / rounds, rounds) / (1.0 - e)
}

/// Scenario A with the statistics of the root instead.
fn scenario_a_at_the_root(p: f64, tau: f64, e: f64) -> f64 {
    let visits = 2.0 / (1.0 - p);
    visits + visits_needed(tau, p, visits) / (1.0 - e)
}

/// What follows a tie at the root of scenario B that was broken for or against Max's strategy.
fn after_the_tie(p: f64, e: f64, needed: f64, favourable: bool) -> f64 {
    2.0 / if favourable { 1.0 - e } else { e } * (2.0 / (1.0 - p) + needed / (1.0 - e))
}

/// Scenario B, where the left subtree has this share of leaves won.
fn scenario_b(left: f64, p: f64, q: f64, e: f64, needed: f64) -> f64 {
    let broken = left + q - 2.0 * left * q;
    let [good, bad] = [true, false].map(|favourable| after_the_tie(p, e, needed, favourable));
    (2.0 + left * (1.0 - q) * good + (1.0 - left) * q * bad) / broken
}

/// The points of scenario A: p, τ, ε.
const POINTS_A: [(f64, f64, f64); 4] = [(0.5, 0.7, 0.1), (0.25, 0.7, 0.1), (0.5, 0.9, 0.05), (0.0, 0.7, 0.0)];
/// Exploration in scenario B.
const EPSILONS: [f64; 8] = [0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.125, 0.15];
/// What the thesis takes for C in Figure 5.5.
const NEEDED: f64 = 10.0;

fn scenarios(bench: &mut Bench<'_>) -> Result<Outcome, Failed> {
    let trees: u64 = bench.scale.pick(300, 5000);
    let greedy = |levels: &str, wins: String, e: f64| Setup {
        game: format!("critical(depth={GREEDY_DEPTH},levels={levels},right=first,wins={wins})"),
        engine: format!("uct(select=epsilon(e={e}))"),
    };
    let simulate = |setup: Setup, tau: f64, bench: &mut Bench<'_>| -> Result<(Estimate, u64), Failed> {
        let found = converge(&[setup], tau, GREEDY_MOST, trees, bench)?;
        let ended = found[0].iter().filter(|one| one.time.is_some()).count() as u64;
        Ok((mean(&found[0], |one| time(one, GREEDY_MOST)), ended))
    };
    let mut table = Table::new(
        "visits",
        "Visits until the value of the root stays τ or more: simulated, with 95 % intervals, and by the formulas.",
        &["scenario", "p", "τ", "ε", "simulated", "converged", "thesis's formula", "formula put right"],
    );
    let mut findings = Vec::new();
    let steps = (POINTS_A.len() + EPSILONS.len()) as f64;
    for (at, (p, tau, e)) in POINTS_A.into_iter().enumerate() {
        let mut part = bench.stage(at as f64 / steps, (at + 1) as f64 / steps);
        let (visits, ended) = simulate(greedy("0", p.to_string(), e), tau, &mut part)?;
        let (formula, at_root) = (scenario_a(p, tau, e), scenario_a_at_the_root(p, tau, e));
        let cells = ["A".into(), p.to_string(), tau.to_string(), e.to_string(), interval(&visits, 1)];
        let formulas = [ended.to_string(), decimal(formula, 2), decimal(at_root, 2)];
        table.rows.push(cells.into_iter().chain(formulas).collect());
        findings.push(near(
            &format!("Scenario A, p = {p}, τ = {tau}, ε = {e}"),
            formula,
            &visits,
            &format!(
                "with the statistics of the root instead of its right child the formula gives {}",
                decimal(at_root, 2)
            ),
        ));
    }
    let (p, q) = (0.5, 0.5);
    let needed = visits_needed(TAU, 1.0 - 2.0 * (1.0 - p), 1.0 / (1.0 - p));
    let mut curve = Vec::new();
    for (at, e) in EPSILONS.into_iter().enumerate() {
        let from = (POINTS_A.len() + at) as f64;
        let mut part = bench.stage(from / steps, (from + 1.0) / steps);
        let (visits, ended) = simulate(greedy("0+2", format!("{q}+{p}"), e), TAU, &mut part)?;
        let formula = scenario_b(0.75 * p, p, q, e, needed);
        let right = scenario_b(0.5 * (1.0 + p), p, q, e, needed);
        let cells = ["B".into(), p.to_string(), TAU.to_string(), e.to_string(), interval(&visits, 1)];
        table.rows.push(
            cells.into_iter().chain([ended.to_string(), decimal(formula, 1), decimal(right, 1)]).collect(),
        );
        let given_up = match trees - ended {
            0 => String::new(),
            some => format!("; {some} of {trees} had not settled and count as {GREEDY_MOST}"),
        };
        findings.push(near(&format!("Scenario B, p = q = {p}, τ = {TAU}, ε = {e}"), formula, &visits, &format!(
            "with (1 + p)/2 of the leaves of the left subtree won, as the tree that is described has, the formula gives {}{given_up}",
            decimal(right, 1)
        )));
        curve.push((e, visits, ended));
    }
    findings.push(valley(&curve));
    let plain = |name: &str, look: Look, f: &dyn Fn(f64) -> f64| {
        let points = (1..100).map(|at| f64::from(at) / 100.0);
        Curve::new(name, look, points.map(|e| (e, astragal_plot::Estimate::exact(f(e)))))
    };
    let formulas = Chart::Lines(Lines {
        x: Axis::new("ε"),
        y: Axis::new("visits").log(),
        curves: vec![
            plain("favourable", Look::Plain, &|e| after_the_tie(p, e, NEEDED, true)),
            plain("unfavourable", Look::Plain, &|e| after_the_tie(p, e, NEEDED, false)),
        ],
        references: Vec::new(),
    });
    let formula = |name: &str, left: f64| {
        let points = EPSILONS.map(|e| (e, astragal_plot::Estimate::exact(scenario_b(left, p, q, e, needed))));
        Curve::new(name, Look::Reference, points)
    };
    let simulated =
        Curve::new("simulated", Look::Marked, curve.iter().map(|(e, visits, _)| (*e, drawn(visits, 1.0))));
    let beside = Chart::Lines(Lines {
        x: Axis::new("ε"),
        y: Axis::new("visits").log(),
        curves: vec![
            simulated,
            formula("formula of the thesis", 0.75 * p),
            formula("formula put right", 0.5 * (1.0 + p)),
        ],
        references: Vec::new(),
    });
    let mut figure = Figure::new("How much exploration pays");
    figure.subtitle =
        format!("Scenario B with p = q = {p}; visits until the value of the root stays {TAU} or more");
    figure.columns = 2;
    figure.shared = false;
    let figure =
        figure.panel(format!("formulas after the tie, C = {NEEDED}"), formulas).panel("all visits", beside);
    Ok(Outcome {
        summary: format!(
            "ε-greedy UCT in binary trees of depth {GREEDY_DEPTH}, {trees} of each kind. Scenario A: Max wins with the left move, and a share p of the leaves on the right is won. Scenario B: he needs two such moves, at depths 0 and 2; p and q of the leaves are won after a mistake at the second and the first. The thesis derives how many visits it takes until the value stays τ or more. Its formulas are rough: they take the search to be right from the moment a tie is broken, and leave out what exploration does to the mean of the root. In scenario B, C is worked out by equation 5.3 and is {}; a search that is not there after {GREEDY_MOST} visits counts as that many.",
            decimal(needed, 2)
        ),
        findings,
        tables: vec![table],
        figures: vec![(
            "figure5.5".into(),
            "Left: as in the thesis. Right: the search itself, with 95 % intervals.".into(),
            figure,
        )],
    })
}

/// How far a formula is from what is simulated.
fn near(claim: &str, formula: f64, visits: &Estimate, note: &str) -> Finding {
    Finding {
        claim: format!("{claim}: the formula gives the visits"),
        published: format!("roughly {}", decimal(formula, 2)),
        measured: format!("{}; {} times the formula", interval(visits, 1), decimal(visits.mean / formula, 2)),
        verdict: Verdict::within(visits.interval(), around(formula)),
        rule: format!(
            "agrees if the interval lies within a factor of {FACTOR} of the formula, differs if outside"
        ),
        note: note.into(),
    }
}

/// Whether both little and much exploration cost time.
fn valley(curve: &[(f64, Estimate, u64)]) -> Finding {
    let best = curve.iter().min_by(|a, b| a.1.mean.total_cmp(&b.1.mean)).expect("a curve has points");
    let (first, last) = (&curve[0], &curve[curve.len() - 1]);
    let above = |end: &(f64, Estimate, u64)| end.1.lo > best.1.hi;
    Finding {
        claim: "Scenario B: both little and much exploration cost time".into(),
        published: "a tension between small and large ε".into(),
        measured: format!(
            "{} visits at ε = {}, least, {} at {}, {} at {}",
            interval(&best.1, 0),
            best.0,
            interval(&first.1, 0),
            first.0,
            interval(&last.1, 0),
            last.0
        ),
        verdict: match (above(first), above(last)) {
            (true, true) => Verdict::Agrees,
            _ if best.0 == first.0 || best.0 == last.0 => Verdict::Differs,
            _ => Verdict::Open,
        },
        rule: "agrees if the intervals at both ends lie above that of the least, differs if the least is at an end".into(),
        note: String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_give_the_known_numbers() {
        let known = [9.185185, 8.592593, 22.947368, 7.666667];
        for ((p, tau, e), known) in POINTS_A.into_iter().zip(known) {
            assert!((scenario_a(p, tau, e) - known).abs() < 1e-6, "{p} {tau} {e}");
        }
        assert!((scenario_a_at_the_root(0.5, 0.7, 0.1) - 6.962963).abs() < 1e-6);
        for (e, known) in [(0.1, [33.580247, 302.222222]), (0.5, [96.0, 96.0])] {
            let found = [true, false].map(|favourable| after_the_tie(0.5, e, 10.0, favourable));
            assert!(found.iter().zip(known).all(|(found, known)| (found - known).abs() < 1e-6), "{found:?}");
        }
        assert!((scenario_b(0.375, 0.5, 0.5, 0.1, 10.0) - 205.4815).abs() < 1e-4);
        assert!((scenario_b(0.75, 0.5, 0.5, 0.1, 10.0) - 104.7407).abs() < 1e-4);
        assert_eq!(visits_needed(0.7, 0.9, 5.0), 0.0);
    }

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
    fn verdicts_can_come_out_each_way() {
        let at = |mean: f64, reach: f64| Estimate { mean, lo: mean - reach, hi: mean + reach, error: reach };
        let verdict = |visits: Estimate| near("", 10.0, &visits, "").verdict;
        assert_eq!(verdict(at(12.0, 1.0)), Verdict::Agrees);
        assert_eq!(verdict(at(30.0, 1.0)), Verdict::Differs);
        assert_eq!(verdict(at(15.0, 2.0)), Verdict::Open);
        let shape = |times: [f64; 3], reach: f64| {
            let point = |(e, time): (f64, f64)| (e, at(time, reach), 1);
            valley(&[0.1, 0.2, 0.3].into_iter().zip(times).map(point).collect::<Vec<_>>()).verdict
        };
        assert_eq!(shape([9.0, 5.0, 9.0], 1.0), Verdict::Agrees);
        assert_eq!(shape([9.0, 5.0, 2.0], 1.0), Verdict::Differs);
        assert_eq!(shape([9.0, 5.0, 9.0], 3.0), Verdict::Open);
        let curve = |times: [f64; 4]| -> Vec<(u32, Estimate)> {
            [0, 2, 4, 6].into_iter().zip(times.map(|time| at(time, 1.0))).collect()
        };
        assert_eq!(lowest(&curve([9.0, 6.0, 3.0, 7.0])), [4]);
        assert_eq!(lowest(&curve([9.0, 4.5, 3.0, 7.0])), [2, 4]);
        assert!(straight(&[(0.0, 1.0), (1.0, 2.0), (2.0, 3.0)]) > 0.999);
        assert!(straight(&[(0.0, 1.0), (1.0, 5.0), (2.0, 1.0)]) < 0.1);
    }
}
