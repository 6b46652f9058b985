//! `mcms-star1-example`: Figure 1 of *Monte Carlo \*-Minimax Search*, section 2.1, adapted from Ballard.
//!
//! A chance node with three equally likely successors is searched with the window [4, 5] in a game with
//! values in [−10, 10], and the first successor is worth 2. Bounds and windows come from the code that Star1
//! and Star2 run on; the cuts are observed by running Star1 on the node itself.

use crate::report::EXACT;
use crate::text::decimal;
use crate::{Bench, Experiment, Failed, Finding, Outcome, Scale, Table, Verdict};
use astragal_core::{Game, Interval, Player};
use astragal_games::explicit::{Estimate, Node, Tree};
use astragal_search::{Algorithm, ChanceBounds, Options, StarMinimax, chance_bounds};

const RANGE: Interval = Interval { lo: -10.0, hi: 10.0 };
const WINDOW: Interval = Interval { lo: 4.0, hi: 5.0 };
const THIRDS: [f64; 3] = [1.0 / 3.0; 3];

/// The bounds and windows when the first successors have these values.
fn known(values: &[f64]) -> ChanceBounds {
    let mut children = [RANGE; 3];
    for (child, &value) in children.iter_mut().zip(values) {
        *child = Interval::point(value);
    }
    chance_bounds(WINDOW, RANGE, &THIRDS, &children)
}

/// The value that Star1 returns for the node with these successors, and how many of them it visits.
fn searched(values: [f64; 3]) -> Result<(f64, u64), Failed> {
    let outcomes = (0..3).map(|at| (format!("o{at}"), THIRDS[at], at + 1)).collect();
    let mut nodes = vec![("chance".to_string(), Node::Chance { outcomes })];
    // The value of a finished game is known without a search, so each successor is one move before its end.
    let decision = |at: usize| Node::Decision {
        player: Player::Max,
        actions: vec![("on".into(), at + 4)],
        estimate: None,
    };
    nodes.extend((0..3).map(|at| (format!("s{at}"), decision(at))));
    nodes.extend((0..3).map(|at| (format!("end{at}"), Node::Leaf(values[at]))));
    let tree = Tree::new(nodes, 0, Some(RANGE)).map_err(|why| Failed::Message(why.to_string()))?;
    let options = Options { prune_from: 1, horizon: false, ..Options::new(Algorithm::Star1) };
    let (value, counts) =
        StarMinimax::new(Estimate, options).value_within(&tree, &tree.start(), 0, 2, WINDOW);
    Ok((value, counts.leaves))
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-12 * 20.0
}

/// A claim about a number.
fn number(claim: &str, published: (&str, f64), measured: f64, note: &str) -> Finding {
    Finding {
        claim: claim.into(),
        published: format!("{} = {}", published.0, decimal(published.1, 4)),
        measured: decimal(measured, 4),
        verdict: Verdict::of(close(published.1, measured)),
        rule: EXACT.into(),
        note: note.into(),
    }
}

/// The experiment.
pub(crate) static STAR1_EXAMPLE: Experiment = Experiment {
    id: "mcms-star1-example",
    title: "Star1 at one chance node",
    source: "Monte Carlo *-Minimax Search (Lanctot et al. 2013), section 2.1, Figure 1",
    takes: &[(Scale::Quick, 1), (Scale::Full, 1)],
    run,
};

