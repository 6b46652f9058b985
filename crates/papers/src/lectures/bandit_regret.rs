//! `lecture-bandit-regret`: the cost of not knowing which slot machine is best, from the lecture on
//! sampling-based search (M. Buro), "UCB Algorithm" (Auer et al. 2002).
//!
//! Whether a regret grows with the logarithm of the pulls or with the pulls themselves is judged in two ways:
//! by which of the two curves fits better, and by the last two decades of pulls. If the regret is
//! logarithmic, the last decade costs as much as the one before; if it is linear, ten times as much.

use crate::bench::{Batch, check};
use crate::text::{decimal, drawn, interval};
use crate::{Bench, Experiment, Failed, Finding, Outcome, Scale, Table, Verdict};
use astragal_core::{Watch, mix};
use astragal_plot::{Axis, Chart, Curve, Estimate as Shown, Figure, Lines, Look};
use astragal_search::{BanditRule, regret};
use astragal_stats::{Estimate, LEVEL, Running, normal_quantile};

/// The win probabilities of the machines.
const ARMS: [f64; 4] = [0.9, 0.6, 0.5, 0.4];

/// What a source claims about a rule.
#[derive(Clone, Copy, PartialEq)]
enum Claim {
    Logarithmic,
    Linear,
    Nothing,
}

const RULES: [(&str, BanditRule, Claim); 8] = [
    ("random", BanditRule::Random, Claim::Linear),
    ("greedy", BanditRule::Greedy, Claim::Nothing),
    ("ε-greedy, ε = 0.1", BanditRule::Epsilon(0.1), Claim::Nothing),
    ("UCB1, C = 1", BanditRule::Ucb1(1.0), Claim::Logarithmic),
    ("UCB1, C = √2", BanditRule::Ucb1(std::f64::consts::SQRT_2), Claim::Logarithmic),
    ("UCB1-Tuned", BanditRule::Ucb1Tuned, Claim::Nothing),
    ("KL-UCB", BanditRule::KlUcb, Claim::Nothing),
    ("Thompson", BanditRule::Thompson, Claim::Nothing),
];

/// How the regret of a rule grows.
#[derive(Clone, Debug)]
struct Growth {
    /// The mean regret at each checkpoint.
    means: Vec<Estimate>,
    /// The cost of the last decade relative to the one before.
    decades: Estimate,
    /// The root mean square residuals of the best fits of `a + b·ln T` and `a + b·T`.
    residuals: [f64; 2],
}

/// The kind of growth.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Nature {
    Logarithmic,
    Linear,
    /// Clearly between the two.
    Neither,
    /// Too few runs to decide.
    Unclear,
}

impl Growth {
    /// Logarithmic if that curve fits better and the last decade costs less than twice the one before; linear
    /// if that curve fits better and the last decade costs more than five times as much.
    fn nature(&self) -> Nature {
        let (fits, decades) = (self.residuals[0] < self.residuals[1], &self.decades);
        if fits && decades.hi < 2.0 {
            Nature::Logarithmic
        } else if !fits && decades.lo > 5.0 {
            Nature::Linear
        } else if decades.lo > 2.0 && decades.hi < 5.0 {
            Nature::Neither
        } else {
            Nature::Unclear
        }
    }
}

/// The numbers of pulls at which the regret is recorded: ten per decade.
fn checkpoints(decades: u32) -> Vec<u64> {
    let mut points: Vec<u64> =
        (10..=10 * decades).map(|n| 10_f64.powf(f64::from(n) / 10.0).round() as u64).collect();
    points.dedup();
    points
}

/// The root mean square residual of the least-squares line of `y` over `x`.
fn residual(x: &[f64], y: &[f64]) -> f64 {
    let n = x.len() as f64;
    let (mx, my) = (x.iter().sum::<f64>() / n, y.iter().sum::<f64>() / n);
    let sxx: f64 = x.iter().map(|x| (x - mx) * (x - mx)).sum();
    let sxy: f64 = x.iter().zip(y).map(|(x, y)| (x - mx) * (y - my)).sum();
    let slope = sxy / sxx;
    (x.iter().zip(y).map(|(x, y)| (y - my - slope * (x - mx)).powi(2)).sum::<f64>() / n).sqrt()
}

/// The growth of the regret, from the regrets of each run at each checkpoint.
fn growth(runs: &[Vec<f64>], points: &[u64]) -> Growth {
    let at = |index: usize| runs.iter().map(|run| run[index]).collect::<Running>();
    let means: Vec<Estimate> = (0..points.len()).map(|index| at(index).estimate(LEVEL)).collect();
    // The first pulls say little about the growth.
    let from = points.iter().position(|&t| t >= 100).unwrap_or(0);
    let y: Vec<f64> = means[from..].iter().map(|mean| mean.mean).collect();
    let pulls: Vec<f64> = points[from..].iter().map(|&t| t as f64).collect();
    let logs: Vec<f64> = pulls.iter().map(|&t| libm::log(t)).collect();
    let last = points.len() - 1;
    let pairs: Vec<(f64, f64)> =
        runs.iter().map(|run| (run[last - 10] - run[last - 20], run[last] - run[last - 10])).collect();
    Growth { means, decades: ratio(&pairs), residuals: [residual(&logs, &y), residual(&pulls, &y)] }
}

