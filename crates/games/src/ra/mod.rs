//! Ra, Reiner Knizia's auction game, for two players (*Monte Carlo \*-Minimax Search*, section 4.1).
//!
//! The game has three epochs. On a turn a player draws a tile from the bag onto the auction track, invokes Ra
//! to start an auction, or returns God tiles to take single tiles. A drawn Ra tile also starts an auction,
//! and the sixth of an epoch ends it. In an auction each player has one chance to bid one of his face-up
//! suns. The winner takes the tiles on the track and exchanges the sun for the one in the middle, which stays
//! face down until the next epoch. Disasters destroy tiles as soon as they are won. Tiles score at the end of
//! an epoch, monuments and suns at the end of the game.
//!
//! Everything is public except the order in which tiles leave the bag: that is the chance of this game, with
//! one outcome per kind of tile left. Where editions differ: scores do not fall below 0, equal Pharaohs or
//! suns score nothing, the owner of the highest sun begins an epoch, Gods cannot take disasters or other
//! Gods, and several Gods may be used in one turn unless `one_god` is set.

mod bounds;
mod evaluators;
mod listing;
mod notation;
mod scoring;
mod tiles;

pub use evaluators::{Assets, Score};
pub use tiles::{KINDS, Kind};

use astragal_core::{Game, Interval, Key, Player, Turn, Weighted, below, mix};
use scoring::Hand;
use tiles::{
    BOX, CIVILIZATIONS, DROUGHT, EARTHQUAKE, FLOOD, FUNERAL, GOD, GOLD, MONUMENTS, NILE, OWNABLE, PHARAOH,
    RA, UNREST,
};

/// The payoff of a win, and the limit on a difference of scores.
const WIN: f64 = 100.0;

/// The number of Ra tiles that ends an epoch.
const RAS: u8 = 6;

/// The number of spaces on the auction track.
const SPACES: u8 = 8;

/// The suns of both players at the start, as sets; sun 1 is in the middle.
const START_SUNS: [u16; 2] = [1 << 9 | 1 << 6 | 1 << 5 | 1 << 2, 1 << 8 | 1 << 7 | 1 << 4 | 1 << 3];

const START_SCORE: u16 = 10;

/// The payoff of a finished game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Utility {
    /// 100 for a win, −100 for a loss.
    #[default]
    Win,
    /// The difference of the scores, clamped to ±100.
    Score,
}

/// Who wins if scores are equal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ties {
    /// The player with the highest sun.
    #[default]
    Sun,
    /// Nobody: the payoff is 0.
    Draw,
}

/// What counts as an outcome of a draw from the bag. It changes no value, only the number of outcomes to
/// search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outcomes {
    /// A kind of tile: at most 23.
    #[default]
    Merged,
    /// A single tile: at most 180.
    Tiles,
}

/// A tile drawn from the bag: its kind, and, if single tiles are distinguished, its number within the kind,
/// from 1; otherwise 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tile {
    /// Its kind.
    pub kind: Kind,
    /// Its number within the kind.
    pub number: u8,
}

/// The game, with its rule variants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ra {
    /// The payoff of a finished game.
    pub utility: Utility,
    /// Who wins if scores are equal and only winning counts.
    pub ties: Ties,
    /// Whether only one God may be used in a turn.
    pub one_god: bool,
    /// What counts as an outcome.
    pub outcomes: Outcomes,
}

/// The phase of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Phase {
    /// A player's turn begins.
    Turn,
    /// A tile is drawn.
    Draw,
    /// A player has taken a tile for a God and may take another.
    God,
    /// A player bids or passes. `forced` if a Ra tile or a full track started the auction; otherwise the
    /// invoker must bid if nobody else does. `bid` is the sun to beat, or 0.
    Auction { invoker: Player, forced: bool, bid: u8 },
    /// The player still has to choose this many civilizations and monuments to lose.
    Lose { invoker: Player, civilizations: u8, monuments: u8 },
    /// The third epoch is scored.
    Over,
}

