//! Many natural logarithms at once, so that the processor can take several numbers in one step.

#[cfg(target_arch = "x86_64")]
use crate::machine::processor::Avx2;

/// Replaces positive, normal numbers by their logarithms. The same number has the same logarithm, wherever it stands
/// and on every processor; it differs from the exact one by about the last digit.
pub fn take_logarithms(numbers: &mut [f64]) {
    #[cfg(target_arch = "x86_64")]
    if Avx2::is_available() {
        // SAFETY: the processor has it.
        unsafe { with_avx2(numbers) };
        return;
    }
    each(numbers);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn with_avx2(numbers: &mut [f64]) {
    each(numbers);
}

#[inline(always)]
fn each(numbers: &mut [f64]) {
    numbers.iter_mut().for_each(|number| *number = logarithm(*number));
}

/// x = m 2^e with m between √½ and √2, and ln m = 2 artanh((m - 1) / (m + 1)), by its series.
#[inline(always)]
pub fn logarithm(x: f64) -> f64 {
    const HALF_ROOT: u64 = 0x3fe6_a09e_667f_3bcd; // √½
    const LN2: f64 = std::f64::consts::LN_2;
    const LARGE: f64 = 6_755_399_441_055_744.0; // 1.5 · 2^52: integers added to it are its last bits
    let bits = x.to_bits().wrapping_sub(HALF_ROOT);
    let exponent = bits & 0xfff0_0000_0000_0000;
    let m = f64::from_bits(x.to_bits().wrapping_sub(exponent));
    // The exponent is a signed number of 12 bits; as a float by way of the last bits of a large one.
    let shifted = (exponent >> 52) ^ 0x800;
    let e = f64::from_bits(LARGE.to_bits().wrapping_add(shifted)) - (LARGE + 2048.0);
    let z = (m - 1.0) / (m + 1.0);
    let z2 = z * z;
    let series = 2.0 / 3.0
        + z2 * (2.0 / 5.0
            + z2 * (2.0 / 7.0
                + z2 * (2.0 / 9.0 + z2 * (2.0 / 11.0 + z2 * (2.0 / 13.0 + z2 * (2.0 / 15.0 + z2 * (2.0 / 17.0)))))));
    e * LN2 + (2.0 * z + z * z2 * series)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_right() {
        let mut x = 1e-300;
        while x < 1e300 {
            for factor in [1.0, 1.001, std::f64::consts::FRAC_1_SQRT_2, 1.4143, 1.9999] {
                let (number, exact): (f64, f64) = (x * factor, (x * factor).ln());
                assert!((logarithm(number) - exact).abs() <= 4e-16 * exact.abs().max(1.0), "{number} {exact}");
            }
            x *= 3.7;
        }
        assert_eq!(logarithm(1.0), 0.0);
    }

    #[test]
    fn one_or_many_are_the_same() {
        let numbers: Vec<f64> = (1..1000).map(|n| n as f64 / 7.0).collect();
        let mut many = numbers.clone();
        take_logarithms(&mut many);
        assert!(many.iter().zip(&numbers).all(|(many, one)| many.to_bits() == logarithm(*one).to_bits()));
    }
}
