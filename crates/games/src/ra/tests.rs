use super::scoring::monument_points;
use super::*;
use astragal_core::contract::{Play, check_evaluator, check_game, check_horizon, check_notation};
use astragal_core::{Evaluator, Even, Notation, Sampler, below, pick, unit};

const PLAY: Play = Play { games: 100, length: 5000, seed: 7, unfinished: false };

fn variants() -> Vec<Ra> {
    let mut all = Vec::new();
    for utility in [Utility::Win, Utility::Score] {
        for ties in [Ties::Sun, Ties::Draw] {
            for one_god in [false, true] {
                all.push(Ra { utility, ties, one_god, ..Ra::default() });
            }
        }
    }
    all
}

#[test]
fn keeps_the_contract() {
    for game in variants() {
        let visited = check_game(&game, PLAY).unwrap();
        assert_eq!(visited.finished, PLAY.games);
        assert!(visited.distinct > 7_000, "{visited:?}");
        check_notation(&game, Play { games: 60, ..PLAY }).unwrap();
        check_evaluator(&game, &Score, PLAY).unwrap();
        check_evaluator(&game, &Assets, PLAY).unwrap();
        check_evaluator(&game, &Even, PLAY).unwrap();
        let few = Play { games: 3, ..PLAY };
        check_horizon(&game, &Score, few, 1).unwrap();
        check_horizon(&game, &Assets, few, 1).unwrap();
    }
}

#[test]
fn single_tiles_are_the_kinds_as_often_as_they_are_in_the_bag() {
    let (merged, single) = (Ra::default(), Ra { outcomes: Outcomes::Tiles, ..Ra::default() });
    check_game(&single, Play { games: 20, ..PLAY }).unwrap();
    check_notation(&single, Play { games: 3, ..PLAY }).unwrap();
    let drawing = after(&merged, "1/1 10:9652:- 10:874(1):2nile 3 god,flood - p1 turn", &["draw"]);
    let (mut kinds, mut tiles) = (Vec::new(), Vec::new());
    merged.outcomes(&drawing, &mut kinds);
    single.outcomes(&drawing, &mut tiles);
    // One Ra tile, two Niles, a God and a flood are out of the bag.
    assert_eq!((kinds.len(), tiles.len()), (23, 175));
    for Weighted { item, weight } in kinds {
        let same: Vec<_> = tiles.iter().filter(|tile| tile.item.kind == item.kind).collect();
        assert!((same.iter().map(|tile| tile.weight).sum::<f64>() - weight).abs() < 1e-12);
        let names: Vec<String> = same.iter().map(|tile| single.write_outcome(&drawing, tile.item)).collect();
        assert!(names.contains(&format!("{}#{}", item.kind.name(), same.len())), "{names:?}");
    }
}

#[test]
fn there_are_180_tiles_of_23_kinds() {
    assert_eq!(Kind::all().count(), 23);
    assert_eq!(Kind::all().map(|kind| u32::from(kind.in_box())).sum::<u32>(), 180);
    for kind in Kind::all() {
        assert_eq!(Kind::named(kind.name()), Some(kind));
    }
}

fn read(text: &str) -> State {
    Ra::default().read_state(text).unwrap()
}

/// Returns the position after these actions and outcomes.
fn after(game: &Ra, from: &str, steps: &[&str]) -> State {
    let mut state = game.read_state(from).unwrap();
    for step in steps {
        if game.turn(&state) == Turn::Chance {
            let outcome = game.read_outcome(&state, step).unwrap();
            game.resolve(&mut state, outcome);
        } else {
            let action = game.read_action(&state, step).unwrap();
            game.apply(&mut state, action);
        }
    }
    state
}

/// Plays the steps and compares the position.
fn leads_to(from: &str, steps: &[&str], to: &str) {
    assert_eq!(Ra::default().write_state(&after(&Ra::default(), from, steps)), to, "{from} {steps:?}");
}

