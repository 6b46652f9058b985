//! Section 5.3: prefix-value trees, in which the best action is known. When do Minimax, playouts and UCT
//! decide correctly?

use crate::judged::{Judged, Setup, judge, table};
use crate::text::{drawn, interval, percent, points};
use crate::{Bench, Experiment, Failed, Finding, Outcome, Scale, Verdict};
use astragal_arena::accuracy::pathology;
use astragal_catalog::game;
use astragal_core::Interval;
use astragal_plot::{Axis, Chart, Curve, Figure, Lines, Look, Reference};
use astragal_stats::Estimate;

/// MM-1-1000R.
const PLAYOUTS: &str = "alpha-beta(depth=1,plain=on,order=off,leaf=playouts(n=1000))";

/// MM-k.
fn mm(depth: u32) -> String {
    format!("alpha-beta(depth={depth},plain=on,order=off)")
}

/// UCT with the heuristic. The thesis's constant is for values from 0 to 1 between the bounds of the tree;
/// ours is for the heuristic's range, mapped to values from −1 to 1.
fn uct(spec: &str, span: f64, c: f64) -> Result<String, Failed> {
    let range = game(spec)?.range();
    Ok(format!("uct-h(c={})", 2.0 * c * span / range.width()))
}

/// Accuracies over a parameter.
fn lines(x: Axis, curves: Vec<Curve>, references: Vec<Reference>) -> Chart {
    Chart::Lines(Lines { x, y: Axis::new("right decisions").unit("%").range(0.0, 100.0), curves, references })
}

/// The experiment on trees without bounds, and with the tightest ones.
pub(crate) static PREFIX: Experiment = Experiment {
    id: "thesis-5.3.1",
    title: "Prefix-value trees: playouts remember too much, win/loss trees: nothing",
    source: "Understanding Sampling-Based Adversarial Search (Ramanujan 2012), section 5.3.1",
    takes: &[(Scale::Quick, 12), (Scale::Full, 120)],
    run: prefix,
};

fn prefix(bench: &mut Bench<'_>) -> Result<Outcome, Failed> {
    let trees = bench.scale.pick(1000, 10_000);
    let setups = [
        "pv(b=2,kmax=8)",
        "pv(b=4,kmax=8)",
        "pv(b=2,k=1)",
        "win-loss(b=2,depth=100)",
        "win-loss(b=4,depth=100)",
    ]
    .map(|spec| Setup::new(spec, PLAYOUTS));
    let judged = judge(&setups, trees, bench)?;
    let shares: Vec<Estimate> = judged.iter().map(Judged::share).collect();
    let near = |at: usize, claim: &str, published: &str, near: Interval| Finding {
        claim: claim.into(),
        published: published.into(),
        measured: percent(&shares[at]),
        verdict: Verdict::within(shares[at].interval(), near),
        rule: format!(
            "agrees if the interval lies in {:.0} to {:.0} %, differs if outside",
            100.0 * near.lo,
            100.0 * near.hi
        ),
        note: setups[at].game.clone(),
    };
    let guessing = |chance: f64| Interval::new(chance - 0.05, chance + 0.05);
    let findings = vec![
        near(0, "Penalties up to 8: MM-1-1000R is mostly right", "91.4 % ± 1.7", Interval::new(0.88, 0.95)),
        near(
            2,
            "A penalty of 1: MM-1-1000R is nearly always right",
            "approaches 100 %",
            Interval::new(0.98, 1.0),
        ),
        near(
            3,
            "Win/loss trees: MM-1-1000R guesses, of two",
            "no better than random guessing",
            guessing(0.5),
        ),
        near(
            4,
            "Win/loss trees: MM-1-1000R guesses, of four",
            "no better than random guessing",
            guessing(0.25),
        ),
        Finding {
            verdict: Verdict::New,
            rule: String::new(),
            published: String::new(),
            ..near(1, "Penalties up to 8, four branches", "", Interval::new(0.0, 1.0))
        },
    ];
    Ok(Outcome {
        summary: format!(
            "MM-1-1000R, which looks one decision ahead and values what it sees by 1000 random playouts, decides at the root of {trees} prefix-value trees of depth 100 of each kind."
        ),
        findings,
        tables: vec![table(&setups, &judged)],
        figures: Vec::new(),
    })
}

