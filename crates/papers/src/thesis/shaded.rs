//! Figures 5.16 and 5.17 (section 5.3.4): complete trees below boards of Kalah on which UCT blunders, shaded
//! by the heuristic's verdict on each node and by the true one.

use super::kalah::{BEST_C, USUAL, mm};
use crate::bench::{Batch, check};
use crate::text::{decimal, percent};
use crate::{Bench, Experiment, Failed, Finding, Outcome, Scale, Table, Verdict};
use astragal_core::{Budget, Evaluator, Game, Notation, Sampler, Searcher, Turn, Watch, below, unit};
use astragal_games::kalah::{Kalah, Pit, State, Stores};
use astragal_plot::{Chart, Figure, Tree};
use astragal_search::{AlphaBeta, AlphaBetaOptions};
use astragal_stats::{Estimate, LEVEL, Running};
use serde::{Deserialize, Serialize};

/// The experiment.
pub(crate) static SHADED: Experiment = Experiment {
    id: "thesis-fig5.16",
    title: "Boards of Kalah on which UCT blunders: what the heuristic says and what is true (Figures 5.16, 5.17)",
    source: "Understanding Sampling-Based Adversarial Search (Ramanujan 2012), section 5.3.4, Figures 5.16 and 5.17",
    takes: &[(Scale::Quick, 30), (Scale::Full, 600)],
    run,
};

/// Games are played until few enough stones are in play for the rest to be solved.
const STONES: u32 = 24;
/// The depth of Minimax in the games, and of the Minimax search that sets UCT's simulations.
const GAME_DEPTH: u32 = 4;
const PACE_DEPTH: u32 = 8;
/// The share of random moves in the games.
const RANDOM: f64 = 1.0 / 3.0;
/// Trees with a number of nodes in this range are drawn.
const DRAWN: std::ops::RangeInclusive<usize> = 500..=6000;
/// The number of trees in the figure.
const PICTURES: usize = 2;

/// Values under perfect play.
struct Truth<'a> {
    game: &'a Kalah,
    search: AlphaBeta<Stores>,
}

impl<'a> Truth<'a> {
    fn new(game: &'a Kalah) -> Self {
        let options = AlphaBetaOptions { to_the_end: true, table_mib: 64, ..AlphaBetaOptions::exact() };
        Self { game, search: AlphaBeta::new(Stores, options) }
    }

    fn value(&mut self, state: &State, watch: &mut dyn Watch) -> f64 {
        match self.game.turn(state) {
            Turn::Over(payoff) => payoff,
            _ => self.search.search_with(self.game, state, 0, &Budget::default(), watch).value,
        }
    }
}

fn successors(game: &Kalah, state: &State) -> Vec<(Pit, State)> {
    let mut actions = Vec::new();
    if let Turn::Decide(_) = game.turn(state) {
        game.actions(state, &mut actions);
    }
    let after = |action: Pit| {
        let mut child = *state;
        game.apply(&mut child, action);
        (action, child)
    };
    actions.into_iter().map(after).collect()
}

/// Plays a game between fallible players until few stones are left. Returns the board, or `None` if the game
/// ended first.
fn board(game: &Kalah, seed: u64, watch: &mut dyn Watch) -> Option<State> {
    let sampler = Sampler::new(seed);
    let mut state = game.deal(sampler.draw(0, 0, 0))?;
    let mut minimax =
        AlphaBeta::new(Stores, AlphaBetaOptions { depth: GAME_DEPTH, ..AlphaBetaOptions::plain() });
    for ply in 1.. {
        if !matches!(game.turn(&state), Turn::Decide(_)) {
            return None;
        }
        if state.in_play() <= STONES {
            return Some(state);
        }
        let moves = successors(game, &state);
        state = if unit(sampler.draw(ply, 0, 0)) < RANDOM {
            moves[below(sampler.draw(ply, 1, 0), moves.len() as u64) as usize].1
        } else {
            let best = minimax.search_with(game, &state, 0, &Budget::default(), watch).best?;
            moves.iter().find(|(action, _)| *action == best)?.1
        };
    }
    None
}