fn actions(state: &State) -> Vec<String> {
    let game = Ra::default();
    let mut actions = Vec::new();
    game.actions(state, &mut actions);
    actions.into_iter().map(|action| game.write_action(state, action)).collect()
}

const START: &str = "1/0 10:9652: 10:8743: 1 - - p1 turn";

#[test]
fn the_start_is_written_so() {
    let start = Ra::default().start();
    assert_eq!(Ra::default().write_state(&start), "1/0 10:9652:- 10:8743:- 1 - - p1 turn");
    assert!(Ra::default().read_state(START).is_err(), "no tiles are written as -");
}

#[test]
fn monuments_score_by_difference_and_by_likeness() {
    let hand = |counts: [u8; 8]| {
        let mut hand = [0; OWNABLE];
        hand[MONUMENTS].copy_from_slice(&counts);
        hand
    };
    assert_eq!(monument_points(&hand([4, 3, 2, 1, 0, 0, 0, 0])), 19);
    assert_eq!(monument_points(&hand([1; 8])), 15);
    assert_eq!(monument_points(&hand([5; 8])), 135);
    assert_eq!(monument_points(&hand([0; 8])), 0);
    let different: Vec<i32> =
        (0..=8).map(|n| monument_points(&hand(std::array::from_fn(|i| u8::from(i < n))))).collect();
    assert_eq!(different, [0, 1, 2, 3, 4, 5, 6, 10, 15]);
}

#[test]
fn an_epoch_scores_as_in_the_example() {
    // A: a God, a gold, Niles without a flood, three civilizations. B: Niles with a flood, no civilization.
    let from = "1/5 10:9652:god,gold,3pharaoh,4nile,art,religion,writing 10:8743:3pharaoh,2nile,flood 1 - - p1 drawing";
    let state = read(from);
    assert_eq!([state.net(Player::Max), state.net(Player::Min)], [10, -2]);
    leads_to(
        from,
        &["ra"],
        "2/0 20:9652:3pharaoh,4nile 8:8743:3pharaoh,2nile 1 - 6ra,god,gold,flood,art,religion,writing p1 turn",
    );
}

#[test]
fn pharaohs_score_by_comparison() {
    let net = |mine: &str, yours: &str| {
        let state = read(&format!("1/5 10:9652:{mine} 10:8743:{yours} 1 - - p1 drawing"));
        [state.net(Player::Max), state.net(Player::Min)]
    };
    // Every player without civilizations loses five.
    assert_eq!(net("-", "-"), [-5, -5]);
    assert_eq!(net("pharaoh", "-"), [0, -7]);
    assert_eq!(net("pharaoh", "3pharaoh"), [-7, 0]);
    assert_eq!(net("2pharaoh", "2pharaoh"), [-5, -5]);
}

#[test]
fn the_last_epoch_counts_monuments_and_suns_and_no_score_falls_below_zero() {
    // Suns 9+6+5+2 = 22 against 8+7+4+3 = 22: nothing. Monuments: three pyramids score 1 + 5.
    leads_to(
        "3/5 2:9652:- 10:8743:3pyramid 1 - 12ra p1 drawing",
        &["ra"],
        "3/6 0:9652:- 11:8743:3pyramid 1 - 12ra p1 over",
    );
    // 9+6+5+1 = 21 against 22, with the 2 in the middle.
    leads_to(
        "3/5 30:965(1):- 30:8743:- 2 - 12ra p1 drawing",
        &["ra"],
        "3/6 20:9651:- 30:8743:- 2 - 12ra p1 over",
    );
}

#[test]
fn equal_scores_go_to_the_highest_sun_or_to_nobody() {
    let text = "3/6 20:9651:- 20:8743:- 2 - 12ra p1 over";
    let value = |game: Ra| game.turn(&game.read_state(text).unwrap());
    assert_eq!(value(Ra::default()), Turn::Over(100.0));
    assert_eq!(value(Ra { ties: Ties::Draw, ..Ra::default() }), Turn::Over(0.0));
    assert_eq!(value(Ra { utility: Utility::Score, ..Ra::default() }), Turn::Over(0.0));
    let other = "3/6 20:9651:- 33:8743:- 2 - 12ra p1 over";
    let value = |game: Ra| game.turn(&game.read_state(other).unwrap());
    assert_eq!(value(Ra::default()), Turn::Over(-100.0));
    assert_eq!(value(Ra { utility: Utility::Score, ..Ra::default() }), Turn::Over(-13.0));
}

