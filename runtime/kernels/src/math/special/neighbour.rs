//! The next representable number.

/// Numbers that have a next one.
pub trait NextAfter {
    /// The next number in the direction of another. Equal numbers give the other one, and NaN gives NaN.
    fn next_after(self, towards: Self) -> Self;
}

macro_rules! next_after {
    ($($t:ident)*) => {$(
        impl NextAfter for $t {
            fn next_after(self, towards: Self) -> Self {
                if self < towards {
                    self.next_up()
                } else if self > towards {
                    self.next_down()
                } else if self == towards {
                    towards
                } else {
                    $t::NAN
                }
            }
        }
    )*};
}
next_after!(f32 f64);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crosses_zero_and_stops_at_the_goal() {
        assert_eq!(1.0f32.next_after(2.0), 1.0 + f32::EPSILON);
        assert_eq!(0.0f64.next_after(-1.0), -5e-324);
        assert_eq!((-0.0f64).next_after(f64::INFINITY), 5e-324);
        assert_eq!(f32::MAX.next_after(f32::INFINITY), f32::INFINITY);
        assert_eq!(f32::NEG_INFINITY.next_after(0.0), f32::MIN);
        assert_eq!(0.0f32.next_after(-0.0).to_bits(), (-0.0f32).to_bits());
        assert!(1.0f32.next_after(f32::NAN).is_nan() && f64::NAN.next_after(1.0).is_nan());
    }
}
