//! The results of the studies, in words.

use super::measure::{MSE, REGRET, VARIANCE, difference, more, ratio, times};
use super::study::{DEPTH, EXPSS, Schemes, Study, Widths};
use super::{SCHEMES, Sizes};
use crate::estimators::{Cell, Row};
use crate::text::{decimal, interval};
use crate::{Finding, Verdict};

/// A finding without a published number.
fn new(claim: String, measured: String, note: String) -> Finding {
    Finding { claim, published: String::new(), measured, verdict: Verdict::New, rule: String::new(), note }
}

/// All findings of one game.
pub(super) fn all(study: &Study, sizes: &Sizes, seed: u64) -> Vec<Finding> {
    let mut findings = Vec::new();
    for widths in &study.widths {
        findings.extend(shrinking(study, widths));
    }
    findings.extend((1..SCHEMES.len()).map(|scheme| by_scheme(study, scheme, sizes, seed)));
    findings.extend(budgets(study, sizes));
    findings.extend(shrunk(study, sizes));
    findings.extend(reductions(study, seed));
    findings
}

/// Shrinking widths against the paper's constant one, and the best of them against the best constant one.
fn shrinking(study: &Study, widths: &Widths) -> Vec<Finding> {
    let compare = |this: usize, that: usize| {
        let (this, that) = ([study.of(this)], [study.of(that)]);
        let (mse, regret) = (difference(&this, &that, MSE), difference(&this, &that, REGRET));
        format!("{}; {}", more("MSE", &mse), more("regret", &regret))
    };
    let (paper, constant) = widths.paper;
    let mut findings = Vec::new();
    for (decay, first, shrunk) in &widths.shrinking {
        let draws: Vec<String> = first.iter().take(4).map(u32::to_string).collect();
        findings.push(new(
            format!("{}: {} with decay {decay} against a constant width of {paper}", study.name, widths.name),
            compare(*shrunk, constant),
            format!(
                "draws at the first rolls: {}…; depth {} against {}",
                draws.join(", "),
                depth(study, *shrunk),
                depth(study, constant)
            ),
        ));
    }
    let mse = |place: usize| Row::new(study.of(place)).mse.mean;
    let constants = widths.narrow.iter().chain([&widths.paper]);
    let best = constants.min_by(|a, b| mse(a.1).total_cmp(&mse(b.1)));
    let shrunk = widths.shrinking.iter().min_by(|a, b| mse(a.2).total_cmp(&mse(b.2)));
    if let (Some((width, best)), Some((decay, _, shrunk))) = (best, shrunk) {
        findings.push(new(
            format!("{}: {}, the best decay against the best constant width", study.name, widths.name),
            format!("decay {decay} against width {width}: {}", compare(*shrunk, *best)),
            "both chosen by their MSE at these very positions, which flatters either".into(),
        ));
    }
    findings
}

/// The mean depth that a player completes.
fn depth(study: &Study, place: usize) -> String {
    decimal(Row::new(study.of(place)).depth, 1)
}

/// A scheme against independent draws, averaged over all widths.
fn by_scheme(study: &Study, scheme: usize, sizes: &Sizes, seed: u64) -> Finding {
    let of = |places: fn(&Schemes) -> &Vec<usize>, scheme: usize| -> Vec<&[Cell]> {
        study.schemes.iter().map(|schemes| study.of(places(schemes)[scheme])).collect()
    };
    let at_depth = [scheme, 0].map(|scheme| of(|schemes| &schemes.depth, scheme));
    let with_nodes = [scheme, 0].map(|scheme| of(|schemes| &schemes.nodes, scheme));
    let variance = |[these, those]: &[Vec<&[Cell]>; 2]| ratio(these, those, VARIANCE, seed);
    let regret = difference(&with_nodes[0], &with_nodes[1], REGRET);
    let mse = difference(&with_nodes[0], &with_nodes[1], MSE);
    let widths: Vec<String> = study.schemes.iter().map(|schemes| schemes.width.to_string()).collect();
    new(
        format!("{}: expSS, {} against iid", study.name, SCHEMES[scheme].0),
        format!(
            "{}; {}; {}; {}",
            times(&format!("variance at depth {DEPTH}"), &variance(&at_depth)),
            times(&format!("with {} nodes", sizes.nodes), &variance(&with_nodes)),
            more("MSE", &mse),
            more("regret", &regret)
        ),
        format!(
            "mean over the widths {}; repeated draws of iid are merged, so with equal nodes it searches deeper",
            widths.join(", ")
        ),
    )
}

