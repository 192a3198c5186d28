#include "app/scenes/potter/aim_profile.hpp"

#include "collision/core/elementary.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::app {

using collision::Vec3d;
using collision::Vec3f;

namespace {

/// Raises both bins next to `place`, so that a coarse mesh leaves few gaps.
template <std::size_t N>
void raise(std::array<float, N>& bins, float place, float value) {
    const auto low = static_cast<std::size_t>(std::clamp(place, 0.0f, static_cast<float>(N - 1)));
    for (const std::size_t bin : {low, std::min(low + 1, N - 1)}) bins[bin] = std::max(bins[bin], value);
}

template <std::size_t N>
void fill_gaps(std::array<float, N>& bins) {
    for (std::size_t i = 1; i < N; ++i)
        if (bins[i] == 0) bins[i] = bins[i - 1];
    for (std::size_t i = N - 1; i > 0; --i)
        if (bins[i - 1] == 0) bins[i - 1] = bins[i];
}

}  // namespace

void AimProfile::measure(std::span<const Vec3f> positions) {
    radius_ = {};
    height_ = {};
    float highest = 1e-3f, widest = 1e-3f;
    for (const Vec3f& p : positions) {
        highest = std::max(highest, p.y);
        widest = std::max(widest, std::sqrt(p.x * p.x + p.z * p.z));
    }
    constexpr float kLast = kBins - 1;
    for (const Vec3f& p : positions) {
        const float r = std::sqrt(p.x * p.x + p.z * p.z);
        raise(radius_, p.y / highest * kLast, r);
        raise(height_, r / widest * kLast, p.y);
    }
    fill_gaps(radius_);
    fill_gaps(height_);
    highest_ = static_cast<double>(highest);
    widest_ = static_cast<double>(widest);
}

bool AimProfile::touches(const Vec3d& p, double radius) const {
    const double r = collision::hypotenuse(p.x, p.z);
    if (p.y < 0 || p.y > highest_ + radius || r > widest_ + radius) return false;
    const auto at = [](double x, double most) {
        return static_cast<std::size_t>(std::min(x / most, 1.0) * (kBins - 1));
    };
    return r < static_cast<double>(radius_[at(p.y, highest_)]) + radius &&
           p.y < static_cast<double>(height_[at(r, widest_)]) + radius;
}

std::optional<double> AimProfile::hit(const Vec3d& origin, const Vec3d& direction, double from, double to,
                                      double radius) const {
    constexpr double kStep = 0.001;
    for (double t = from; t < to; t += kStep)
        if (touches(origin + direction * t, radius)) return t;
    return std::nullopt;
}

}  // namespace claybox::app
