//! Text and pictures of Ra.
//!
//! `EPOCH/RAS S1:SUNS1:TILES1 S2:SUNS2:TILES2 CENTRE TRACK GONE pN PHASE`: the epoch and its Ra tiles so far;
//! for each player the score, the suns (face-down ones in brackets) and the tiles; the sun in the middle; the
//! tiles on the auction track; the tiles out of the game (except Ra tiles of this epoch); the player to act;
//! and the phase: `turn`, `drawing`, `god` (after a God took a tile), `auction:INVOKER:free|forced:BID` (0
//! for no bid yet), `lose:INVOKER:CIVILIZATIONS:MONUMENTS` or `over`. Tiles are written `3nile,god,2temple`,
//! none as `-`.

use super::scoring::different;
use super::tiles::{
    BOX, CIVILIZATIONS, EARTHQUAKE, FLOOD, GOD, GOLD, KINDS, Kind, MONUMENTS, NILE, OWNABLE, PHARAOH, RA,
    UNREST,
};
use super::{Action, Phase, RAS, Ra, SPACES, State, Tile, suns, tiles_on};
use astragal_core::{Game, Ink, Notation, Picture, Player, ReadError};

fn write_tiles(tiles: &[u8]) -> String {
    let parts: Vec<String> = tiles
        .iter()
        .enumerate()
        .filter(|&(_, &count)| count > 0)
        .map(|(kind, &count)| {
            let name = Kind(kind as u8).name();
            if count == 1 { name.into() } else { format!("{count}{name}") }
        })
        .collect();
    if parts.is_empty() { "-".into() } else { parts.join(",") }
}

fn read_tiles(text: &str) -> Result<[u8; KINDS], String> {
    let mut tiles = [0; KINDS];
    if text == "-" {
        return Ok(tiles);
    }
    for part in text.split(',') {
        let name = part.trim_start_matches(|c: char| c.is_ascii_digit());
        let digits = &part[..part.len() - name.len()];
        let kind = Kind::named(name).ok_or_else(|| {
            let names: Vec<&str> = Kind::all().map(Kind::name).collect();
            format!(
                "'{part}' is no tile; tiles are {}, with a number before them if there are several",
                names.join(", ")
            )
        })?;
        let count = if digits.is_empty() { Ok(1) } else { digits.parse() };
        let slot = &mut tiles[kind.index()];
        match count {
            Ok(count) if count > 0 && count <= kind.in_box() && *slot == 0 => *slot = count,
            _ => {
                return Err(format!(
                    "'{part}': there are {} {name} tiles in the box, and each kind is written once",
                    kind.in_box()
                ));
            }
        }
    }
    Ok(tiles)
}

fn write_suns(up: u16, down: u16) -> String {
    let list = |set: u16| {
        suns(set).collect::<Vec<_>>().into_iter().rev().map(|sun| sun.to_string()).collect::<String>()
    };
    if down == 0 { list(up) } else { format!("{}({})", list(up), list(down)) }
}

fn read_suns(text: &str) -> Option<(u16, u16)> {
    let (up, down) = match text.split_once('(') {
        Some((up, rest)) => (up, rest.strip_suffix(')')?),
        None => (text, ""),
    };
    let mut seen = 0;
    let mut set = |digits: &str| {
        let mut set = 0;
        for digit in digits.chars() {
            let bit = 1 << digit.to_digit(10).filter(|&sun| sun > 0)?;
            if seen & bit != 0 {
                return None;
            }
            seen |= bit;
            set |= bit;
        }
        Some(set)
    };
    Some((set(up)?, set(down)?))
}

/// The tiles out of the game: neither in the bag, nor on the track, nor owned by a player.
fn gone(state: &State) -> [u8; KINDS] {
    let mut gone = BOX;
    for kind in Kind::all() {
        let owned = state.owned(Player::Max, kind) + state.owned(Player::Min, kind);
        gone[kind.index()] -= state.in_bag(kind) + state.on_track(kind) + owned;
    }
    gone[RA] -= state.ras;
    gone
}