/// The ratio of the mean of the second numbers to that of the first, with an interval from the variance of
/// its linearization.
fn ratio(pairs: &[(f64, f64)]) -> Estimate {
    let first: Running = pairs.iter().map(|pair| pair.0).collect();
    let second: Running = pairs.iter().map(|pair| pair.1).collect();
    let mean = second.mean() / first.mean();
    let rest: Running = pairs.iter().map(|(a, b)| b - mean * a).collect();
    let error = rest.error() / first.mean().abs();
    let reach = normal_quantile(0.5 + 0.5 * LEVEL) * error;
    Estimate { mean, lo: mean - reach, hi: mean + reach, error }
}

/// Lai and Robbins's constant of the logarithm: no rule that is good everywhere does better asymptotically.
fn lai_robbins() -> f64 {
    let best = ARMS.into_iter().fold(0.0, f64::max);
    let divergence = |p: f64, q: f64| p * libm::log(p / q) + (1.0 - p) * libm::log((1.0 - p) / (1.0 - q));
    ARMS.into_iter().filter(|&arm| arm < best).map(|arm| (best - arm) / divergence(arm, best)).sum()
}

fn measure(decades: u32, runs: usize, bench: &mut Bench<'_>) -> Result<Vec<Growth>, Failed> {
    let points = checkpoints(decades);
    let base = bench.seed;
    let job = |index: usize, watch: &mut dyn Watch| {
        check(watch)?;
        // Each run has its own random numbers, whatever else is run.
        let seed = mix(base ^ mix(index as u64));
        Ok(regret(&ARMS, RULES[index / runs].1, &points, seed))
    };
    let part = format!("10^{decades} pulls");
    let batch = Batch { experiment: BANDIT_REGRET.id, part: &part, count: RULES.len() * runs };
    let all = bench.each(batch, "bandits", job)?;
    Ok(all.chunks(runs).map(|runs| growth(runs, &points)).collect())
}

const RULE: &str = "agrees if the regret grows as claimed and in no other way, by the fits and the last decade's cost; open \
                    if these do not decide";

fn finding(name: &str, claim: Claim, growth: &Growth) -> Finding {
    let (published, wanted) = match claim {
        Claim::Logarithmic => ("Θ(log T)", Some(Nature::Logarithmic)),
        Claim::Linear => ("Θ(T)", Some(Nature::Linear)),
        Claim::Nothing => ("", None),
    };
    let found = growth.nature();
    let verdict = match (wanted, found) {
        (None, _) => Verdict::New,
        (Some(_), Nature::Unclear) => Verdict::Open,
        (Some(wanted), found) => Verdict::of(wanted == found),
    };
    let nature = match found {
        Nature::Logarithmic => "grows with log T",
        Nature::Linear => "grows with T",
        Nature::Neither => "grows faster than log T and more slowly than T",
        Nature::Unclear => "grows, but too few runs tell how",
    };
    let [log, linear] = growth.residuals;
    Finding {
        claim: format!("regret of {name}"),
        published: published.into(),
        measured: format!(
            "{nature}; the last decade costs {} times the one before",
            interval(&growth.decades, 2)
        ),
        verdict,
        rule: if verdict == Verdict::New { String::new() } else { RULE.into() },
        note: format!(
            "left by the best a + b·log T: {}, by the best a + b·T: {}",
            decimal(log, 2),
            decimal(linear, 2)
        ),
    }
}

/// The experiment.
pub(crate) static BANDIT_REGRET: Experiment = Experiment {
    id: "lecture-bandit-regret",
    title: "The regret of bandit rules",
    source: "Lecture on sampling-based search (M. Buro), \"UCB Algorithm\" and what follows it",
    takes: &[(Scale::Quick, 30), (Scale::Full, 3000)],
    run,
};

