#pragma once
// Speed-up and efficiency of p workers, as Zachmann defines them (thesis, 6.1), and the bounds of Minsky,
// Amdahl and Gustafson. FIX-42: Minsky's hypothesis implies E_p <= (1 + log p) / p, and the goal is that E_p
// tends to 1.

#include <cmath>

namespace claybox::collision {

/// S_p = T_1 / T_p.
constexpr double speed_up(double seconds_of_one, double seconds_of_p) {
    return seconds_of_one / seconds_of_p;
}
/// E_p = S_p / p.
constexpr double efficiency(double seconds_of_one, double seconds_of_p, unsigned p) {
    return speed_up(seconds_of_one, seconds_of_p) / p;
}

/// Minsky's hypothesis: S_p <= 1 + log2 p.
inline double minsky_bound(unsigned p) {
    return 1 + std::log2(static_cast<double>(p));
}
/// Amdahl's law: the fraction `serial` of T_1 cannot run in parallel. At most 1 / serial for any p.
constexpr double amdahl_bound(double serial, unsigned p) {
    return 1 / (serial + (1 - serial) / p);
}
/// Gustafson's law: `serial` is the serial fraction of T_p, and the problem grows with p.
constexpr double gustafson_bound(double serial, unsigned p) {
    return serial + (1 - serial) * p;
}
/// The serial fraction of T_1 that explains this speed-up on p > 1 workers by Amdahl's law.
constexpr double amdahl_serial_part(double speed_up, unsigned p) {
    return (p / speed_up - 1) / (p - 1);
}

}  // namespace claybox::collision
