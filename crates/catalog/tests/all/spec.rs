//! The grammar of spec strings.

use crate::texts::{Stream, arbitrary, scaled, word};
use astragal_catalog::Spec;
use std::collections::BTreeMap;

#[test]
fn specs_are_read() {
    let spec = Spec::parse(" star2ss ( width = 18 , keys=path ) ").unwrap();
    assert_eq!(spec.to_string(), "star2ss(width=18,keys=path)");
    assert_eq!(Spec::parse("pig").unwrap().to_string(), "pig");
    assert_eq!(Spec::parse("pig()").unwrap().to_string(), "pig");
    let nested = Spec::parse("uct(select=epsilon(e=0.1,b=2),c=1)").unwrap();
    assert_eq!(nested.args[0], ("select".into(), "epsilon(e=0.1,b=2)".into()));
    let file = Spec::parse(r#"explicit(file="a, \"b\".json")"#).unwrap();
    assert_eq!(file.args[0].1, r#"a, "b".json"#);
    assert_eq!(Spec::parse(&file.to_string()), Ok(file));
}

#[test]
fn malformed_specs_are_explained() {
    for (text, why) in [
        ("", "expected a name, found the end"),
        ("(x=1)", "expected a name, found '('"),
        ("pig(", "expected a key, found the end"),
        ("pig(dice)", "expected '=' and a value after 'dice'"),
        ("pig(dice=)", "a value is missing"),
        ("pig(dice=1", "expected ',' or ')'"),
        ("pig(dice=1,)", "expected a key, found ')'"),
        ("pig(dice=1,dice=2)", "'dice' is given twice"),
        ("pig(dice=1)x", "unexpected 'x'"),
        ("pig(dice=1))", "unexpected ')'"),
        ("explicit(file=\"a)", "unclosed quote"),
        (r#"explicit(file="\n")"#, "inside quotes, a backslash"),
    ] {
        let error = Spec::parse(text).unwrap_err().to_string();
        assert!(error.contains(why) && !error.contains('\n'), "{text}: {error}");
    }
}

#[test]
fn any_spec_is_read_back_as_written() {
    let mut stream = Stream(2);
    for _ in 0..scaled(1000) {
        let name = format!("a{}", word(&mut stream, "abcxyz019-", 8));
        let mut args = BTreeMap::new();
        for _ in 0..stream.below(4) {
            args.insert(format!("k{}", word(&mut stream, "abcxyz_", 6)), arbitrary(&mut stream, "(,)=\"\\ "));
        }
        let spec = Spec { name, args: args.into_iter().collect() };
        assert_eq!(Spec::parse(&spec.to_string()), Ok(spec));
    }
}

#[test]
fn no_text_makes_the_parser_panic() {
    let mut stream = Stream(3);
    for _ in 0..scaled(1000) {
        let _ = Spec::parse(&arbitrary(&mut stream, "pig(dice=1,target=\"50\")"));
        let _ = Spec::parse(&word(&mut stream, "abc(),=\"\\ ", 20));
    }
}
