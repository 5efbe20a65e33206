//! Sums of floating-point numbers that do not depend on the order.

pub mod moments;
pub mod rounded_sum;