/// The experiment on bounds and penalties.
pub(crate) static PATHOLOGY: Experiment = Experiment {
    id: "thesis-fig5.10",
    title: "Bounds against penalties: where looking deeper hurts (Figures 5.10, 5.11)",
    source: "Understanding Sampling-Based Adversarial Search (Ramanujan 2012), section 5.3.2, Figures 5.10 and 5.11",
    takes: &[(Scale::Quick, 40), (Scale::Full, 400)],
    run: bounds,
};

const BOUNDS: [u32; 7] = [1, 2, 4, 8, 12, 16, 20];
const PENALTIES: [u32; 4] = [1, 2, 4, 8];

/// The decisions of MM-2, MM-6 and MM-1-1000R in each kind of tree.
struct Pathology {
    setups: Vec<Setup>,
    judged: Vec<Judged>,
}

impl Pathology {
    fn measure(trees: u64, bench: &mut Bench<'_>) -> Result<Self, Failed> {
        let kinds = PENALTIES.iter().flat_map(|kmax| BOUNDS.map(|vmax| (kmax, vmax)));
        let setups: Vec<Setup> = kinds
            .flat_map(|(kmax, vmax)| {
                let spec = format!("bpv(vmax={vmax},kmax={kmax},sigma=4)");
                [mm(2), mm(6), PLAYOUTS.into()].map(|engine| Setup::new(&spec, engine))
            })
            .collect();
        let judged = judge(&setups, trees, bench)?;
        Ok(Self { setups, judged })
    }

    /// The three players' decisions in one kind of tree.
    fn of(&self, kmax: u32, vmax: u32) -> [&Judged; 3] {
        let place = |all: &[u32], one: u32| all.iter().position(|of| *of == one).expect("one of them");
        let at = 3 * (place(&PENALTIES, kmax) * BOUNDS.len() + place(&BOUNDS, vmax));
        [0, 1, 2].map(|player| &self.judged[at + player])
    }

    fn index(&self, kmax: u32, vmax: u32) -> Estimate {
        let [shallow, deep, _] = self.of(kmax, vmax);
        pathology(&shallow.0, &deep.0).expect("a search is right sometimes")
    }

    /// The accuracy of playouts.
    fn playouts(&self, kmax: u32, vmax: u32) -> Estimate {
        self.of(kmax, vmax)[2].share()
    }

    fn deeper(&self, kmax: u32, vmax: u32, pays: bool) -> Finding {
        let index = self.index(kmax, vmax);
        let (words, side, judge) = match pays {
            true => ("pays", "above", Verdict::above as fn(Interval, f64) -> Verdict),
            false => ("hurts (pathology)", "below", Verdict::below as _),
        };
        Finding {
            claim: format!("vmax = {vmax}, kmax = {kmax}: looking deeper {words}"),
            published: format!("PI {side} 0"),
            measured: format!("PI {}", interval(&index, 2)),
            verdict: judge(index.interval(), 0.0),
            rule: format!(
                "agrees if the interval of the index, from decisions in the same trees, lies {side} 0, differs if on the other side"
            ),
            note: String::new(),
        }
    }

    fn poor(&self, kmax: u32, vmax: u32) -> Finding {
        let share = self.playouts(kmax, vmax);
        Finding {
            claim: format!("vmax = {vmax}, kmax = {kmax}: MM-1-1000R does poorly there"),
            published: "poor exactly where there is pathology".into(),
            measured: percent(&share),
            verdict: Verdict::below(share.interval(), 0.4),
            rule: "agrees if the interval lies below 40 % (guessing is right in 25 %), differs if above"
                .into(),
            note: String::new(),
        }
    }

    fn good(&self, kmax: u32, vmax: u32) -> Finding {
        let share = self.playouts(kmax, vmax);
        Finding {
            claim: format!("vmax = {vmax}, kmax = {kmax}: MM-1-1000R does well where penalties are small"),
            published: "better the smaller kmax is against vmax".into(),
            measured: percent(&share),
            verdict: Verdict::above(share.interval(), 0.4),
            rule: "agrees if the interval lies above 40 %, differs if below".into(),
            note: String::new(),
        }
    }

    fn findings(&self) -> Vec<Finding> {
        vec![
            self.deeper(8, 2, false),
            self.deeper(8, 4, false),
            self.deeper(8, 12, true),
            self.deeper(8, 20, true),
            self.deeper(1, 12, true),
            self.poor(8, 2),
            self.poor(8, 4),
            self.good(1, 20),
        ]
    }

