use super::*;
use astragal_core::contract::{Play, check_evaluator, check_game, check_horizon, check_notation};
use astragal_core::{Evaluator, Luck, Noisy, Notation};

#[test]
fn pig_keeps_the_contract() {
    for (dice, target) in [(1, 2), (1, 20), (1, 100), (2, 2), (2, 20), (2, 100), (2, 10_000)] {
        let game = Pig::new(dice, target).unwrap();
        let play = Play { games: 60, length: 300, seed: u64::from(target), unfinished: target > 100 };
        check_game(&game, play).unwrap();
        check_notation(&game, play).unwrap();
        check_evaluator(&game, &Lead, play).unwrap();
        check_evaluator(&game, &Logistic, play).unwrap();
        check_evaluator(&game, &Banked, play).unwrap();
        for outcomes in [Outcomes::Pairs, Outcomes::Rolls] {
            let Ok(unmerged) = game.clone().with_outcomes(outcomes) else {
                assert_eq!(dice, 1);
                continue;
            };
            check_game(&unmerged, play).unwrap();
            check_notation(&unmerged, play).unwrap();
        }
    }
}

#[test]
fn the_lead_stays_within_its_horizon() {
    for (dice, target) in [(1, 2), (1, 20), (1, 100), (2, 2), (2, 20), (2, 60), (2, 100), (2, 10_000)] {
        let game = Pig::new(dice, target).unwrap();
        let play = Play { games: 4, length: 60, seed: u64::from(target), unfinished: true };
        check_horizon(&game, &Lead, play, 4).unwrap();
        check_horizon(&game, &Noisy { evaluator: Lead, sigma: 2.0 }, play, 2).unwrap();
    }
    // Far from the target the bounds are tight: less than a tenth of the range, six decisions ahead.
    let game = Pig::default();
    let within = Lead.horizon(&game, &game.read_state("20-30+12 p1").unwrap(), 6, Luck::Fair).unwrap();
    assert!(within.width() < 20.0, "{within}");
}

#[test]
fn unmerged_outcomes_sum_to_the_merged_ones() {
    let results = |game: &Pig| {
        let mut outcomes = Vec::new();
        game.outcomes(&game.start(), &mut outcomes);
        let count = outcomes.len();
        let mut sums = std::collections::BTreeMap::new();
        for Weighted { item, weight } in outcomes {
            let mut state = game.read_state("30-45+12 p1 rolling").unwrap();
            game.resolve(&mut state, item);
            // In 36ths, so that sums are exact.
            *sums.entry(game.write_state(&state)).or_insert(0) += (36.0 * weight).round() as u32;
        }
        (count, sums)
    };
    let (eleven, merged) = results(&Pig::default());
    let (pairs, unordered) = results(&Pig::default().with_outcomes(Outcomes::Pairs).unwrap());
    let (rolls, ordered) = results(&Pig::default().with_outcomes(Outcomes::Rolls).unwrap());
    assert_eq!([eleven, pairs, rolls], [11, 21, 36]);
    assert!(unordered == merged && ordered == merged, "{merged:?} {unordered:?} {ordered:?}");
    assert_eq!(merged.values().sum::<u32>(), 36);
}

#[test]
fn two_dice_have_eleven_results_in_36_ways() {
    // Counted independently from the 36 pairs of faces.
    let mut ways = std::collections::BTreeMap::new();
    for (a, b) in (1..=6_u8).flat_map(|a| (1..=6).map(move |b| (a, b))) {
        let result = match (a, b) {
            (1, 1) => "reset".into(),
            (1, _) | (_, 1) => "bust".into(),
            _ => format!("+{}", a + b),
        };
        *ways.entry(result).or_insert(0_u32) += 1;
    }
    let game = Pig::default();
    let mut outcomes = Vec::new();
    game.outcomes(&game.start(), &mut outcomes);
    assert_eq!(outcomes.len(), 11);
    for outcome in outcomes {
        let text = game.write_outcome(&game.start(), outcome.item);
        assert_eq!(outcome.weight, f64::from(ways[&text]) / 36.0, "{text}");
    }
}

#[test]
fn noise_has_the_deviation_that_was_asked_for_and_is_fixed() {
    let game = Pig::default();
    let noisy = Noisy { evaluator: Banked, sigma: 4.0 };
    let (mut count, mut sum, mut squares) = (0.0, 0.0, 0.0);
    for (first, second) in (10..60).flat_map(|a| (10..60).map(move |b| (a, b))) {
        let state = game.state([first, second], 10, Player::Max).unwrap();
        let noise = noisy.value(&game, &state) - Banked.value(&game, &state);
        assert_eq!(noisy.value(&game, &state) - Banked.value(&game, &state), noise);
        assert!(noise.abs() <= 14.0);
        (count, sum, squares) = (count + 1.0, sum + noise, squares + noise * noise);
    }
    // 2500 positions: the error of the mean is 0.08, that of the deviation 0.06.
    let mean: f64 = sum / count;
    let deviation = (squares / count - mean * mean).sqrt();
    assert!(mean.abs() < 0.32 && (deviation - 4.0).abs() < 0.24, "{mean} {deviation}");
}

#[test]
fn reaching_the_target_within_a_turn_wins_at_once() {
    let game = Pig::default();
    let state = game.read_state("88-96+12 p1").unwrap();
    assert_eq!(game.turn(&state), Turn::Over(100.0));
    let state = game.read_state("88-96+4 p2").unwrap();
    assert_eq!(game.turn(&state), Turn::Over(-100.0));
}

#[test]
fn the_first_roll_of_a_turn_is_forced() {
    let game = Pig::default();
    let mut actions = Vec::new();
    game.actions(&game.start(), &mut actions);
    assert_eq!(actions, [Action::Roll]);
}

#[test]
fn a_double_one_loses_the_score_and_a_single_one_does_not() {
    let game = Pig::default();
    let rolling = game.read_state("30-45+12 p1 rolling").unwrap();
    for (outcome, after) in [("bust", "30-45+0 p2"), ("reset", "0-45+0 p2"), ("+7", "30-45+19 p1")] {
        let mut state = rolling;
        game.resolve(&mut state, game.read_outcome(&rolling, outcome).unwrap());
        assert_eq!(game.write_state(&state), after);
    }
}

#[test]
fn malformed_positions_are_explained() {
    let game = Pig::default();
    for (text, why) in [
        ("", "expected A-B+T pN"),
        ("30-45 p1", "expected A-B+T pN"),
        ("30-45+12", "expected A-B+T pN"),
        ("30-45+12 p3", "expected A-B+T pN"),
        ("30-+45+12 p1", "expected A-B+T pN"),
        ("30-45+12 p1 rolling now", "expected A-B+T pN"),
        ("30-45+12 p1 waiting", "expected A-B+T pN"),
        ("100-45+0 p2", "the score 100 is not below the target 100"),
        ("30-99999999+0 p2", "the score 99999999 is not below"),
        ("30-45+83 p1", "more than can be rolled"),
        ("30-45+70 p1 rolling", "the game is over"),
    ] {
        let error = game.read_state(text).unwrap_err().to_string();
        assert!(error.contains(why), "{text}: {error}");
    }
}

#[test]
fn the_fit_follows_its_formula() {
    let game = Pig::default();
    let state = game.read_state("30-45+12 p2").unwrap();
    let logit: f64 = -0.238 + 3.78 * 0.45 - 3.01 * 0.30 + 2.54 * 0.12;
    let expected = -100.0 * (2.0 / (1.0 + (-logit).exp()) - 1.0);
    assert!((Logistic.value(&game, &state) - expected).abs() < 1e-12);
}