/// Who is ahead: 0 for Max, 1 for Min, 2 for neither.
fn kind(value: f64) -> u8 {
    match value {
        value if value > 0.0 => 0,
        value if value < 0.0 => 1,
        _ => 2,
    }
}

/// A complete tree: the parent of each node, the heuristic's verdict, and the true one.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
struct Shaded {
    parents: Vec<u32>,
    seems: Vec<u8>,
    is: Vec<u8>,
}

impl Shaded {
    /// Adds a node and everything below it, and returns its true value.
    fn grow(
        &mut self,
        truth: &mut Truth<'_>,
        state: &State,
        parent: u32,
        plies: u32,
        watch: &mut dyn Watch,
    ) -> f64 {
        let node = self.parents.len();
        self.parents.push(parent);
        let (player, seen) = match truth.game.turn(state) {
            Turn::Decide(player) if plies > 0 => (Some(player), Stores.value(truth.game, state)),
            Turn::Over(payoff) => (None, payoff),
            _ => (None, Stores.value(truth.game, state)),
        };
        self.seems.push(kind(seen));
        self.is.push(0);
        let value = match player {
            None => truth.value(state, watch),
            Some(player) => {
                let values = successors(truth.game, state).into_iter().map(|(_, child)| {
                    player.sign() * self.grow(truth, &child, node as u32, plies - 1, watch)
                });
                player.sign() * values.fold(f64::NEG_INFINITY, f64::max)
            }
        };
        self.is[node] = kind(value);
        value
    }

    fn is_wrong(&self, node: usize) -> bool {
        self.seems[node] != self.is[node]
    }

    /// The share of nodes that the heuristic classifies correctly.
    fn right(&self) -> f64 {
        let right = (0..self.parents.len()).filter(|node| !self.is_wrong(*node)).count();
        right as f64 / self.parents.len() as f64
    }

    /// How much more often the heuristic is wrong at children of misjudged nodes than at those of others;
    /// `None` if either group is empty.
    fn lag(&self) -> Option<f64> {
        let (mut wrong, mut all) = ([0.0; 2], [0.0; 2]);
        for (node, &parent) in self.parents.iter().enumerate().skip(1) {
            let group = usize::from(self.is_wrong(parent as usize));
            all[group] += 1.0;
            wrong[group] += f64::from(u8::from(self.is_wrong(node)));
        }
        (all[0] > 0.0 && all[1] > 0.0).then(|| wrong[1] / all[1] - wrong[0] / all[0])
    }
}

/// A board on which UCT chooses a losing move although another move does not lose.
#[derive(Clone, Debug, Deserialize, Serialize)]
struct Blunder {
    position: String,
    action: String,
    right: f64,
    lag: Option<f64>,
    nodes: usize,
    /// The tree itself, if its size permits drawing.
    tree: Option<Shaded>,
}

/// The result for one board.
#[derive(Clone, Debug, Deserialize, Serialize)]
enum Seen {
    /// The game was over before there was a board.
    Nothing,
    /// Every move loses, or none does.
    Safe,
    /// Some moves lose, and UCT chose another.
    Right,
    /// UCT chose one of them.
    Wrong(Box<Blunder>),
}

fn look(game: &Kalah, seed: u64, plies: u32, watch: &mut dyn Watch) -> Seen {
    let Some(root) = board(game, seed, watch) else { return Seen::Nothing };
    let Turn::Decide(player) = game.turn(&root) else { return Seen::Nothing };
    let mut truth = Truth::new(game);
    let loses: Vec<(Pit, bool)> = successors(game, &root)
        .into_iter()
        .map(|(action, child)| (action, player.sign() * truth.value(&child, watch) < 0.0))
        .collect();
    if loses.iter().all(|(_, loses)| *loses) || loses.iter().all(|(_, loses)| !*loses) {
        return Seen::Safe;
    }
    let mut pace =
        AlphaBeta::new(Stores, AlphaBetaOptions { depth: PACE_DEPTH, ..AlphaBetaOptions::plain() });
    let simulations = pace.search_with(game, &root, 0, &Budget::default(), watch).counts.nodes;
    let mut uct = USUAL.uct_h_search(BEST_C);
    let best = uct.search_with(game, &root, seed, &Budget::iterations(simulations), watch).best;
    let Some((action, _)) = loses.into_iter().find(|(action, loses)| *loses && Some(*action) == best) else {
        return Seen::Right;
    };
    let mut shaded = Shaded::default();
    shaded.grow(&mut truth, &root, 0, plies, watch);
    let (right, lag, nodes) = (shaded.right(), shaded.lag(), shaded.parents.len());
    Seen::Wrong(Box::new(Blunder {
        position: game.write_state(&root),
        action: game.write_action(&root, action),
        right,
        lag,
        nodes,
        tree: DRAWN.contains(&nodes).then_some(shaded),
    }))
}

