//! The table behind late move reductions, in integers so that every machine computes the same.

/// Entries per dimension; larger depths and move numbers count as the last one.
const SIZE: usize = 64;

/// The natural logarithm of 0 to 63 in 1024ths; `ln(0)` counts as 0.
///
/// Binary logarithm by repeated squaring (Knuth, TAOCP 1.2.2 exercise 25), times ln 2.
const LOGARITHMS: [i32; SIZE] = {
    let mut table = [0; SIZE];
    let mut n = 2;
    while n < SIZE {
        let whole = (n as u64).ilog2();
        // The mantissa in [1, 2) with 30 fractional bits.
        let mut mantissa = (n as u64) << (30 - whole);
        let (mut fraction, mut bit) = (0_u64, 1 << 19);
        while bit > 0 {
            mantissa = (mantissa * mantissa) >> 30;
            if mantissa >= 1 << 31 {
                mantissa >>= 1;
                fraction |= bit;
            }
            bit >>= 1;
        }
        // ln 2 = 0.693147 in 20 fractional bits is 726817.
        let log2 = ((whole as u64) << 20) + fraction;
        table[n] = ((log2 * 726_817) >> 30) as i32;
        n += 1;
    }
    table
};

/// ln(depth) × ln(number) in 1024ths.
#[inline]
pub(crate) fn log_product(depth: i32, number: usize) -> i32 {
    let log = |n: usize| LOGARITHMS[n.min(SIZE - 1)];
    log(depth.max(0) as usize) * log(number) / 1024
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_right_to_a_thousandth() {
        for (n, &logarithm) in LOGARITHMS.iter().enumerate().skip(2) {
            let exact = (n as f64).ln() * 1024.0;
            assert!((f64::from(logarithm) - exact).abs() < 1.1, "ln({n})");
        }
    }
}
