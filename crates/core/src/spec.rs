//! Spec strings: `name` or `name(key=value,key=value)`.
//!
//! A value ends at the next comma or closing parenthesis; it may contain balanced parentheses, or any text
//! between double quotes, where `\"` stands for a quote and `\\` for a backslash.

use std::fmt;

/// A spec string that cannot be used: one line that says what is wrong and what would be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecError(pub String);

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SpecError {}

/// A name with its arguments, in the order given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    /// The name.
    pub name: String,
    /// Keys and values.
    pub args: Vec<(String, String)>,
}

impl Spec {
    /// Parses a spec string.
    ///
    /// # Errors
    /// If it is not of the form `name(key=value,…)`, or a key is given twice.
    pub fn parse(text: &str) -> Result<Self, SpecError> {
        let mut reader = Reader { text, rest: text.trim() };
        let name = reader.word("a name")?;
        let mut args: Vec<(String, String)> = Vec::new();
        if reader.eat('(') && !reader.eat(')') {
            loop {
                let key = reader.word("a key")?;
                if !reader.eat('=') {
                    return Err(reader.error(&format!("expected '=' and a value after '{key}'")));
                }
                let value = reader.value()?;
                if args.iter().any(|(other, _)| *other == key) {
                    return Err(reader.error(&format!("'{key}' is given twice")));
                }
                args.push((key, value));
                if reader.eat(')') {
                    break;
                }
                if !reader.eat(',') {
                    return Err(reader.error("expected ',' or ')'"));
                }
            }
        }
        if !reader.rest.trim().is_empty() {
            return Err(
                reader.error(&format!("unexpected '{}' after the end", reader.rest.trim().escape_debug()))
            );
        }
        Ok(Self { name, args })
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (i, (key, value)) in self.args.iter().enumerate() {
            let open = if i == 0 { '(' } else { ',' };
            write!(f, "{open}{key}={}", quoted(value))?;
        }
        if self.args.is_empty() { Ok(()) } else { f.write_str(")") }
    }
}

/// The value, quoted if necessary so that it parses back.
fn quoted(value: &str) -> String {
    let mut depth = 0_i32;
    let plain = !value.is_empty()
        && value.trim() == value
        && value.chars().all(|c| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            depth >= 0 && !matches!(c, ',' | '"' | '\\')
        })
        && depth == 0;
    if plain { value.into() } else { format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\"")) }
}

struct Reader<'t> {
    text: &'t str,
    rest: &'t str,
}

impl Reader<'_> {
    fn error(&self, why: &str) -> SpecError {
        SpecError(format!(
            "'{}' is not a spec such as name(key=value,key=value): {why}",
            self.text.escape_debug()
        ))
    }

    /// Consumes the character and any spaces before it, if it is next.
    fn eat(&mut self, c: char) -> bool {
        match self.rest.trim_start().strip_prefix(c) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn word(&mut self, what: &str) -> Result<String, SpecError> {
        let rest = self.rest.trim_start();
        let end =
            rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_')).unwrap_or(rest.len());
        if end == 0 {
            return Err(self.error(&match rest.chars().next() {
                Some(c) => format!("expected {what}, found '{}'", c.escape_debug()),
                None => format!("expected {what}, found the end"),
            }));
        }
        let (word, rest) = rest.split_at(end);
        self.rest = rest;
        Ok(word.into())
    }

    fn value(&mut self) -> Result<String, SpecError> {
        if self.eat('"') {
            return self.quoted_value();
        }
        let rest = self.rest.trim_start();
        let mut depth = 0;
        let end = rest.find(|c: char| {
            match c {
                '(' => depth += 1,
                ')' if depth == 0 => return true,
                ')' => depth -= 1,
                ',' => return depth == 0,
                _ => {}
            }
            false
        });
        let (value, rest) = rest.split_at(end.unwrap_or(rest.len()));
        if value.trim().is_empty() {
            return Err(self.error("a value is missing"));
        }
        self.rest = rest;
        Ok(value.trim().into())
    }

    fn quoted_value(&mut self) -> Result<String, SpecError> {
        let mut value = String::new();
        let mut chars = self.rest.char_indices();
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    self.rest = &self.rest[at + 1..];
                    return Ok(value);
                }
                '\\' => match chars.next() {
                    Some((_, c @ ('"' | '\\'))) => value.push(c),
                    _ => {
                        return Err(
                            self.error("inside quotes, a backslash must precede a quote or a backslash")
                        );
                    }
                },
                c => value.push(c),
            }
        }
        Err(self.error("unclosed quote"))
    }
}

/// The name in the list that was probably meant. Case differences count less than any other.
#[must_use]
pub fn similar<'n>(text: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let lower = text.to_lowercase();
    let distance = |name: &str| strsim::damerau_levenshtein(&lower, &name.to_lowercase());
    let scored = names.into_iter().map(|name| (distance(name), name));
    scored
        .filter(|(distance, name)| *distance <= 1 + name.len() / 4)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// An error about a name that is not in the list, with a suggestion if one is similar.
#[must_use]
pub fn unknown(what: &str, text: &str, names: &[&str]) -> SpecError {
    let hint =
        similar(text, names.iter().copied()).map_or(String::new(), |name| format!("did you mean {name}? "));
    let list = names.join(", ");
    SpecError(format!("unknown {what} '{}'; {hint}there are: {list}", text.escape_debug()))
}
