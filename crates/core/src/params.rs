//! Parameters of games and engines: their names, the values they accept, and their defaults.

use crate::files::Files;
use crate::listing::Words;
use crate::spec::{Spec, SpecError, unknown};
use std::io::{self, Read};

/// What values a parameter accepts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// An integer from the first to the second, inclusive.
    Int(u64, u64),
    /// An integer from the first to the second, inclusive, or `inf`.
    Count(u64, u64),
    /// A number from the first to the second, inclusive.
    Real(f64, f64),
    /// One of these words.
    Choice(&'static [&'static str]),
    /// One of these words, some of which take a number: `power(p=2)`.
    Variant(&'static [Variant]),
    /// `on` or `off`.
    Flag,
    /// The path of a file.
    File,
    /// Text in a form that the help describes.
    Text,
    /// The name of one of the game's evaluators, by default the first, or `noisy(eval=NAME,sigma=N)`.
    Evaluator,
    /// The name of one of the game's playout policies, or `none`.
    Policy,
}

/// A word that may take a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Variant {
    /// The word.
    pub name: &'static str,
    /// The name of its number, the smallest and the largest value, and the default.
    pub number: Option<(&'static str, f64, f64, f64)>,
    /// Whether the number must be an integer.
    pub whole: bool,
}

impl Variant {
    /// A word without a number.
    #[must_use]
    pub const fn plain(name: &'static str) -> Self {
        Self { name, number: None, whole: false }
    }

    fn range(&self) -> String {
        match self.number {
            Some((key, lo, hi, _)) if self.whole => format!("{}({key}={lo}..{hi}, whole)", self.name),
            Some((key, lo, hi, _)) => format!("{}({key}={lo}..{hi})", self.name),
            None => self.name.into(),
        }
    }
}

impl Kind {
    /// The accepted values, for people.
    #[must_use]
    pub fn range(&self) -> String {
        match self {
            Self::Int(lo, u64::MAX) => format!("{lo} or more"),
            Self::Int(lo, hi) => format!("{lo} to {hi}"),
            Self::Count(lo, hi) => format!("{lo} to {hi} | inf"),
            Self::Real(lo, hi) if *hi >= 1e9 => format!("{lo} or more"),
            Self::Real(lo, hi) => format!("{lo} to {hi}"),
            Self::Choice(words) => words.join(" | "),
            Self::Variant(variants) => variants.iter().map(Variant::range).collect::<Vec<_>>().join(" | "),
            Self::Flag => "on | off".into(),
            Self::File => "a path".into(),
            Self::Text => "text".into(),
            Self::Evaluator => "an evaluator of the game".into(),
            Self::Policy => "a policy of the game | none".into(),
        }
    }
}

/// A parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Param {
    /// Its key in a spec string.
    pub name: &'static str,
    /// The values it accepts.
    pub kind: Kind,
    /// The default; `None` if it must be given or depends on the game.
    pub default: Option<&'static str>,
    /// Other defaults, for certain values of other parameters. The first that applies counts.
    pub unless: &'static [Unless],
    /// What it does, in one line.
    pub help: &'static str,
}

/// Another default of a parameter, where a second one has a certain value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unless {
    /// The name of the other parameter.
    pub key: &'static str,
    /// Its value.
    pub value: &'static str,
    /// The default in this case.
    pub default: &'static str,
}

impl Param {
    /// A parameter with a default.
    #[must_use]
    pub const fn new(name: &'static str, kind: Kind, default: &'static str, help: &'static str) -> Self {
        Self { name, kind, default: Some(default), unless: &[], help }
    }

    /// A parameter that must be given, or whose default depends on the game.
    #[must_use]
    pub const fn required(name: &'static str, kind: Kind, help: &'static str) -> Self {
        Self { name, kind, default: None, unless: &[], help }
    }

    /// The default in words: `0.5 by default, 1 with dr=inf`.
    #[must_use]
    pub fn default_in_words(&self) -> String {
        let default = match (self.kind, self.default) {
            (Kind::Evaluator, _) => return "the game's first by default".into(),
            (_, Some(default)) => format!("{default} by default"),
            (_, None) => return "must be given".into(),
        };
        let differs = |other: &&Unless| Some(other.default) != self.default;
        let words = |other: &Unless| format!(", {} with {}={}", other.default, other.key, other.value);
        default + &self.unless.iter().filter(differs).map(words).collect::<String>()
    }

