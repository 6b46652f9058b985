//! Links: the chance to win that stands behind an engine's value.
//!
//! An evaluator only has to order positions, so its values are no chances, even in a game of ±100. A link
//! turns them into chances. It is fitted on games of the engine against itself and checked on others, see
//! [`Calibration`](crate::calibration::Calibration), and belongs to one variant of a game and one engine with
//! its evaluator. The fits are in `links.jsonl`, which `astragal calibrate --out` writes.

use astragal_catalog::{Spec, brief_engine, brief_game};
use astragal_core::{Interval, Player};
use astragal_stats::logistic;
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

/// The largest mean error of a link, in points of a hundred, with which its chances are shown.
pub const MOST_ERROR: f64 = 3.0;

/// The budgets in which a link is checked, relative to the one in which it was fitted. Values depend on the
/// depth of the search, and a link that held at one depth only would be of no use with a limit in time.
pub const BUDGETS: [f64; 3] = [0.25, 1.0, 4.0];

/// The shape of a link: the logit of player 1's chance is `slope · x + bend · x³ + tempo · t`, where x is the
/// value scaled to [−1, 1], and t is 1 if player 1 is to decide and −1 otherwise. It is symmetric: the same
/// position with the colours exchanged has the opposite logit.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
pub struct Shape {
    /// The factor of the value.
    pub slope: f64,
    /// The factor of its cube: positive where values far from 0 mean more than their share, as they do if the
    /// evaluator already returns chances.
    pub bend: f64,
    /// The worth of being the player to decide.
    pub tempo: f64,
}

impl Shape {
    /// Player 1's chance for a scaled value.
    #[must_use]
    pub fn chance(&self, x: f64, mover: Player) -> f64 {
        logistic(self.slope * x + self.bend * x * x * x + self.tempo * mover.sign())
    }

    /// Whether a larger value never means a smaller chance.
    #[must_use]
    pub fn is_monotone(&self) -> bool {
        // The derivative is linear in x², so its ends decide.
        self.slope >= 0.0 && self.slope + 3.0 * self.bend >= 0.0
    }
}

/// A value scaled to [−1, 1].
#[must_use]
pub fn scaled(value: f64, range: Interval) -> f64 {
    ((value - range.middle()) / (range.width() / 2.0)).clamp(-1.0, 1.0)
}

/// A fitted link, and how it was fitted.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Link {
    /// The game, without parameters that have their default values.
    pub game: String,
    /// The engine, likewise.
    pub engine: String,
    /// The budget of the values.
    pub nodes: u64,
    /// The budget with which the games were played.
    pub play_nodes: u64,
    /// The largest number of random decisions at the start of a game.
    pub opening: u32,
    /// The number of positions taken from each game.
    pub samples: u32,
    /// The seed of the games for the fit; the next one is that of the games for the check.
    pub seed: u64,
    /// The number of games for the fit.
    pub games: u64,
    /// The number of games for the check.
    pub checks: u64,
    /// The fit.
    pub shape: Shape,
    /// The mean error in points of a hundred, for each of [`BUDGETS`]; none if no position was left to check,
    /// because every value was proved.
    pub errors: Vec<Option<f64>>,
}

/// The parameters of engines that change the work of a search, but not the value of the root.
const WORK_ONLY: [&str; 1] = ["all_lines"];

/// An engine's spec as links name it.
#[must_use]
pub fn name_of(engine: &str, game: &str) -> String {
    let Ok(mut spec) = Spec::parse(&brief_engine(engine, game)) else { return engine.into() };
    spec.args.retain(|(key, _)| !WORK_ONLY.contains(&key.as_str()));
    spec.to_string()
}

impl Link {
    /// Player 1's chance to win, with a draw counted half, at a value seen by a search.
    #[must_use]
    pub fn chance(&self, value: f64, range: Interval, mover: Player) -> f64 {
        self.shape.chance(scaled(value, range), mover)
    }

    /// The number of nodes from which on values are chances: the smallest budget of the check such that the
    /// error is small with it and with all larger ones. None if there is no such budget, or the largest is
    /// the only one.
    #[must_use]
    pub fn least_nodes(&self) -> Option<u64> {
        let good =
            self.errors.iter().rev().take_while(|error| error.is_some_and(|e| e <= MOST_ERROR)).count();
        let factor = BUDGETS.get(self.errors.len().checked_sub(good)?).filter(|factor| **factor <= 1.0)?;
        Some((self.nodes as f64 * factor) as u64)
    }
}

/// The links of a file: one JSON object a line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Links(Vec<Link>);

impl Links {
    /// Parses a file of links.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub fn read(text: &str) -> Result<Self, String> {
        let line =
            |(at, line)| serde_json::from_str(line).map_err(|error| format!("line {}: {error}", at + 1));
        Ok(Self(text.lines().enumerate().map(line).collect::<Result<_, _>>()?))
    }

    /// The text that [`Links::read`] parses.
    ///
    /// # Panics
    /// Never.
    #[must_use]
    pub fn text(&self) -> String {
        let line = |link| serde_json::to_string(link).expect("text and numbers") + "\n";
        self.0.iter().map(line).collect()
    }

    /// The links, by game and engine.
    pub fn iter(&self) -> impl Iterator<Item = &Link> {
        self.0.iter()
    }

    /// Adds a link, in place of an earlier one for the same game and engine.
    pub fn put(&mut self, link: Link) {
        self.0.retain(|old| (&old.game, &old.engine) != (&link.game, &link.engine));
        self.0.push(link);
        self.0.sort_by(|a, b| (&a.game, &a.engine).cmp(&(&b.game, &b.engine)));
    }
}