fn findings(blunders: &[&Blunder]) -> Vec<Finding> {
    let over =
        |values: &mut dyn Iterator<Item = f64>| -> Estimate { values.collect::<Running>().estimate(LEVEL) };
    let right = over(&mut blunders.iter().map(|board| board.right));
    let lag = over(&mut blunders.iter().filter_map(|board| board.lag));
    vec![
        Finding {
            claim: "The heuristic often does not see who wins".into(),
            published: "its classification accuracy is quite low".into(),
            measured: format!("{} of the nodes are called what they are", percent(&right)),
            verdict: Verdict::below(right.interval(), 2.0 / 3.0),
            rule: "agrees if the interval of the mean over boards lies below two thirds, differs if above".into(),
            note: "wins of Max, wins of Min and draws".into(),
        },
        Finding {
            claim: "Errors persist down the tree (dispersion lag)".into(),
            published: "near-uniform parts of the tree that are wrong".into(),
            measured: format!(
                "below a node of which it is wrong, the heuristic is wrong more often by {} points",
                crate::text::points(&lag)
            ),
            verdict: Verdict::above(lag.interval(), 0.0),
            rule: "agrees if the interval of the mean over boards lies above 0, as it would not if errors were independent; differs if below".into(),
            note: "than below other nodes of the same tree".into(),
        },
    ]
}

