//! Specs without default values.

use astragal_catalog::{brief_engine, brief_game, game};

#[test]
fn a_brief_spec_means_the_same() {
    for (game_spec, brief) in [
        ("pig", "pig"),
        ("pig(target=50)", "pig(target=50)"),
        ("cant-stop(dice=2,players=1)", "cant-stop(dice=2,players=1)"),
    ] {
        let whole = game(game_spec).unwrap();
        assert_eq!(brief_game(whole.spec()), brief);
        assert_eq!(game(brief).unwrap().spec(), whole.spec());
    }
    let game = game("ewn").unwrap();
    for brief in ["star2", "mcts(c=1.5)", "star2ss(width=2,sample=systematic)", "uct(select=epsilon(e=0.2))"]
    {
        let engine = game.engine(brief).unwrap();
        assert_eq!(brief_engine(engine.spec(), game.spec()), brief);
        assert_eq!(game.brief(engine.spec()), brief);
    }
}

#[test]
fn what_is_not_complete_stays_as_it_is() {
    for text in ["pig(dice=2)", "no-such-game(a=1)", "pig(", "pig(dice=2,target=100,more=1)"] {
        assert_eq!(brief_game(text), text);
    }
    assert_eq!(brief_engine("mcts(c=50)", "ewn"), "mcts(c=50)");
    assert_eq!(brief_engine("random", "no-such-game"), "random");
}
