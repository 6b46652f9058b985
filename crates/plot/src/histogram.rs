//! How often values occur.

use super::Histogram;
use super::axes::{Kind, Plane, Track};
use super::scale::{fit, number, step, usable};
use super::scene::{Area, Mark, Scene, Shape};
use super::style::{self, EDGE, Key, Legend};

/// No histogram has more bins.
const MOST: f64 = 200.0;

impl<'a> Kind<'a> for &'a Histogram {
    fn across(&self) -> Track<'a> {
        let range = match Bins::of(self) {
            Some(bins) => (bins.edge(0), bins.edge(bins.many)),
            None => fit(&self.x, std::iter::empty(), None, 0.0),
        };
        let mut values = self.samples.iter().flat_map(|sample| &sample.values);
        Track::Values { axis: &self.x, range, whole: values.all(|v| v.fract() == 0.0 || !v.is_finite()) }
    }

    fn down(&self) -> Track<'a> {
        let bins = Bins::of(self);
        let counts = bins.iter().flat_map(|bins| self.samples.iter().flat_map(|s| bins.counts(&s.values)));
        // On a logarithmic axis a bin of one must be seen.
        let floor = if self.y.log { 0.7 } else { 0.0 };
        let range = fit(&self.y, counts.map(|c| c as f64), Some(floor), 0.06);
        Track::Values { axis: &self.y, range, whole: true }
    }

    fn keys(&self, legend: &mut Legend) {
        for sample in &self.samples {
            legend.add(&sample.name, Key::Bar);
        }
        for reference in &self.references {
            legend.add(&reference.name, Key::Dashed);
        }
    }

    fn height(&self, width: f64) -> f64 {
        (0.5 * width).clamp(150.0, 280.0)
    }

    fn draw(&self, scene: &mut Scene, plane: &Plane<'_>) {
        let Some(bins) = Bins::of(self) else { return };
        let lone = self.samples.len() == 1;
        let floor = plane.area.y + plane.area.h;
        let decimals = plane.across.decimals();
        // Neighbours share the edge of a pixel, so that no seam is seen.
        let pixel = |bin: usize| (2.0 * plane.across.at(bins.edge(bin))).round() / 2.0;
        let mut outlines = Vec::new();
        for sample in &self.samples {
            let series = plane.legend.number(&sample.name, Key::Bar);
            let mut outline = Vec::new();
            for (bin, count) in bins.counts(&sample.values).into_iter().enumerate() {
                let top = if count == 0 { floor } else { plane.down.at(plane.down.clamp(count as f64)) };
                let (x, w) = (pixel(bin), pixel(bin + 1) - pixel(bin));
                outline.extend([(x, top), (x + w, top)]);
                if count == 0 {
                    continue;
                }
                let gap = if lone { (0.1 * w).min(1.0) } else { 0.0 };
                let area = Area { x: x + gap / 2.0, y: top, w: w - gap, h: floor - top };
                let [from, to] = [bin, bin + 1].map(|bin| number(bins.edge(bin), decimals));
                let mark = Mark::new("bar", Shape::Rect(area)).note(format!("{from} to {to}: {count}"));
                scene.add(if lone {
                    mark.fill(style::pale(series))
                } else {
                    mark.fill(style::colour(series)).opacity(0.3)
                });
            }
            outlines.push((style::colour(series), outline));
        }
        for (colour, outline) in outlines.into_iter().filter(|_| !lone) {
            scene.add(Mark::line("outline", outline).stroke(colour, 1.4).clip(plane.area));
        }
        scene.add(
            Mark::line("edge", vec![(plane.area.x, floor), (plane.area.x + plane.area.w, floor)])
                .stroke(EDGE, 1.0),
        );
        plane.references(scene, &self.references, true);
    }
}

/// Bins of one width, or of one factor on a logarithmic axis.
#[derive(Clone, Copy, Debug)]
struct Bins {
    log: bool,
    low: f64,
    width: f64,
    many: usize,
}

