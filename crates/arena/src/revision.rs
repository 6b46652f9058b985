//! The revision of everything that results depend on: rules, dice, searches, scoring and luck.
//!
//! Results of two revisions must not be mixed, so the revision is part of every job in a store. It is a
//! signature of behaviour, like the one that chess programs print after a benchmark: a hash of a pair of
//! games of every engine in every game. A test recomputes it and fails when it differs, so a change of
//! results forces a new revision, and a change that preserves all results keeps all stores valid.

use crate::contest::{Contest, row};
use crate::terms::Terms;
use astragal_catalog::{EngineInfo, engines, game};
use astragal_core::{Budget, Clock, Limit};

/// The revision of this program: the [`signature`] of [`GAMES`], as a test verifies.
pub const REVISION: &str = "e7a200caa8396e42";

/// The games of the signature, small enough for the engines that first solve their game.
pub const GAMES: [&str; 9] = [
    "pig(target=30)",
    "ewn",
    "cant-stop(dice=3)",
    "ra",
    "tic-tac-toe",
    "connect-four",
    "kalah(pits=4,stones=3)",
    "chess",
    "random-tree(seed=3)",
];

/// Engines with parameters other than the defaults, played in the first two games.
const VARIANTS: [&str; 22] = [
    "star2(probes=3,prune_from=1)",
    "star1(table=order)",
    "expectimax(table=values)",
    "expss(width=2,sample=without)",
    "star1ss(width=3,sample=systematic,keys=state,table=values)",
    "star2ss(width=3,sample=stratified,decay=0.7)",
    "expss(width=4,enumerate=off)",
    "mcts(dr=3,playouts=2)",
    "mcts(solver=on,dr=inf)",
    "mcts(rave=50)",
    "mcts(implicit=0.4,bias=0.1,seeding=2)",
    "mcts(chance=even)",
    "mcts(threads=3)",
    "mcts(threads=3,parallel=leaf,dr=4)",
    "mcts(reuse=on)",
    "uct(select=ucb1-tuned)",
    "uct(select=puct,backup=power(p=3))",
    "uct(select=kl-ucb,backup=minimax)",
    "uct(select=thompson)",
    "uct(select=epsilon(e=0.2),final=visits)",
    "dpw(c2=2,alpha=0.4,unbiased=on)",
    "flat(allocation=halving,common=off)",
];

/// The same for games without chance, played in all of those listed.
const CERTAIN_VARIANTS: [&str; 4] = [
    "alpha-beta(plain=on,leaf=playouts(n=2))",
    "alpha-beta(table_mib=0,killers=off,history=off,scout=off)",
    "alpha-beta(aspiration=0.1,quiescence=4,all_lines=on)",
    "alpha-beta(null_move=2,futility=0.1,reduce_after=3,extend=on)",
];

/// The budget per decision of the variants.
const VARIANT_NODES: u64 = 400;

/// The opponent of every engine.
const OPPONENT: &str = "random";

/// The budget per decision: limited in nodes if the engine heeds that, otherwise unlimited.
fn budget(info: &EngineInfo) -> Budget {
    if info.budgets.contains(&Limit::Nodes) { Budget::nodes(60) } else { Budget::default() }
}

/// The signature of these games: a hash, as sixteen hexadecimal digits, of a pair of games of each engine.
/// Engines that need a file are left out, and so is `strongest`, which is an alias.
///
/// # Panics
/// If there is no such game.
#[must_use]
pub fn signature(specs: &[&str]) -> String {
    let mut text = String::new();
    for spec in specs {
        let game = game(spec).expect("a game of the catalogue");
        for info in engines().filter(|info| !["solved", "strongest"].contains(&info.name)) {
            if info.game.is_some_and(|only| only != game.info().name) || game.has_chance() && !info.chance {
                continue;
            }
            text += &pair(spec, info.name, budget(info)).unwrap_or_default();
        }
    }
    let some = specs.iter().take(2).flat_map(|spec| VARIANTS.map(|engine| (spec, engine)));
    let certain = specs.iter().flat_map(|spec| CERTAIN_VARIANTS.map(|engine| (spec, engine)));
    for (spec, engine) in some.chain(certain) {
        text += &pair(spec, engine, Budget::nodes(VARIANT_NODES)).unwrap_or_default();
    }
    format!("{:016x}", hash(&text))
}

/// A pair of games of an engine, as stored; none if it does not play the game.
fn pair(game: &str, engine: &str, budget: Budget) -> Option<String> {
    let contest = Contest::new(game, None, [engine, OPPONENT], budget, Terms::default(), 1).ok()?;
    let games = contest.play(0, &mut Clock::start()).expect("nobody stops it");
    Some(serde_json::to_string(&row(&games)).expect("numbers"))
}

/// The Fowler–Noll–Vo hash (FNV-1a), which never changes between versions.
#[must_use]
pub fn hash(text: &str) -> u64 {
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
    text.bytes().fold(0xCBF2_9CE4_8422_2325, mix)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_revision_is_the_signature_of_what_the_program_does() {
        let now = signature(&GAMES);
        assert_eq!(now, REVISION, "results have changed: if they should, REVISION is {now} from now on");
    }

    #[test]
    fn every_variant_plays() {
        let certain = CERTAIN_VARIANTS.map(|engine| ("tic-tac-toe", engine));
        for (game, engine) in VARIANTS.map(|engine| ("ewn", engine)).into_iter().chain(certain) {
            assert!(pair(game, engine, Budget::nodes(10)).is_some(), "{engine}");
        }
    }

    #[test]
    fn the_signature_sees_every_game_and_changes_with_its_rules() {
        // Equivalent rules give the same number; a small change of the rules or of an engine's defaults gives
        // another.
        assert_eq!(signature(&["pig(target=30)"]), signature(&["pig(dice=2,target=30)"]));
        for (one, other) in [
            ("pig(target=30)", "pig(target=31)"),
            ("ewn", "ewn(merge=on)"),
            ("ra", "ra(ties=draw)"),
            ("kalah(pits=4,stones=3)", "kalah(pits=4,stones=3,sweep=emptied)"),
            ("random-tree(seed=3)", "random-tree(seed=4)"),
        ] {
            assert_ne!(signature(&[one]), signature(&[other]), "{one} and {other}");
        }
    }
}
