//! Scales: the mapping from values to pixels, ticks, and number formatting.

use super::Axis;

/// Whether a value can be drawn at all. Enormous ones would overflow in the conversion to pixels.
pub(super) fn usable(value: f64, log: bool) -> bool {
    value.is_finite() && value.abs() < 1e150 && (!log || value > 1e-150)
}

/// The range of an axis: the requested one if it is usable, otherwise one that contains these values with
/// some padding.
///
/// With `floor`, the range includes that value, without padding beyond it. Otherwise it includes zero if that
/// is near.
pub(super) fn fit(
    axis: &Axis,
    values: impl Iterator<Item = f64>,
    floor: Option<f64>,
    room: f64,
) -> (f64, f64) {
    if let Some((low, high)) = axis.range
        && usable(low, axis.log)
        && usable(high, axis.log)
        && low < high
    {
        return (low, high);
    }
    let floor = floor.filter(|&f| usable(f, axis.log));
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for value in values.filter(|&v| usable(v, axis.log)).chain(floor) {
        low = low.min(value);
        high = high.max(value);
    }
    if low > high {
        return if axis.log { (1.0, 10.0) } else { (0.0, 1.0) };
    }
    if axis.log {
        let ratio = libm::pow(high / low, room).max(1.1);
        return (low / ratio, high * ratio);
    }
    let least = (low.abs().max(high.abs()) * 1e-6).max(1e-12);
    let flat = high - low < least;
    let pad = if flat { (0.1 * high.abs()).max(least) } else { room * (high - low) };
    let near_zero = floor.is_none() && low >= 0.0 && low < 0.3 * high;
    let bottom = if near_zero {
        0.0
    } else if floor == Some(low) && !flat {
        low
    } else {
        low - pad
    };
    let top = if floor == Some(high) && !flat { high } else { high + pad };
    (bottom, top)
}

/// Maps a range of values to a range of pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    log: bool,
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Scale {
    pub(super) fn new((low, high): (f64, f64), log: bool, from: f64, to: f64) -> Self {
        Self { log, low, high, from, to }
    }

    /// The pixel of a value, clamped to the vicinity of the picture.
    pub(super) fn at(&self, value: f64) -> f64 {
        let part = if self.log {
            libm::log(value / self.low) / libm::log(self.high / self.low)
        } else {
            (value - self.low) / (self.high - self.low)
        };
        (self.from + part * (self.to - self.from)).clamp(-1e5, 1e5)
    }

    /// Whether a value can be drawn on this scale, inside or outside its range.
    pub(super) fn takes(&self, value: f64) -> bool {
        usable(value, self.log)
    }

    /// Whether a value lies inside the range.
    pub(super) fn shows(&self, value: f64) -> bool {
        value >= self.low && value <= self.high
    }

    /// The nearest value inside the range; NaN becomes the lower end.
    pub(super) fn clamp(&self, value: f64) -> f64 {
        if value.is_nan() { self.low } else { value.clamp(self.low, self.high) }
    }

    /// How many decimals distinguish values on this scale: hundreds of steps over the range.
    pub(super) fn decimals(&self) -> usize {
        (2 - libm::floor(libm::log10(step(self.high - self.low, 6.0))) as i64).clamp(0, 9) as usize
    }
}

/// The smallest of 1, 2 and 5 times a power of ten that divides a span into at most about `steps` steps. 2.5
/// times a power is also allowed if it is an integer.
pub(super) fn step(span: f64, steps: f64) -> f64 {
    let rough = span / steps;
    let power = libm::pow(10.0, libm::floor(libm::log10(rough)));
    let rounds = [1.0, 2.0, if power > 5.0 { 2.5 } else { 5.0 }, 5.0];
    let round = rounds.into_iter().find(|m| m * power >= rough * 0.999).unwrap_or(10.0);
    round * power
}

/// The ticks of a range, at most about `count`, with their labels.
pub(super) fn ticks((low, high): (f64, f64), axis: &Axis, whole: bool, count: f64) -> Vec<(f64, String)> {
    let Axis { log, unit, .. } = axis;
    let decades = if *log { libm::log10(high / low) } else { 0.0 };
    if !log || decades < 1.0 {
        return linear((low, high), unit, whole, count);
    }
    let first = libm::floor(libm::log10(low)) as i32;
    let last = libm::ceil(libm::log10(high)) as i32;
    let (faces, every): (&[f64], i32) = if decades * 3.0 <= count {
        (&[1.0, 2.0, 5.0], 1)
    } else {
        (&[1.0], (libm::ceil(decades / count) as i32).max(1))
    };
    let powers = first < -4 || last > 6;
    let digits = if high < 1e4 { 5 } else { 4 };
    let mut ticks = Vec::new();
    for exponent in (first..=last).filter(|e| e.rem_euclid(every) == 0) {
        for &face in faces {
            let value = face * libm::pow(10.0, f64::from(exponent));
            if value >= low * (1.0 - 1e-9) && value <= high * (1.0 + 1e-9) {
                let text = match powers {
                    true if face == 1.0 => format!("10{}", superscript(exponent)),
                    true => format!("{face}×10{}", superscript(exponent)),
                    false => grouped(value, (-exponent).max(0) as usize, digits),
                };
                ticks.push((value, text + unit));
            }
        }
    }
    ticks
}

