//! `mcms-dense`: where sampling wins as trees grow densely stochastic.
//!
//! *Monte Carlo \*-Minimax Search* targets games in which the same outcome is rarely met twice, and shows in
//! four games that it beats its classic counterparts. Here the claim becomes a map over synthetic trees whose
//! best action is known: the share of decisions followed by chance, the number of outcomes of a chance node,
//! the depth at which something can be seen, and the budget.

use crate::judged::{Judged, Setup, judge};
use crate::text::{decimal, percent, points};
use crate::{Bench, Experiment, Failed, Finding, Outcome, Scale, Table, Verdict};
use astragal_core::Budget;
use astragal_plot::{Chart, Figure, Heat};
use astragal_stats::{Estimate, LEVEL, Running};

/// The experiment.
pub(crate) static DENSE: Experiment = Experiment {
    id: "mcms-dense",
    title: "Where sampling wins as trees grow densely stochastic",
    source: "Monte Carlo *-Minimax Search (Lanctot et al. 2013), sections 1 and 4, whose claim for densely stochastic games is made in four games there",
    takes: &[(Scale::Quick, 60), (Scale::Full, 3600)],
    run,
};

/// The shares of decisions followed by chance, and the numbers of outcomes of a chance node.
const SHARES: [f64; 3] = [0.25, 0.5, 1.0];
const OUTCOMES: [u32; 4] = [2, 4, 8, 16];

/// The branching factor of a decision.
const BRANCHES: f64 = 4.0;

/// The players, in the order of their names.
const PLAYERS: [&str; 4] = ["Star2", "star2SS", "MCTS", "DPW"];

/// What a search knows before the end of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Nothing, and values have wide bounds, so that mistakes add up along a short path: playouts are
    /// informative.
    Wide,
    /// Nothing, and values have close bounds, so that one mistake undoes all others: playouts say little.
    Close,
    /// The true value with noise drawn for each node.
    Noisy,
}

impl Kind {
    fn words(self) -> &'static str {
        match self {
            Self::Wide => "wide bounds, no evaluation",
            Self::Close => "close bounds, no evaluation",
            Self::Noisy => "noisy evaluation",
        }
    }

    fn file(self) -> &'static str {
        match self {
            Self::Wide => "wide",
            Self::Close => "close",
            Self::Noisy => "noisy",
        }
    }

    /// The spec of trees of this depth; for noisy trees, whose end no search reaches, the depth that the
    /// search is tuned for.
    fn spec(self, depth: u32, share: f64, outcomes: u32) -> String {
        let chance = format!("chance={share},outcomes={outcomes}");
        let blind = depth - 1;
        match self {
            Self::Wide => format!("bpv(depth={depth},lag={blind},bias=0.5,{chance},spread=4)"),
            Self::Close => format!("bpv(vmax=2,depth={depth},lag={blind},bias=0.5,{chance})"),
            Self::Noisy => format!("bpv(sigma=4,{chance},spread=4)"),
        }
    }

    /// The players.
    fn players(self, depth: u32, nodes: u64) -> [String; 4] {
        let width = width(depth, nodes);
        // With an evaluation, tree searches evaluate leaves directly; otherwise they play to the end.
        let playout = if self == Self::Noisy { "0" } else { "100" };
        [
            "star2(horizon=off)".into(),
            format!("star2ss(width={width},horizon=off)"),
            format!("mcts(c=1,dr={playout})"),
            format!("dpw(c=1,dr={playout})"),
        ]
    }
}

/// The largest number of samples per chance node with which a search to this depth fits the budget.
fn width(depth: u32, nodes: u64) -> u64 {
    (libm::pow(nodes as f64, 1.0 / f64::from(depth)) / BRANCHES).floor().max(1.0) as u64
}

/// A map for one kind of tree and one budget, over shares and outcomes.
struct Map {
    kind: Kind,
    depth: u32,
    nodes: u64,
}

impl Map {
    fn setups(&self) -> Vec<Setup> {
        let cell = |share: f64, outcomes: u32| {
            let spec = self.kind.spec(self.depth, share, outcomes);
            self.kind
                .players(self.depth, self.nodes)
                .map(|player| Setup::within(&spec, player, Budget::nodes(self.nodes)))
        };
        SHARES
            .iter()
            .flat_map(|share| OUTCOMES.iter().flat_map(move |outcomes| cell(*share, *outcomes)))
            .collect()
    }