fn run(_bench: &mut Bench<'_>) -> Result<Outcome, Failed> {
    let (before, after) = (known(&[]), known(&[2.0]));
    let ((alpha, _), (_, beta)) = (after.windows[1], after.windows[1]);
    let mut findings = vec![
        number("lower bound before anything is known", ("vmin", -10.0), before.value.lo, ""),
        number("upper bound before anything is known", ("vmax", 10.0), before.value.hi, ""),
        number(
            "lower bound when the first successor is worth 2",
            ("(2−10−10)/3", -18.0 / 3.0),
            after.value.lo,
            "",
        ),
        number("upper bound then", ("(2+10+10)/3", 22.0 / 3.0), after.value.hi, ""),
        number(
            "lower end of the next successor's window",
            ("3α−12", 0.0),
            alpha,
            "the paper prints (3α−12)/p, but the probability p = 1/3 is in the 3 already",
        ),
        Finding {
            claim: "upper end of the next successor's window".into(),
            published: String::new(),
            measured: decimal(beta, 4),
            verdict: Verdict::New,
            rule: String::new(),
            note: "above vmax, so 10 is passed down; comparing with the clipped end would cut wrongly".into(),
        },
    ];
    let mut table = Table::new(
        "searches",
        "Star1 on the node, with the window [4, 5]",
        &["successors", "returned", "successors visited", "exact value"],
    );
    let mut visits = Vec::new();
    // Cut by the first successor, cut by the second, inside the window, above it, won everywhere.
    for values in [[-8.5, 9.0, 9.0], [2.0, -0.5, 9.0], [2.0, 0.5, 10.0], [10.0, 9.0, 6.5], [10.0; 3]] {
        let (value, visited) = searched(values)?;
        visits.push((values, value, visited));
        let exact = values.iter().sum::<f64>() / 3.0;
        let shown = values.map(|value| decimal(value, 1)).join(", ");
        table.rows.push(vec![shown, decimal(value, 4), visited.to_string(), decimal(exact, 4)]);
    }
    findings.push(cut_rule(&visits));
    let summary = "A chance node with three equally likely successors in a game with values in [−10, 10] is searched with \
                       the window [4, 5]. The bounds come from the code that Star1 runs on, and the cuts from Star1 itself.";
    Ok(Outcome { summary: summary.into(), findings, tables: vec![table], figures: Vec::new() })
}

/// The claim about when the search leaves the node: exactly when its bounds have left the window.
fn cut_rule(searches: &[([f64; 3], f64, u64)]) -> Finding {
    let right = |&&(values, value, visited): &&([f64; 3], f64, u64)| {
        let seen = visited as usize;
        let left_early = seen == 3 || known(&values[..seen]).cut.is_some_and(|bound| close(bound, value));
        let not_later = (0..seen).all(|count| known(&values[..count]).cut.is_none());
        left_early && not_later
    };
    let agree = searches.iter().filter(right).count();
    Finding {
        claim: "the subtree is pruned exactly if the lower bound reaches β or the upper bound α".into(),
        published: "the rule".into(),
        measured: format!("{agree} of {} searches follow it", searches.len()),
        verdict: Verdict::of(agree == searches.len()),
        rule: "agrees if every search was cut exactly there".into(),
        note: "the visited successors of each search, against the bounds after each of them".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::unattended;

    #[test]
    fn figure_1_is_met_and_the_search_follows_its_bounds() {
        let outcome = unattended(0, 1, run).unwrap();
        let differs = |finding: &&Finding| finding.verdict == Verdict::Differs;
        assert_eq!(outcome.findings.iter().find(differs), None);
        // The first successor alone cuts below −8, the second below 0, the paper's 3α − 12.
        assert_eq!(searched([-8.1, 9.0, 9.0]).unwrap().1, 1);
        assert_eq!(searched([-7.9, 10.0, 10.0]).unwrap().1, 3);
        assert_eq!(searched([2.0, -0.1, 9.0]).unwrap().1, 2);
        assert_eq!(searched([2.0, 0.1, 9.0]).unwrap().1, 3);
    }

    #[test]
    fn a_search_that_cuts_too_early_would_be_found_out() {
        assert_eq!(cut_rule(&[([10.0; 3], 0.0, 1)]).verdict, Verdict::Differs);
        assert_eq!(cut_rule(&[([-8.5, 9.0, 9.0], 4.0, 3)]).verdict, Verdict::Differs);
    }
}
