//! The network file: integers as they are used, behind a header that is checked.
//!
//! ```text
//! magic "PHAONET2" · u32 rows · u32 hidden · u32 buckets · u32 length of the description · u32 CRC-32 of all that follows
//! description (UTF-8) · hidden weights i16 [rows][hidden] · hidden biases i16 [hidden]
//! · output weights i16 [buckets][2 × hidden] · output biases i32 [buckets] · piece-square values i32 [rows][buckets]
//! ```
//!
//! All numbers are little-endian. The last character of the magic is the version.

use super::{BUCKETS, ROWS};
use thiserror::Error;

const MAGIC: &[u8; 8] = b"PHAONET2";
pub(super) const HEADER_LEN: usize = 28;
/// Longest description: it would otherwise be as long as the header says, up to four gigabytes.
const MAX_DESCRIPTION: u32 = 1 << 20;

/// Largest output weight; times 255 it fits 16 bits.
pub(super) const MAX_OUTPUT_WEIGHT: i16 = 127;
/// Largest hidden weight. 32 pieces and the bias stay within 16 bits.
pub(super) const MAX_HIDDEN_WEIGHT: i16 = 900;

/// Why a file cannot be used as a network.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum NetworkError {
    /// It is something else.
    #[error("not a Phao network (it does not begin with PHAONET2)")]
    Magic,
    /// It is a network of an earlier or later form.
    #[error("a network of another version of Phao (it does not begin with PHAONET2)")]
    Version,
    /// It is a network of another shape.
    #[error(
        "a network with {rows} input rows, {hidden} hidden units and {buckets} buckets; this program needs {needed_rows}, {needed_hidden} and {needed_buckets}"
    )]
    Shape {
        /// Input rows of the file.
        rows: u32,
        /// Hidden units of the file.
        hidden: u32,
        /// Output buckets of the file.
        buckets: u32,
        /// Input rows of this program.
        needed_rows: u32,
        /// Hidden units of this program.
        needed_hidden: u32,
        /// Output buckets of this program.
        needed_buckets: u32,
    },
    /// It is shorter or longer than its header says.
    #[error("{found} bytes long instead of {expected}")]
    Length {
        /// Length by the header.
        expected: u64,
        /// Length in fact.
        found: u64,
    },
    /// It tells more of itself than anybody would write.
    #[error("a description of {0} bytes: the file is damaged")]
    Description(u32),
    /// The checksum is wrong.
    #[error("the checksum is wrong: the file is damaged")]
    Checksum,
    /// A weight is so large that sums could overflow.
    #[error("a weight is out of range")]
    Range,
}

/// The weights of a network of any size, quantised.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weights {
    /// What it was trained from, for people.
    pub description: String,
    /// Hidden units of one view.
    pub hidden: usize,
    /// `[rows][hidden]`, scaled by 255.
    pub hidden_weights: Vec<i16>,
    /// `[hidden]`, scaled by 255.
    pub hidden_biases: Vec<i16>,
    /// `[buckets][2 × hidden]`, own view first, scaled by 256.
    pub output_weights: Vec<i16>,
    /// `[buckets]`, scaled by 255 × 256.
    pub output_biases: Vec<i32>,
    /// `[rows][buckets]`, scaled by 255 × 256.
    pub places: Vec<i32>,
}

impl Weights {
    /// All weights zero.
    pub fn zero(hidden: usize) -> Self {
        Self {
            description: String::new(),
            hidden,
            hidden_weights: vec![0; ROWS * hidden],
            hidden_biases: vec![0; hidden],
            output_weights: vec![0; BUCKETS * 2 * hidden],
            output_biases: vec![0; BUCKETS],
            places: vec![0; ROWS * BUCKETS],
        }
    }

    /// The file's bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut body = self.description.as_bytes().to_vec();
        for &weight in self.hidden_weights.iter().chain(&self.hidden_biases).chain(&self.output_weights) {
            body.extend(weight.to_le_bytes());
        }
        for &weight in self.output_biases.iter().chain(&self.places) {
            body.extend(weight.to_le_bytes());
        }
        let mut bytes = MAGIC.to_vec();
        for number in [ROWS, self.hidden, BUCKETS, self.description.len()] {
            bytes.extend((number as u32).to_le_bytes());
        }
        bytes.extend(crc32fast::hash(&body).to_le_bytes());
        bytes.append(&mut body);
        bytes
    }

    /// Reads a file for a program with `hidden` units.
    ///
    /// # Errors
    /// [`NetworkError`] if the bytes are not such a file.
    pub fn from_bytes(bytes: &[u8], hidden: usize) -> Result<Self, NetworkError> {
        check_header(bytes, bytes.len() as u64, hidden)?;
        let (header, body) = bytes.split_at(HEADER_LEN);
        let mut weights = Self::zero(hidden);
        if crc32fast::hash(body) != field(header, 4) {
            return Err(NetworkError::Checksum);
        }
        let (description, numbers) = body.split_at(field(header, 3) as usize);
        weights.description = String::from_utf8_lossy(description).into_owned();
        weights.fill(numbers);
        weights.check()?;
        Ok(weights)
    }

    /// Fills the weights from bytes of the right length.
    fn fill(&mut self, numbers: &[u8]) {
        let shorts = 2 * (self.hidden_weights.len() + self.hidden_biases.len() + self.output_weights.len());
        let (shorts, longs) = numbers.split_at(shorts);
        let weights =
            self.hidden_weights.iter_mut().chain(&mut self.hidden_biases).chain(&mut self.output_weights);
        for (weight, bytes) in weights.zip(shorts.chunks_exact(2)) {
            *weight = i16::from_le_bytes([bytes[0], bytes[1]]);
        }
        let weights = self.output_biases.iter_mut().chain(&mut self.places);
        for (weight, bytes) in weights.zip(longs.chunks_exact(4)) {
            *weight = i32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        }
    }

    /// Whether no sum of the inference can overflow.
    pub(super) fn check(&self) -> Result<(), NetworkError> {
        let within =
            |weights: &[i16], bound: i16| weights.iter().all(|weight| weight.unsigned_abs() <= bound as u16);
        let small = |weights: &[i32]| weights.iter().all(|weight| weight.unsigned_abs() < 1 << 24);
        let fits = within(&self.hidden_weights, MAX_HIDDEN_WEIGHT)
            && within(&self.hidden_biases, MAX_HIDDEN_WEIGHT)
            && within(&self.output_weights, MAX_OUTPUT_WEIGHT)
            && small(&self.output_biases)
            && small(&self.places);
        if fits { Ok(()) } else { Err(NetworkError::Range) }
    }
}

