//! The alpha-beta engines by name, and their parameters.

use super::AlphaBeta;
use super::options::{AlphaBetaOptions, LeafValue};
use crate::configured::{Configured, Parts, no_memory};
use crate::listing::{ALL_LINES, DEPTH, EVAL, ORDER};
use crate::mcts::listing::DR;
use crate::options::DEEPEST;
use astragal_core::{EngineInfo, Evaluator, Game, Kind, Limit, Param, Searcher, Values, Variant};

const PLAIN: Param = Param::new(
    "plain",
    Kind::Flag,
    "off",
    "plain alpha-beta (the thesis's MM-k): ignores all settings but eval, depth, leaf, dr, order and all_lines",
);
const LEAF: Param = Param::new(
    "leaf",
    Kind::Variant(&[
        Variant::plain("eval"),
        Variant { name: "playouts", number: Some(("n", 1.0, 1_000_000.0, 1.0)), whole: true },
    ]),
    "eval",
    "leaf values: the evaluator, or the mean of n random playouts (the thesis's MM-k-nR)",
);
/// As in Monte Carlo tree search, but to the end of the game by default.
const PLAYOUT_MOVES: Param = Param { default: Some("inf"), unless: &[], ..DR };
const DEEPENING: Param = Param::new(
    "deepening",
    Kind::Flag,
    "on",
    "iterative deepening; off searches only the target depth, if there is one",
);
const STEP: Param = Param::new(
    "step",
    Kind::Int(1, 10),
    "1",
    "depth increment of iterative deepening; 2 often reaches a given depth sooner",
);
const TO_THE_END: Param = Param::new(
    "to_the_end",
    Kind::Flag,
    "off",
    "whether, after a first shallow search, lines are searched to the end of the game, for the value under perfect play",
);
const TABLE_MIB: Param =
    Param::new("table_mib", Kind::Int(0, 16_384), "16", "size of the transposition table in MiB; 0 for none");
const KILLERS: Param = Param::new(
    "killers",
    Kind::Flag,
    "on",
    "killer moves: whether actions that caused cutoffs at the same ply are tried early",
);
const HISTORY: Param = Param::new(
    "history",
    Kind::Flag,
    "on",
    "history heuristic: whether actions that often caused cutoffs are tried early",
);
const SCOUT: Param = Param::new(
    "scout",
    Kind::Flag,
    "on",
    "principal variation search: null windows for all actions but the first",
);
const ASPIRATION: Param = Param::new(
    "aspiration",
    Kind::Real(0.0, 1e6),
    "0",
    "half-width of the aspiration window around the previous depth's value, in units of the payoff; 0 for none",
);
const QUIESCENCE: Param = Param::new(
    "quiescence",
    Kind::Int(0, 100),
    "0",
    "quiescence search: maximum length of a line of forcing actions, such as captures, below a leaf",
);
const NULL_MOVE: Param = Param::new(
    "null_move",
    Kind::Int(0, 10),
    "0",
    "null-move pruning: how much shallower the search after a pass is than after an action; 0 is off",
);
const FUTILITY: Param = Param::new(
    "futility",
    Kind::Real(0.0, 1e6),
    "0",
    "futility margin at the last ply, in units of the payoff; 0 for no futility pruning",
);
const REDUCE_AFTER: Param = Param::new(
    "reduce_after",
    Kind::Int(0, 1000),
    "0",
    "late-move reductions: actions searched to full depth before quiet ones are reduced; 0 for no reductions",
);
const EXTEND: Param = Param::new(
    "extend",
    Kind::Flag,
    "off",
    "check extensions: whether the reply to a threat, such as a check, is searched one ply deeper",
);
const THREADS: Param = Param::new(
    "threads",
    Kind::Int(1, 256),
    "1",
    "threads that share the table; with more than one, results are not repeatable",
);

const ENGINES: &[EngineInfo] = &[EngineInfo {
    name: "alpha-beta",
    help: "alpha-beta pruning with iterative deepening and the usual refinements",
    source: "Understanding Sampling-Based Adversarial Search (Ramanujan 2012), sections 2.2 and 2.3",
    chance: false,
    budgets: Limit::DEEPENING,
    params: &[
        EVAL,
        DEPTH,
        PLAIN,
        LEAF,
        PLAYOUT_MOVES,
        DEEPENING,
        STEP,
        TO_THE_END,
        TABLE_MIB,
        ORDER,
        KILLERS,
        HISTORY,
        SCOUT,
        ASPIRATION,
        QUIESCENCE,
        NULL_MOVE,
        FUTILITY,
        REDUCE_AFTER,
        EXTEND,
        ALL_LINES,
        THREADS,
    ],
    ..EngineInfo::BLANK
}];

