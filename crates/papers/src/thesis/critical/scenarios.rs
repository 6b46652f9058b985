//! Section 5.2.2 and Figure 5.5: the thesis's formulas for ε-greedy UCT, compared with the search itself.

use super::{FACTOR, Setup, TAU, around, converge, mean, time};
use crate::text::{decimal, drawn, interval};
use crate::{Bench, Experiment, Failed, Finding, Outcome, Scale, Table, Verdict};
use astragal_plot::{Axis, Chart, Curve, Figure, Lines, Look};
use astragal_stats::Estimate;

/// The experiment on ε-greedy UCT.
pub(crate) static SCENARIOS: Experiment = Experiment {
    id: "thesis-5.2.2",
    title: "ε-greedy UCT: what the formulas say and what the search does (Figure 5.5)",
    source: "Understanding Sampling-Based Adversarial Search (Ramanujan 2012), section 5.2.2, Figure 5.5",
    takes: &[(Scale::Quick, 4), (Scale::Full, 120)],
    run: scenarios,
};

/// Simulations after which an ε-greedy search is abandoned: with much exploration its value never converges.
const GREEDY_MOST: u64 = 20_000;
/// The depth of the trees.
const GREEDY_DEPTH: u32 = 12;

/// C(τ, value, iter), the thesis's equation 5.3: visits until a mean that is too small reaches τ.
fn visits_needed(tau: f64, value: f64, visits: f64) -> f64 {
    if value < tau { visits * (tau - value) / (1.0 - tau) } else { 0.0 }
}

/// Scenario A as in the thesis, with the statistics of the right child after the tie.
fn scenario_a(p: f64, tau: f64, e: f64) -> f64 {
    let rounds = 1.0 / (1.0 - p);
    2.0 * rounds + visits_needed(tau, 1.0 - 2.0 / rounds, rounds) / (1.0 - e)
}

/// Scenario A with the statistics of the root instead.
fn scenario_a_at_the_root(p: f64, tau: f64, e: f64) -> f64 {
    let visits = 2.0 / (1.0 - p);
    visits + visits_needed(tau, p, visits) / (1.0 - e)
}

/// The visits after a tie at the root of scenario B is broken for or against Max's strategy.
fn after_the_tie(p: f64, e: f64, needed: f64, favourable: bool) -> f64 {
    2.0 / if favourable { 1.0 - e } else { e } * (2.0 / (1.0 - p) + needed / (1.0 - e))
}

/// Scenario B, where the left subtree has this share of won leaves.
fn scenario_b(left: f64, p: f64, q: f64, e: f64, needed: f64) -> f64 {
    let broken = left + q - 2.0 * left * q;
    let [good, bad] = [true, false].map(|favourable| after_the_tie(p, e, needed, favourable));
    (2.0 + left * (1.0 - q) * good + (1.0 - left) * q * bad) / broken
}

/// The points of scenario A: p, τ, ε.
const POINTS_A: [(f64, f64, f64); 4] = [(0.5, 0.7, 0.1), (0.25, 0.7, 0.1), (0.5, 0.9, 0.05), (0.0, 0.7, 0.0)];
/// The values of ε in scenario B.
const EPSILONS: [f64; 8] = [0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.125, 0.15];
/// The thesis's value of C in Figure 5.5.
const NEEDED: f64 = 10.0;

/// The shares of won leaves in scenario B after a mistake at its second and at its first level.
const P: f64 = 0.5;
const Q: f64 = 0.5;

/// The share of won leaves in the left subtree of scenario B: as the thesis gives it, and as it is in the
/// tree that the thesis describes.
const LEFT: f64 = 0.75 * P;
const LEFT_PUT_RIGHT: f64 = 0.5 * (1.0 + P);

/// C of scenario B, by equation 5.3.
fn needed() -> f64 {
    visits_needed(TAU, 1.0 - 2.0 * (1.0 - P), 1.0 / (1.0 - P))
}

