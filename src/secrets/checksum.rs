//! Checksums that some issuers put at the end of their tokens.

/// Characters at the end of a token that are its checksum.
const DIGITS: usize = 6;

/// Whether a token's random part ends with its own checksum: CRC-32 in base 62, as GitHub and npm have
/// it (described at github.blog, "Behind GitHub's new authentication token formats", 2021). Who holds
/// one that fits holds a token; one that does not fit may be of a later form.
pub fn fits(random: &[u8]) -> bool {
    let Some(cut) = random.len().checked_sub(DIGITS) else {
        return false;
    };
    let (body, given) = random.split_at(cut);
    base62(crc32(body)) == given
}

fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            let low = crc & 1;
            crc = (crc >> 1) ^ (0xedb8_8320 & low.wrapping_neg());
        }
    }
    !crc
}

fn base62(mut number: u32) -> [u8; DIGITS] {
    const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let mut out = [b'0'; DIGITS];
    for place in out.iter_mut().rev() {
        *place = ALPHABET[number as usize % ALPHABET.len()];
        number /= ALPHABET.len() as u32;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_that_of_the_standard() {
        // The check value of CRC-32/ISO-HDLC.
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        let body = b"EXAMPLEEXAMPLEEXAMPLEEXAMPLEEX";
        let token = [&body[..], &base62(crc32(body))[..]].concat();
        assert!(fits(&token));
        let mut wrong = token;
        wrong[3] = b'B';
        assert!(!fits(&wrong) && !fits(b"abc"));
    }
}
