//! Parameters of games and engines: what they are called, what they may be, and what they are by default.

use crate::spec::{Spec, SpecError, unknown};

/// What a parameter may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// A whole number from the first to the second, both included.
    Int(u64, u64),
    /// One of these words.
    Choice(&'static [&'static str]),
    /// `on` or `off`.
    Flag,
    /// The path of a file.
    File,
    /// Text of a form that the help tells.
    Text,
    /// The name of one of the game's evaluators; the first of them by default.
    Evaluator,
}

impl Kind {
    /// What the parameter may be, for people.
    #[must_use]
    pub fn range(&self) -> String {
        match self {
            Self::Int(lo, u64::MAX) => format!("{lo} or more"),
            Self::Int(lo, hi) => format!("{lo} to {hi}"),
            Self::Choice(words) => words.join(" | "),
            Self::Flag => "on | off".into(),
            Self::File => "a path".into(),
            Self::Text => "text".into(),
            Self::Evaluator => "an evaluator of the game".into(),
        }
    }
}

/// A parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Param {
    /// Its key in a spec string.
    pub name: &'static str,
    /// What it may be.
    pub kind: Kind,
    /// What it is if it is not given; none if it must be given, or depends on the game.
    pub default: Option<&'static str>,
    /// What it does, in a line.
    pub help: &'static str,
}

/// The values of all parameters of a thing.
pub(crate) struct Values {
    spec: Spec,
}

impl Values {
    /// Checks the arguments of a spec against the parameters and fills in the defaults. `evaluators` are those of
    /// the game, for an engine.
    pub(crate) fn resolve(
        spec: &Spec,
        params: &[Param],
        evaluators: &[&'static str],
    ) -> Result<Self, SpecError> {
        let names: Vec<&str> = params.iter().map(|param| param.name).collect();
        for (key, _) in &spec.args {
            if !names.contains(&key.as_str()) {
                if names.is_empty() {
                    return Err(SpecError(format!(
                        "'{}' has no parameters, but '{key}' is given",
                        spec.name
                    )));
                }
                return Err(unknown(&format!("parameter of '{}':", spec.name), key, &names));
            }
        }
        let mut args = Vec::new();
        for param in params {
            let given = spec.args.iter().find(|(key, _)| key == param.name).map(|(_, value)| value.as_str());
            let default = match param.kind {
                Kind::Evaluator => evaluators.first().copied(),
                _ => param.default,
            };
            let Some(value) = given.or(default) else {
                let range = param.kind.range();
                return Err(SpecError(format!(
                    "'{}' needs {}=… ({range}): {}",
                    spec.name, param.name, param.help
                )));
            };
            args.push((param.name.to_string(), canonical(&spec.name, param, value, evaluators)?));
        }
        Ok(Self { spec: Spec { name: spec.name.clone(), args } })
    }

    /// The complete spec string.
    pub(crate) fn spec(&self) -> String {
        self.spec.to_string()
    }

    pub(crate) fn text(&self, name: &str) -> &str {
        let found = self.spec.args.iter().find(|(key, _)| key == name);
        &found.unwrap_or_else(|| panic!("contract: '{}' has no parameter {name}", self.spec.name)).1
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.spec.args.iter().any(|(key, _)| key == name)
    }

    /// A whole number, which was checked to be in range.
    pub(crate) fn int<T: TryFrom<u64>>(&self, name: &str) -> T {
        let number: u64 = self.text(name).parse().expect("the value was checked");
        T::try_from(number).ok().unwrap_or_else(|| panic!("contract: the range of {name} exceeds its type"))
    }

    pub(crate) fn flag(&self, name: &str) -> bool {
        self.text(name) == "on"
    }
}

/// The value in the one way in which it is printed.
fn canonical(
    name: &str,
    param: &Param,
    value: &str,
    evaluators: &[&'static str],
) -> Result<String, SpecError> {
    let wrong =
        || SpecError(format!("{name}: {}={} is not {}", param.name, value.escape_debug(), one_of(param)));
    let word = |words: &[&str]| {
        let found = words.iter().find(|word| **word == value);
        found.map(|word| (*word).to_string())
    };
    match param.kind {
        Kind::Int(lo, hi) => {
            let number =
                value.bytes().all(|b| b.is_ascii_digit()).then(|| value.parse::<u64>().ok()).flatten();
            number.filter(|n| (lo..=hi).contains(n)).map(|n| n.to_string()).ok_or_else(wrong)
        }
        Kind::Choice(words) => word(words).ok_or_else(wrong),
        Kind::Flag => word(&["on", "off"]).ok_or_else(wrong),
        Kind::File | Kind::Text if value.is_empty() => Err(wrong()),
        Kind::File | Kind::Text => Ok(value.into()),
        Kind::Evaluator => {
            word(evaluators).ok_or_else(|| unknown("evaluator of this game:", value, evaluators))
        }
    }
}

fn one_of(param: &Param) -> String {
    match param.kind {
        Kind::Int(..) => format!("a whole number, {}", param.kind.range()),
        Kind::Choice(_) | Kind::Flag => format!("one of {}", param.kind.range()),
        Kind::File | Kind::Text | Kind::Evaluator => param.kind.range(),
    }
}