/// Number `i` of a header.
fn field(header: &[u8], i: usize) -> u32 {
    u32::from_le_bytes([header[8 + 4 * i], header[9 + 4 * i], header[10 + 4 * i], header[11 + 4 * i]])
}

/// Whether a file of `length` bytes that begins with these can be a network of `hidden` units, as far as the header tells.
pub(super) fn check_header(bytes: &[u8], length: u64, hidden: usize) -> Result<(), NetworkError> {
    let header = bytes.get(..HEADER_LEN).ok_or(NetworkError::Magic)?;
    if &header[..8] != MAGIC {
        let earlier = header.starts_with(&MAGIC[..7]);
        return Err(if earlier { NetworkError::Version } else { NetworkError::Magic });
    }
    let needed = [ROWS, hidden, BUCKETS].map(|number| number as u32);
    let [rows, hidden_units, buckets] = [0, 1, 2].map(|i| field(header, i));
    if [rows, hidden_units, buckets] != needed {
        let [needed_rows, needed_hidden, needed_buckets] = needed;
        return Err(NetworkError::Shape {
            rows,
            hidden: hidden_units,
            buckets,
            needed_rows,
            needed_hidden,
            needed_buckets,
        });
    }
    let description = field(header, 3);
    if description > MAX_DESCRIPTION {
        return Err(NetworkError::Description(description));
    }
    let expected = HEADER_LEN as u64 + u64::from(description) + body_len(hidden);
    if length == expected { Ok(()) } else { Err(NetworkError::Length { expected, found: length }) }
}

/// Bytes of the weights alone.
fn body_len(hidden: usize) -> u64 {
    let shorts = ROWS * hidden + hidden + BUCKETS * 2 * hidden;
    let longs = BUCKETS + ROWS * BUCKETS;
    (2 * shorts + 4 * longs) as u64
}

const _: () = assert!(33 * MAX_HIDDEN_WEIGHT as i32 <= i16::MAX as i32);
const _: () = assert!(MAX_OUTPUT_WEIGHT as i32 * super::QA <= i16::MAX as i32);

#[cfg(test)]
mod tests {
    use super::*;

    fn weights() -> Weights {
        let mut weights = Weights::zero(16);
        weights.description = "a test".to_owned();
        for (i, weight) in weights.hidden_weights.iter_mut().enumerate() {
            *weight = (i % 1800) as i16 - 900;
        }
        for (i, weight) in weights.places.iter_mut().enumerate() {
            *weight = i as i32 * 7 - 30_000;
        }
        weights.output_weights[3] = -127;
        weights.output_biases[7] = 5;
        weights.hidden_biases[15] = 900;
        weights
    }

    #[test]
    fn a_network_survives_the_round_trip() {
        let weights = weights();
        assert_eq!(Weights::from_bytes(&weights.to_bytes(), 16), Ok(weights));
    }

    #[test]
    fn wrong_files_are_refused_with_their_reason() {
        let bytes = weights().to_bytes();
        assert_eq!(Weights::from_bytes(b"MZ", 16), Err(NetworkError::Magic));
        assert_eq!(Weights::from_bytes(&[b'x'; 100], 16), Err(NetworkError::Magic));
        let mut earlier = bytes.clone();
        earlier[7] = b'1';
        assert_eq!(Weights::from_bytes(&earlier, 16), Err(NetworkError::Version));
        assert!(matches!(
            Weights::from_bytes(&bytes, 32),
            Err(NetworkError::Shape { hidden: 16, needed_hidden: 32, .. })
        ));
        let found = bytes.len() as u64 - 1;
        let short = Weights::from_bytes(&bytes[..bytes.len() - 1], 16);
        assert_eq!(short, Err(NetworkError::Length { expected: found + 1, found }));
        for at in [30, 5000, bytes.len() - 1] {
            let mut damaged = bytes.clone();
            damaged[at] ^= 4;
            assert_eq!(Weights::from_bytes(&damaged, 16), Err(NetworkError::Checksum), "byte {at}");
        }
        let mut talkative = bytes.clone();
        talkative[20..24].copy_from_slice(&(u32::MAX - 1).to_le_bytes());
        assert_eq!(Weights::from_bytes(&talkative, 16), Err(NetworkError::Description(u32::MAX - 1)));
        let mut large = weights();
        large.output_weights[0] = 128;
        assert_eq!(Weights::from_bytes(&large.to_bytes(), 16), Err(NetworkError::Range));
    }
}