impl Bins {
    /// The bins of all samples together, if there is anything to count.
    fn of(histogram: &Histogram) -> Option<Self> {
        let log = histogram.x.log;
        let asked = histogram.x.range.filter(|r| usable(r.0, log) && usable(r.1, log) && r.0 < r.1);
        let inside = |v: f64| usable(v, log) && asked.is_none_or(|(low, high)| v >= low && v <= high);
        let all = histogram.samples.iter().flat_map(|sample| sample.values.iter().copied());
        let mut values: Vec<f64> = all.filter(|&v| inside(v)).map(|v| forth(v, log)).collect();
        values.sort_by(f64::total_cmp);
        let (&first, &last) = (values.first()?, values.last()?);
        let whole = !log && values.iter().all(|v| v.fract() == 0.0);
        let (low, high) = match asked {
            Some((low, high)) => (forth(low, log), forth(high, log)),
            None if first == last => {
                let half = (0.05 * first.abs()).max(0.5);
                (first - half, last + half)
            }
            None => (first, last),
        };
        if let Some(bins) = histogram.bins {
            let many = (bins as f64).clamp(1.0, MOST);
            return Some(Self { log, low, width: (high - low) / many, many: many as usize });
        }
        if whole && asked.is_none() && last - first <= 40.0 {
            return Some(Self { log, low: first - 0.5, width: 1.0, many: (last - first) as usize + 1 });
        }
        // Freedman and Diaconis: twice the middle half's width by the cube root of how many there are.
        let quartile = |part: usize| values[(values.len() - 1) * part / 4];
        let rule = 2.0 * (quartile(3) - quartile(1)) / libm::cbrt(values.len() as f64);
        let rough = if rule > 0.0 { rule } else { (high - low) / 10.0 };
        let mut width = step(1.0, 1.0 / rough.clamp((high - low) / (MOST / 3.0), (high - low) / 4.0));
        if whole {
            width = width.max(1.0).round();
        }
        let (low, high) = match asked {
            Some(_) => (low, high),
            None => (libm::floor(low / width) * width, (libm::floor(high / width) + 1.0) * width),
        };
        let many = libm::round((high - low) / width).max(1.0);
        Some(Self { log, low, width: (high - low) / many, many: many as usize })
    }

    fn edge(&self, bin: usize) -> f64 {
        let edge = self.low + self.width * bin as f64;
        if self.log { libm::pow(10.0, edge) } else { edge }
    }

    /// How many values lie in each bin. The last holds its upper edge too.
    fn counts(&self, values: &[f64]) -> Vec<usize> {
        let mut counts = vec![0; self.many];
        for value in values.iter().filter(|&&v| usable(v, self.log)).map(|&v| forth(v, self.log)) {
            let place = (value - self.low) / self.width;
            let slack = 1e-9;
            if place >= -slack && place <= self.many as f64 + slack {
                counts[(place.max(0.0) as usize).min(self.many - 1)] += 1;
            }
        }
        counts
    }
}

fn forth(value: f64, log: bool) -> f64 {
    if log { libm::log10(value) } else { value }
}

#[cfg(test)]
mod tests {
    use super::super::{Axis, Sample};
    use super::*;

    fn histogram(values: &[f64]) -> Histogram {
        Histogram {
            samples: vec![Sample { name: String::new(), values: values.to_vec() }],
            ..Histogram::default()
        }
    }

    #[test]
    fn each_value_is_counted_once() {
        let values: Vec<f64> = (0..1000).map(|i| f64::from(i * i % 997) / 7.0).collect();
        for bins in [None, Some(1), Some(7), Some(1_000_000)] {
            for log in [false, true] {
                let mut histogram = histogram(&values);
                histogram.bins = bins;
                histogram.x.log = log;
                let bins = Bins::of(&histogram).unwrap();
                let kept = values.iter().filter(|&&v| !log || v > 0.0).count();
                assert_eq!(bins.counts(&values).iter().sum::<usize>(), kept, "{bins:?}");
                assert!(bins.many <= 200);
            }
        }
    }

    #[test]
    fn few_whole_numbers_have_a_bin_each() {
        let values = [3.0, 3.0, 5.0, f64::NAN, f64::INFINITY];
        let bins = Bins::of(&histogram(&values)).unwrap();
        assert_eq!(bins.counts(&values), [2, 0, 1]);
        assert_eq!((bins.edge(0), bins.edge(3)), (2.5, 5.5));
    }

    #[test]
    fn a_range_leaves_out_what_is_outside() {
        let mut histogram = histogram(&[0.0, 1.5, 2.0, 9.0]);
        histogram.x = Axis::new("").range(1.0, 3.0);
        histogram.bins = Some(2);
        let bins = Bins::of(&histogram).unwrap();
        assert_eq!(bins.counts(&histogram.samples[0].values), [1, 1]);
        assert!(Bins::of(&Histogram::default()).is_none());
    }
}