fn write_phase(phase: Phase) -> String {
    match phase {
        Phase::Turn => "turn".into(),
        Phase::Draw => "drawing".into(),
        Phase::God => "god".into(),
        Phase::Auction { invoker, forced, bid } => {
            format!("auction:{}:{}:{bid}", invoker.name(), if forced { "forced" } else { "free" })
        }
        Phase::Lose { invoker, civilizations, monuments } => {
            format!("lose:{}:{civilizations}:{monuments}", invoker.name())
        }
        Phase::Over => "over".into(),
    }
}

fn read_phase(text: &str) -> Option<Phase> {
    let words: Vec<&str> = text.split(':').collect();
    Some(match words[..] {
        ["turn"] => Phase::Turn,
        ["drawing"] => Phase::Draw,
        ["god"] => Phase::God,
        ["auction", invoker, kind, bid] => Phase::Auction {
            invoker: Player::named(invoker)?,
            forced: match kind {
                "forced" => true,
                "free" => false,
                _ => return None,
            },
            bid: bid.parse().ok().filter(|bid| *bid <= 9)?,
        },
        ["lose", invoker, civilizations, monuments] => Phase::Lose {
            invoker: Player::named(invoker)?,
            civilizations: civilizations.parse().ok()?,
            monuments: monuments.parse().ok()?,
        },
        ["over"] => Phase::Over,
        _ => return None,
    })
}

impl Ra {
    /// Checks that the phase can occur with the rest of the state; the error says why not.
    fn check_phase(self, state: &State) -> Result<(), String> {
        let player = state.player;
        let has_suns = |player: Player| state.up[player.index()] != 0;
        let acts = |player: Player| {
            if has_suns(player) {
                Ok(())
            } else {
                Err(format!("{} has no sun face up and cannot act", player.name()))
            }
        };
        let full = tiles_on(&state.track) == SPACES;
        match state.phase {
            Phase::Turn => acts(player),
            Phase::Draw if full => Err("the auction track is full: nobody draws".into()),
            Phase::Draw => acts(player),
            Phase::God => {
                acts(player)?;
                if self.one_god {
                    return Err("one God may be used in a turn, not several".into());
                }
                if full {
                    return Err("after a God took a tile the track is not full".into());
                }
                if state.can_use_god(player) {
                    Ok(())
                } else {
                    Err(format!("{} has no God, or nothing to take for it", player.name()))
                }
            }
            Phase::Auction { invoker, forced, bid } => {
                acts(invoker)?;
                acts(player)?;
                if full && !forced {
                    return Err("with a full track the auction is forced".into());
                }
                if forced && !full && state.ras == 0 {
                    return Err(
                        "an auction is forced by a Ra tile or by a full track, and there is neither".into()
                    );
                }
                if player == invoker {
                    let other = invoker.other();
                    if bid > 0 && state.up[other.index()] & 1 << bid == 0 {
                        return Err(format!("{} has no sun {bid} to bid", other.name()));
                    }
                    Ok(())
                } else if bid > 0 {
                    Err(format!("{} bids first, but {bid} is already bid", player.name()))
                } else {
                    Ok(())
                }
            }
            Phase::Lose { civilizations, monuments, .. } => {
                let hand = &state.hands[player.index()];
                let choice = |count: u8, kinds: std::ops::Range<usize>| {
                    let owned: u8 = hand[kinds.clone()].iter().sum();
                    count == 0 || (count < owned && different(hand, kinds) > 1)
                };
                let out = gone(state);
                if civilizations == 0 && monuments == 0
                    || !choice(civilizations, CIVILIZATIONS)
                    || !choice(monuments, MONUMENTS)
                {
                    return Err(format!("{} has no such choice of tiles to lose", player.name()));
                }
                if civilizations > 2 * out[UNREST] || monuments > 2 * out[EARTHQUAKE] {
                    return Err("that is more than the disasters that happened can destroy".into());
                }
                if tiles_on(&state.track) > 0 {
                    return Err("the track is empty while disasters strike".into());
                }
                Ok(())
            }
            Phase::Over => {
                let ended = state.epoch == 3 && state.down == [0; 2] && tiles_on(&state.track) == 0;
                let kept = state.hands.iter().all(|hand| {
                    hand[GOD] == 0
                        && hand[GOLD] == 0
                        && hand[FLOOD] == 0
                        && different(hand, CIVILIZATIONS) == 0
                });
                if ended && kept && player == state.highest_sun() {
                    Ok(())
                } else {
                    Err("a game that is over is in epoch 3, scored and cleared, with the highest sun's owner to act".into())
                }
            }
        }
    }

