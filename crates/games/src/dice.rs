//! Dice as people say them: `3 4`, `3,4`, `3+4` or `34`. What they mean is a matter of each game.

/// Numbers that were said.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Said {
    /// The faces, in the order in which they were said.
    pub(crate) faces: Vec<u32>,
    /// Whether they were said without anything between them, so that together they could be one number.
    pub(crate) is_joined: bool,
}

/// Reads a text of nothing but numbers; none if there is anything else, such as the sign of `+7`.
pub(crate) fn said(text: &str) -> Option<Said> {
    let text = text.trim();
    let is_between = |c: char| c.is_whitespace() || [',', ';', '+', '-', '/'].contains(&c);
    if !text.starts_with(|c: char| c.is_ascii_digit())
        || !text.chars().all(|c| c.is_ascii_digit() || is_between(c))
    {
        return None;
    }
    let numbers: Vec<&str> = text.split(is_between).filter(|number| !number.is_empty()).collect();
    if let [digits] = numbers[..] {
        let faces: Vec<u32> = digits.chars().filter_map(|c| c.to_digit(10)).collect();
        let is_joined = faces.len() > 1;
        return Some(Said { faces, is_joined });
    }
    let faces = numbers.iter().map(|number| number.parse().unwrap_or(u32::MAX)).collect();
    Some(Said { faces, is_joined: false })
}

impl Said {
    /// Checks that these are `count` dice with so many sides.
    pub(crate) fn check(&self, count: usize, sides: u32) -> Result<(), String> {
        const WORDS: [&str; 5] = ["no", "one", "two", "three", "four"];
        if self.faces.len() != count {
            let dice = if count == 1 { "die is" } else { "dice are" };
            let named = if self.faces.len() == 1 {
                "1 is named".into()
            } else {
                format!("{} are named", self.faces.len())
            };
            return Err(format!("{} {dice} rolled, but {named}", WORDS[count]));
        }
        match self.faces.iter().find(|face| !(1..=sides).contains(*face)) {
            Some(face) => Err(format!("a die shows 1 to {sides}, not {face}")),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dice_may_be_separated_or_not() {
        for text in ["34", "3 4", " 3,4 ", "3, 4", "3+4", "3-4", "3/4", "3;4"] {
            assert_eq!(said(text).map(|said| said.faces), Some(vec![3, 4]), "{text}");
        }
        assert!(
            said("34").unwrap().is_joined && !said("3 4").unwrap().is_joined && !said("3").unwrap().is_joined
        );
        for text in ["", "+7", "-3", "bust", "3 right", "d6", "3.4"] {
            assert_eq!(said(text), None, "{text}");
        }
    }

    #[test]
    fn impossible_dice_are_explained() {
        let why = |text: &str, count| said(text).unwrap().check(count, 6);
        assert_eq!(why("3 4", 2), Ok(()));
        assert_eq!(why("3 4 5", 2), Err("two dice are rolled, but 3 are named".into()));
        assert_eq!(why("3 4", 1), Err("one die is rolled, but 2 are named".into()));
        assert_eq!(why("37", 2), Err("a die shows 1 to 6, not 7".into()));
        assert_eq!(why("3 99999999999", 2), Err(format!("a die shows 1 to 6, not {}", u32::MAX)));
    }
}