/// The complete state of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// The number of tiles in the bag, by kind.
    bag: [u8; KINDS],
    /// The number of tiles on the auction track, by kind.
    track: [u8; KINDS],
    /// The number of tiles of each player, by kind.
    hands: [Hand; 2],
    scores: [u16; 2],
    /// Face-up suns, which may be bid, as sets.
    up: [u16; 2],
    /// Face-down suns, as sets.
    down: [u16; 2],
    /// The sun in the middle.
    centre: u8,
    epoch: u8,
    /// The number of Ra tiles drawn in this epoch.
    ras: u8,
    /// The player to act.
    player: Player,
    phase: Phase,
}

/// A player's action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Draw a tile.
    Draw,
    /// Start an auction.
    Invoke,
    /// Exchange a God for a tile on the track.
    Take(Kind),
    /// Use no more Gods.
    End,
    /// Bid a sun.
    Bid(u8),
    /// Do not bid.
    Pass,
    /// Lose a tile to a disaster.
    Lose(Kind),
}

/// The suns in a set, lowest first.
fn suns(set: u16) -> impl Iterator<Item = u8> {
    (1..=9).filter(move |sun| set & 1 << sun != 0)
}

/// The number of tiles on the track.
fn tiles_on(track: &[u8; KINDS]) -> u8 {
    track.iter().sum()
}

impl State {
    /// The score of a player.
    #[must_use]
    pub fn score(&self, player: Player) -> u16 {
        self.scores[player.index()]
    }

    /// The suns that a player may still bid, lowest first.
    pub fn suns(&self, player: Player) -> impl Iterator<Item = u8> + use<> {
        suns(self.up[player.index()])
    }

    /// The number of tiles of this kind in the bag.
    #[must_use]
    pub fn in_bag(&self, kind: Kind) -> u8 {
        self.bag[kind.index()]
    }

    /// The number of tiles of this kind on the auction track.
    #[must_use]
    pub fn on_track(&self, kind: Kind) -> u8 {
        self.track[kind.index()]
    }

    /// The number of tiles of this kind that a player owns.
    #[must_use]
    pub fn owned(&self, player: Player, kind: Kind) -> u8 {
        self.hands[player.index()].get(kind.index()).copied().unwrap_or(0)
    }

    /// The player with the highest sun, face up or down.
    fn highest_sun(&self) -> Player {
        let highest = |player: usize| self.up[player] | self.down[player];
        if highest(0) > highest(1) { Player::Max } else { Player::Min }
    }