    fn read(self, text: &str) -> Result<State, String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let &[epoch, first, second, centre, track, out, player, phase] = &words[..] else {
            return Err(format!(
                "not eight words; expected something like {}",
                self.write_state(&self.start())
            ));
        };
        let number =
            |text: &str, range: std::ops::RangeInclusive<u8>| text.parse().ok().filter(|n| range.contains(n));
        let (epoch, ras) = epoch
            .split_once('/')
            .and_then(|(epoch, ras)| Some((number(epoch, 1..=3)?, number(ras, 0..=RAS)?)))
            .ok_or_else(|| format!("'{epoch}' is not an epoch from 1 to 3 and its Ra tiles, such as 2/4"))?;
        let centre = number(centre, 1..=9).ok_or_else(|| format!("'{centre}' is no sun from 1 to 9"))?;
        let mut state = State { epoch, ras, centre, ..self.start() };
        let mut all: [u32; KINDS] = [0; KINDS];
        let mut count =
            |tiles: &[u8]| all.iter_mut().zip(tiles).for_each(|(sum, &count)| *sum += u32::from(count));
        for (index, text) in [first, second].into_iter().enumerate() {
            let parts: Vec<&str> = text.split(':').collect();
            let &[score, suns, tiles] = &parts[..] else {
                return Err(format!("'{text}' is not a score, suns and tiles, such as 10:96(1):3nile,god"));
            };
            state.scores[index] = score
                .parse()
                .ok()
                .filter(|score| *score <= MOST_SCORE)
                .ok_or_else(|| format!("'{score}' is no score from 0 to {MOST_SCORE}"))?;
            (state.up[index], state.down[index]) =
                read_suns(suns).ok_or_else(|| format!("'{suns}' is no list of suns, such as 96(1)"))?;
            let tiles = read_tiles(tiles)?;
            if tiles[RA] > 0 || tiles[OWNABLE..].iter().any(|&count| count > 0) {
                return Err("nobody owns Ra tiles or disasters".into());
            }
            count(&tiles);
            state.hands[index].copy_from_slice(&tiles[..OWNABLE]);
        }
        state.track = read_tiles(track)?;
        if state.track[RA] > 0 {
            return Err("Ra tiles do not lie on the auction track; their number follows the epoch".into());
        }
        count(&state.track);
        let on_track: u32 = state.track.iter().map(|&count| u32::from(count)).sum();
        if on_track > u32::from(SPACES) {
            return Err(format!("the auction track has {SPACES} spaces"));
        }
        count(&read_tiles(out)?);
        all[RA] += u32::from(ras);
        for kind in Kind::all() {
            let sum = all[kind.index()];
            state.bag[kind.index()] = u32::from(kind.in_box())
                .checked_sub(sum)
                .ok_or_else(|| format!("{sum} {} tiles, but the box has {}", kind.name(), kind.in_box()))?
                as u8;
        }
        let [one, two] = [0, 1].map(|index| state.up[index] | state.down[index]);
        let overlap = [0, 1].iter().any(|&index| state.up[index] & state.down[index] != 0);
        let right = one.count_ones() == 4 && two.count_ones() == 4 && one & two == 0;
        if overlap || !right || (one | two) & 1 << centre != 0 {
            return Err("each player has four of the suns 1 to 9, and the ninth is in the middle".into());
        }
        let earlier = BOX[RA] - state.bag[RA] - ras;
        if earlier > RAS * (epoch - 1) {
            return Err(format!(
                "{earlier} Ra tiles of earlier epochs, but before epoch {epoch} there were at most {}",
                RAS * (epoch - 1)
            ));
        }
        state.player =
            Player::named(player).ok_or_else(|| format!("the player '{player}' is neither p1 nor p2"))?;
        state.phase = read_phase(phase).ok_or_else(|| {
            format!("'{phase}' is none of turn, drawing, god, auction:p1:free:0 (or forced, or the sun that is bid), lose:p1:2:0, over")
        })?;
        if ras == RAS && state.phase != Phase::Over {
            return Err(format!("the epoch ends with its Ra tile number {RAS}"));
        }
        self.check_phase(&state)?;
        Ok(state)
    }
}