#[test]
fn the_winner_takes_the_tiles_and_the_sun_from_the_middle_face_down() {
    leads_to(
        "1/1 10:9652:- 10:8743:- 1 nile,gold - p1 turn",
        &["invoke", "bid 4", "bid 5"],
        "1/1 10:962(1):gold,nile 10:8743:- 5 - - p2 turn",
    );
    leads_to(
        "1/1 10:9652:- 10:8743:- 1 nile,gold - p1 turn",
        &["invoke", "bid 4", "pass"],
        "1/1 10:9652:- 10:873(1):gold,nile 4 - - p2 turn",
    );
}

#[test]
fn who_calls_for_an_auction_that_nobody_wants_must_bid() {
    let game = Ra::default();
    let auction = after(&game, "1/1 10:9652:- 10:8743:- 1 nile - p1 turn", &["invoke"]);
    assert_eq!(actions(&auction), ["bid 3", "bid 4", "bid 7", "bid 8", "pass"]);
    let alone = after(&game, "1/1 10:9652:- 10:8743:- 1 nile - p1 turn", &["invoke", "pass"]);
    assert_eq!(actions(&alone), ["bid 2", "bid 5", "bid 6", "bid 9"]);
    let beaten = after(&game, "1/1 10:9652:- 10:8743:- 1 nile - p1 turn", &["invoke", "bid 8"]);
    assert_eq!(actions(&beaten), ["bid 9", "pass"]);
}

#[test]
fn a_ra_tile_calls_an_auction_that_may_come_to_nothing() {
    leads_to(
        "1/1 10:9652:- 10:8743:- 1 nile - p1 turn",
        &["draw", "ra", "pass", "pass"],
        "1/2 10:9652:- 10:8743:- 1 nile - p2 turn",
    );
}

#[test]
fn a_full_track_is_auctioned_and_discarded_if_nobody_wants_it() {
    let full = "1/1 10:9652:god 10:8743:- 1 3nile,3pharaoh,2gold - p1 turn";
    assert_eq!(actions(&read(full)), ["invoke", "take gold", "take pharaoh", "take nile"]);
    leads_to(full, &["invoke", "pass", "pass"], "1/1 10:9652:god 10:8743:- 1 - 2gold,3pharaoh,3nile p2 turn");
}

#[test]
fn gods_take_tiles_but_neither_gods_nor_disasters() {
    let from = "1/1 10:9652:2god 10:8743:- 1 god,nile,temple,drought - p1 turn";
    assert_eq!(actions(&read(from)), ["draw", "invoke", "take nile", "take temple"]);
    let once = after(&Ra::default(), from, &["take nile"]);
    assert_eq!(actions(&once), ["take temple", "end"]);
    leads_to(from, &["take nile", "end"], "1/1 10:9652:god,nile 10:8743:- 1 god,temple,drought god p2 turn");
    leads_to(
        from,
        &["take nile", "take temple"],
        "1/1 10:9652:nile,temple 10:8743:- 1 god,drought 2god p2 turn",
    );
    // With one God a turn, the turn ends immediately.
    let game = Ra { one_god: true, ..Ra::default() };
    let state = after(&game, from, &["take nile"]);
    assert_eq!(game.write_state(&state), "1/1 10:9652:god,nile 10:8743:- 1 god,temple,drought god p2 turn");
}

