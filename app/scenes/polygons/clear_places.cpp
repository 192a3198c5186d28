#include "app/scenes/polygons/clear_places.hpp"

#include "collision/core/elementary.hpp"
#include "collision/core/trig.hpp"

#include <algorithm>

namespace claybox::app {

using collision::Vec3d;

namespace {

// A chip in a window of 720 pixels, in the scale of the scene.
constexpr double kHalfHeight = 0.045, kLetter = 0.014, kBorder = 0.030;
constexpr double kGap = 0.055;  // metres from the anchor to the border of the chip

}  // namespace

/// How deep the chip lies over discs and other chips; metres.
double ClearPlaces::covered(const Box& box) const {
    double sum = 0;
    for (const Disc& disc : discs_) {
        const Vec3d to = disc.centre - box.centre;
        const double dx = std::max(0.0, std::abs(to.x) - box.half.x),
                     dy = std::max(0.0, std::abs(to.y) - box.half.y);
        sum += std::max(0.0, disc.radius - collision::hypotenuse(dx, dy));
    }
    for (const Box& other : taken_) {
        const Vec3d to = other.centre - box.centre, room = other.half + box.half;
        sum += std::max(0.0, std::min(room.x - std::abs(to.x), room.y - std::abs(to.y)));
    }
    return sum;
}

Vec3d ClearPlaces::place(const Vec3d& anchor, const Vec3d& along, std::string_view text) {
    constexpr double kTurns[] = {0, 35, -35, 70, -70, 110, -110, 145, -145, 180};
    constexpr double kCostOfTurn = 0.0001;  // metres per degree
    const Vec3d half{kLetter * static_cast<double>(text.size()) + kBorder, kHalfHeight, 0};
    Box best;
    double least = 1e30;
    for (const double further : {0.0, 0.09}) {
        for (const double degrees : kTurns) {
            const collision::SinCos turn = collision::sin_cos(degrees * collision::kPi / 180);
            const Vec3d way{turn.cos * along.x - turn.sin * along.y, turn.sin * along.x + turn.cos * along.y,
                            0};
            const double to_border =
                std::min(half.x / std::max(std::abs(way.x), 1e-9), half.y / std::max(std::abs(way.y), 1e-9));
            const Box box{anchor + (kGap + further + to_border) * way, half};
            const double cost = covered(box) + kCostOfTurn * std::abs(degrees) + 0.1 * further;
            if (cost >= least) continue;
            least = cost;
            best = box;
        }
    }
    taken_.push_back(best);
    return best.centre;
}

}  // namespace claybox::app