    /// One curve over the bounds for each penalty.
    fn curves(measure: impl Fn(u32, u32) -> astragal_plot::Estimate) -> Vec<Curve> {
        let curve = |kmax: u32| {
            let points = BOUNDS.map(|vmax| (f64::from(vmax), measure(kmax, vmax)));
            Curve::new(format!("kmax = {kmax}"), Look::Band, points)
        };
        PENALTIES.map(curve).into()
    }

    fn figures(&self) -> Vec<(String, String, Figure)> {
        let indices = Chart::Lines(Lines {
            x: Axis::new("vmax"),
            y: Axis::new("1 − right(MM-2) / right(MM-6)"),
            curves: Self::curves(|kmax, vmax| drawn(&self.index(kmax, vmax), 1.0)),
            references: vec![Reference::new("0", 0.0)],
        });
        let playouts = lines(
            Axis::new("vmax"),
            Self::curves(|kmax, vmax| drawn(&self.playouts(kmax, vmax), 100.0)),
            vec![Reference::new("guessing", 25.0)],
        );
        let figure = |title: &str, chart: Chart| {
            let mut figure = Figure::new(title);
            figure.subtitle = "Bounded prefix-value trees with four branches, depth 100, σ = 4".into();
            figure.panel("", chart)
        };
        vec![
            (
                "figure5.10".into(),
                "Below 0 the deeper search is right less often.".into(),
                figure("Pathology index", indices),
            ),
            (
                "figure5.11".into(),
                "Guessing is right in one of four trees.".into(),
                figure("Right decisions of MM-1-1000R, with 95 % intervals", playouts),
            ),
        ]
    }
}

fn bounds(bench: &mut Bench<'_>) -> Result<Outcome, Failed> {
    let trees = bench.scale.pick(500, 5000);
    let found = Pathology::measure(trees, bench)?;
    Ok(Outcome {
        summary: format!(
            "Plain alpha-beta to depths 2 and 6 with a noisy heuristic (σ = 4), and MM-1-1000R, at the root of {trees} bounded prefix-value trees of each kind (four branches, depth 100)."
        ),
        findings: found.findings(),
        tables: vec![table(&found.setups, &found.judged)],
        figures: found.figures(),
    })
}

/// The span of the values of the trees on which Minimax and UCT are compared.
const SPAN: f64 = 19.0;
/// The thesis's constant for them, for values from 0 to 1.
const C: f64 = 0.2;

/// Minimax and UCT over one parameter of the trees.
struct Knob {
    /// The parameter and its values.
    key: &'static str,
    values: Vec<f64>,
    /// The parameters that all trees share.
    rest: &'static str,
    depth: u32,
    trees: u64,
}

impl Knob {
    fn spec(&self, value: f64) -> String {
        format!("bpv({}={value}{})", self.key, self.rest)
    }

    /// Runs Minimax, and UCT under both readings of its constant, for each value.
    fn turn(&self, bench: &mut Bench<'_>) -> Result<(Vec<Setup>, Vec<Judged>), Failed> {
        let mut setups = Vec::new();
        for &value in &self.values {
            let (spec, minimax) = (self.spec(value), mm(self.depth));
            setups.push(Setup::new(&spec, minimax.clone()));
            for uct in [uct(&spec, SPAN, C)?, format!("uct-h(c={C})")] {
                setups.push(Setup::paced(&spec, uct, minimax.clone()));
            }
        }
        let judged = judge(&setups, self.trees, bench)?;
        Ok((setups, judged))
    }

    fn outcome(
        &self,
        bench: &mut Bench<'_>,
        symbol: &str,
        names: (&str, &str),
        published: &str,
    ) -> Result<Outcome, Failed> {
        let (setups, judged) = self.turn(bench)?;
        let all = || self.values.iter().zip(judged.chunks(3));
        let findings = all()
            .map(|(value, found)| dominates(format!("{symbol} = {value}"), &found[0], &found[1..], published))
            .collect();
        let curve = |name: String, at: usize| {
            let point = |(value, found): (&f64, &[Judged])| (*value, drawn(&found[at].share(), 100.0));
            Curve::new(name, Look::Band, all().map(point))
        };
        let (title, file) = names;
        let mut figure = Figure::new(title);
        figure.subtitle = "Right decisions at the root, with 95 % intervals".into();
        let curves = vec![
            curve(format!("MM-{}", self.depth), 0),
            curve("UCT, c for true values".into(), 1),
            curve("UCT, c for noisy values".into(), 2),
        ];
        figure = figure.panel("", lines(Axis::new(symbol), curves, vec![Reference::new("guessing", 25.0)]));
        Ok(Outcome {
            summary: format!(
                "Plain alpha-beta to depth {} and UCT with the heuristic at leaves at the root of {} bounded prefix-value trees of each kind (four branches, depth 100, vmax = 10, kmax = 8). In each tree UCT has as many simulations as Minimax visits nodes. Its constant is 0.2, and the thesis does not say of what: of true values from 0 to 1, or of all that the noisy heuristic can say, from −1 to 1.",
                self.depth, self.trees
            ),
            findings,
            tables: vec![table(&setups, &judged)],
            figures: vec![(file.into(), "Guessing is right in one of four trees.".into(), figure)],
        })
    }
}