fn linear((low, high): (f64, f64), unit: &str, whole: bool, count: f64) -> Vec<(f64, String)> {
    let step = step(high - low, count.max(1.0)).max(if whole { 1.0 } else { 0.0 });
    let exponent = libm::floor(libm::log10(low.abs().max(high.abs()))) as i32;
    let slack = 1e-9 * (high - low);
    let first = libm::ceil((low - slack) / step);
    let many = libm::floor((high + slack) / step) - first;
    let decimals = (0..9).find(|&d| {
        let scaled = step * libm::pow(10.0, f64::from(d));
        (scaled - libm::round(scaled)).abs() < 1e-6 * scaled
    });
    // If one label needs a comma, all thousands have one.
    let digits = if exponent < 4 { 5 } else { 4 };
    let write = |value: f64| match decimals {
        Some(decimals) if exponent < 7 => grouped(value, decimals as usize, digits),
        _ => {
            let face = value / libm::pow(10.0, f64::from(exponent));
            let face = number((face * 1000.0).round() / 1000.0, 3);
            let face = face.trim_end_matches('0').trim_end_matches('.');
            if value == 0.0 { "0".into() } else { format!("{face}×10{}", superscript(exponent)) }
        }
    };
    (0..=many.clamp(0.0, 100.0) as u32)
        .map(|i| {
            let value = (first + f64::from(i)) * step;
            (value, write(value) + unit)
        })
        .collect()
}

/// Formats a number with this many decimals, a true minus sign, and commas between thousands from 10,000 on.
/// From 10^12 on it has three digits and a power of ten.
pub(super) fn number(value: f64, decimals: usize) -> String {
    if value.abs() < 1e12 {
        return grouped(value, decimals, 5);
    }
    let exponent = libm::floor(libm::log10(value.abs())) as i32;
    let face = number(value / libm::pow(10.0, f64::from(exponent)), 2);
    format!("{face}×10{}", superscript(exponent))
}

/// As [`number`], with commas from this many digits on.
fn grouped(value: f64, decimals: usize, digits: usize) -> String {
    let text = format!("{:.decimals$}", value.abs());
    let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    let mut out = String::new();
    if value < 0.0 && text.bytes().any(|b| (b'1'..=b'9').contains(&b)) {
        out.push('−');
    }
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && whole.len() >= digits && (whole.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out + rest
}

fn superscript(exponent: i32) -> String {
    let raise = |c| match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        // The other superscript digits are contiguous.
        digit => char::from_u32('⁰' as u32 + (digit as u32 - '0' as u32)).unwrap_or(digit),
    };
    exponent.to_string().chars().map(raise).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(range: (f64, f64), log: bool, count: f64) -> Vec<String> {
        ticks(range, &Axis { log, ..Axis::default() }, false, count)
            .into_iter()
            .map(|(_, label)| label)
            .collect()
    }

    #[test]
    fn ticks_are_round_numbers() {
        assert_eq!(labels((0.0, 100.0), false, 5.0), ["0", "20", "40", "60", "80", "100"]);
        assert_eq!(labels((0.0, 100.0), false, 4.0), ["0", "25", "50", "75", "100"]);
        assert_eq!(labels((9.0, 28.0), false, 8.0), ["10", "15", "20", "25"]);
        assert_eq!(labels((1e3, 1e4), true, 2.0), ["1,000", "10,000"]);
        assert_eq!(ticks((0.0, 2.0), &Axis::new(""), true, 8.0).len(), 3);
        assert_eq!(labels((-0.31, 0.29), false, 4.0), ["−0.2", "0.0", "0.2"]);
        assert_eq!(labels((0.0, 50_000.0), false, 3.0), ["0", "20,000", "40,000"]);
        assert_eq!(labels((0.0, 3e9), false, 3.0), ["0", "1×10⁹", "2×10⁹", "3×10⁹"]);
        assert_eq!(labels((1.0, 1000.0), true, 5.0), ["1", "10", "100", "1000"]);
        assert_eq!(labels((0.5, 60.0), true, 8.0), ["0.5", "1", "2", "5", "10", "20", "50"]);
        assert_eq!(labels((1e-8, 1.0), true, 5.0), ["10⁻⁸", "10⁻⁶", "10⁻⁴", "10⁻²", "10⁰"]);
    }

    #[test]
    fn numbers_are_written_for_people() {
        assert_eq!(number(-1234567.891, 1), "−1,234,567.9");
        assert_eq!(number(1234.0, 0), "1234");
        assert_eq!(number(-0.001, 2), "0.00");
        assert_eq!(number(-1.5e20, 2), "−1.50×10²⁰");
    }

    #[test]
    fn a_range_always_has_room() {
        let axis = Axis::new("");
        for values in
            [&[][..], &[0.0], &[5.0, 5.0], &[f64::NAN, f64::INFINITY], &[1e15, 1e15 + 0.125], &[-3.0]]
        {
            let (low, high) = fit(&axis, values.iter().copied(), None, 0.05);
            assert!(low < high, "{values:?}");
            assert!(!ticks((low, high), &axis, false, 5.0).is_empty(), "{values:?}");
        }
        assert_eq!(fit(&axis.clone().range(9.0, 3.0), [1.0, 2.0].into_iter(), Some(0.0), 0.0), (0.0, 2.0));
    }

    #[test]
    fn a_logarithmic_range_leaves_out_what_has_no_logarithm() {
        let axis = Axis::new("").log();
        let (low, high) = fit(&axis, [-1.0, 0.0, 10.0, 1000.0].into_iter(), None, 0.05);
        assert!(low > 5.0 && low < 10.0 && high > 1000.0);
        assert_eq!(fit(&axis.range(0.0, 3.0), [].into_iter(), Some(0.0), 0.0), (1.0, 10.0));
    }
}
