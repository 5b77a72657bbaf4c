//! Tokens of an answer as an agent's model reads it.

/// Tokens of a text under the o200k byte-pair encoding, the one whose tables are public and whose
/// counts today's models' are nearest to.
pub fn count(text: &str) -> usize {
    tiktoken_rs::o200k_base_singleton()
        .encode_ordinary(text)
        .len()
}

/// Prints the tokens of each JSON string, one a line.
pub fn of_lines(lines: impl std::io::BufRead) -> crate::Result<std::process::ExitCode> {
    for line in lines.lines() {
        let text: String = serde_json::from_str(&line?)?;
        println!("{}", count(&text));
    }
    Ok(std::process::ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    #[test]
    fn counts_are_those_of_the_encoding() {
        // "hello world" is two entries of the vocabulary.
        assert_eq!(super::count("hello world"), 2);
        assert_eq!(super::count(""), 0);
    }
}