/// A claim that UCT is right more often than Minimax, tree by tree, under each reading of its constant.
fn dominates(at: String, minimax: &Judged, readings: &[Judged], published: &str) -> Finding {
    let verdicts: Vec<Verdict> =
        readings.iter().map(|uct| Verdict::above(uct.ahead(minimax).interval(), 0.0)).collect();
    let measured: Vec<String> = readings.iter().map(|uct| percent(&uct.share())).collect();
    Finding {
        claim: format!("{at}: UCT is right more often than Minimax"),
        published: published.into(),
        measured: format!("{} against {}", measured.join("; "), percent(&minimax.share())),
        verdict: Verdict::of_readings(&verdicts),
        rule: "agrees if the interval of the difference, tree by tree, lies above 0, differs if below; depends if readings agree and differ".into(),
        note: "c for true values; c for noisy values".into(),
    }
}

/// The experiment on noise.
pub(crate) static NOISE: Experiment = Experiment {
    id: "thesis-fig5.12",
    title: "Minimax and UCT in bounded prefix-value trees over the noise of the heuristic",
    source: "Understanding Sampling-Based Adversarial Search (Ramanujan 2012), section 5.3.3, Figure 5.12",
    takes: &[(Scale::Quick, 50), (Scale::Full, 500)],
    run: noise,
};

fn noise(bench: &mut Bench<'_>) -> Result<Outcome, Failed> {
    let knob = Knob {
        key: "sigma",
        values: vec![1.0, 2.0, 4.0, 6.0, 8.0, 12.0, 16.0],
        rest: "",
        depth: 8,
        trees: bench.scale.pick(500, 5000),
    };
    knob.outcome(bench, "σ", ("Noise of the heuristic", "figure5.12"), "UCT dominates")
}

/// The experiment on traps.
pub(crate) static TRAPS: Experiment = Experiment {
    id: "thesis-fig5.13",
    title: "Minimax and UCT in bounded prefix-value trees over the density of traps",
    source: "Understanding Sampling-Based Adversarial Search (Ramanujan 2012), section 5.3.4, Figure 5.13",
    takes: &[(Scale::Quick, 50), (Scale::Full, 500)],
    run: traps,
};

fn traps(bench: &mut Bench<'_>) -> Result<Outcome, Failed> {
    let knob = Knob {
        key: "delta",
        values: vec![0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5],
        rest: ",sigma=4",
        depth: 8,
        trees: bench.scale.pick(500, 5000),
    };
    knob.outcome(bench, "δ", ("Traps", "figure5.13"), "traps at random do not hurt UCT")
}

/// The experiment on a heuristic that is blind near the root.
pub(crate) static LAG: Experiment = Experiment {
    id: "thesis-fig5.14",
    title: "A heuristic that is blind near the root: UCT over c against Minimax (Figures 5.14, 5.15)",
    source: "Understanding Sampling-Based Adversarial Search (Ramanujan 2012), section 5.3.4, Figures 5.14 and 5.15",
    takes: &[(Scale::Quick, 60), (Scale::Full, 14_400)],
    run: lag,
};

const BIASES: [f64; 2] = [0.5, 0.1];
const CONSTANTS: [f64; 6] = [0.03, 0.1, 0.3, 1.0, 3.0, 10.0];

