//! Evaluators of EinStein würfelt nicht!

use super::{DIRECTIONS, Direction, Ewn, GONE, MOST_SQUARES, Move, State, WIN};
use crate::ROUNDING;
use astragal_core::{Evaluator, Game, Interval, Luck, Player, Policy};

/// The bounds of an evaluator that ignores the die: a roll does not change its value.
fn blind(evaluator: &impl Evaluator<Ewn>, game: &Ewn, state: &State, depth: u32) -> Option<Interval> {
    let value = || Interval::point(evaluator.value(game, state)).widened(ROUNDING);
    (depth == 0).then(|| value().intersect(&game.bounds(state)))
}

/// The evaluator `race`: the number of moves that the opponent's foremost stone needs, minus one's own.
#[derive(Clone, Copy, Debug, Default)]
pub struct Race;

impl Evaluator<Ewn> for Race {
    fn value(&self, game: &Ewn, state: &State) -> f64 {
        let longest = f64::from(game.rows.max(game.columns) - 1);
        let best = |player: Player| {
            let own = &state.squares[player.index()][..usize::from(game.stones)];
            let left =
                own.iter().filter(|&&square| square != GONE).map(|&square| game.distance(player, square));
            left.min().map_or(longest, f64::from)
        };
        game.range().clamp((best(Player::Min) - best(Player::Max)) * WIN / longest.max(1.0))
    }

    fn horizon(&self, game: &Ewn, state: &State, depth: u32, _luck: Luck) -> Option<Interval> {
        blind(self, game, state, depth)
    }
}

/// The evaluator `proximity`: for each face of the die, the worth of the best stone that it may move, which
/// doubles with each step towards the goal. The difference of both sides' means over the faces is mapped by a
/// logistic function.
#[derive(Clone, Copy, Debug, Default)]
pub struct Proximity;

/// The slope of the logistic function.
const SLOPE: f64 = 0.35;

impl Evaluator<Ewn> for Proximity {
    fn value(&self, game: &Ewn, state: &State) -> f64 {
        let side = |player: Player| {
            let (squares, worths) = (&state.squares[player.index()], &game.worths[player.index()]);
            // `gone` counts the faces of missing stones since the last stone present, whose worth is `last`.
            // These faces may also move that stone.
            let (mut gone, mut last, mut sum) = (0, 0, 0);
            for &square in &squares[..usize::from(game.stones)] {
                if square == GONE {
                    gone += 1;
                } else {
                    let worth = worths[usize::from(square) % MOST_SQUARES];
                    sum += worth + gone * worth.max(last);
                    (gone, last) = (0, worth);
                }
            }
            f64::from(sum + gone * last) / f64::from(game.stones)
        };
        // 2·logistic(x) − 1 = tanh(x/2). `libm`, because the platform's last bit is not the same everywhere.
        WIN * libm::tanh(SLOPE * (side(Player::Max) - side(Player::Min)) / 2.0)
    }

    fn horizon(&self, game: &Ewn, state: &State, depth: u32, _luck: Luck) -> Option<Interval> {
        blind(self, game, state, depth)
    }
}

/// The policy `greedy`: the most promising action; the first of equals.
#[derive(Clone, Copy, Debug, Default)]
pub struct Greedy;

impl Policy<Ewn> for Greedy {
    fn choose(&self, game: &Ewn, state: &State) -> Move {
        let (lower, higher) = game.movable(state, state.player, state.roll);
        let square = |stone: u8| state.squares[state.player.index()][usize::from(stone)];
        let moves = lower.into_iter().chain(higher).flat_map(|stone| {
            let fits =
                move |direction: &Direction| game.target(state.player, square(stone), *direction).is_some();
            DIRECTIONS.into_iter().filter(fits).map(move |direction| Move { stone, direction })
        });
        let best =
            moves.reduce(
                |best, next| {
                    if game.promise(state, next) > game.promise(state, best) { next } else { best }
                },
            );
        best.expect("contract: a stone can move")
    }
}
