//! The \*-Minimax engines by name, and their parameters.

use crate::configured::{Configured, Parts, no_memory};
use crate::{Algorithm, Chance, DEEPEST, Keys, Options, ProbCut, Scheme, StarMinimax, TableUse};
use astragal_core::{EngineInfo, Evaluator, Game, Kind, Limit, Param, Searcher, Values, Words, words};

words!(TableUse: "off" => Self::Off, "order" => Self::Order, "values" => Self::Values);
words!(Keys: "path" => Self::Path, "state" => Self::State, "siblings" => Self::Siblings);
words!(
    Scheme: "iid" => Self::Iid, "without" => Self::Without, "systematic" => Self::Systematic,
    "stratified" => Self::Stratified,
);

pub(crate) const EVAL: Param = Param::required(
    "eval",
    Kind::Evaluator,
    "the evaluator of unfinished states; `astragal games NAME` lists them, and noisy(eval=NAME,sigma=N) adds noise",
);
pub(crate) const DEPTH: Param = Param::new(
    "depth",
    Kind::Int(1, DEEPEST as u64),
    "1000",
    "maximum search depth, in decisions; a budget may lower it",
);
const MEMO: Param = Param::new(
    "table",
    Kind::Choice(&["off", "values"]),
    "off",
    "whether a transposition table stores values",
);
const TABLE: Param = Param::new(
    "table",
    TableUse::CHOICE,
    "values",
    "what the transposition table stores: the best action, or also bounds of the value",
);
const TABLE_SS: Param = Param {
    default: Some("order"),
    help: "what the transposition table stores; `values` needs keys=state",
    ..TABLE
};
const TABLE_MIB: Param =
    Param::new("table_mib", Kind::Int(1, 16_384), "16", "size of the transposition table in MiB");
const PRUNE_FROM: Param = Param::new(
    "prune_from",
    Kind::Int(0, DEEPEST as u64),
    "0",
    "minimum remaining depth for pruning; 0 means 3 (as in the paper) with horizon=off or a very cheap evaluator (lead, banked, even), and 1 otherwise",
);
pub(crate) const ORDER: Param =
    Param::new("order", Kind::Flag, "on", "whether promising actions are tried first");
const HORIZON: Param = Param::new(
    "horizon",
    Kind::Flag,
    "on",
    "whether bounds account for how far the remaining depth can move a value; off as in the paper",
);
pub(crate) const ALL_LINES: Param = Param::new(
    "all_lines",
    Kind::Flag,
    "off",
    "whether every root action gets an exact value instead of a bound",
);
const THREADS: Param = Param::new(
    "threads",
    Kind::Int(1, 256),
    "1",
    "threads that share results through table=values, in games with chance and without a node limit; at a given depth the report equals that of one thread, except for counts and times",
);
const PROBCUT: Param = Param::new(
    "probcut",
    Kind::Real(0.0, 100.0),
    "0",
    "forward pruning, which can err: cuts a chance node if a shallower search puts it this many standard errors outside its window (ChanceProbCut); the fit to the game is made beforehand, off the clock; 0 is off",
);
const PROBES: Param = Param::new(
    "probes",
    Kind::Int(0, 64),
    "1",
    "actions probed per successor, in rounds: 1 is Star2, more is Star2.5, 0 is Star1",
);
const WIDTH: Param = Param::new("width", Kind::Int(1, 1_000_000), "10", "outcomes drawn at a chance node");
const DECAY: Param = Param::new(
    "decay",
    Kind::Real(0.05, 1.0),
    "1",
    "factor by which the width shrinks per decision: d decisions below the root it is width * decay^d",
);
const SAMPLE: Param = Param::new(
    "sample",
    Scheme::CHOICE,
    "iid",
    "how outcomes are drawn: with replacement (the paper), without, evenly spaced, or one per stratum",
);
const KEYS: Param = Param::new(
    "keys",
    Keys::CHOICE,
    "path",
    "what a sample depends on: the path from the root (Theorem 1); the state, whose value can then be stored; or the path without its last action, so that all actions of a decision that lead directly to a throw see the same dice",
);
const ENUMERATE: Param = Param::new(
    "enumerate",
    Kind::Flag,
    "on",
    "whether nodes with at most `width` outcomes are enumerated exactly; the paper samples there too",
);