fn lag(bench: &mut Bench<'_>) -> Result<Outcome, Failed> {
    let (depth, trees, lags): (u32, u64, [u32; 3]) =
        bench.scale.pick((8, 200, [2, 4, 6]), (10, 1000, [3, 6, 9]));
    let spec = |bias: f64, lag: u32| format!("bpv(sigma=4,lag={lag},bias={bias})");
    // Minimax looks beyond the lag, so one run serves all.
    let mut setups = vec![Setup::new(&spec(BIASES[0], lags[0]), mm(depth))];
    for bias in BIASES {
        for lag in lags {
            for c in CONSTANTS {
                let spec = spec(bias, lag);
                setups.push(Setup::paced(&spec, uct(&spec, SPAN, c)?, mm(depth)));
            }
        }
    }
    let judged = judge(&setups, trees, bench)?;
    let (minimax, rest) = judged.split_first().expect("there are some");
    let of =
        |bias: usize, lag: usize| &rest[(bias * lags.len() + lag) * CONSTANTS.len()..][..CONSTANTS.len()];
    let mut findings = Vec::new();
    // A constant with which UCT is ahead at every lag.
    for (at, bias) in BIASES.into_iter().enumerate() {
        let worst = |c: usize| {
            let gains = (0..lags.len()).map(|lag| of(at, lag)[c].ahead(minimax));
            gains.min_by(|a, b| a.mean.total_cmp(&b.mean)).expect("there are some")
        };
        let best = (0..CONSTANTS.len()).map(|c| (worst(c), CONSTANTS[c]));
        let (gain, c) = best.max_by(|a, b| a.0.mean.total_cmp(&b.0.mean)).expect("there are some");
        let dominates = bias > 0.3;
        findings.push(Finding {
            claim: format!(
                "bias = {bias}: {} constant with which UCT is ahead of MM-{depth} at every lag",
                if dominates { "there is a" } else { "there is no" }
            ),
            published: (if dominates { "UCT dominates" } else { "UCT does not dominate" }).into(),
            measured: format!(
                "with c = {c}, the best of those tried, by {} points at the worst lag",
                points(&gain)
            ),
            verdict: match dominates {
                true => Verdict::above(gain.interval(), 0.0),
                false => Verdict::below(gain.interval(), 0.0),
            },
            rule: format!(
                "agrees if the interval of the difference, tree by tree, lies {} 0, differs if on the other side",
                if dominates { "above" } else { "below" }
            ),
            note: "the constant is the best on the same trees".into(),
        });
    }
    // The best constant grows with the lag.
    let best_c = |lag: usize| {
        let shares = of(1, lag).iter().map(|judged| judged.share().mean).zip(CONSTANTS);
        shares.max_by(|a, b| a.0.total_cmp(&b.0)).expect("there are some").1
    };
    let (short, long) = (best_c(0), best_c(lags.len() - 1));
    findings.push(Finding {
        claim: format!(
            "bias = 0.1: the best constant grows from lag {} to lag {}",
            lags[0],
            lags[lags.len() - 1]
        ),
        published: "UCT must build more complete trees as lag grows".into(),
        measured: format!("from c = {short} to c = {long}"),
        verdict: match () {
            () if long > short => Verdict::Agrees,
            () if long < short => Verdict::Differs,
            () => Verdict::Open,
        },
        rule: "agrees if the best of those tried grows, differs if it falls".into(),
        note: String::new(),
    });
    let mut figure = Figure::new("A heuristic that is blind near the root");
    figure.subtitle =
        format!("Right decisions of UCT over its constant, and of MM-{depth} (line), with 95 % intervals");
    for (at, bias) in BIASES.into_iter().enumerate() {
        let curves = lags.iter().enumerate().map(|(index, lag)| {
            let points = CONSTANTS
                .into_iter()
                .zip(of(at, index))
                .map(|(c, judged)| (c, drawn(&judged.share(), 100.0)));
            Curve::new(format!("lag {lag}"), Look::Band, points)
        });
        let level = Reference::new(format!("MM-{depth}"), 100.0 * minimax.share().mean);
        figure = figure.panel(
            format!("bias {bias}"),
            lines(Axis::new("c, for values from 0 to 1").log(), curves.collect(), vec![level]),
        );
    }
    Ok(Outcome {
        summary: format!(
            "UCT with the heuristic at leaves at the root of {trees} bounded prefix-value trees of each kind (four branches, depth 100, vmax = 10, kmax = 8, σ = 4). Down to the depth of the lag the heuristic says only its bias, up to 0.1 of the span. In each tree UCT has as many simulations as MM-{depth} visits nodes{}, which looks beyond the lag and is the same for all.",
            if depth == 10 { "" } else { " (the thesis: MM-10)" }
        ),
        findings,
        tables: vec![table(&setups, &judged)],
        figures: vec![("figure5.14".into(), "Figures 5.14 and 5.15.".into(), figure)],
    })
}