fn run(bench: &mut Bench<'_>) -> Result<Outcome, Failed> {
    let (decades, runs) = bench.scale.pick((5, 50), (6, 400));
    let points = checkpoints(decades);
    let grown = measure(decades, runs, bench)?;
    let pairs = || RULES.iter().zip(&grown);
    let findings = pairs().map(|((name, _, claim), growth)| finding(name, *claim, growth)).collect();
    let heads: Vec<String> = (1..=decades).map(|n| format!("T = {}", 10_u64.pow(n))).collect();
    let mut columns = vec!["rule"];
    columns.extend(heads.iter().map(String::as_str));
    let mut table = Table::new("regret", "Mean regret after T pulls, with the standard error", &columns);
    for ((name, ..), growth) in pairs() {
        let cells = points
            .iter()
            .zip(&growth.means)
            .filter(|(t, _)| t.ilog10() >= 1 && **t == 10_u64.pow(t.ilog10()));
        let cell =
            |(_, mean): (&u64, &Estimate)| format!("{} ± {}", decimal(mean.mean, 1), decimal(mean.error, 1));
        table.rows.push(std::iter::once((*name).to_string()).chain(cells.map(cell)).collect());
    }
    let summary = format!(
        "Four slot machines that win with the chances {}, {runs} runs of {} pulls with each rule. A regret counts as \
             logarithmic if a + b·log T fits it better than a + b·T from T = 100 on and the last decade of pulls costs \
             less than twice the one before; as linear if a + b·T fits better and it costs more than five times as much.",
        ARMS.map(|arm| arm.to_string()).join(", "),
        10_u64.pow(decades),
    );
    let caption = format!(
        "Mean regret over the pulls, {runs} runs. Left: with two logarithmic axes a linear regret is a straight line that \
             rises one decade in each. Right: over a logarithmic axis a logarithmic regret is a straight line; bands are 95 % \
             intervals. No rule that is good for all machines grows more slowly than the dashed line in the long run.",
    );
    let figures = vec![("regret".into(), caption, figure(&points, &grown))];
    Ok(Outcome { summary, findings, tables: vec![table], figures })
}

fn figure(points: &[u64], grown: &[Growth]) -> Figure {
    let curve = |(rule, growth): (&(&str, BanditRule, Claim), &Growth)| {
        let points = points.iter().zip(&growth.means).map(|(&t, mean)| (t as f64, drawn(mean, 1.0)));
        Curve::new(rule.0, Look::Band, points)
    };
    // Readers can tell seven colours apart, so UCB1-Tuned, which is close to KL-UCB, appears only in the
    // table.
    let shown = || RULES.iter().zip(grown).filter(|(rule, _)| rule.1 != BanditRule::Ucb1Tuned);
    let curves: Vec<Curve> = shown().map(curve).collect();
    let logarithmic = || shown().filter(|(_, growth)| growth.nature() == Nature::Logarithmic);
    let slope = lai_robbins();
    let bound = points.iter().map(|&t| (t as f64, Shown::exact(slope * libm::log(t as f64))));
    let bound = Curve::new("Lai and Robbins's limit", Look::Reference, bound);
    let all =
        Lines { x: Axis::new("pulls T").log(), y: Axis::new("regret").log(), curves, references: Vec::new() };
    let mut slow: Vec<Curve> = logarithmic().map(curve).collect();
    slow.push(bound);
    let zoomed =
        Lines { x: Axis::new("pulls T").log(), y: Axis::new("regret"), curves: slow, references: Vec::new() };
    Figure {
        columns: 2,
        shared: false,
        width: 860.0,
        panel_height: Some(300.0),
        ..Figure::new("The regret of bandit rules")
            .panel("All rules", Chart::Lines(all))
            .panel("Those that grow with log T", Chart::Lines(zoomed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::unattended;

    #[test]
    fn made_up_regrets_are_judged_by_their_growth() {
        let points = checkpoints(5);
        let runs = |f: &dyn Fn(f64) -> f64| -> Vec<Vec<f64>> {
            // A little variation, so that intervals are not points.
            let luck = |run: usize| 1.0 + 0.1 * (run % 5) as f64;
            (0..20).map(|run| points.iter().map(|&t| luck(run) * f(t as f64)).collect()).collect()
        };
        let log = growth(&runs(&|t| 3.0 * t.ln()), &points);
        let linear = growth(&runs(&|t| 0.3 * t), &points);
        let root = growth(&runs(&|t| t.sqrt()), &points);
        assert_eq!(
            [log.nature(), linear.nature(), root.nature()],
            [Nature::Logarithmic, Nature::Linear, Nature::Neither]
        );
        assert!((log.decades.mean - 1.0).abs() < 0.01 && (linear.decades.mean - 10.0).abs() < 0.05);
        // The verdict follows the numbers, not the name.
        assert_eq!(finding("UCB", Claim::Logarithmic, &linear).verdict, Verdict::Differs);
        assert_eq!(finding("UCB", Claim::Logarithmic, &log).verdict, Verdict::Agrees);
        assert_eq!(finding("random", Claim::Linear, &log).verdict, Verdict::Differs);
        assert_eq!(finding("random", Claim::Linear, &root).verdict, Verdict::Differs);
        let vague = Estimate { lo: 0.0, hi: 20.0, ..linear.decades };
        let unclear = Growth { decades: vague, ..linear };
        assert_eq!(finding("random", Claim::Linear, &unclear).verdict, Verdict::Open);
    }

    #[test]
    fn random_pulls_cost_linearly() {
        let grown = unattended(3, 2, |bench| measure(3, 4, bench)).unwrap();
        assert!((grown[0].means.last().unwrap().mean / 1000.0 - 0.3).abs() < 0.05);
        assert_eq!(grown[0].nature(), Nature::Linear);
        let again = unattended(3, 1, |bench| measure(3, 4, bench)).unwrap();
        assert_eq!(format!("{grown:?}"), format!("{again:?}"));
    }
}