#[test]
fn disasters_count_the_tiles_just_won() {
    leads_to(
        "1/1 10:9652:flood,4nile 10:8743:- 1 3pharaoh,funeral,nile,drought - p1 turn",
        &["invoke", "pass", "bid 2"],
        // Three Pharaohs minus two; the flood and one of five Niles are lost.
        "1/1 10:965(1):pharaoh,4nile 10:8743:- 2 - 2pharaoh,nile,flood,funeral,drought p2 turn",
    );
    leads_to(
        "1/1 10:9652:pharaoh 10:8743:- 1 2funeral,drought - p1 turn",
        &["invoke", "pass", "bid 2"],
        "1/1 10:965(1):- 10:8743:- 2 - pharaoh,2funeral,drought p2 turn",
    );
}

#[test]
fn the_owner_chooses_what_unrest_and_earthquakes_destroy() {
    let from = "1/1 10:9652:art,2religion,temple,2palace 10:8743:- 1 unrest,earthquake - p1 turn";
    let first = after(&Ra::default(), from, &["invoke", "pass", "bid 2"]);
    assert_eq!(actions(&first), ["lose art", "lose religion"]);
    leads_to(
        from,
        &["invoke", "pass", "bid 2", "lose religion", "lose art", "lose palace", "lose palace"],
        "1/1 10:965(1):religion,temple 10:8743:- 2 - art,religion,2palace,unrest,earthquake p2 turn",
    );
    // No choice: too few tiles, or only one kind.
    leads_to(
        "1/1 10:9652:art,religion,3palace 10:8743:- 1 unrest,earthquake - p1 turn",
        &["invoke", "pass", "bid 2"],
        "1/1 10:965(1):palace 10:8743:- 2 - art,religion,2palace,unrest,earthquake p2 turn",
    );
}

#[test]
fn a_player_without_suns_is_passed_over_and_the_last_sun_ends_the_epoch() {
    let from = "1/1 10:(9652):- 10:8(743):- 1 - - p2 turn";
    leads_to(from, &["draw", "gold"], "1/1 10:(9652):- 10:8(743):- 1 gold - p2 turn");
    // Nobody else can bid, so the invoker must.
    let alone = after(&Ra::default(), from, &["invoke"]);
    assert_eq!(actions(&alone), ["bid 8"]);
    // The 8 is exchanged for the 1; player 1 begins with the 9. Gold 3, no civilization -5.
    leads_to(from, &["draw", "gold", "invoke", "bid 8"], "2/0 5:9652:- 8:7431:- 8 - ra,gold p1 turn");
    // The player with the highest sun begins.
    leads_to(
        "1/1 10:9(652):- 10:(8743):- 1 - - p1 turn",
        &["invoke", "bid 9"],
        "2/0 5:6521:- 5:8743:- 9 - ra p2 turn",
    );
}