    /// The tiles that a God may take.
    fn takes(&self) -> impl Iterator<Item = Action> + use<'_> {
        (GOLD..OWNABLE).filter(|&kind| self.track[kind] > 0).map(|kind| Action::Take(Kind(kind as u8)))
    }

    /// Whether a player could use a God now.
    fn can_use_god(&self, player: Player) -> bool {
        self.hands[player.index()][GOD] > 0 && self.takes().next().is_some()
    }

    /// Passes the turn to the next player with face-up suns; if there is none, the epoch ends.
    fn next_turn(&mut self, after: Player) {
        let next = [after.other(), after].into_iter().find(|p| self.up[p.index()] != 0);
        match next {
            Some(player) => {
                self.player = player;
                self.phase = Phase::Turn;
            }
            None => self.end_epoch(),
        }
    }

    fn end_epoch(&mut self) {
        self.score_epoch();
        self.track = [0; KINDS];
        for (up, down) in self.up.iter_mut().zip(&mut self.down) {
            *up |= *down;
            *down = 0;
        }
        self.player = self.highest_sun();
        if self.epoch == 3 {
            self.phase = Phase::Over;
        } else {
            self.epoch += 1;
            self.ras = 0;
            self.phase = Phase::Turn;
        }
    }

    fn begin_auction(&mut self, forced: bool) {
        let invoker = self.player;
        if self.up[invoker.other().index()] != 0 {
            self.player = invoker.other();
        }
        self.phase = Phase::Auction { invoker, forced, bid: 0 };
    }

    /// Whether the bidder may pass. The invoker of an unforced auction must bid if nobody else does.
    fn may_pass(&self, invoker: Player, forced: bool, bid: u8) -> bool {
        forced || bid > 0 || self.player != invoker
    }

    /// Ends an auction without a bid.
    fn fail_auction(&mut self, invoker: Player) {
        if tiles_on(&self.track) == SPACES {
            self.track = [0; KINDS];
        }
        self.next_turn(invoker);
    }

    /// The winner takes the tiles, exchanges suns, and suffers the disasters.
    fn win_auction(&mut self, winner: Player, bid: u8, invoker: Player) {
        let index = winner.index();
        self.up[index] &= !(1 << bid);
        self.down[index] |= 1 << self.centre;
        self.centre = bid;
        let hand = &mut self.hands[index];
        for (owned, won) in hand.iter_mut().zip(self.track) {
            *owned += won;
        }
        let twice = |disaster: usize| 2 * self.track[disaster];
        hand[PHARAOH] = hand[PHARAOH].saturating_sub(twice(FUNERAL));
        let drought = twice(DROUGHT);
        let beyond = drought.saturating_sub(hand[FLOOD]);
        hand[FLOOD] = hand[FLOOD].saturating_sub(drought);
        hand[NILE] = hand[NILE].saturating_sub(beyond);
        let owned = |kinds: std::ops::Range<usize>| hand[kinds].iter().sum::<u8>();
        let civilizations = twice(UNREST).min(owned(CIVILIZATIONS));
        let monuments = twice(EARTHQUAKE).min(owned(MONUMENTS));
        self.track = [0; KINDS];
        self.player = winner;
        self.lose(invoker, civilizations, monuments);
    }

    /// Makes the player lose this many tiles: immediately where there is no choice, otherwise by decisions.
    fn lose(&mut self, invoker: Player, civilizations: u8, monuments: u8) {
        let hand = &mut self.hands[self.player.index()];
        // Most auctions bring no disaster.
        let mut left = |count: u8, kinds: std::ops::Range<usize>| {
            if count == 0 || lose_at_once(&mut hand[kinds], count) { 0 } else { count }
        };
        let (civilizations, monuments) = (left(civilizations, CIVILIZATIONS), left(monuments, MONUMENTS));
        if civilizations == 0 && monuments == 0 {
            self.next_turn(invoker);
        } else {
            self.phase = Phase::Lose { invoker, civilizations, monuments };
        }
    }
}

/// Removes `count` tiles if there is no choice among them, and returns whether there is none.
fn lose_at_once(tiles: &mut [u8], count: u8) -> bool {
    let kinds = tiles.iter().filter(|&&tiles| tiles > 0).count();
    if tiles.iter().sum::<u8>() == count {
        tiles.fill(0);
    } else if kinds == 1 {
        for tiles in tiles.iter_mut().filter(|tiles| **tiles > 0) {
            *tiles -= count;
        }
    } else if count > 0 {
        return false;
    }
    true
}

impl Game for Ra {
    type State = State;
    type Action = Action;
    type Outcome = Tile;

    fn start(&self) -> State {
        State {
            bag: BOX,
            track: [0; KINDS],
            hands: [[0; OWNABLE]; 2],
            scores: [START_SCORE; 2],
            up: START_SUNS,
            down: [0; 2],
            centre: 1,
            epoch: 1,
            ras: 0,
            player: Player::Max,
            phase: Phase::Turn,
        }
    }

    fn turn(&self, state: &State) -> Turn {
        match state.phase {
            Phase::Draw => Turn::Chance,
            Phase::Over => Turn::Over(self.payoff(state)),
            _ => Turn::Decide(state.player),
        }
    }

