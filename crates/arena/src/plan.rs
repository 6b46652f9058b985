//! Plans of matches and tournaments in TOML.
//!
//! ```toml
//! game = "ewn"
//! kind = "match"                       # or round-robin, gauntlet, elimination
//! engines = ["star2", "star2ss(width=5)"]
//! pairs = 200
//! budget = { nodes = 1000 }
//! ```

use crate::contest::{NoContest, maker};
use crate::tournament::{Kind, Participant, Tournament};
use astragal_catalog::{AnyGame, Spec, engine_info, game};
use astragal_core::Budget;
use serde::de::value::MapAccessDeserializer;
use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;

/// Why a plan cannot be carried out.
#[derive(Debug, Error)]
pub enum PlanError {
    /// It does not parse as a plan: several lines, which quote the plan and mark the error.
    #[error("{}", .0.to_string().trim_end())]
    Syntax(#[from] toml::de::Error),
    /// A value in it is invalid: one line.
    #[error(transparent)]
    Content(#[from] NoContest),
}

/// A plan as written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Plan {
    game: String,
    #[serde(default)]
    position: Option<String>,
    kind: Kind,
    engines: Vec<EnginePlan>,
    pairs: u64,
    #[serde(default, deserialize_with = "read_seed")]
    seed: u64,
    #[serde(default)]
    opening: u32,
    budget: Option<BudgetPlan>,
}

/// An engine of a plan: its spec, or a table that may also give it its own budget.
#[derive(Debug)]
struct EnginePlan(EngineTable);

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct EngineTable {
    engine: String,
    budget: Option<BudgetPlan>,
}

impl<'de> Deserialize<'de> for EnginePlan {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct SpecOrTable;
        impl<'de> Visitor<'de> for SpecOrTable {
            type Value = EnginePlan;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an engine's spec, or { engine = \"spec\", budget = { nodes = 1000 } }")
            }
            fn visit_str<E>(self, spec: &str) -> Result<EnginePlan, E> {
                Ok(EnginePlan(EngineTable { engine: spec.into(), budget: None }))
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<EnginePlan, A::Error> {
                EngineTable::deserialize(MapAccessDeserializer::new(map)).map(EnginePlan)
            }
        }
        deserializer.deserialize_any(SpecOrTable)
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table such as { nodes = 1000 }")]
struct BudgetPlan {
    depth: Option<u32>,
    nodes: Option<u64>,
    iterations: Option<u64>,
    milliseconds: Option<f64>,
}

impl BudgetPlan {
    fn read(self) -> Result<Budget, NoContest> {
        let Self { depth, nodes, iterations, milliseconds } = self;
        let time = milliseconds.map(|ms| Duration::try_from_secs_f64(ms / 1e3)).transpose();
        let time = time.map_err(|_| NoContest("milliseconds must be a positive number".into()))?;
        Ok(Budget { depth, nodes, iterations, time })
    }
}

/// Parses a plan in TOML.
///
/// # Errors
/// If it is not a plan, or an engine or budget in it is invalid.
pub fn read(text: &str) -> Result<Tournament, PlanError> {
    let plan: Plan = toml::from_str(text)?;
    Ok(plan.tournament()?)
}

impl Plan {
    fn tournament(self) -> Result<Tournament, NoContest> {
        let Self { game: spec, position, kind, engines, pairs, seed, opening, budget } = self;
        let common = budget.map(BudgetPlan::read).transpose()?.unwrap_or_default();
        let game: Arc<dyn AnyGame> = game(&spec)?.into();
        let start = position.map_or_else(|| Ok(game.start()), |text| game.read(&text))?;
        let mut participants = Vec::new();
        for EnginePlan(EngineTable { engine: spec, budget }) in engines {
            let own = budget.map(BudgetPlan::read).transpose()?;
            if let Some(own) = &own {
                engine_info(&Spec::parse(&spec)?.name)?.check_budget(own)?;
            }
            participants.push(Participant {
                maker: maker(&game, &spec)?,
                budget: own.unwrap_or(common),
                label: match own.filter(|own| !own.is_unlimited()) {
                    Some(own) => format!("{spec} {own}"),
                    None => spec,
                },
            });
        }
        Tournament::between(kind, game, start, participants, pairs, opening, seed)
    }
}

/// Parses a seed, written as a number or as text: TOML only guarantees integers below 2^63, and a seed has 64
/// bits.
///
/// # Errors
/// If it is neither.
pub fn read_seed<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    struct Seed;
    impl Visitor<'_> for Seed {
        type Value = u64;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "a whole number from 0 to {}, with or without quotes", u64::MAX)
        }
        fn visit_u64<E>(self, seed: u64) -> Result<u64, E> {
            Ok(seed)
        }
        fn visit_i64<E: de::Error>(self, seed: i64) -> Result<u64, E> {
            let wrong = || E::invalid_value(de::Unexpected::Signed(seed), &self);
            u64::try_from(seed).map_err(|_| wrong())
        }
        fn visit_str<E: de::Error>(self, seed: &str) -> Result<u64, E> {
            let wrong = || E::invalid_value(de::Unexpected::Str(seed), &self);
            seed.parse().map_err(|_| wrong())
        }
    }
    deserializer.deserialize_any(Seed)
}