/// Larger than any possible score.
const MOST_SCORE: u16 = 999;

impl Notation for Ra {
    fn write_state(&self, state: &State) -> String {
        let side = |index: usize| {
            let suns = write_suns(state.up[index], state.down[index]);
            format!("{}:{suns}:{}", state.scores[index], write_tiles(&state.hands[index]))
        };
        format!(
            "{}/{} {} {} {} {} {} {} {}",
            state.epoch,
            state.ras,
            side(0),
            side(1),
            state.centre,
            write_tiles(&state.track),
            write_tiles(&gone(state)),
            state.player.name(),
            write_phase(state.phase)
        )
    }

    fn read_state(&self, text: &str) -> Result<State, ReadError> {
        self.read(text).map_err(|why| ReadError::position(text, why))
    }

    fn write_action(&self, _state: &State, action: Action) -> String {
        match action {
            Action::Draw => "draw".into(),
            Action::Invoke => "invoke".into(),
            Action::Take(kind) => format!("take {}", kind.name()),
            Action::End => "end".into(),
            Action::Bid(sun) => format!("bid {sun}"),
            Action::Pass => "pass".into(),
            Action::Lose(kind) => format!("lose {}", kind.name()),
        }
    }

    fn write_outcome(&self, _state: &State, outcome: Tile) -> String {
        match outcome.number {
            0 => outcome.kind.name().into(),
            number => format!("{}#{number}", outcome.kind.name()),
        }
    }

    fn remark(&self, state: &State, outcome: Tile) -> Option<String> {
        let last = outcome.kind.index() == RA && state.ras + 1 == RAS;
        last.then(|| format!("the sixth Ra tile: epoch {} is over", state.epoch))
    }