fn run(bench: &mut Bench<'_>) -> Result<Outcome, Failed> {
    let (boards, plies) = bench.scale.pick((400, 6), (4000, 8));
    let game = Kalah::new(USUAL.pits as u8, USUAL.stones as u8).expect("there is such a board");
    let seed = bench.seed;
    let batch = Batch { experiment: SHADED.id, part: "boards", count: boards };
    let seen: Vec<Seen> = bench.each(batch, "boards", |number, watch| {
        let found = look(&game, Sampler::new(seed).draw(number as u64, 0, 0), plies, watch);
        check(watch)?;
        Ok(found)
    })?;
    let blunders: Vec<&Blunder> = seen
        .iter()
        .filter_map(|seen| if let Seen::Wrong(blunder) = seen { Some(&**blunder) } else { None })
        .collect();
    let risky = blunders.len() + seen.iter().filter(|seen| matches!(seen, Seen::Right)).count();
    if blunders.len() < 2 {
        return Err(Failed::Message(format!(
            "UCT blunders on {} of {boards} boards: too few",
            blunders.len()
        )));
    }
    let mut table = Table::new(
        "boards",
        "Boards on which UCT loses though it need not: its move, the nodes of the tree, the share of nodes that the heuristic calls what they are in per cent, and how much more often it is wrong below a node of which it is wrong, in points.",
        &["board", "move", "nodes", "right %", "lag"],
    );
    for board in &blunders {
        let lag = board.lag.map_or_else(String::new, |lag| decimal(100.0 * lag, 1));
        let (right, nodes) = (decimal(100.0 * board.right, 1), board.nodes.to_string());
        table.rows.push(vec![board.position.clone(), board.action.clone(), nodes, right, lag]);
    }
    let kinds = ["won by Max", "won by Min", "drawn"].map(String::from);
    let mut figure = Figure::new("What the heuristic says of a tree, and what is true");
    figure.subtitle = format!("All {plies} half-moves below boards on which UCT blunders");
    figure.columns = 2;
    for board in blunders.iter().filter(|board| board.tree.is_some()).take(PICTURES) {
        let Some(tree) = &board.tree else { continue };
        for (name, kind) in [("the heuristic", &tree.seems), ("the truth", &tree.is)] {
            let tree = Tree {
                parents: tree.parents.clone(),
                rings: Vec::new(),
                kinds: kinds.to_vec(),
                kind: kind.clone(),
            };
            figure = figure.panel(format!("{name}: {}", board.position), Chart::Tree(tree));
        }
    }
    Ok(Outcome {
        summary: format!(
            "Games of Kalah{} from random starts, a third of whose moves are random and the others of {}, until at most {STONES} stones are in play: {boards} games. From there everything is worked out. On {risky} boards some moves lose and others do not; UCT_H (c = {BEST_C} stones, as many simulations as MM-{PACE_DEPTH} visits nodes) chooses a move that loses on {}. The trees below these, complete to {plies} half-moves{}, are shaded by the sign of the heuristic, which counts the stones won so far, and by the true result.",
            USUAL.name(),
            mm(GAME_DEPTH),
            blunders.len(),
            if plies == 8 { "" } else { " (the thesis: 8)" }
        ),
        findings: findings(&blunders),
        tables: vec![table],
        figures: vec![(
            "figure5.16".into(),
            "Left: by the stones won so far. Right: by perfect play. The root is in the middle.".into(),
            figure,
        )],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use astragal_core::Unwatched;

    #[test]
    fn a_complete_tree_has_the_true_values_of_its_nodes() {
        let game = Kalah::new(3, 2).unwrap();
        for seed in 0..5 {
            let root = game.deal(seed).unwrap();
            let mut truth = Truth::new(&game);
            // The same value at every depth, equal to that of the whole tree.
            let known = truth.value(&root, &mut Unwatched);
            for plies in [0, 2, 4, 40] {
                let mut shaded = Shaded::default();
                assert_eq!(shaded.grow(&mut truth, &root, 0, plies, &mut Unwatched), known);
                assert_eq!(shaded.is[0], kind(known));
                // Leaves where the game has ended have their true value.
                let inner = |node: u32| shaded.parents[1..].contains(&node);
                let ends = (0..shaded.parents.len() as u32).filter(|node| !inner(*node));
                assert!(plies < 40 || ends.into_iter().all(|node| !shaded.is_wrong(node as usize)));
            }
        }
    }

    #[test]
    fn lag_is_seen_where_it_is_and_nowhere_else() {
        // A correctly judged root with two children, each with four.
        let parents = vec![0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2];
        let tree = |wrong: &[usize]| Shaded {
            seems: (0..parents.len()).map(|node| u8::from(wrong.contains(&node))).collect(),
            is: vec![0; parents.len()],
            parents: parents.clone(),
        };
        let all = tree(&[1, 3, 4, 5, 6]);
        assert_eq!((all.right(), all.lag()), (6.0 / 11.0, Some(1.0 - 1.0 / 6.0)));
        let scattered = tree(&[1, 3, 7, 8, 9]);
        assert!(scattered.lag().unwrap() < 0.0);
        assert_eq!(tree(&[]).lag(), None);
        let board = |wrong: &[usize]| {
            let tree = tree(wrong);
            let (right, lag, nodes) = (tree.right(), tree.lag(), 11);
            Blunder { position: String::new(), action: String::new(), right, lag, nodes, tree: None }
        };
        let verdicts = |boards: &[Blunder]| -> Vec<Verdict> {
            findings(&boards.iter().collect::<Vec<_>>()).into_iter().map(|finding| finding.verdict).collect()
        };
        let lagging = [board(&[1, 3, 4, 5, 6]), board(&[2, 7, 8, 9, 10]), board(&[1, 3, 4, 5, 6])];
        assert_eq!(verdicts(&lagging), [Verdict::Agrees; 2]);
        let noisy = [board(&[1, 7]), board(&[2, 3]), board(&[1, 7])];
        assert_eq!(verdicts(&noisy), [Verdict::Differs; 2]);
    }
}