    fn actions(&self, state: &State, out: &mut Vec<Action>) {
        let player = state.player;
        match state.phase {
            Phase::Turn => {
                if tiles_on(&state.track) < SPACES {
                    out.push(Action::Draw);
                }
                out.push(Action::Invoke);
                if state.can_use_god(player) {
                    out.extend(state.takes());
                }
            }
            Phase::God => {
                out.extend(state.takes());
                out.push(Action::End);
            }
            Phase::Auction { invoker, forced, bid } => {
                out.extend(state.suns(player).filter(|&sun| sun > bid).map(Action::Bid));
                if state.may_pass(invoker, forced, bid) {
                    out.push(Action::Pass);
                }
            }
            Phase::Lose { civilizations, .. } => {
                let kinds = if civilizations > 0 { CIVILIZATIONS } else { MONUMENTS };
                let owned = kinds.filter(|&kind| state.hands[player.index()][kind] > 0);
                out.extend(owned.map(|kind| Action::Lose(Kind(kind as u8))));
            }
            Phase::Draw | Phase::Over => {}
        }
    }

    fn outcomes(&self, state: &State, out: &mut Vec<Weighted<Tile>>) {
        let total: u32 = state.bag.iter().map(|&count| u32::from(count)).sum();
        let total = f64::from(total);
        for (kind, &count) in state.bag.iter().enumerate() {
            let kind = Kind(kind as u8);
            match self.outcomes {
                Outcomes::Merged if count == 0 => {}
                Outcomes::Merged => {
                    out.push(Weighted { item: Tile { kind, number: 0 }, weight: f64::from(count) / total });
                }
                Outcomes::Tiles => out.extend(
                    (1..=count).map(|number| Weighted { item: Tile { kind, number }, weight: 1.0 / total }),
                ),
            }
        }
    }

    #[inline]
    fn draw(&self, state: &State, bits: u64, _room: &mut Vec<Weighted<Tile>>) -> Tile {
        let total: u64 = state.bag.iter().map(|&count| u64::from(count)).sum();
        let mut tile = below(bits, total);
        for (kind, &count) in state.bag.iter().enumerate() {
            if tile < u64::from(count) {
                let number = if self.outcomes == Outcomes::Tiles { 1 + tile as u8 } else { 0 };
                return Tile { kind: Kind(kind as u8), number };
            }
            tile -= u64::from(count);
        }
        unreachable!("contract: a tile is drawn from an empty bag")
    }

    fn apply(&self, state: &mut State, action: Action) {
        let player = state.player;
        match (action, state.phase) {
            (Action::Draw, _) => state.phase = Phase::Draw,
            (Action::Invoke, _) => state.begin_auction(tiles_on(&state.track) == SPACES),
            (Action::Take(kind), _) => {
                state.track[kind.index()] -= 1;
                let hand = &mut state.hands[player.index()];
                hand[GOD] -= 1;
                hand[kind.index()] += 1;
                if !self.one_god && state.can_use_god(player) {
                    state.phase = Phase::God;
                } else {
                    state.next_turn(player);
                }
            }
            (Action::End, _) => state.next_turn(player),
            (Action::Bid(sun), Phase::Auction { invoker, forced, .. }) => {
                if player == invoker {
                    state.win_auction(invoker, sun, invoker);
                } else {
                    state.player = invoker;
                    state.phase = Phase::Auction { invoker, forced, bid: sun };
                }
            }
            (Action::Pass, Phase::Auction { invoker, bid, .. }) => {
                if player != invoker {
                    state.player = invoker;
                } else if bid > 0 {
                    state.win_auction(invoker.other(), bid, invoker);
                } else {
                    state.fail_auction(invoker);
                }
            }
            (Action::Lose(kind), Phase::Lose { invoker, civilizations, monuments }) => {
                state.hands[player.index()][kind.index()] -= 1;
                if CIVILIZATIONS.contains(&kind.index()) {
                    state.lose(invoker, civilizations - 1, monuments);
                } else {
                    state.lose(invoker, civilizations, monuments - 1);
                }
            }
            (action, phase) => unreachable!("contract: {action:?} is no action in {phase:?}"),
        }
    }