    fn why_not(&self, state: &State, text: &str) -> Option<String> {
        let mut words = text.split_whitespace();
        let (verb, object) = (words.next()?, words.next().unwrap_or(""));
        let auction = matches!(state.phase, Phase::Auction { .. });
        let own = state.player.index();
        let reason = match (verb, state.phase) {
            ("draw" | "invoke" | "bid" | "pass", Phase::God) => {
                "you have used a God in this turn: take another tile or end".into()
            }
            ("draw" | "invoke" | "take", Phase::Auction { .. }) => "an auction is going on".into(),
            ("lose", Phase::Turn | Phase::God | Phase::Auction { .. }) => "no disaster has struck".into(),
            (_, Phase::Lose { .. }) if verb != "lose" => "a disaster has struck: choose what to lose".into(),
            ("lose", _) => {
                Kind::named(object)?;
                format!("{object} is not among the tiles that this disaster can destroy, or you have none")
            }
            ("bid" | "pass", _) if !auction => "there is no auction: invoke Ra to have one".into(),
            ("pass", _) => "you called for this auction and nobody else bids, so you must".into(),
            ("bid", Phase::Auction { bid, .. }) => {
                let sun: u8 = object.parse().ok()?;
                if !(1..=9).contains(&sun) {
                    "suns are numbered from 1 to 9".into()
                } else if state.down[own] & 1 << sun != 0 {
                    format!("your sun {sun} lies face down until the next epoch")
                } else if state.up[own] & 1 << sun == 0 {
                    format!("you do not have sun {sun}")
                } else {
                    format!("the bid is {bid} already: only a higher sun counts")
                }
            }
            ("draw", _) => "the auction track is full: invoke Ra, or use a God".into(),
            ("end", _) => "nothing is begun that could be ended".into(),
            ("take", _) => {
                let kind = Kind::named(object)?;
                if state.hands[own][GOD] == 0 {
                    "you have no God to take a tile with".into()
                } else if state.on_track(kind) == 0 {
                    format!("there is no {object} on the track")
                } else {
                    format!("a God takes neither Gods nor disasters, and {object} is one")
                }
            }
            _ => return None,
        };
        Some(reason)
    }

    fn picture(&self, state: &State) -> Picture {
        let mut picture = Picture::new();
        let bag: u32 = state.bag.iter().map(|&count| u32::from(count)).sum();
        picture.push(format!("  epoch {} of 3   Ra ", state.epoch));
        picture.paint(Ink::Mark, "●".repeat(state.ras.into()));
        picture.paint(Ink::Faint, "○".repeat((RAS - state.ras).into()));
        picture.push(format!(
            "   sun in the middle: {}   bag: {bag} tiles, {} Ra\n\n",
            state.centre, state.bag[RA]
        ));
        let on_track = tiles_on(&state.track);
        picture.push("  track  ");
        picture.paint(Ink::Faint, format!("{on_track} of {SPACES} spaces"));
        if on_track > 0 {
            picture.paint(Ink::Mark, format!("  {}", list_tiles(&state.track, 0..KINDS, 24)));
        }
        for player in [Player::Max, Player::Min] {
            let index = player.index();
            let ink = Ink::of(player);
            picture.push("\n\n  ");
            picture.paint(ink, player.name());
            picture.push(format!("  score {:<3}   suns", state.scores[index]));
            for sun in suns(state.up[index]).collect::<Vec<_>>().into_iter().rev() {
                picture.paint(ink, format!(" {sun}"));
            }
            for sun in suns(state.down[index]).collect::<Vec<_>>().into_iter().rev() {
                picture.paint(Ink::Faint, format!(" ({sun})"));
            }
            let hand = &state.hands[index];
            let account = state.account(player);
            let points =
                [account.riches, account.pharaohs, account.river, account.civilizations, account.monuments];
            for ((title, kinds), points) in GROUPS.into_iter().zip(points) {
                let tiles = list_tiles(hand, kinds, 26);
                if state.phase == Phase::Over {
                    // The score already includes all points.
                    if !tiles.is_empty() {
                        picture.paint(Ink::Faint, format!("\n      {title:<14}"));
                        picture.push(tiles);
                    }
                } else if points != 0 || !tiles.is_empty() {
                    picture.paint(Ink::Faint, format!("\n      {title:<14}{points:>+4}"));
                    if !tiles.is_empty() {
                        picture.push(format!("  {tiles}"));
                    }
                }
            }
            if state.phase != Phase::Over {
                if account.suns != 0 {
                    picture.paint(Ink::Faint, format!("\n      {:<14}{:>+4}", "suns", account.suns));
                }
                let score = i32::from(state.scores[index]);
                let change = (score + account.net()).max(0) - score;
                picture.paint(Ink::Faint, format!("\n      {change:+} if the epoch ended now"));
            }
        }
        let name = |player: Player| player.name();
        let news = match state.phase {
            Phase::Turn | Phase::Draw => String::new(),
            Phase::God => format!("{} has used a God and may use another", name(state.player)),
            Phase::Auction { invoker, forced, bid } => {
                let why = if forced { "an auction is due" } else { "Ra is invoked" };
                let best = if bid > 0 {
                    format!("{} has bid {bid}", name(invoker.other()))
                } else {
                    "no bid yet".into()
                };
                format!("{why} on {}'s turn; {best}; {} bids", name(invoker), name(state.player))
            }
            Phase::Lose { civilizations, monuments, .. } => {
                let (count, what) =
                    if civilizations > 0 { (civilizations, "civilization") } else { (monuments, "monument") };
                let s = if count == 1 { "" } else { "s" };
                format!("disaster: {} loses {count} {what} tile{s}", name(state.player))
            }
            Phase::Over if state.scores[0] == state.scores[1] => {
                format!("equal scores; {} has the highest sun", name(state.highest_sun()))
            }
            Phase::Over => String::new(),
        };
        if !news.is_empty() {
            picture.push("\n\n  ");
            picture.paint(Ink::Mark, news);
        }
        picture
    }