/// The gain from more nodes for each player of Table 1, and each sampling player against its classic
/// counterpart at the largest budget.
fn budgets(study: &Study, sizes: &Sizes) -> Vec<Finding> {
    let mut findings = Vec::new();
    let (Some(least), Some(most)) = (sizes.budgets.first(), sizes.budgets.last()) else { return findings };
    for (name, places) in &study.budgets {
        let (Some(&first), Some(&last)) = (places.first(), places.last()) else { continue };
        let (few, many) = ([study.of(first)], [study.of(last)]);
        let [before, after] = [few[0], many[0]].map(Row::new);
        findings.push(new(
            format!("{}: {name} with {most} nodes against {least}", study.name),
            format!(
                "{}; {}",
                more("MSE", &difference(&many, &few, MSE)),
                more("regret", &difference(&many, &few, REGRET))
            ),
            format!(
                "MSE from {} to {}, regret from {} to {}",
                decimal(before.mse.mean, 2),
                decimal(after.mse.mean, 2),
                decimal(before.regret.mean, 3),
                decimal(after.regret.mean, 3)
            ),
        ));
    }
    // In the table, each sampling player is three rows after its classic counterpart.
    for (classic, sampled) in study.budgets.iter().skip(2).take(3).zip(study.budgets.iter().skip(5)) {
        let regrets: Vec<String> = sizes
            .budgets
            .iter()
            .zip(classic.1.iter().zip(&sampled.1))
            .map(|(nodes, (&classic, &sampled))| {
                let over = difference(&[study.of(sampled)], &[study.of(classic)], REGRET);
                format!("{nodes}: {}", interval(&over, 3))
            })
            .collect();
        let (Some(&one), Some(&other)) = (sampled.1.last(), classic.1.last()) else { continue };
        let (these, those) = ([study.of(one)], [study.of(other)]);
        findings.push(new(
            format!("{}: {} against {} with {most} nodes", study.name, sampled.0, classic.0),
            format!(
                "{}; {}",
                more("MSE", &difference(&these, &those, MSE)),
                more("regret", &difference(&these, &those, REGRET))
            ),
            format!("more regret, by nodes: {}", regrets.join("; ")),
        ));
    }
    findings
}

/// Shrinking widths against the paper's constant one, averaged over all budgets.
fn shrunk(study: &Study, sizes: &Sizes) -> Vec<Finding> {
    let Some((_, constant)) = study.budgets.get(EXPSS) else { return Vec::new() };
    let finding = |(decay, places): &(f64, Vec<usize>)| {
        let [these, those] =
            [places, constant].map(|places| places.iter().map(|&place| study.of(place)).collect::<Vec<_>>());
        let by_nodes = sizes.budgets.iter().zip(these.iter().zip(&those)).map(|(nodes, (this, that))| {
            format!("{nodes}: {}", interval(&difference(&[this], &[that], MSE), 2))
        });
        let by_nodes: Vec<String> = by_nodes.collect();
        new(
            format!(
                "{}: expSS with decay {decay} against a constant width, all budgets together",
                study.name
            ),
            format!(
                "{}; {}",
                more("MSE", &difference(&these, &those, MSE)),
                more("regret", &difference(&these, &those, REGRET))
            ),
            format!(
                "added after a first look, because one budget may favour the width that just finishes a depth; more MSE, by nodes: {}",
                by_nodes.join("; ")
            ),
        )
    };
    study.shrunk.iter().map(finding).collect()
}

/// Variance reductions, each compared with the same player without it.
fn reductions(study: &Study, seed: u64) -> Vec<Finding> {
    let finding = |reduction: &super::study::Reduction| {
        let (these, those) = ([study.of(reduction.reduced)], [study.of(reduction.plain)]);
        new(
            format!("{}: {} against none", study.name, reduction.name),
            format!(
                "{}; {}; {}",
                times("variance", &ratio(&these, &those, VARIANCE, seed)),
                more("MSE", &difference(&these, &those, MSE)),
                more("regret", &difference(&these, &those, REGRET))
            ),
            String::new(),
        )
    };
    study.reductions.iter().map(finding).collect()
}
