//! The keys that versions after 10 scramble a file with.

/// What the header's key bytes work out to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Keys {
    /// Added to the piece squares; also how far their order is turned.
    pub(super) pieces: u8,
    /// Added to the squares of origin.
    pub(super) from: u8,
    /// Added to the target squares.
    pub(super) to: u8,
    /// Added to the lengths of comments.
    pub(super) comment: u32,
    /// Added to the bytes of the move part, repeating.
    stream: [u8; 32],
}

impl Keys {
    /// The keys of a plain file: nothing is added.
    pub(super) const PLAIN: Self = Self { pieces: 0, from: 0, to: 0, comment: 0, stream: [0; 32] };

    /// Works the keys out of the header.
    ///
    /// Source: key formulas in the header description of XQFRW.pas; byte arithmetic wraps.
    pub(super) fn from_header(header: &[u8]) -> Self {
        let byte = |offset: usize| header.get(offset).copied().unwrap_or(0);
        let mask = byte(0x03);
        let (or_a, or_b, or_c, or_d) = (byte(0x08), byte(0x09), byte(0x0a), byte(0x0b));
        let (sum, key_xy, key_from, key_to) = (byte(0x0c), byte(0x0d), byte(0x0e), byte(0x0f));
        let pieces = spread(key_xy).wrapping_mul(key_xy);
        let from = spread(key_from).wrapping_mul(pieces);
        let to = spread(key_to).wrapping_mul(from);
        let comment = (u32::from(sum) * 256 + u32::from(key_xy)) % 32_000 + 767;
        let masks = [sum & mask | or_a, key_xy & mask | or_b, key_from & mask | or_c, key_to & mask | or_d];
        let mut stream = *b"[(C) Copyright Mr. Dong Shiwei.]";
        for (index, key) in stream.iter_mut().enumerate() {
            *key &= masks[index % 4];
        }
        Self { pieces, from, to, comment, stream }
    }

    /// The plain bytes of the move part, which begins at file offset `start`.
    pub(super) fn decipher(&self, bytes: &[u8], start: usize) -> Vec<u8> {
        bytes.iter().enumerate().map(|(i, byte)| byte.wrapping_sub(self.stream[(start + i) % 32])).collect()
    }
}

/// The polynomial all square keys go through.
fn spread(key: u8) -> u8 {
    let step = |value: u8, factor: u8, addend: u8| value.wrapping_mul(factor).wrapping_add(addend);
    step(step(step(step(key.wrapping_mul(key), 3, 9), 3, 8), 2, 1), 3, 8)
}