impl AlphaBetaOptions {
    /// Reads the options from the parameters of an engine.
    fn read(values: &Values) -> Self {
        let (leaf, playouts) = values.variant(LEAF);
        let given = Self {
            depth: values.int(DEPTH),
            leaf: match leaf.as_str() {
                "eval" => LeafValue::Evaluator,
                "playouts" => LeafValue::Playouts(playouts as u32),
                other => unreachable!("leaf={other} was checked"),
            },
            playout_moves: values.count(PLAYOUT_MOVES),
            deepening: values.flag(DEEPENING),
            step: values.int(STEP),
            to_the_end: values.flag(TO_THE_END),
            table_mib: values.int(TABLE_MIB),
            order: values.flag(ORDER),
            killers: values.flag(KILLERS),
            history: values.flag(HISTORY),
            scout: values.flag(SCOUT),
            aspiration: values.real(ASPIRATION),
            all_lines: values.flag(ALL_LINES),
            threads: values.int(THREADS),
            quiescence: values.int(QUIESCENCE),
            null_move: values.int(NULL_MOVE),
            futility: values.real(FUTILITY),
            reduce_after: values.int(REDUCE_AFTER),
            extend: values.flag(EXTEND),
        };
        if values.flag(PLAIN) {
            let Self { depth, leaf, playout_moves, order, all_lines, .. } = given;
            return Self { depth, leaf, playout_moves, order, all_lines, ..Self::plain() };
        }
        given
    }
}

impl Configured for AlphaBetaOptions {
    const ENGINES: &'static [EngineInfo] = ENGINES;

    fn wrong(values: &Values) -> Option<String> {
        let options = Self::read(values);
        let unaffordable = || (!options.affordable()).then(|| no_memory(options.table_mib));
        options.contradiction().map(str::to_owned).or_else(unaffordable)
    }

    fn is_endless(values: &Values) -> bool {
        Self::read(values).depth == DEEPEST
    }

    fn build<G: Game + 'static, E: Evaluator<G> + 'static>(
        values: &Values,
        parts: Parts<G, E>,
    ) -> Box<dyn Searcher<G>> {
        Box::new(AlphaBeta::new(parts.erased().evaluator, Self::read(values)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use astragal_core::{Known, Spec};

    fn read(text: &str) -> AlphaBetaOptions {
        let known = Known { evaluators: vec!["even"], ..Known::default() };
        let values = Values::resolve(&Spec::parse(text).unwrap(), ENGINES[0].params, &known).unwrap();
        AlphaBetaOptions::read(&values)
    }

    #[test]
    fn the_default_is_exact_and_plain_is_plain() {
        assert_eq!(read("alpha-beta"), AlphaBetaOptions::exact());
        assert!(read("alpha-beta").is_exact());
        let plain = AlphaBetaOptions { depth: 8, order: true, ..AlphaBetaOptions::plain() };
        assert_eq!(read("alpha-beta(depth=8,plain=on)"), plain);
        assert!(plain.is_plain() && read("alpha-beta(plain=on,null_move=2,quiescence=5)").is_exact());
    }

    #[test]
    fn every_setting_is_read() {
        let exact = AlphaBetaOptions::exact();
        for (text, wanted) in [
            ("leaf=playouts(n=3)", AlphaBetaOptions { leaf: LeafValue::Playouts(3), ..exact }),
            ("deepening=off", AlphaBetaOptions { deepening: false, ..exact }),
            ("step=2", AlphaBetaOptions { step: 2, ..exact }),
            ("table_mib=0", AlphaBetaOptions { table_mib: 0, ..exact }),
            ("order=off", AlphaBetaOptions { order: false, ..exact }),
            ("killers=off", AlphaBetaOptions { killers: false, ..exact }),
            ("history=off", AlphaBetaOptions { history: false, ..exact }),
            ("scout=off", AlphaBetaOptions { scout: false, ..exact }),
            ("aspiration=2.5", AlphaBetaOptions { aspiration: 2.5, ..exact }),
            ("quiescence=6", AlphaBetaOptions { quiescence: 6, ..exact }),
            ("null_move=2", AlphaBetaOptions { null_move: 2, ..exact }),
            ("futility=3", AlphaBetaOptions { futility: 3.0, ..exact }),
            ("reduce_after=4", AlphaBetaOptions { reduce_after: 4, ..exact }),
            ("extend=on", AlphaBetaOptions { extend: true, ..exact }),
            ("all_lines=on", AlphaBetaOptions { all_lines: true, ..exact }),
            ("threads=2", AlphaBetaOptions { threads: 2, ..exact }),
        ] {
            assert_eq!(read(&format!("alpha-beta({text})")), wanted, "{text}");
            assert_ne!(wanted, exact, "{text}");
        }
    }
}