    /// The tiles by kind in the bag, on the track, and of each player; the scores; the face-up suns of each
    /// player, then the face-down ones (1 if present); the sun in the middle, the epoch, the Ra tiles of the
    /// epoch, the player to act; and the phase, one-hot among six, then its four numbers.
    fn features(&self, state: &State, out: &mut Vec<f32>) {
        let tiles = state.bag.iter().chain(&state.track).chain(state.hands.iter().flatten());
        out.extend(tiles.map(|&count| f32::from(count)));
        out.extend(state.scores.map(f32::from));
        for suns in state.up.into_iter().chain(state.down) {
            out.extend((0..16).map(|sun| f32::from((suns >> sun & 1) as u8)));
        }
        out.extend([state.centre, state.epoch, state.ras, state.player.index() as u8].map(f32::from));
        let (phase, numbers) = match state.phase {
            Phase::Turn => (0, [0; 4]),
            Phase::Draw => (1, [0; 4]),
            Phase::God => (2, [0; 4]),
            Phase::Auction { invoker, forced, bid } => (3, [invoker.index() as u8, forced.into(), bid, 0]),
            Phase::Lose { invoker, civilizations, monuments } => {
                (4, [invoker.index() as u8, 0, civilizations, monuments])
            }
            Phase::Over => (5, [0; 4]),
        };
        out.extend((0..6).map(|other| if other == phase { 1.0 } else { 0.0 }));
        out.extend(numbers.map(f32::from));
    }
}

/// The layout of a player's tiles.
const GROUPS: [(&str, std::ops::Range<usize>); 5] = [
    ("gods, gold", GOD..GOLD + 1),
    ("pharaohs", PHARAOH..PHARAOH + 1),
    ("river", NILE..FLOOD + 1),
    ("civilizations", CIVILIZATIONS),
    ("monuments", MONUMENTS),
];

/// The columns of a drawing, so that it fits into a terminal of the usual width.
const WIDTH: usize = 79;

/// Writes tiles in words, such as `3 nile, flood`, on as many lines as they need; the first one begins after
/// `indent` columns, and so do the others.
fn list_tiles(tiles: &[u8], kinds: std::ops::Range<usize>, indent: usize) -> String {
    let (mut text, mut column) = (String::new(), indent);
    for kind in kinds.filter(|&kind| tiles[kind] > 0) {
        let name = Kind(kind as u8).name();
        let part = if tiles[kind] == 1 { name.into() } else { format!("{} {name}", tiles[kind]) };
        if !text.is_empty() {
            text.push(',');
            // A comma may follow the part.
            if column + 2 + part.len() < WIDTH {
                text.push(' ');
                column += 2;
            } else {
                text += &format!("\n{:indent$}", "");
                column = indent;
            }
        }
        column += part.len();
        text += &part;
    }
    text
}
