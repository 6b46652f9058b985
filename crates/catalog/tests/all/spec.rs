//! The grammar of spec strings.

use astragal_catalog::Spec;
use proptest::prelude::*;

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
        ("pig(dice=1)x", "'x' is left over"),
        ("pig(dice=1))", "')' is left over"),
        ("explicit(file=\"a)", "a quote is not closed"),
        (r#"explicit(file="\n")"#, "a backslash between quotes"),
    ] {
        let error = Spec::parse(text).unwrap_err().to_string();
        assert!(error.contains(why) && !error.contains('\n'), "{text}: {error}");
    }
}

proptest! {
    #[test]
    fn any_spec_is_read_back_as_written(
        name in "[a-z][a-z0-9-]{0,8}",
        keys in prop::collection::btree_map("[a-z][a-z_]{0,6}", any::<String>(), 0..4),
    ) {
        let spec = Spec { name, args: keys.into_iter().collect() };
        prop_assert_eq!(Spec::parse(&spec.to_string()), Ok(spec));
    }

    #[test]
    fn no_text_makes_the_parser_panic(text in any::<String>(), tail in "[a-z(),=\"\\\\ ]{0,20}") {
        let _ = Spec::parse(&text);
        let _ = Spec::parse(&tail);
    }
}
