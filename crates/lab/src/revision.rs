//! The revision of everything that results depend on: rules, dice, searches, scores and luck.
//!
//! Results of two revisions must not be mixed, so the store keeps them apart: the revision is a part of every job. It is
//! a signature of behaviour, as chess programs print one after a benchmark: a hash of a pair of games of every engine in
//! every game. A test works it out and fails when it changes, so whoever changes a result changes the revision, and a
//! change that leaves all results alone leaves stores alone, too.

use crate::contest::{Contest, row};
use astragal_catalog::{BudgetKind, EngineInfo, engines, game};
use astragal_core::Budget;
use std::sync::atomic::AtomicBool;

/// The revision of this program: [`signature`] of [`GAMES`], as a test makes sure.
pub const REVISION: &str = "597f7f1540989f7f";

/// The games of the signature, small enough for the engines that solve theirs first.
pub const GAMES: [&str; 7] = [
    "pig(target=30)",
    "ewn",
    "cant-stop(dice=3)",
    "ra",
    "tic-tac-toe",
    "connect-four",
    "random-tree(seed=3)",
];

/// Every engine meets this one.
const OPPONENT: &str = "random";

/// The budget of a decision, in the first kind that an engine heeds.
fn budget(info: &EngineInfo) -> Budget {
    if info.budgets.contains(&BudgetKind::Nodes) { Budget::nodes(60) } else { Budget::default() }
}

/// What a pair of games of each engine in these games comes to, as a number of sixteen digits. Engines that need a file
/// are left out.
///
/// # Panics
/// If there is no such game.
#[must_use]
pub fn signature(specs: &[&str]) -> String {
    let mut text = String::new();
    for spec in specs {
        let game = game(spec).expect("a game of the catalogue");
        for info in engines().filter(|info| info.name != "solved") {
            if info.game.is_some_and(|only| only != game.info().name) || game.has_chance() && !info.chance {
                continue;
            }
            let contest = Contest::new(spec, None, [info.name, OPPONENT], budget(info), 0, 1);
            let Ok(contest) = contest else { continue };
            let games = contest.play(0, &AtomicBool::new(false)).expect("nobody stops it");
            text += &serde_json::to_string(&row(&games)).expect("numbers");
        }
    }
    format!("{:016x}", hash(&text))
}

/// Fowler, Noll and Vo's hash, which never changes.
pub(crate) fn hash(text: &str) -> u64 {
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
    fn the_signature_sees_every_game_and_changes_with_its_rules() {
        // The same rules give the same number, and a small change of the rules or of an engine's defaults another.
        assert_eq!(signature(&["pig(target=30)"]), signature(&["pig(dice=2,target=30)"]));
        for (one, other) in [
            ("pig(target=30)", "pig(target=31)"),
            ("ewn", "ewn(merge=on)"),
            ("ra", "ra(ties=draw)"),
            ("random-tree(seed=3)", "random-tree(seed=4)"),
        ] {
            assert_ne!(signature(&[one]), signature(&[other]), "{one} and {other}");
        }
    }
}