    fn width(&self) -> u64 {
        width(self.depth, self.nodes)
    }

    fn name(&self) -> String {
        match self.kind {
            Kind::Noisy => format!("{} nodes", self.nodes),
            _ => format!("depth {}, {} nodes", self.depth, self.nodes),
        }
    }
}

/// The players of each cell of a map, row by row.
struct Found<'j>(&'j [Judged]);

impl Found<'_> {
    fn cell(&self, share: usize, outcomes: usize) -> &[Judged] {
        &self.0[PLAYERS.len() * (share * OUTCOMES.len() + outcomes)..][..PLAYERS.len()]
    }

    /// The lead of one player over another in a cell.
    fn lead(&self, player: usize, over: usize, share: usize, outcomes: usize) -> Estimate {
        let cell = self.cell(share, outcomes);
        cell[player].ahead(&cell[over])
    }

    fn sparsest(&self, player: usize, over: usize) -> Estimate {
        self.lead(player, over, 0, 0)
    }

    fn densest(&self, player: usize, over: usize) -> Estimate {
        self.lead(player, over, SHARES.len() - 1, OUTCOMES.len() - 1)
    }

    /// How much greater the lead is in the densest trees than in the sparsest ones of the same seeds.
    fn gain(&self, player: usize, over: usize) -> Estimate {
        let leads = |cell: &[Judged]| -> Vec<f64> {
            let right = |judged: &Judged, at: usize| f64::from(u8::from(judged.0[at].right));
            (0..cell[0].0.len()).map(|at| right(&cell[player], at) - right(&cell[over], at)).collect()
        };
        let dense = leads(self.cell(SHARES.len() - 1, OUTCOMES.len() - 1));
        let gains = dense.into_iter().zip(leads(self.cell(0, 0))).map(|(dense, sparse)| dense - sparse);
        gains.collect::<Running>().estimate(LEVEL)
    }

    /// The lead of one player over another in every cell.
    fn heat(&self, player: usize, over: usize) -> Chart {
        let lead = |share: usize, outcomes: usize| 100.0 * self.lead(player, over, share, outcomes).mean;
        let grid: Vec<Vec<f64>> = (0..SHARES.len())
            .map(|share| (0..OUTCOMES.len()).map(|outcomes| lead(share, outcomes)).collect())
            .collect();
        let text = |lead: &f64| format!("{}{}", if *lead >= 0.5 { "+" } else { "" }, decimal(*lead, 0));
        Chart::Heat(Heat {
            across: ("outcomes".into(), OUTCOMES.map(|outcomes| outcomes.to_string()).into()),
            down: ("chance".into(), SHARES.map(|share| share.to_string()).into()),
            texts: grid.iter().map(|row| row.iter().map(text).collect()).collect(),
            cells: grid,
            scale: (-60.0, 0.0, 60.0),
        })
    }
}

/// The paper's claims, about a sampling player and its classic counterpart.
fn claims(map: &Map, found: &Found<'_>) -> Vec<Finding> {
    let (sampled, whole) = (1, 0);
    let (sparse, dense) = (found.sparsest(sampled, whole), found.densest(sampled, whole));
    let gain = found.gain(sampled, whole);
    let place = format!("{}; {}", map.kind.words(), map.name());
    let finding = |claim: String, by: &Estimate, note: String| Finding {
        claim,
        published: "MCMS is well suited for densely stochastic games, and ahead of its classic counterpart"
            .into(),
        measured: format!("{} points", points(by)),
        verdict: Verdict::above(by.interval(), 0.0),
        rule: "agrees if the interval lies above 0, differs if below".into(),
        note,
    };
    let engines = map.kind.players(map.depth, map.nodes);
    let densest = found.cell(SHARES.len() - 1, OUTCOMES.len() - 1);
    let shares: Vec<String> = PLAYERS
        .iter()
        .zip(densest)
        .map(|(name, judged)| format!("{name} {}", percent(&judged.share())))
        .collect();
    vec![
        finding(
            format!(
                "{place}: {} gains on {} from the sparsest trees to the densest",
                engines[sampled], engines[whole]
            ),
            &gain,
            format!("its lead goes from {} to {}", points(&sparse), points(&dense)),
        ),
        finding(
            format!(
                "{place}: {} is right more often than {} in the densest trees",
                engines[sampled], engines[whole]
            ),
            &dense,
            shares.join(", "),
        ),
    ]
}

