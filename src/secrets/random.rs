//! Whether a value looks made by a machine, chosen by somebody, or put there to be replaced.

/// Most frequent pairs of letters, by the first: what follows `a`, `b` and so on. They are 95 in 100
/// pairs in the names and comments of this program's own source, and 33 in 100 of random ones.
const PAIRS: &[&str] = words!(
    "bcdgiklmnprstuvy aeijlouy aehiklortu aeiosy acdefgilmnpqrstvwxy aeilortu eimrsu aeio
     acdefglmnoprstvz e eis adefilostuy abeimopu acdegiknostuy bcdiklmnoprstuvw aeilorstu u
     acdegikmnorstuy acehikopstuy acehiorstuy abcelmnprst aei aehinor pt mst e"
);
/// Share of such pairs, in hundredths, from which letters are words; between the two.
const WORDY: usize = 75;
/// And up to which they are none.
const NOISE: usize = 50;
/// Fewer pairs say nothing.
const MIN_PAIRS: usize = 4;
/// Words that say that a value stands for another. Letters only, lower case.
const STAND_INS: &[&str] = words!(
    "example placeholder changeme changeit replace redacted dummy sample insert yourkey yourtoken
     yoursecret yourapi yourpass yourown xxxx notreal fakekey faketoken fakesecret fakepass foobar
     invalid lorem aaaaaa deadbeef cafebabe"
);
/// Words in passwords that nobody keeps anything behind.
const WEAK: &[&str] = &[
    "pass", "secret", "admin", "test", "user", "demo", "guest", "root", "qwert", "welcome",
    "letmein", "hunter", "login", "token", "fake", "default", "mysql", "postgres", "abc", "foo",
    "bar", "hello", "world", "super", "horse", "key", "mock", "local", "temp", "dev", "your",
];

/// Bits of information that a byte of a value has, by how often each occurs in it.
pub fn bits(value: &[u8]) -> f64 {
    let mut counts = [0_u32; 256];
    for byte in value {
        counts[usize::from(*byte)] += 1;
    }
    let total = value.len().max(1) as f64;
    let of = |n: u32| {
        let share = f64::from(n) / total;
        -share * share.log2()
    };
    counts.into_iter().filter(|n| *n > 0).map(of).sum()
}

/// Number of different bytes.
pub fn distinct(value: &[u8]) -> usize {
    let mut seen = [false; 256];
    for byte in value {
        seen[usize::from(*byte)] = true;
    }
    seen.into_iter().filter(|is| *is).count()
}

/// Whether a value says itself that it is none: it names what it stands for, counts up, or repeats.
pub fn is_stand_in(value: &[u8]) -> bool {
    let steps = value
        .windows(2)
        .filter(|w| w[1] == w[0].wrapping_add(1))
        .count();
    let same = value.windows(2).filter(|w| w[1] == w[0]).count();
    if (steps + same) * 2 >= value.len() || repeats(value) {
        return true;
    }
    let letters = folded(value, |b| b);
    STAND_INS.iter().any(|word| holds(&letters, word))
}

/// Whether a value is one piece of at most half its length over and over.
fn repeats(value: &[u8]) -> bool {
    let pieces = (1..=value.len().min(64) / 2).filter(|n| *n <= 16);
    pieces
        .into_iter()
        .any(|n| value[n..] == value[..value.len() - n])
}

/// Whether a password is one of those in examples and tests, digits for letters undone.
pub fn is_weak(value: &[u8]) -> bool {
    let plain = folded(value, |b| match b {
        b'@' | b'4' => b'a',
        b'0' => b'o',
        b'1' | b'!' => b'i',
        b'3' => b'e',
        b'$' | b'5' => b's',
        b => b,
    });
    WEAK.iter().any(|word| holds(&plain, word))
}

fn folded(value: &[u8], undo: impl Fn(u8) -> u8) -> Vec<u8> {
    let plain = value.iter().map(|b| undo(*b).to_ascii_lowercase());
    plain.filter(u8::is_ascii_alphabetic).collect()
}

fn holds(letters: &[u8], word: &str) -> bool {
    memchr::memmem::find(letters, word.as_bytes()).is_some()
}

/// Pairs of letters in a value, and how many of them are among [`PAIRS`].
fn pairs(value: &[u8]) -> (usize, usize) {
    let (mut pairs, mut usual) = (0, 0);
    for pair in value.windows(2) {
        // A capital after a small letter begins a word.
        let joined = pair[0].is_ascii_uppercase() || pair[1].is_ascii_lowercase();
        if !joined || !pair.iter().all(u8::is_ascii_alphabetic) {
            continue;
        }
        let [first, next] = [pair[0], pair[1]].map(|b| b.to_ascii_lowercase());
        let follow = PAIRS[usize::from(first - b'a')].as_bytes();
        pairs += 1;
        usual += usize::from(follow.contains(&next));
    }
    (pairs, usual)
}