    /// The default, which may depend on what the spec says of other parameters and on the game.
    fn default_in(&self, spec: &Spec, params: &[Self], knows: &Known) -> Option<&'static str> {
        if self.kind == Kind::Evaluator {
            return knows.evaluators.first().copied();
        }
        let has = |other: &&Unless| {
            let given = spec.args.iter().find(|(key, _)| key == other.key).map(|(_, value)| value.as_str());
            let usual =
                || params.iter().find(|param| param.name == other.key)?.default_in(spec, params, knows);
            given.or_else(usual) == Some(other.value)
        };
        self.unless.iter().find(has).map(|other| other.default).or(self.default)
    }

    /// The same parameters with another default for one of them.
    ///
    /// # Panics
    /// If it is not among them.
    #[must_use]
    pub const fn with_default<const N: usize>(
        mut params: [Self; N],
        param: Self,
        default: &'static str,
    ) -> [Self; N] {
        let mut at = 0;
        while !is_same(params[at].name, param.name) {
            at += 1;
        }
        params[at].default = Some(default);
        params
    }
}

impl AsRef<str> for Param {
    /// Its name, by which its value is looked up.
    fn as_ref(&self) -> &str {
        self.name
    }
}

/// `==` in const contexts.
const fn is_same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}

/// The values of all parameters of a game or engine.
#[derive(Clone, Debug)]
pub struct Values {
    spec: Spec,
    files: Files,
}

impl Values {
    /// Checks the arguments of a spec against the parameters and fills in the defaults. `knows` holds what
    /// they can name.
    ///
    /// # Errors
    /// If an argument is unknown, wrong or missing.
    pub fn resolve(spec: &Spec, params: &[Param], knows: &Known) -> Result<Self, SpecError> {
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
            let Some(value) = given.or_else(|| param.default_in(spec, params, knows)) else {
                let range = param.kind.range();
                return Err(SpecError(format!(
                    "'{}' needs {}=… ({range}): {}",
                    spec.name, param.name, param.help
                )));
            };
            args.push((param.name.to_string(), canonical(&spec.name, param, value, knows)?));
        }
        Ok(Self { spec: Spec { name: spec.name.clone(), args }, files: knows.files.clone() })
    }

    /// Opens the file that a parameter names.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn open(&self, name: impl AsRef<str>) -> io::Result<Box<dyn Read>> {
        self.files.open(self.text(name))
    }

    /// The complete spec string.
    #[must_use]
    pub fn spec(&self) -> String {
        self.spec.to_string()
    }

    /// The name of the game or engine.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.spec.name
    }

    /// A value as text.
    ///
    /// # Panics
    /// If there is no such parameter; the same holds for the other accessors.
    #[must_use]
    pub fn text(&self, name: impl AsRef<str>) -> &str {
        let name = name.as_ref();
        let found = self.spec.args.iter().find(|(key, _)| key == name);
        &found.unwrap_or_else(|| panic!("contract: '{}' has no parameter {name}", self.spec.name)).1
    }

    /// Whether there is such a parameter.
    #[must_use]
    pub fn has(&self, name: impl AsRef<str>) -> bool {
        self.spec.args.iter().any(|(key, _)| key == name.as_ref())
    }

    /// An integer, already checked to be in range.
    ///
    /// # Panics
    /// If its range exceeds the type.
    #[must_use]
    pub fn int<T: TryFrom<u64>>(&self, name: impl AsRef<str>) -> T {
        let name = name.as_ref();
        let number: u64 = self.text(name).parse().expect("the value was checked");
        T::try_from(number).ok().unwrap_or_else(|| panic!("contract: the range of {name} exceeds its type"))
    }

    /// An integer; for `inf`, the largest.
    #[must_use]
    pub fn count(&self, name: impl AsRef<str>) -> u32 {
        let name = name.as_ref();
        if self.text(name) == "inf" { u32::MAX } else { self.int(name) }
    }

    /// A number, already checked to be in range.
    ///
    /// # Panics
    /// If the parameter is not a number.
    #[must_use]
    pub fn real(&self, name: impl AsRef<str>) -> f64 {
        self.text(name).parse().expect("the value was checked")
    }

    /// A word and its number, 0 if it has none.
    ///
    /// # Panics
    /// If the parameter is not a variant.
    #[must_use]
    pub fn variant(&self, name: impl AsRef<str>) -> (String, f64) {
        let spec = Spec::parse(self.text(name)).expect("the value was checked");
        let number = spec.args.first().map_or(0.0, |(_, value)| value.parse().expect("it was checked"));
        (spec.name, number)
    }

    /// An evaluator.
    ///
    /// # Panics
    /// If the parameter is not an evaluator.
    #[must_use]
    pub fn evaluator(&self, name: impl AsRef<str>) -> EvaluatorName {
        let spec = Spec::parse(self.text(name)).expect("the value was checked");
        match &spec.args[..] {
            [(_, name), (_, sigma)] => {
                let sigma = Some(sigma.parse().expect("the value was checked"));
                EvaluatorName { name: name.clone(), sigma }
            }
            _ => EvaluatorName { name: spec.name, sigma: None },
        }
    }

    /// One of the values of an enum.
    ///
    /// # Panics
    /// If the parameter's words are not those of the enum.
    #[must_use]
    pub fn word<T: Words>(&self, name: impl AsRef<str>) -> T {
        let name = name.as_ref();
        T::of(self.text(name))
            .unwrap_or_else(|| panic!("contract: the words of {name} do not match its type"))
    }

    /// Whether a flag is on.
    #[must_use]
    pub fn flag(&self, name: impl AsRef<str>) -> bool {
        self.text(name) == "on"
    }
}

