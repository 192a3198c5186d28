#pragma once
// A pair of bodies to ask algorithms about, independent of a running world.

#include "collision/continuous/query.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

namespace claybox::app {

/// Two bodies at their poses, and how they came there in the last step.
struct PairSubject {
    collision::ShapePtr a, b;
    collision::Matrix34f world_from_a, world_from_b;
    collision::Matrix34f before_a, before_b;  ///< where the motions start
    collision::Motion motion_a, motion_b;
    std::string name_a, name_b;
    std::uint64_t frame = 0;  ///< of the session

    bool complete() const { return a != nullptr && b != nullptr; }
    bool moves() const {
        return motion_a.kind != collision::Motion::Kind::fixed ||
               motion_b.kind != collision::Motion::Kind::fixed;
    }
};

/// By how much the matrix lengthens at most, if its columns are orthogonal.
inline double largest_scale(const collision::Matrix34f& matrix) {
    const collision::Matrix34d m = collision::to_double(matrix);
    double out = 0;
    for (std::size_t column = 0; column < 3; ++column)
        out = std::max(out, std::hypot(m.m[column], m.m[column + 4], m.m[column + 8]));
    return out;
}

/// The data that algorithms prepared for shapes, made once.
class PreparedShapes {
  public:
    using Prepare = std::shared_ptr<const collision::Prepared> (*)(const collision::Shape&,
                                                                   const collision::Geometry&);
    const collision::Prepared* find(const collision::ShapePtr& shape, Prepare prepare) {
        if (prepare == nullptr) return nullptr;
        auto& made = made_[{shape, prepare}];
        if (!made) made = prepare(*shape, shape->geometry());
        return made.get();
    }
    void clear() { made_.clear(); }
    std::size_t size() const { return made_.size(); }

  private:
    std::map<std::pair<collision::ShapePtr, Prepare>, std::shared_ptr<const collision::Prepared>> made_;
};

}  // namespace claybox::app