/// Whether the letters of a value are those of words.
pub fn is_wordy(value: &[u8]) -> bool {
    let (pairs, usual) = pairs(value);
    pairs >= MIN_PAIRS && usual * 100 >= pairs * WORDY
}

/// Whether the letters of a value are those of no words.
fn is_noise(value: &[u8]) -> bool {
    let (pairs, usual) = pairs(value);
    pairs >= 2 * MIN_PAIRS && usual * 100 <= pairs * NOISE
}

/// Whether a value has the mixture of letters and digits that machines make, or is words and such a
/// mixture with a sign between: `app_live_9f86d0...`.
pub fn is_random(value: &[u8]) -> bool {
    /// Shorter parts may be the digest of something.
    const LEAST: usize = 20;
    let mut parts = value.split(|b| matches!(b, b'_' | b'-'));
    is_mixture(value) || parts.any(|part| part.len() >= LEAST && is_mixture(part))
}

fn is_mixture(value: &[u8]) -> bool {
    /// Shortest that is long enough to be made by a machine for machines.
    const LEAST: usize = 16;
    /// Random digits in base 16 have 3.3 bits a byte and more at 16 bytes, in base 32 or more 3.6;
    /// names have less for their length.
    const BITS: (f64, f64) = (2.9, 3.4);
    /// One in so many bytes is of another class than the one before it. Random digits in base 16 or
    /// more have two in five; words and numbers joined have one in six.
    const MIXED: usize = 4;
    /// From this length on letters that are no words are enough.
    const LONG: usize = 20;
    let has = |of: fn(&u8) -> bool| value.iter().any(of);
    if value.len() < LEAST || !has(u8::is_ascii_digit) || !has(u8::is_ascii_alphabetic) {
        return false;
    }
    let hex = value.iter().all(u8::is_ascii_hexdigit);
    let least = if hex { BITS.0 } else { BITS.1 };
    let class = |b: &u8| match b {
        b'0'..=b'9' => 0,
        b'a'..=b'z' => 1,
        b'A'..=b'Z' => 2,
        _ => 3,
    };
    let turns = value
        .windows(2)
        .filter(|w| class(&w[0]) != class(&w[1]))
        .count();
    let mixed = turns * MIXED >= value.len() || value.len() >= LONG && is_noise(value);
    mixed && bits(value) >= least && (hex || !is_wordy(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_told_from_noise() {
        for word in
            *words!("correcthorsebattery MySuperSecretValue access_token_for_user parseRequest")
        {
            assert!(is_wordy(word.as_bytes()), "{word}");
        }
        for noise in ["q8Zr2Lm5Vx0Tn7Ks", "xkqzjwvbptgd", "ZXhKq9vTb2Wp", "ab"] {
            assert!(!is_wordy(noise.as_bytes()), "{noise}");
        }
    }

    #[test]
    fn what_stands_for_a_value_is_none() {
        for value in *phrases!(
            "IOSFODNN7EXAMPLE, xxxxxxxxxxxxxxxx, 1234567890abcdef, your-api-key-here-1,
             abc123abc123abc123, 00000000-0000, <your token>"
        ) {
            assert!(is_stand_in(value.as_bytes()), "{value}");
        }
        assert!(!is_stand_in(b"q8Zr2Lm5Vx0Tn7Ks"));
    }

    #[test]
    fn noise_is_random_and_names_are_not() {
        for value in *words!(
            "q8Zr2Lm5Vx0Tn7Ks 3f786850e387550fdab836ed7e6dc881 hvauvzhmasqxezyex1rdrgdsjpr16u
             dGhpc2lz4oCmbm90YSs3/Q=="
        ) {
            assert!(is_random(value.as_bytes()), "{value}");
        }
        for value in *words!(
            "load_secret_v2_of_user my-access-token-12345 ServiceAccountTokenV2
             2024-01-01T00:00:00Z 8765432187654321 q8Zr2Lm5"
        ) {
            assert!(!is_random(value.as_bytes()), "{value}");
        }
    }

    #[test]
    fn passwords_of_examples_are_weak() {
        assert!(is_weak(b"P@ssw0rd123") && is_weak(b"hunter2x") && is_weak(b"Adm1n!"));
        assert!(!is_weak(b"kX9!vqLz"));
    }
}
