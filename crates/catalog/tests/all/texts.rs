//! Random texts for testing parsers. `ASTRAGAL_SCALE` multiplies their number.

use astragal_core::mix;

/// A stream of pseudo-random numbers.
pub(crate) struct Stream(pub(crate) u64);

impl Stream {
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        (mix(self.0) % n.max(1) as u64) as usize
    }

    pub(crate) fn of<'t, T>(&mut self, items: &'t [T]) -> &'t T {
        &items[self.below(items.len())]
    }

    pub(crate) fn unit(&mut self) -> f64 {
        astragal_core::unit(mix(self.below(usize::MAX) as u64))
    }
}

/// This many, or `ASTRAGAL_SCALE` times as many.
pub(crate) fn scaled(count: usize) -> usize {
    let scale: usize =
        std::env::var("ASTRAGAL_SCALE").map_or(1, |text| text.parse().expect("ASTRAGAL_SCALE is a number"));
    count * scale
}

/// Characters that tend to break parsers.
pub(crate) const CHARACTERS: [char; 28] = [
    ' ', '\t', '\n', '\0', '/', '-', '+', ',', ':', '.', '(', ')', '=', '"', '\\', '0', '9', 'a', 'Z', 'ä',
    'ß', 'İ', '٣', '²', '\u{a0}', '\u{301}', '\u{feff}', '🎲',
];

/// Nonsense text, made of the characters of a text and others.
pub(crate) fn arbitrary(stream: &mut Stream, like: &str) -> String {
    let own: Vec<char> = like.chars().collect();
    let length = stream.below(12) * stream.below(6);
    let mut character = || match stream.below(3) {
        0 => *stream.of(&CHARACTERS),
        1 => char::from_u32(stream.below(0x11_0000) as u32).unwrap_or('?'),
        _ if own.is_empty() => '?',
        _ => *stream.of(&own),
    };
    (0..length).map(|_| character()).collect()
}

/// A word of up to `most` characters from an alphabet.
pub(crate) fn word(stream: &mut Stream, alphabet: &str, most: usize) -> String {
    let alphabet: Vec<char> = alphabet.chars().collect();
    (0..stream.below(most + 1)).map(|_| *stream.of(&alphabet)).collect()
}
