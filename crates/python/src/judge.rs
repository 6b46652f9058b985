//! A Python function as an evaluator.

use crate::faults::{Faults, inside};
use crate::own::OwnState;
use astragal_catalog::{Judge, Leaf};
use astragal_core::Interval;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};

/// What the function receives for a leaf.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Sight {
    /// The state of a Python game.
    State,
    /// The position as text.
    Text,
    /// The position as an array of 32-bit floats.
    Features,
}

/// A Python function as an evaluator.
pub(crate) struct Function {
    pub(crate) function: Py<PyAny>,
    pub(crate) sight: Sight,
    /// 0 if it takes a single leaf; otherwise it takes all leaves this many decisions ahead.
    pub(crate) ahead: u32,
    pub(crate) range: Interval,
    pub(crate) faults: Faults,
}

impl Function {
    fn call(&self, py: Python<'_>, leaves: &[&dyn Leaf]) -> PyResult<Vec<f64>> {
        let values = if self.ahead == 0 {
            let value = |leaf: &&dyn Leaf| self.function.call1(py, (self.show(py, leaf)?,))?.extract(py);
            leaves.iter().map(value).collect::<PyResult<Vec<f64>>>()?
        } else {
            let values = numbers(&self.function.bind(py).call1((self.show_all(py, leaves)?,))?)?;
            if values.len() != leaves.len() {
                let (given, wanted) = (values.len(), leaves.len());
                return Err(PyValueError::new_err(format!(
                    "the evaluator returned {given} values for {wanted} states"
                )));
            }
            values
        };
        let range = self.range;
        if let Some(at) = values.iter().position(|value| !range.contains(*value)) {
            let (value, text) = (values[at], leaves[at].text());
            return Err(PyValueError::new_err(format!(
                "contract: evaluation {value} outside the range {range} in {text}"
            )));
        }
        Ok(values)
    }

    fn show<'py>(&self, py: Python<'py>, leaf: &&dyn Leaf) -> PyResult<Bound<'py, PyAny>> {
        match self.sight {
            Sight::Text => Ok(leaf.text().into_pyobject(py)?.into_any()),
            Sight::State => Ok(state(*leaf).bind(py).clone()),
            Sight::Features => {
                let mut features = Vec::new();
                leaf.features(&mut features);
                array(py, &features)
            }
        }
    }

    fn show_all<'py>(&self, py: Python<'py>, leaves: &[&dyn Leaf]) -> PyResult<Bound<'py, PyAny>> {
        match self.sight {
            Sight::Text => Ok(PyList::new(py, leaves.iter().map(|leaf| leaf.text()))?.into_any()),
            Sight::State => Ok(PyList::new(py, leaves.iter().map(|leaf| state(*leaf)))?.into_any()),
            Sight::Features => {
                let mut features = Vec::new();
                leaves.iter().for_each(|leaf| leaf.features(&mut features));
                let each = features.len() / leaves.len().max(1);
                array(py, &features)?.call_method1("reshape", (leaves.len(), each))
            }
        }
    }
}

fn state(leaf: &dyn Leaf) -> &Py<PyAny> {
    let state: Option<&OwnState> = leaf.state().downcast_ref();
    state.expect("only a Python game has Python states").object()
}

/// A read-only NumPy array of these numbers.
pub(crate) fn array<'py>(py: Python<'py>, numbers: &[f32]) -> PyResult<Bound<'py, PyAny>> {
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_ne_bytes()).collect();
    py.import("numpy")?.call_method1("frombuffer", (PyBytes::new(py, &bytes), "f4"))
}

/// The same with 64-bit floats.
pub(crate) fn wide_array<'py>(py: Python<'py>, numbers: &[f64]) -> PyResult<Bound<'py, PyAny>> {
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_ne_bytes()).collect();
    py.import("numpy")?.call_method1("frombuffer", (PyBytes::new(py, &bytes), "f8"))
}

/// The numbers of an array, a list or anything else that NumPy accepts as one.
fn numbers(object: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
    let array = object.py().import("numpy")?.call_method1("asarray", (object, "f8"))?;
    let bytes = array.call_method0("tobytes")?;
    let bytes = bytes.cast::<PyBytes>()?.as_bytes();
    let number = |bytes: &[u8]| f64::from_ne_bytes(bytes.try_into().expect("eight bytes"));
    Ok(bytes.chunks_exact(8).map(number).collect())
}

impl Judge for Function {
    fn values(&self, leaves: &[&dyn Leaf]) -> Vec<f64> {
        let nothing = || vec![self.range.middle(); leaves.len()];
        if self.faults.raised() {
            return nothing();
        }
        self.faults.or(Python::attach(|py| inside(|| self.call(py, leaves))), nothing)
    }

    fn ahead(&self) -> u32 {
        self.ahead
    }
}