/// Which player is right most often, over all cells of the maps of a kind.
fn winners(kind: Kind, maps: &[(&Map, Found<'_>)]) -> Finding {
    let (mut best, mut alone) = ([0_usize; PLAYERS.len()], [0_usize; PLAYERS.len()]);
    let (mut cells, mut ahead, mut behind) = (0, 0, 0);
    for (_, found) in maps {
        for cell in found.0.chunks(PLAYERS.len()) {
            let share = |player: usize| cell[player].share().mean;
            let top = (0..PLAYERS.len()).map(share).fold(0.0, f64::max);
            let tops = (0..PLAYERS.len()).filter(|player| share(*player) == top).count();
            for player in 0..PLAYERS.len() {
                let is_top = share(player) == top;
                best[player] += usize::from(is_top);
                alone[player] += usize::from(is_top && tops == 1);
            }
            cells += 1;
            let lead = cell[1].ahead(&cell[2]);
            ahead += usize::from(lead.lo > 0.0);
            behind += usize::from(lead.hi < 0.0);
        }
    }
    let counts = PLAYERS.iter().zip(best.iter().zip(alone));
    let words: Vec<String> = counts.map(|(name, (best, alone))| format!("{name} {best} ({alone})")).collect();
    Finding {
        claim: format!("{}: who is right most often", kind.words()),
        published: String::new(),
        measured: format!("of {cells} cells, with ties (and alone): {}", words.join(", ")),
        verdict: Verdict::New,
        rule: String::new(),
        note: format!("beyond its interval star2SS is ahead of MCTS in {ahead}, behind in {behind}"),
    }
}

/// The share of right decisions of each player in each cell.
fn table(maps: &[Map], judged: &[Judged]) -> Table {
    let mut table = Table::new(
        "accuracy",
        "Right decisions at the root in per cent, with 95 % intervals. The players of a row decide in the same trees.",
        &[
            "trees",
            "depth",
            "nodes",
            "chance",
            "outcomes",
            "width of star2SS",
            "Star2",
            "star2SS",
            "MCTS",
            "DPW",
        ],
    );
    let mut cells = judged.chunks(PLAYERS.len());
    for map in maps {
        let depth = if map.kind == Kind::Noisy { 100 } else { map.depth };
        for share in SHARES {
            for (outcomes, cell) in OUTCOMES.into_iter().zip(&mut cells) {
                let place =
                    [depth.to_string(), map.nodes.to_string(), share.to_string(), outcomes.to_string()];
                let shares = cell.iter().map(|judged| points(&judged.share()));
                let words = [map.kind.words().to_string()].into_iter().chain(place);
                table.rows.push(words.chain([map.width().to_string()]).chain(shares).collect());
            }
        }
    }
    table
}

fn run(bench: &mut Bench<'_>) -> Result<Outcome, Failed> {
    let trees: u64 = bench.scale.pick(200, 2000);
    let budgets: &[u64] = bench.scale.pick(&[1000, 10_000], &[1000, 10_000, 100_000]);
    let depths: &[u32] = bench.scale.pick(&[2, 3, 4, 6], &[2, 3, 4, 6, 8]);
    let mut maps = Vec::new();
    for kind in [Kind::Wide, Kind::Close, Kind::Noisy] {
        for &depth in if kind == Kind::Noisy { &[3] } else { depths } {
            maps.extend(budgets.iter().map(|&nodes| Map { kind, depth, nodes }));
        }
    }
    let setups: Vec<Setup> = maps.iter().flat_map(Map::setups).collect();
    let judged = judge(&setups, trees, bench)?;
    let size = SHARES.len() * OUTCOMES.len() * PLAYERS.len();
    let of = |kind: Kind| -> Vec<(&Map, Found<'_>)> {
        let all = maps.iter().zip(judged.chunks(size).map(Found));
        all.filter(|(map, _)| map.kind == kind).collect()
    };
    let (mut findings, mut figures) = (Vec::new(), Vec::new());
    for kind in [Kind::Wide, Kind::Close, Kind::Noisy] {
        let found = of(kind);
        for (map, found) in &found {
            // In shallow trees all searches see everything.
            if map.depth > 2 {
                findings.extend(claims(map, found));
            }
        }
        findings.push(winners(kind, &found));
        for (player, over) in [(1, 0), (2, 0), (3, 2), (1, 2)] {
            let mut figure =
                Figure::new(format!("{} against {}: {}", PLAYERS[player], PLAYERS[over], kind.words()));
            figure.subtitle = format!(
                "How many percentage points of decisions more {} has right; orange: it is ahead",
                PLAYERS[player]
            );
            figure.columns = budgets.len();
            figure.width = 380.0 * budgets.len() as f64;
            for (map, found) in &found {
                figure = figure.panel(map.name(), found.heat(player, over));
            }
            let name = format!(
                "{}-{}-{}",
                kind.file(),
                PLAYERS[player].to_lowercase(),
                PLAYERS[over].to_lowercase()
            );
            figures.push((name, String::new(), figure));
        }
    }
    Ok(Outcome {
        summary: format!(
            "Star2, star2SS, MCTS and DPW decide at the root of {trees} trees of each kind, all with the same number of nodes. Trees have four branches and a known best action; chance follows a share of the decisions, with 2 to 16 equally likely outcomes. Of three kinds: values from −9 to 10, which chance moves by up to 4, and an evaluation that sees nothing before the last decision, so that in such short trees a playout tells much; the same with values from −1 to 2, which chance moves by up to 1, where one mistake undoes all others and a playout tells little; and long trees in which the evaluation is the true value with noise (σ = 4) of its own for each node. In the first two a search must reach the end: star2SS samples as many outcomes as fit into the budget down to there, MCTS and DPW (c = 1) play to the end. In the last, star2SS has a width for three decisions, and MCTS and DPW ask the evaluation at once."
        ),
        findings,
        tables: vec![table(&maps, &judged)],
        figures,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use astragal_arena::accuracy::Decided;

    /// An engine with this percentage of right decisions.
    fn judged(right: usize) -> Judged {
        Judged((0..100).map(|at| Decided { right: at < right, value: 0.0, nodes: 1 }).collect())
    }

    /// A map in which star2SS is right in this many of a hundred sparse and dense trees, and Star2 in 50.
    fn map(sparse: usize, dense: usize) -> Vec<Judged> {
        let cells = SHARES.len() * OUTCOMES.len();
        (0..cells)
            .flat_map(|cell| {
                let sampled = if cell == 0 { sparse } else { dense };
                [50, sampled, 60, 40].map(judged)
            })
            .collect()
    }

    #[test]
    fn verdicts_can_come_out_each_way() {
        let place = Map { kind: Kind::Wide, depth: 3, nodes: 1000 };
        let verdicts = |sparse: usize, dense: usize| -> Vec<Verdict> {
            let judged = map(sparse, dense);
            claims(&place, &Found(&judged)).into_iter().map(|finding| finding.verdict).collect()
        };
        assert_eq!(verdicts(30, 80), [Verdict::Agrees, Verdict::Agrees]);
        assert_eq!(verdicts(80, 30), [Verdict::Differs, Verdict::Differs]);
        assert_eq!(verdicts(55, 57), [Verdict::Open, Verdict::Agrees]);
        let judged = map(30, 80);
        let finding = winners(Kind::Wide, &[(&place, Found(&judged))]);
        assert!(
            finding.measured.contains("star2SS 11 (11)") && finding.measured.contains("MCTS 1 (1)"),
            "{}",
            finding.measured
        );
        assert!(finding.note.ends_with("in 11, behind in 1"), "{}", finding.note);
    }

    #[test]
    fn samples_fit_into_the_budget() {
        assert_eq!(Kind::Wide.players(3, 1000)[1], "star2ss(width=2,horizon=off)");
        assert_eq!(Kind::Wide.players(6, 10_000)[1], "star2ss(width=1,horizon=off)");
        assert_eq!(Kind::Noisy.players(3, 10_000)[1], "star2ss(width=5,horizon=off)");
        for setup in (Map { kind: Kind::Close, depth: 2, nodes: 1000 }).setups() {
            assert!(astragal_catalog::game(&setup.game).unwrap().engine(&setup.engine).is_ok());
        }
    }
}
