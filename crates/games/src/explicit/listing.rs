//! The listing of explicit trees.

use super::{Estimate, Tree, read_tree};
use astragal_core::{GameInfo, Genre, Kind, Listed, Param, SpecError, Tools, Values};

impl Listed for Tree {
    const INFO: GameInfo = GameInfo {
        name: "explicit",
        genre: Genre::Tree,
        help: "any tree of decisions, chance and values, read from a JSON file: for textbook examples",
        rules: include_str!("rules.md"),
        source: "yours",
        positions: "the name of a node; unnamed nodes are named after their path, root/left/heads",
        params: &[Param::required("file", Kind::File, "the JSON file that describes the tree")],
    };

    fn build(values: &Values) -> Result<Self, SpecError> {
        let file = values.text("file");
        let text = values.open("file").and_then(std::io::read_to_string).map_err(|error| {
            SpecError(format!("explicit: cannot read '{}': {error}", file.escape_debug()))
        })?;
        read_tree(&text).map_err(|error| SpecError(format!("explicit: '{}': {error}", file.escape_debug())))
    }

    fn list(tools: &mut impl Tools<Self>) {
        tools.default_evaluator(
            "estimate",
            "the file's \"estimate\" of a node, or the middle of the range",
            Estimate,
        );
    }
}