#[test]
fn positions_that_cannot_be_are_refused_with_the_reason() {
    for (text, why) in [
        ("", "not eight words"),
        ("4/0 10:9652:- 10:8743:- 1 - - p1 turn", "not an epoch"),
        ("1/0 10:9652:- 10:8743:- 2 - - p1 turn", "four of the suns"),
        ("1/0 10:9652:- 10:874:- 1 - - p1 turn", "four of the suns"),
        ("1/0 10:9652:- 10:8843:- 1 - - p1 turn", "no list of suns"),
        ("1/0 10:9652:26nile 10:8743:- 1 - - p1 turn", "25 nile tiles in the box"),
        ("1/0 10:9652:20nile 10:8743:- 1 6nile - p1 turn", "26 nile tiles"),
        ("1/0 10:9652:crocodile 10:8743:- 1 - - p1 turn", "no tile"),
        ("1/0 10:9652:unrest 10:8743:- 1 - - p1 turn", "nobody owns"),
        ("1/0 10:9652:- 10:8743:- 1 9nile - p1 turn", "8 spaces"),
        ("1/0 10:9652:- 10:8743:- 1 8nile - p1 drawing", "full"),
        ("1/6 10:9652:- 10:8743:- 1 - - p1 turn", "ends with its Ra tile"),
        ("1/0 10:(9652):- 10:8743:- 1 - - p1 turn", "no sun face up"),
        ("1/0 10:9652:- 10:8743:- 1 - - p3 turn", "neither p1 nor p2"),
        ("1/0 10:9652:- 10:8743:- 1 - - p1 sleep", "none of turn"),
        ("1/0 10:9652:- 10:8743:- 1 nile - p1 god", "no God"),
        ("1/0 10:9652:- 10:8743:- 1 nile - p1 auction:p1:free:5", "no sun 5"),
        ("1/0 10:9652:- 10:8743:- 1 nile - p2 auction:p1:free:5", "bids first"),
        ("1/0 10:9652:- 10:8743:- 1 8nile - p2 auction:p1:free:0", "forced"),
        ("1/0 10:9652:art,writing 10:8743:- 1 - unrest p1 lose:p1:2:0", "no such choice"),
        ("1/0 10:9652:2art,writing 10:8743:- 1 - - p1 lose:p1:2:0", "more than the disasters"),
        ("1/0 70000:9652:- 10:8743:- 1 - - p1 turn", "no score"),
        ("2/5 10:9652:- 10:8743:- 1 - 30ra p1 turn", "35 ra tiles"),
        ("2/5 10:9652:- 10:8743:- 1 - 7ra p1 turn", "7 Ra tiles of earlier epochs"),
        ("1/0 10:9652:- 10:8743:- 1 - ra p1 turn", "1 Ra tiles of earlier epochs"),
        ("1/0 10:9652:- 10:8743:- 1 nile - p2 auction:p1:forced:0", "there is neither"),
        ("1/0 10:9652:- 10:8743:- 1 - - p1 over", "over"),
    ] {
        let error = Ra::default().read_state(text).unwrap_err().to_string();
        assert!(error.contains(why), "{error} does not say: {why}");
    }
}

#[test]
fn bounds_close_when_the_lots_are_sold() {
    let bounds = |text: &str| {
        let state = read(text);
        let score = Ra { utility: Utility::Score, ..Ra::default() };
        (Ra::default().bounds(&state), score.bounds(&state))
    };
    let whole = Interval { lo: -100.0, hi: 100.0 };
    assert_eq!(bounds("1/0 10:9652:- 10:8743:- 1 - - p1 turn"), (whole, whole));
    // Player 1 has no sun left, player 2 can win one lot of at most eight tiles.
    let late = "3/5 88:(9652):2pharaoh 10:8(743):- 1 - 12ra,8god,5gold,2funeral p2 turn";
    let (win, score) = bounds(late);
    assert_eq!(win, Interval { lo: 100.0, hi: 100.0 });
    // At best player 1 keeps the Pharaohs (+5) and has the larger suns (+5) but no civilization (-5): 93
    // against 10 less 2, 5 and 5, clamped at 0. At worst he ends with 88 - 2 - 5 - 5 = 76, and player 2 with
    // 10 + 5 + 5 - 5 and five points for each of eight tiles.
    assert_eq!(score, Interval { lo: 76.0 - 55.0, hi: 93.0 });
}

/// A mean with its standard error.
fn mean(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / (n - 1.0);
    (mean, (variance / n).sqrt())
}