/// The links that this program was built with.
pub static LINKS: LazyLock<Links> =
    LazyLock::new(|| Links::read(include_str!("links.jsonl")).expect("a file that a test reads"));

/// The link for the values of an engine in a game, both given by their complete specs, if one was fitted for
/// exactly these and its errors are small.
#[must_use]
pub fn link(game: &str, engine: &str) -> Option<&'static Link> {
    let (engine, game) = (name_of(engine, game), brief_game(game));
    let found = LINKS.iter().find(|link| link.game == game && link.engine == engine);
    found.filter(|link| link.least_nodes().is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use astragal_catalog::game;

    fn example(errors: [Option<f64>; 3]) -> Link {
        Link {
            game: "pig".into(),
            engine: "star2".into(),
            nodes: 4000,
            play_nodes: 1000,
            opening: 4,
            samples: 2,
            seed: 1,
            games: 10,
            checks: 20,
            shape: Shape { slope: 2.0, bend: 0.5, tempo: 0.25 },
            errors: errors.to_vec(),
        }
    }

    #[test]
    fn a_link_is_symmetric_and_monotone() {
        let link = example([Some(1.0); 3]);
        let range = Interval::new(-100.0, 100.0);
        let mut last = 0.0;
        for value in (-100..=100).map(f64::from) {
            let chance = link.chance(value, range, Player::Max);
            assert!(chance > last, "{value}");
            assert!((chance + link.chance(-value, range, Player::Min) - 1.0).abs() < 1e-12);
            last = chance;
        }
        assert!(!Shape { slope: 1.0, bend: -0.5, tempo: 0.0 }.is_monotone());
        assert!(!Shape { slope: -0.1, bend: 1.0, tempo: 0.0 }.is_monotone());
    }

    #[test]
    fn chances_are_shown_from_the_smallest_budget_that_was_good() {
        let least = |errors: [f64; 3]| example(errors.map(Some)).least_nodes();
        assert_eq!(least([1.0, 3.0, 2.0]), Some(1000));
        assert_eq!(least([3.1, 3.0, 2.0]), Some(4000));
        for bad in [[1.0, 3.1, 2.0], [1.0, 1.0, 3.1]] {
            assert_eq!(least(bad), None, "{bad:?}");
        }
        assert_eq!(example([Some(1.0), Some(1.0), None]).least_nodes(), None);
    }

    #[test]
    fn links_are_read_as_they_are_written() {
        let mut links = Links::default();
        links.put(example([Some(1.5), None, Some(2.25)]).clone());
        links.put(Link { seed: 7, ..example([Some(1.0); 3]) });
        links.put(Link { game: "ewn".into(), ..example([Some(1.0); 3]) });
        assert_eq!(links.iter().map(|link| link.seed).collect::<Vec<_>>(), [1, 7], "replaced, in order");
        links.0[0].errors[1] = Some(0.0);
        assert_eq!(Links::read(&links.text()), Ok(links));
        assert!(Links::read("{}").unwrap_err().starts_with("line 1: "));
    }

    #[test]
    fn the_fits_of_this_program_name_games_and_engines_and_are_monotone() {
        for link in LINKS.iter() {
            let rules = game(&link.game).unwrap();
            let engine = rules.engine(&link.engine).unwrap();
            assert_eq!(brief_game(rules.spec()), link.game);
            assert_eq!(name_of(engine.spec(), rules.spec()), link.engine);
            assert!(link.shape.is_monotone() && link.errors.len() == BUDGETS.len(), "{link:?}");
        }
    }

    #[test]
    fn the_documented_fits_are_those_of_this_program() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/strength.md");
        let text = std::fs::read_to_string(path).unwrap();
        for link in LINKS.iter() {
            let start = format!("| {} | `{}` | ", link.game, link.engine);
            let row = text.lines().find(|line| line.starts_with(&start));
            let row = row.unwrap_or_else(|| panic!("no row begins with {start}"));
            let errors: Vec<String> =
                link.errors.iter().flatten().map(|error| format!("{error:.1}")).collect();
            assert!(row.contains(&format!("| {} |", errors.join(", "))), "{row}");
            assert_eq!(link.least_nodes().is_none(), row.ends_with("| no |"), "{row}");
        }
    }

    #[test]
    fn a_link_is_for_one_variant_and_one_engine() {
        let of = |spec: &str, engine: &str| {
            let rules = game(spec).unwrap();
            let engine = rules.engine(engine).unwrap();
            link(rules.spec(), engine.spec()).map(|link| &*link.engine)
        };
        let known = LINKS.iter().find(|link| link.game == "pig" && link.least_nodes().is_some());
        let known = &*known.expect("pig has a link").engine;
        assert_eq!(of("pig", known), Some(known));
        assert_eq!(of("pig", "star2(eval=logistic,all_lines=on)"), of("pig", "star2(eval=logistic)"));
        assert_eq!(of("pig(target=50)", known), None);
        assert_eq!(of("pig", "star2(eval=noisy(eval=lead,sigma=5))"), None);
        assert_eq!(of("pig", "uct"), None);
    }
}