const ENGINES: &[EngineInfo] = &[
    EngineInfo {
        name: "expectimax",
        help: "the depth-limited value by its definition: every action, every outcome",
        source: "Monte Carlo *-Minimax Search (Lanctot et al. 2013), section 2.1",
        budgets: Limit::DEEPENING,
        params: &[EVAL, DEPTH, MEMO, TABLE_MIB, THREADS],
        ..EngineInfo::BLANK
    },
    EngineInfo {
        name: "star1",
        help: "Expectimax that cuts a chance node as soon as its bounds leave the window",
        source: "Monte Carlo *-Minimax Search (Lanctot et al. 2013), section 2.1, algorithm 1 (Ballard 1983)",
        budgets: Limit::DEEPENING,
        params: &[EVAL, DEPTH, PRUNE_FROM, TABLE, TABLE_MIB, ORDER, HORIZON, PROBCUT, ALL_LINES, THREADS],
        ..EngineInfo::BLANK
    },
    EngineInfo {
        name: "star2",
        help: "Star1 that first probes one action of each successor for a bound",
        source: "Monte Carlo *-Minimax Search (Lanctot et al. 2013), section 2.1, algorithm 2 (Ballard 1983)",
        budgets: Limit::DEEPENING,
        params: &[
            EVAL, DEPTH, PROBES, PRUNE_FROM, TABLE, TABLE_MIB, ORDER, HORIZON, PROBCUT, ALL_LINES, THREADS,
        ],
        ..EngineInfo::BLANK
    },
    EngineInfo {
        name: "expss",
        help: "Expectimax on a sample of the outcomes of each chance node",
        source: "Monte Carlo *-Minimax Search (Lanctot et al. 2013), section 3.1",
        budgets: Limit::DEEPENING,
        params: &[EVAL, WIDTH, DECAY, SAMPLE, KEYS, ENUMERATE, DEPTH, MEMO, TABLE_MIB, THREADS],
        ..EngineInfo::BLANK
    },
    EngineInfo {
        name: "star1ss",
        help: "Star1 on a sample of the outcomes of each chance node",
        source: "Monte Carlo *-Minimax Search (Lanctot et al. 2013), section 3.1",
        budgets: Limit::DEEPENING,
        params: &[
            EVAL, WIDTH, DECAY, SAMPLE, KEYS, ENUMERATE, DEPTH, PRUNE_FROM, TABLE_SS, TABLE_MIB, ORDER,
            HORIZON, ALL_LINES, THREADS,
        ],
        ..EngineInfo::BLANK
    },
    EngineInfo {
        name: "star2ss",
        help: "Star2 on a sample of the outcomes of each chance node",
        source: "Monte Carlo *-Minimax Search (Lanctot et al. 2013), section 3.1",
        budgets: Limit::DEEPENING,
        params: &[
            EVAL, WIDTH, DECAY, SAMPLE, KEYS, ENUMERATE, DEPTH, PROBES, PRUNE_FROM, TABLE_SS, TABLE_MIB,
            ORDER, HORIZON, ALL_LINES, THREADS,
        ],
        ..EngineInfo::BLANK
    },
    EngineInfo {
        name: "minimax",
        help: "the depth-limited value of a game without chance, by its definition",
        source: "Understanding Sampling-Based Adversarial Search (Ramanujan 2012), section 2.1",
        chance: false,
        budgets: Limit::DEEPENING,
        params: &[EVAL, DEPTH, MEMO, TABLE_MIB],
        ..EngineInfo::BLANK
    },
];

impl Options {
    /// Reads the options from the parameters of an engine of the family. An engine lacks the parameters that
    /// do not apply to it: only Star2 probes, and Expectimax does not use an order.
    fn read(values: &Values) -> Self {
        let algorithm = if values.has(PROBES) {
            Algorithm::Star2 { probes: values.int(PROBES) }
        } else if values.has(ORDER) {
            Algorithm::Star1
        } else {
            Algorithm::Expectimax
        };
        let chance = if values.has(WIDTH) {
            Chance::Sample {
                width: values.int(WIDTH),
                decay: values.real(DECAY),
                scheme: values.word(SAMPLE),
                keys: values.word(KEYS),
                enumerate: values.flag(ENUMERATE),
            }
        } else {
            Chance::Exact
        };
        Self {
            algorithm,
            chance,
            depth: values.int(DEPTH),
            prune_from: if values.has(PRUNE_FROM) { values.int(PRUNE_FROM) } else { 1 },
            table: values.word(TABLE),
            table_mib: values.int(TABLE_MIB),
            order: values.has(ORDER) && values.flag(ORDER),
            horizon: values.has(HORIZON) && values.flag(HORIZON),
            all_lines: values.has(ALL_LINES) && values.flag(ALL_LINES),
            threads: if values.has(THREADS) { values.int(THREADS) } else { 1 },
        }
    }
}

/// The margin of forward pruning in standard errors, if it is enabled.
fn probcut(values: &Values) -> Option<f64> {
    values.has(PROBCUT).then(|| values.real(PROBCUT)).filter(|t| *t > 0.0)
}

impl Configured for Options {
    const ENGINES: &'static [EngineInfo] = ENGINES;

    fn wrong(values: &Values) -> Option<String> {
        let options = Self::read(values);
        let cuts = || probcut(values).and_then(|_| ProbCut::contradiction(&options));
        let contradiction = options.contradiction().or_else(cuts).map(str::to_owned);
        contradiction.or_else(|| (!options.affordable()).then(|| no_memory(options.table_mib)))
    }

    fn is_endless(values: &Values) -> bool {
        Self::read(values).depth == DEEPEST
    }

    fn build<G: Game + 'static, E: Evaluator<G> + 'static>(
        values: &Values,
        parts: Parts<G, E>,
    ) -> Box<dyn Searcher<G>> {
        let search = StarMinimax::new(parts.evaluator, Self::read(values));
        Box::new(match probcut(values) {
            Some(t) => search.probcut(parts.cuts.allowing(t)),
            None => search,
        })
    }
}