#[test]
fn random_play_has_the_known_means() {
    // 3000 games of another program, all legal actions equally likely: scores 9.39 and 10.14 (± 0.17),
    // decisions 85.95 (± 0.12), 20.95 draws, 2.460 actions per decision.
    let game = Ra::default();
    let sampler = Sampler::new(5);
    const GAMES: u64 = 6000;
    let mut seen: [Vec<f64>; 4] = Default::default();
    let (mut choices, mut wins) = (0, [0; 3]);
    for number in 0..GAMES {
        let mut state = game.start();
        let (mut decisions, mut draws) = (0, 0);
        for step in 0.. {
            let bits = sampler.draw(number, 0, step);
            match game.turn(&state) {
                Turn::Over(_) => break,
                Turn::Chance => {
                    draws += 1;
                    let mut outcomes = Vec::new();
                    game.outcomes(&state, &mut outcomes);
                    game.resolve(&mut state, pick(&outcomes, unit(bits)).item);
                }
                Turn::Decide(_) => {
                    decisions += 1;
                    let mut actions = Vec::new();
                    game.actions(&state, &mut actions);
                    choices += actions.len();
                    game.apply(&mut state, actions[below(bits, actions.len() as u64) as usize]);
                }
            }
        }
        wins[match state.scores[0].cmp(&state.scores[1]) {
            std::cmp::Ordering::Greater => 0,
            std::cmp::Ordering::Less => 1,
            std::cmp::Ordering::Equal => 2,
        }] += 1_u32;
        for (list, value) in seen.iter_mut().zip([
            state.scores[0].into(),
            state.scores[1].into(),
            f64::from(decisions),
            f64::from(draws),
        ]) {
            list.push(value);
        }
    }
    let root2 = std::f64::consts::SQRT_2;
    // If the other program's error is not known, it is ours times √2, because it played half as many games.
    for (list, known) in seen.iter().zip([9.39, 10.14, 85.95, 20.95]) {
        let (ours, error) = mean(list);
        let both = (error * error + 2.0 * error * error).sqrt();
        assert!((ours - known).abs() < 3.0 * both, "{ours} ± {error}, not {known} ± {}", error * root2);
    }
    let choices = choices as f64 / seen[2].iter().sum::<f64>();
    assert!((choices - 2.460).abs() < 0.005, "{choices}");
    // 1439 wins of the first player, 1496 of the second and 65 ties; three standard deviations of the
    // difference.
    for (count, known) in [(wins[0], 1439.0), (wins[1], 1496.0), (wins[2], 65.0)] {
        let (share, known) = (f64::from(count) / GAMES as f64, known / 3000.0);
        let error = (known * (1.0 - known) * (1.0 / 3000.0 + 1.0 / GAMES as f64)).sqrt();
        assert!((share - known).abs() < 3.0 * error, "{share}, not {known} ± {error}");
    }
}

#[test]
fn an_epoch_without_bids_lasts_35_draws_on_average() {
    // The first draw is Ra with probability 1/6; the sixth Ra tile comes after 6 * 181 / 31 draws.
    let game = Ra::default();
    let mut state = game.start();
    game.apply(&mut state, Action::Draw);
    let mut outcomes = Vec::new();
    game.outcomes(&state, &mut outcomes);
    assert_eq!(outcomes.len(), 23);
    assert_eq!(outcomes[0].weight, 1.0 / 6.0);
    let sampler = Sampler::new(11);
    let lengths: Vec<f64> = (0..20_000)
        .map(|number| {
            let mut state = game.start();
            let mut draws = 0;
            // Always draw if possible; auctions on full tracks get no bids.
            for step in 0.. {
                if state.epoch == 2 {
                    break;
                }
                match game.turn(&state) {
                    Turn::Chance => {
                        draws += 1;
                        outcomes.clear();
                        game.outcomes(&state, &mut outcomes);
                        let bits = sampler.draw(number, 0, step);
                        game.resolve(&mut state, pick(&outcomes, unit(bits)).item);
                    }
                    _ => {
                        let mut actions = Vec::new();
                        game.actions(&state, &mut actions);
                        let wanted = [Action::Draw, Action::Pass, Action::Invoke];
                        let action = wanted.into_iter().find(|action| actions.contains(action)).unwrap();
                        game.apply(&mut state, action);
                    }
                }
            }
            f64::from(draws)
        })
        .collect();
    let (ours, error) = mean(&lengths);
    assert!(error < 0.1 && (ours - 6.0 * 181.0 / 31.0).abs() < 3.0 * error, "{ours} ± {error}");
}

