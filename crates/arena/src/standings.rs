//! Standings: ratings of all engines that met in a set of matches.

use crate::budget::Budgets;
use crate::contest::{Identity, PairRow};
use crate::terms::Terms;
use astragal_catalog::{Spec, brief_engine, engine_info};
use astragal_stats::{Estimate, LEVEL, Pairs, Table};

/// The conditions of a match; only engines that played under the same ones are rated together.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Place {
    /// The spec of the game.
    pub game: String,
    /// The initial position, if it is not the game's start.
    pub position: Option<String>,
    /// The other terms.
    pub terms: Terms,
}

/// An engine with its budget. Engines that heed no budget have the budget `none`, whatever they were given.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Entrant {
    /// The spec without default values.
    pub engine: String,
    /// The budget.
    pub budget: String,
}

/// An engine in the standings.
#[derive(Clone, Debug, PartialEq)]
pub struct Rank {
    /// The engine.
    pub entrant: Entrant,
    /// The Elo rating; the mean over all engines of the standings is 0.
    pub elo: Estimate,
    /// The share of the points scored.
    pub score: f64,
    /// The number of pairs played.
    pub pairs: u64,
}

/// The standings under one set of conditions, best first.
#[derive(Clone, Debug, PartialEq)]
pub struct Standings {
    /// The conditions.
    pub place: Place,
    /// The engines.
    pub ranks: Vec<Rank>,
    /// Whether all engines are linked by matches, directly or through others. If not, the prior alone relates
    /// their ratings.
    pub connected: bool,
}

/// A match with its pairs.
pub type PlayedMatch = (Identity, Vec<PairRow>);

/// The standings of these matches, one for each set of conditions.
#[must_use]
pub fn standings(matches: Vec<PlayedMatch>) -> Vec<Standings> {
    let meeting =
        |(identity, rows): PlayedMatch| Meeting::new(identity, rows.iter().map(PairRow::score).collect());
    let meetings: Vec<Meeting> = matches.into_iter().map(meeting).collect();
    let mut places: Vec<Place> = meetings.iter().map(|meeting| meeting.place.clone()).collect();
    places.sort();
    places.dedup();
    let at = |place: Place| {
        let here: Vec<&Meeting> = meetings.iter().filter(|meeting| meeting.place == place).collect();
        rate(place, &here)
    };
    places.into_iter().map(at).collect()
}

/// A match: its entrants and its pairs.
struct Meeting {
    place: Place,
    entrants: [Entrant; 2],
    pairs: Pairs,
}

impl Meeting {
    fn new(identity: Identity, pairs: Pairs) -> Self {
        let Identity { game, position, engines, budget, terms, .. } = identity;
        let both = Budgets::read(&budget).map(|budgets| budgets.0.map(|budget| budget.to_string()));
        let budgets = both.unwrap_or([budget.clone(), budget]);
        let entrant = |at: usize| {
            let spec: &String = &engines[at];
            let info = Spec::parse(spec).and_then(|spec| engine_info(&spec.name));
            let heeds = info.map_or(true, |info| !info.budgets.is_empty());
            let budget = if heeds { budgets[at].clone() } else { "none".into() };
            Entrant { engine: brief_engine(spec, &game), budget }
        };
        Self { entrants: [entrant(0), entrant(1)], place: Place { game, position, terms }, pairs }
    }
}

/// Rates all engines of these matches.
fn rate(place: Place, meetings: &[&Meeting]) -> Standings {
    let mut entrants: Vec<&Entrant> = meetings.iter().flat_map(|meeting| &meeting.entrants).collect();
    entrants.sort();
    entrants.dedup();
    let find = |entrant: &Entrant| entrants.binary_search(&entrant).expect("listed");
    let mut table = Table::new(entrants.len());
    let mut totals = vec![(0.0, 0); entrants.len()];
    for Meeting { entrants, pairs, .. } in meetings {
        let [first, second] = entrants.each_ref().map(find);
        let won = pairs.mean() * pairs.count() as f64;
        for (at, won) in [(first, won), (second, pairs.count() as f64 - won)] {
            totals[at] = (totals[at].0 + won, totals[at].1 + pairs.count());
        }
        // A match of an engine against itself carries no information.
        if first != second {
            table.add_pairs(first, second, pairs);
        }
    }
    let ratings = table.ratings(LEVEL);
    let rank = |(at, entrant): (usize, &&Entrant)| Rank {
        entrant: (*entrant).clone(),
        elo: ratings.players[at],
        score: totals[at].0 / totals[at].1 as f64,
        pairs: totals[at].1,
    };
    let mut ranks: Vec<Rank> = entrants.iter().enumerate().map(rank).collect();
    ranks.sort_by(|a, b| b.elo.mean.total_cmp(&a.elo.mean));
    Standings { place, ranks, connected: ratings.groups.iter().all(|group| *group == 0) }
}