/// The visits that the searches of one kind of tree took.
struct Simulated {
    visits: Estimate,
    /// The number of searches whose value converged.
    ended: u64,
}

/// Runs searches in trees with these critical levels and these shares of won leaves.
fn simulate(
    levels: &str,
    wins: String,
    (tau, e): (f64, f64),
    trees: u64,
    bench: &mut Bench<'_>,
) -> Result<Simulated, Failed> {
    let setup = Setup {
        game: format!("critical(depth={GREEDY_DEPTH},levels={levels},right=first,wins={wins})"),
        engine: format!("uct(select=epsilon(e={e}))"),
    };
    let found = converge(&[setup], tau, GREEDY_MOST, trees, bench)?;
    let ended = found[0].iter().filter(|one| one.time.is_some()).count() as u64;
    Ok(Simulated { visits: mean(&found[0], |one| time(one, GREEDY_MOST)), ended })
}

fn scenarios(bench: &mut Bench<'_>) -> Result<Outcome, Failed> {
    let trees: u64 = bench.scale.pick(300, 5000);
    let mut table = Table::new(
        "visits",
        "Visits until the value of the root stays τ or more: simulated, with 95 % intervals, and by the formulas.",
        &["scenario", "p", "τ", "ε", "simulated", "converged", "thesis's formula", "formula put right"],
    );
    let mut row = |name: &str, [p, tau, e]: [f64; 3], found: &Simulated, formulas: [String; 2]| {
        let point = [name.into(), p.to_string(), tau.to_string(), e.to_string()];
        let simulated = [interval(&found.visits, 1), found.ended.to_string()];
        table.rows.push(point.into_iter().chain(simulated).chain(formulas).collect());
    };
    let mut findings = Vec::new();
    let steps = (POINTS_A.len() + EPSILONS.len()) as f64;
    for (at, (p, tau, e)) in POINTS_A.into_iter().enumerate() {
        let mut part = bench.stage(at as f64 / steps, (at + 1) as f64 / steps);
        let found = simulate("0", p.to_string(), (tau, e), trees, &mut part)?;
        let (formula, at_root) = (scenario_a(p, tau, e), scenario_a_at_the_root(p, tau, e));
        row("A", [p, tau, e], &found, [formula, at_root].map(|visits| decimal(visits, 2)));
        findings.push(near(
            &format!("Scenario A, p = {p}, τ = {tau}, ε = {e}"),
            formula,
            &found.visits,
            &format!(
                "with the statistics of the root instead of its right child the formula gives {}",
                decimal(at_root, 2)
            ),
        ));
    }
    let mut curve = Vec::new();
    for (at, e) in EPSILONS.into_iter().enumerate() {
        let from = (POINTS_A.len() + at) as f64;
        let mut part = bench.stage(from / steps, (from + 1.0) / steps);
        let found = simulate("0+2", format!("{Q}+{P}"), (TAU, e), trees, &mut part)?;
        let [formula, right] = [LEFT, LEFT_PUT_RIGHT].map(|left| scenario_b(left, P, Q, e, needed()));
        row("B", [P, TAU, e], &found, [formula, right].map(|visits| decimal(visits, 1)));
        let given_up = match trees - found.ended {
            0 => String::new(),
            some => format!("; {some} of {trees} had not settled and count as {GREEDY_MOST}"),
        };
        findings.push(near(
            &format!("Scenario B, p = q = {P}, τ = {TAU}, ε = {e}"),
            formula,
            &found.visits,
            &format!(
                "with (1 + p)/2 of the leaves of the left subtree won, as the tree that is described has, the formula gives {}{given_up}",
                decimal(right, 1)
            ),
        ));
        curve.push((e, found.visits));
    }
    findings.push(valley(&curve));
    Ok(Outcome {
        summary: format!(
            "ε-greedy UCT in binary trees of depth {GREEDY_DEPTH}, {trees} of each kind. Scenario A: Max wins with the left move, and a share p of the leaves on the right is won. Scenario B: he needs two such moves, at depths 0 and 2; p and q of the leaves are won after a mistake at the second and the first. The thesis derives how many visits it takes until the value stays τ or more. Its formulas are rough: they take the search to be right from the moment a tie is broken, and leave out what exploration does to the mean of the root. In scenario B, C is worked out by equation 5.3 and is {}; a search that is not there after {GREEDY_MOST} visits counts as that many.",
            decimal(needed(), 2)
        ),
        findings,
        tables: vec![table],
        figures: vec![(
            "figure5.5".into(),
            "Left: as in the thesis. Right: the search itself, with 95 % intervals.".into(),
            figure(&curve),
        )],
    })
}

