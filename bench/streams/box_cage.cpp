#include "bench/streams/box_cage.hpp"

#include "collision/core/random.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::streams {

using namespace collision;

namespace {

constexpr double kUnit = 0x1p16;                  // steps per metre
constexpr double kNeighbours = 3;                 // average number of overlapping boxes
constexpr double kMinSide = 0.6, kMaxSide = 1.4;  // metres, 1 on average
constexpr std::uint32_t kMoveDivisor = 100;       // one in this many boxes moves, unless all do
/// Maximum number of cells per axis; cells grow when boxes are scattered.
constexpr float kMaxCells = 512;

std::int32_t to_steps(double metres) {
    return static_cast<std::int32_t>(std::lround(metres * kUnit));
}

/// Half side of the cage in which each of `bodies` boxes overlaps kNeighbours others. Two boxes overlap along
/// an axis if their centres are closer than the average side, 1. In a cage of side s the probability is
/// 2/s - 1/s^2.
double half_side(std::uint32_t bodies) {
    double low = 1, high = 1e4;
    for (int i = 0; i < 60; ++i) {
        const double side = 0.5 * (low + high);
        const double along = 2 / side - 1 / (side * side);
        (bodies * along * along * along > kNeighbours ? low : high) = side;
    }
    return 0.5 * low;
}

}  // namespace

BoxCage::BoxCage(std::uint32_t bodies, BoxMotion motion, std::uint64_t seed)
    : motion_(motion), bodies_(bodies), boxes_(bodies) {
    const double half = half_side(bodies);
    wall_ = to_steps(half);
    Random random(seed);
    for (std::uint32_t i = 0; i < bodies; ++i) {
        Body& body = bodies_[i];
        const Vec3d direction = random.unit_vector();
        double size = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            body.centre[k] = to_steps(random.uniform(-half, half));
            body.half[k] = to_steps(0.5 * random.uniform(kMinSide, kMaxSide));
            size += 2 * body.half[k] / (3 * kUnit);
        }
        const double step = size * random.uniform(0.01, 0.05);
        for (std::size_t k = 0; k < 3; ++k) body.velocity[k] = to_steps(step * direction[k]);
        order_.push_back(i);
        place(i);
    }
    for (std::size_t i = order_.size(); i > 1; --i) std::swap(order_[i - 1], order_[random.below(i)]);
    choose_moved();
}

float BoxCage::reach() const {
    return static_cast<float>(wall_ / kUnit + kMaxSide);
}

void BoxCage::place(std::uint32_t body) {
    const Body& b = bodies_[body];
    for (std::size_t k = 0; k < 3; ++k) {
        boxes_[body].min[k] = static_cast<float>((b.centre[k] - b.half[k]) / kUnit);
        boxes_[body].max[k] = static_cast<float>((b.centre[k] + b.half[k]) / kUnit);
    }
}

void BoxCage::choose_moved() {
    const std::size_t count =
        motion_ == BoxMotion::all ? bodies_.size() : std::max<std::size_t>(1, bodies_.size() / kMoveDivisor);
    moved_.clear();
    for (std::size_t i = 0; i < count; ++i) {
        moved_.push_back(order_[next_]);
        next_ = (next_ + 1) % order_.size();
    }
    if (motion_ == BoxMotion::few) next_ = 0;
    std::sort(moved_.begin(), moved_.end());
}

void BoxCage::advance() {
    choose_moved();
    for (const std::uint32_t i : moved_) {
        Body& body = bodies_[i];
        for (std::size_t k = 0; k < 3; ++k) {
            body.centre[k] += body.velocity[k];
            if (std::abs(body.centre[k]) > wall_)
                body.velocity[k] =
                    body.centre[k] > 0 ? -std::abs(body.velocity[k]) : std::abs(body.velocity[k]);
        }
        place(i);
    }
}

PairDigest digest_of(std::span<const PairKey> pairs) {
    PairDigest out;
    out.count = pairs.size();
    for (const PairKey key : pairs) out.sum += mix64(key);
    return out;
}

void PlainGrid::measure(std::span<const Aabb> boxes) {
    Aabb all;
    float largest = 0;
    for (const Aabb& box : boxes) {
        all.add(box.min);
        for (std::size_t k = 0; k < 3; ++k) largest = std::max(largest, box.max[k] - box.min[k]);
    }
    low_ = all.min;
    float extent = 0;
    for (std::size_t k = 0; k < 3; ++k) extent = std::max(extent, all.max[k] - all.min[k]);
    cell_ = std::max({1.0001f * largest, extent / kMaxCells, 1e-30f});
    for (std::size_t k = 0; k < 3; ++k)
        cells_[k] = 1 + static_cast<std::int32_t>((all.max[k] - all.min[k]) / cell_);
}

std::size_t PlainGrid::cell_of(const Aabb& box) const {
    std::size_t out = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        const auto at = static_cast<std::int32_t>((box.min[k] - low_[k]) / cell_);
        out =
            out * static_cast<std::size_t>(cells_[k] + 1) + static_cast<std::size_t>(std::min(at, cells_[k]));
    }
    return out;
}

void PlainGrid::compare(std::span<const Aabb> boxes, std::size_t first_cell, std::size_t second_cell) {
    for (std::uint32_t i = first_[first_cell]; i < first_[first_cell + 1]; ++i) {
        const std::uint32_t a = members_[i];
        std::uint32_t k = first_cell == second_cell ? i + 1 : first_[second_cell];
        for (; k < first_[second_cell + 1]; ++k)
            if (overlap(boxes[a], boxes[members_[k]])) pairs_.push_back(make_pair_key(a, members_[k]));
    }
}

std::span<const PairKey> PlainGrid::find(std::span<const Aabb> boxes) {
    pairs_.clear();
    if (boxes.empty()) return pairs_;
    measure(boxes);
    // An empty layer of cells behind the last one makes bounds checks of neighbours unnecessary. Only half of
    // the neighbourhood is visited, so cells before the first one occur along two axes only.
    const auto ny = static_cast<std::ptrdiff_t>(cells_[1] + 1),
               nz = static_cast<std::ptrdiff_t>(cells_[2] + 1);
    const std::size_t cells = static_cast<std::size_t>((cells_[0] + 1) * ny * nz);
    first_.assign(cells + 1, 0);
    cell_of_body_.resize(boxes.size());
    members_.resize(boxes.size());
    for (std::size_t i = 0; i < boxes.size(); ++i)
        ++first_[cell_of_body_[i] = static_cast<std::uint32_t>(cell_of(boxes[i]))];
    std::uint32_t sum = 0;
    for (std::uint32_t& first : first_) first = sum += first;
    for (std::size_t i = boxes.size(); i-- > 0;)
        members_[--first_[cell_of_body_[i]]] = static_cast<std::uint32_t>(i);
    std::array<std::ptrdiff_t, 14> ahead;
    std::size_t count = 0;
    for (std::ptrdiff_t x = 0; x <= 1; ++x)
        for (std::ptrdiff_t y = -1; y <= 1; ++y)
            for (std::ptrdiff_t z = -1; z <= 1; ++z)
                if (x > 0 || y > 0 || (y == 0 && z >= 0)) ahead[count++] = (x * ny + y) * nz + z;
    for (std::size_t cell = 0; cell < cells; ++cell) {
        if (first_[cell] == first_[cell + 1]) continue;
        for (const std::ptrdiff_t step : ahead) {
            const auto other = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(cell) + step);
            if (other < cells) compare(boxes, cell, other);
        }
    }
    return pairs_;
}

}  // namespace claybox::streams