#[test]
fn what_is_not_allowed_is_explained() {
    let game = Ra::default();
    let turn = "1/1 10:9652:- 10:8743:- 1 god,nile,unrest - p1 turn";
    let full = "1/1 10:9652:god 10:8743:- 1 god,6nile,unrest - p1 turn";
    let auction = "1/1 10:962(5):- 10:8743:- 1 nile - p1 auction:p1:free:7";
    let must = "1/1 10:9652:- 10:8743:- 1 nile - p1 auction:p1:free:0";
    let lose = "1/1 10:9652:2art,writing,temple 10:8743:- 1 - unrest p1 lose:p1:2:0";
    for (position, action, why) in [
        (turn, "bid 5", "there is no auction"),
        (turn, "pass", "there is no auction"),
        (turn, "take nile", "you have no God"),
        (turn, "lose art", "no disaster"),
        (turn, "end", "nothing is begun"),
        (full, "draw", "track is full"),
        (full, "take gold", "no gold on the track"),
        (full, "take unrest", "neither Gods nor disasters"),
        (auction, "bid 6", "only a higher sun"),
        (auction, "bid 5", "lies face down"),
        (auction, "bid 8", "you do not have sun 8"),
        (auction, "bid 12", "from 1 to 9"),
        (auction, "draw", "an auction is going on"),
        (must, "pass", "you must"),
        (lose, "draw", "choose what to lose"),
        (lose, "lose temple", "not among the tiles"),
    ] {
        let state = game.read_state(position).unwrap();
        let error = game.read_action(&state, action).unwrap_err().to_string();
        assert!(error.contains(why) && error.contains("expected one of"), "{action}: {error}");
    }
}

#[test]
fn an_auction_that_ends_the_game_is_worth_what_it_ends_with() {
    let text =
        "3/2 10:9(652):5pyramid,5temple,art,religion 40:(8743):art,religion 1 - 12ra p1 auction:p1:free:0";
    for (utility, value) in [(Utility::Win, -100.0), (Utility::Score, -8.0)] {
        let game = Ra { utility, ..Ra::default() };
        let state = game.read_state(text).unwrap();
        assert_eq!(actions(&state), ["bid 9"]);
        assert_eq!(Assets.value(&game, &state), value);
    }
}

#[test]
fn the_picture_says_everything() {
    let state = read(
        "3/2 10:9(652):gold,2pyramid,art,religion,writing 40:87(43):pharaoh,3nile,flood 1 2nile,drought 12ra p2 auction:p2:forced:9",
    );
    assert_eq!(
        Ra::default().picture(&state).to_string(),
        "  epoch 3 of 3   Ra ●●○○○○   sun in the middle: 1   bag: 152 tiles, 16 Ra

  track  3 of 8 spaces  2 nile, drought

  p1  score 10    suns 9 (6) (5) (2)
      gods, gold      +3  gold
      pharaohs        -2
      civilizations   +5  art, religion, writing
      monuments       +1  2 pyramid
      +7 if the epoch ended now

  p2  score 40    suns 8 7 (4) (3)
      pharaohs        +5  pharaoh
      river           +4  3 nile, flood
      civilizations   -5
      +4 if the epoch ended now

  an auction is due on p2's turn; p1 has bid 9; p2 bids"
    );
}

#[test]
fn the_picture_fits_a_terminal_of_eighty_columns() {
    let monuments = "5fortress,5obelisk,5palace,5pyramid,5sphinx,5statue,5step-pyramid,5temple";
    let civilizations = "5art,5agriculture,4astronomy,4religion,4writing";
    let state = read(&format!(
        "3/5 999:9(652):8god,25pharaoh,24nile,12flood,{civilizations},{monuments} 0:87(43):- 1 5gold,astronomy,religion,writing 12ra p1 auction:p1:forced:0"
    ));
    let picture = Ra::default().picture(&state).to_string();
    let wide: Vec<&str> = picture.lines().filter(|line| line.chars().count() >= 80).collect();
    assert!(wide.is_empty(), "{wide:?}");
    // Nothing is left out, and a list goes on below its beginning.
    for tile in monuments.split(',').chain(civilizations.split(',')) {
        let (number, name) = tile.split_at(1);
        assert!(picture.contains(&format!("{number} {name}")), "{tile}: {picture}");
    }
    let indented = picture.lines().filter(|line| line.starts_with("                          5 ")).count();
    assert_eq!(indented, 1, "{picture}");
}
