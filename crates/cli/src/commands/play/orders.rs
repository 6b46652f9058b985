//! Interprets a line at the prompt: an action, or a command.

use super::matching::{Closeness, Meaning, plain, understand};

/// A command at the prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Hint,
    Opinion,
    Undo,
    Show,
    List,
    Rules,
    Help,
    Quit,
}

/// The commands, which may be shortened.
const ORDERS: [(&str, Order); 6] = [
    ("hint", Order::Hint),
    ("opinion", Order::Opinion),
    ("undo", Order::Undo),
    ("show", Order::Show),
    ("help", Order::Help),
    ("quit", Order::Quit),
];

/// Further commands, which may be shortened only after a colon: so they leave more letters to actions.
const WHOLE_ORDERS: [(&str, Order); 4] =
    [("moves", Order::List), ("list", Order::List), ("actions", Order::List), ("rules", Order::Rules)];

/// What a line at the prompt means.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Said<'a> {
    /// An action, or an outcome.
    Choice(&'a str),
    Order(Order),
    /// Ambiguous: any of these.
    Unclear(Vec<&'a str>),
    /// A colon without a known command after it.
    NoOrder,
    Nothing,
}

/// Interprets a line. A leading colon marks a command; otherwise an action takes precedence over a command
/// that matches equally well.
pub(super) fn interpret<'a>(line: &str, names: &'a [String]) -> Said<'a> {
    let word = line.trim();
    let (command, has_colon) = match word.strip_prefix(':') {
        Some(command) => (plain(command), true),
        None => (plain(word), false),
    };
    if command == "?" {
        return Said::Order(Order::Hint);
    }
    let orders: Vec<(&str, Order)> = match command.as_str() {
        "" => Vec::new(),
        command => {
            let begins = |(name, _): &(&str, Order)| name.starts_with(command);
            let is_whole = |(name, _): &(&str, Order)| {
                if has_colon { name.starts_with(command) } else { *name == command }
            };
            ORDERS.into_iter().filter(begins).chain(WHOLE_ORDERS.into_iter().filter(is_whole)).collect()
        }
    };
    if has_colon {
        return match orders[..] {
            [(_, order)] => Said::Order(order),
            [] => Said::NoOrder,
            _ => Said::Unclear(orders.into_iter().map(|(name, _)| name).collect()),
        };
    }
    // A game may distinguish `A` from `a`.
    if let Some(name) = names.iter().find(|name| *name == word) {
        return Said::Choice(name);
    }
    let (meaning, close) = understand(word, names);
    let exact = orders.iter().find(|(name, _)| *name == command);
    match (meaning, close, exact, &orders[..]) {
        (Meaning::One(name), Some(Closeness::Whole), ..) => Said::Choice(name),
        (_, _, Some((_, order)), _) => Said::Order(*order),
        (Meaning::One(name), Some(Closeness::Beginning), ..) => Said::Choice(name),
        (Meaning::Several(all), Some(Closeness::Whole | Closeness::Beginning), ..) => Said::Unclear(all),
        (Meaning::One(name), _, _, []) => Said::Choice(name),
        (Meaning::Several(all), _, _, []) => Said::Unclear(all),
        (Meaning::Nothing, _, _, []) => Said::Nothing,
        // A prefix of a word of an action and of a command: neither is closer.
        (meaning, Some(Closeness::Words), _, orders) => {
            let mut all = match meaning {
                Meaning::One(name) => vec![name],
                Meaning::Several(all) => all,
                Meaning::Nothing => Vec::new(),
            };
            all.extend(orders.iter().map(|(name, _)| *name));
            Said::Unclear(all)
        }
        (_, _, _, [(_, order)]) => Said::Order(*order),
        (_, _, _, orders) => Said::Unclear(orders.iter().map(|(name, _)| *name).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(line: &str, names: &[&str]) -> String {
        let names: Vec<String> = names.iter().map(|name| (*name).into()).collect();
        format!("{:?}", interpret(line, &names))
    }

    #[test]
    fn actions_come_before_commands_that_begin_alike() {
        let pig = ["roll", "hold"];
        assert_eq!(said("h", &pig), r#"Choice("hold")"#);
        assert_eq!(said("help", &pig), "Order(Help)");
        assert_eq!(said("o", &pig), "Order(Opinion)");
        assert_eq!(said("q", &pig), "Order(Quit)");
        assert_eq!(said(":h", &pig), r#"Unclear(["hint", "help"])"#);
        // A game with an action of the same name.
        assert_eq!(said("quit", &["quit", "stay"]), r#"Choice("quit")"#);
        assert_eq!(said(":quit", &["quit", "stay"]), "Order(Quit)");
        assert_eq!(said("u", &["3 up", "3 left"]), r#"Unclear(["3 up", "undo"])"#);
        assert_eq!(said("undo", &["3 up", "3 left"]), "Order(Undo)");
    }

    #[test]
    fn lists_and_rules_are_asked_for_by_whole_words() {
        for word in ["moves", "list", "actions", "LIST"] {
            assert_eq!(said(word, &["3 left", "3 up"]), "Order(List)");
        }
        assert_eq!(said("rules", &["roll", "3 right"]), "Order(Rules)");
        assert_eq!(said("l", &["3 left", "3 up"]), r#"Choice("3 left")"#);
        assert_eq!(said("r", &["3 right", "3 down"]), r#"Choice("3 right")"#);
        assert_eq!(said(":r", &["3 right", "3 down"]), "Order(Rules)");
        assert_eq!(said("list", &["list", "stay"]), r#"Choice("list")"#);
    }

    #[test]
    fn a_colon_goes_before_any_command() {
        for (line, order) in
            [("?", "Hint"), (":?", "Hint"), (": ?", "Hint"), (":op", "Opinion"), (":U", "Undo")]
        {
            assert_eq!(said(line, &["roll"]), format!("Order({order})"));
        }
        assert_eq!(said(":roll", &["roll"]), "NoOrder");
        assert_eq!(said(":", &["roll"]), "NoOrder");
        assert_eq!(said("  ", &["roll"]), "Nothing");
        assert_eq!(said("A", &["A", "a"]), r#"Choice("A")"#);
    }
}