/// Figure 5.5, with the simulated results of scenario B beside it.
fn figure(simulated: &[(f64, Estimate)]) -> Figure {
    let visits = |curves: Vec<Curve>| {
        Chart::Lines(Lines {
            x: Axis::new("ε"),
            y: Axis::new("visits").log(),
            curves,
            references: Vec::new(),
        })
    };
    let after_tie = |name: &str, favourable: bool| {
        let points = (1..100).map(|at| f64::from(at) / 100.0);
        let visits = |e: f64| astragal_plot::Estimate::exact(after_the_tie(P, e, NEEDED, favourable));
        Curve::new(name, Look::Plain, points.map(|e| (e, visits(e))))
    };
    let formula = |name: &str, left: f64| {
        let visits = |e: f64| astragal_plot::Estimate::exact(scenario_b(left, P, Q, e, needed()));
        Curve::new(name, Look::Reference, EPSILONS.map(|e| (e, visits(e))))
    };
    let points = simulated.iter().map(|(e, visits)| (*e, drawn(visits, 1.0)));
    let mut figure = Figure::new("How much exploration pays");
    figure.subtitle =
        format!("Scenario B with p = q = {P}; visits until the value of the root stays {TAU} or more");
    figure.columns = 2;
    figure.shared = false;
    figure
        .panel(
            format!("formulas after the tie, C = {NEEDED}"),
            visits(vec![after_tie("favourable", true), after_tie("unfavourable", false)]),
        )
        .panel(
            "all visits",
            visits(vec![
                Curve::new("simulated", Look::Marked, points),
                formula("formula of the thesis", LEFT),
                formula("formula put right", LEFT_PUT_RIGHT),
            ]),
        )
}

/// Compares a formula with the simulated visits.
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

/// Whether both too little and too much exploration cost time.
fn valley(curve: &[(f64, Estimate)]) -> Finding {
    let best = curve.iter().min_by(|a, b| a.1.mean.total_cmp(&b.1.mean)).expect("a curve has points");
    let (first, last) = (&curve[0], &curve[curve.len() - 1]);
    let above = |end: &(f64, Estimate)| end.1.lo > best.1.hi;
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
    fn verdicts_can_come_out_each_way() {
        let at = |mean: f64, reach: f64| Estimate { mean, lo: mean - reach, hi: mean + reach, error: reach };
        let verdict = |visits: Estimate| near("", 10.0, &visits, "").verdict;
        assert_eq!(verdict(at(12.0, 1.0)), Verdict::Agrees);
        assert_eq!(verdict(at(30.0, 1.0)), Verdict::Differs);
        assert_eq!(verdict(at(15.0, 2.0)), Verdict::Open);
        let shape = |times: [f64; 3], reach: f64| {
            let point = |(e, time): (f64, f64)| (e, at(time, reach));
            valley(&[0.1, 0.2, 0.3].into_iter().zip(times).map(point).collect::<Vec<_>>()).verdict
        };
        assert_eq!(shape([9.0, 5.0, 9.0], 1.0), Verdict::Agrees);
        assert_eq!(shape([9.0, 5.0, 2.0], 1.0), Verdict::Differs);
        assert_eq!(shape([9.0, 5.0, 9.0], 3.0), Verdict::Open);
    }
}