/// The value in canonical form.
fn canonical(name: &str, param: &Param, value: &str, knows: &Known) -> Result<String, SpecError> {
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
        Kind::Count(..) if value == "inf" => Ok("inf".into()),
        Kind::Count(lo, hi) => {
            let whole = Param { kind: Kind::Int(lo, hi), ..*param };
            canonical(name, &whole, value, knows).map_err(|_| wrong())
        }
        Kind::Real(lo, hi) => real(value, lo, hi).map(|number| number.to_string()).ok_or_else(wrong),
        Kind::Variant(variants) => variant(variants, value).ok_or_else(wrong),
        Kind::Choice(words) => word(words).ok_or_else(wrong),
        Kind::Flag => word(&["on", "off"]).ok_or_else(wrong),
        Kind::File | Kind::Text if value.is_empty() => Err(wrong()),
        Kind::File | Kind::Text => Ok(value.into()),
        Kind::Evaluator => evaluator(value, &knows.evaluators),
        Kind::Policy => {
            let names: Vec<&str> = std::iter::once("none").chain(knows.policies.iter().copied()).collect();
            word(&names).ok_or_else(|| unknown("policy of this game:", value, &names))
        }
    }
}

/// An evaluator of a game: one of its own, optionally with noise.
#[derive(Clone, Debug, PartialEq)]
pub struct EvaluatorName {
    /// Its name.
    pub name: String,
    /// The standard deviation of the noise, if any.
    pub sigma: Option<f64>,
}

/// The parameters of `noisy`.
const NOISY: [Param; 2] = [
    Param::required("eval", Kind::Evaluator, "the evaluator to add noise to; the game's first by default"),
    Param::required(
        "sigma",
        Kind::Real(0.0, 1e9),
        "the standard deviation of its noise, a fixed number for each position, in units of the payoff",
    ),
];

/// An evaluator in canonical form.
fn evaluator(text: &str, names: &[&'static str]) -> Result<String, SpecError> {
    if names.contains(&text) {
        return Ok(text.into());
    }
    let form = |why: &str| SpecError(format!("{why}; expected noisy(eval=NAME,sigma=N)"));
    match Spec::parse(text) {
        Ok(spec) if spec.name == "noisy" => {
            let inner = spec.args.iter().find(|(key, _)| key == "eval").map(|(_, value)| value);
            if inner.is_some_and(|inner| inner.starts_with("noisy(")) {
                return Err(form("noisy: eval is an evaluator without noise"));
            }
            let knows = Known { evaluators: names.into(), ..Known::default() };
            Ok(Values::resolve(&spec, &NOISY, &knows)?.spec())
        }
        Err(error) if text.starts_with("noisy") => Err(form(&error.0)),
        _ => {
            let all: Vec<&str> = names.iter().copied().chain(["noisy"]).collect();
            Err(unknown("evaluator of this game:", text, &all))
        }
    }
}

/// Parses a finite number in a range.
fn real(text: &str, lo: f64, hi: f64) -> Option<f64> {
    let number: f64 = text.parse().ok()?;
    // Drops the sign of zero, which would give one value two names.
    (lo..=hi).contains(&number).then_some(number + 0.0)
}

/// A word with its number in canonical form.
fn variant(variants: &[Variant], text: &str) -> Option<String> {
    let given = Spec::parse(text).ok()?;
    let variant = variants.iter().find(|variant| variant.name == given.name)?;
    match (variant.number, &given.args[..]) {
        (None, []) => Some(variant.name.into()),
        (Some((key, _, _, number)), []) => Some(format!("{}({key}={number})", variant.name)),
        (Some((key, lo, hi, _)), [(name, value)]) if name == key => {
            let number = real(value, lo, hi).filter(|number| !variant.whole || number.fract() == 0.0)?;
            Some(format!("{}({key}={number})", variant.name))
        }
        _ => None,
    }
}

/// What parameters can name.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// The evaluators of the game, the default first.
    pub evaluators: Vec<&'static str>,
    /// The playout policies of the game.
    pub policies: Vec<&'static str>,
    /// The files that can be opened.
    pub files: Files,
}

fn one_of(param: &Param) -> String {
    match param.kind {
        Kind::Int(..) => format!("a whole number in the range {}", param.kind.range()),
        Kind::Count(..) => format!("a whole number in the range {}", param.kind.range()),
        Kind::Real(..) => format!("a number in the range {}", param.kind.range()),
        Kind::Choice(_) | Kind::Flag | Kind::Variant(_) => format!("one of {}", param.kind.range()),
        Kind::Text => "a text of at least one letter".into(),
        Kind::File | Kind::Evaluator | Kind::Policy => param.kind.range(),
    }
}