    fn resolve(&self, state: &mut State, outcome: Tile) {
        let kind = outcome.kind.index();
        state.bag[kind] -= 1;
        if kind != RA {
            state.track[kind] += 1;
            state.next_turn(state.player);
            return;
        }
        state.ras += 1;
        if state.ras == RAS {
            state.end_epoch();
        } else {
            state.begin_auction(true);
        }
    }

    /// A hash, because the state has about three hundred bits.
    fn key(&self, state: &State) -> Key {
        let phase: u64 = match state.phase {
            Phase::Turn => 0,
            Phase::Draw => 1,
            Phase::God => 2,
            Phase::Over => 3,
            Phase::Auction { invoker, forced, bid } => {
                8 + (u64::from(bid) << 2 | u64::from(forced) << 1 | invoker.index() as u64)
            }
            Phase::Lose { invoker, civilizations, monuments } => {
                64 + (u64::from(civilizations) << 6 | u64::from(monuments) << 1 | invoker.index() as u64)
            }
        };
        let table = u64::from(state.centre)
            | u64::from(state.epoch) << 4
            | u64::from(state.ras) << 6
            | (state.player.index() as u64) << 9
            | phase << 10
            | u64::from(state.scores[0]) << 24
            | u64::from(state.scores[1]) << 40;
        let suns = u64::from(state.up[0])
            | u64::from(state.up[1]) << 16
            | u64::from(state.down[0]) << 32
            | u64::from(state.down[1]) << 48;
        // Two different 64-bit hashes of the same words.
        let (mut high, mut low) = (mix(table), mix(suns));
        let mut add = |bytes: &[u8]| {
            for chunk in bytes.chunks(8) {
                let mut word = [0; 8];
                word[..chunk.len()].copy_from_slice(chunk);
                let word = u64::from_le_bytes(word);
                high = mix(high ^ word);
                low = mix(low.wrapping_add(word).rotate_left(29));
            }
        };
        add(&state.bag);
        add(&state.track);
        add(&state.hands[0]);
        add(&state.hands[1]);
        high = mix(high ^ suns);
        low = mix(low ^ table.rotate_left(32));
        Key(u128::from(high) << 64 | u128::from(low))
    }

    #[inline]
    fn range(&self) -> Interval {
        Interval { lo: -WIN, hi: WIN }
    }

    fn bounds(&self, state: &State) -> Interval {
        self.reachable(state)
    }

    fn promise(&self, state: &State, action: Action) -> i32 {
        match action {
            Action::Take(_) => 3,
            Action::Draw => 2,
            // Low suns first; with few tiles to win, passing comes before bidding.
            Action::Bid(sun) => 10 * i32::from(tiles_on(&state.track)) - i32::from(sun),
            Action::Pass => 15,
            Action::Invoke => i32::from(tiles_on(&state.track)) - 3,
            // The most numerous kind is missed least.
            Action::Lose(kind) => i32::from(state.hands[state.player.index()][kind.index()]),
            Action::End => 0,
        }
    }
}

impl Ra {
    fn payoff(&self, state: &State) -> f64 {
        let difference = i32::from(state.scores[0]) - i32::from(state.scores[1]);
        match self.utility {
            Utility::Score => f64::from(difference).clamp(-WIN, WIN),
            Utility::Win if difference != 0 => WIN * f64::from(difference.signum()),
            Utility::Win if self.ties == Ties::Draw => 0.0,
            Utility::Win => WIN * state.highest_sun().sign(),
        }
    }
}

#[cfg(test)]
mod tests;
