//! Sums of doubles that are the same in every order and for every split.
//!
//!     x = ± m · 2^(e − 1074)               m < 2^53, 0 ≤ e ≤ 2045: every finite double is such a number
//!     Σ w x  · 2^1074 = Σ over e of 2^e · Σ ± w m
//!
//! The inner sums are made in 128 bits, one for each e, and then added to one wide integer.
//!
//!     wide_integer  that integer
//!     moments       the sums of numbers and of their squares, exact
//!     rounded_sum   the sum of numbers, rounded once at the end

pub mod moments;
pub mod rounded_sum;
mod wide_integer;

const EXPONENTS: usize = 2046;
const STORED: usize = 52; // bits of a mantissa that a double stores

/// The mantissa m and the exponent e of a finite double.
#[inline(always)]
fn parts(number: f64) -> (u64, usize) {
    let bits = number.to_bits();
    let field = (bits >> STORED) as usize & 0x7ff;
    let mantissa = bits & ((1 << STORED) - 1) | ((field != 0) as u64) << STORED; // field 0: subnormal, no hidden bit
    (mantissa, field.saturating_sub(1))
}
