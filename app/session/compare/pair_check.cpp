#include "app/session/compare/pair_check.hpp"

#include "collision/geometry/bounds/bounds.hpp"
#include "collision/pairwise/registry.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>

namespace claybox::app {

using collision::Verdict;

namespace {

/// As the module does by default: the box around the turned local box, and around the bounding sphere.
collision::Aabb world_box(const CheckBody& body) {
    const collision::Matrix34d world = collision::to_double(body.world_from_body);
    double scale = 0;
    for (std::size_t column = 0; column < 3; ++column)
        scale = std::max(scale, std::hypot(world.m[column], world.m[column + 4], world.m[column + 8]));
    const collision::Sphere& sphere = body.shape->sphere();
    const auto centre = collision::cast<float>(collision::transform_point(world, sphere.centre));
    const auto radius = static_cast<float>(static_cast<double>(sphere.radius) * scale * (1 + 1e-6));
    const collision::Vec3f reach{radius, radius, radius};
    const collision::Aabb box = collision::transform_aabb(body.world_from_body, body.shape->geometry().box);
    return {max(box.min, centre - reach), min(box.max, centre + reach)};
}

}  // namespace

std::vector<const collision::PairAlgorithm*> exact_algorithms() {
    std::vector<const collision::PairAlgorithm*> out;
    for (const collision::PairAlgorithm* algorithm : collision::pair_algorithms())
        if (algorithm->exact) out.push_back(algorithm);
    return out;
}

void PairCheck::clear() {
    running_ = started_ = false;
    bodies_.clear();
    candidates_.clear();
    prepared_.clear();
    next_ = swept_ = 0;
    order_.clear();
    counts_ = {};
    histogram_ = {};
    first_.reset();
}

void PairCheck::start(std::vector<CheckBody> bodies, const collision::WorldSettings& settings,
                      std::uint64_t frame) {
    clear();
    if (algorithms_.empty()) algorithms_ = exact_algorithms();
    bodies_ = std::move(bodies);
    settings_ = settings;
    settings_.exactness = collision::Exactness::exact;
    frame_ = frame;
    sort_boxes();
    running_ = started_ = true;
}

void PairCheck::sort_boxes() {
    boxes_.assign(bodies_.size(), {});
    order_.resize(bodies_.size());
    for (std::uint32_t i = 0; i < bodies_.size(); ++i) {
        boxes_[i] = world_box(bodies_[i]);
        order_[i] = i;
    }
    std::sort(order_.begin(), order_.end(),
              [&](std::uint32_t a, std::uint32_t b) { return boxes_[a].min.x < boxes_[b].min.x; });
}

/// Compares the box of the next body in the order with those after it.
void PairCheck::find_neighbours() {
    const std::uint32_t body = order_[swept_++];
    const collision::Aabb& box = boxes_[body];
    for (std::size_t k = swept_; k < order_.size() && boxes_[order_[k]].min.x <= box.max.x; ++k) {
        const collision::Aabb& other = boxes_[order_[k]];
        const bool overlap = box.min.y <= other.max.y && other.min.y <= box.max.y &&
                             box.min.z <= other.max.z && other.min.z <= box.max.z;
        const std::uint32_t set = bodies_[body].set;
        if (!overlap || (set != 0 && set == bodies_[order_[k]].set)) continue;
        candidates_.emplace_back(std::min(body, order_[k]), std::max(body, order_[k]));
    }
    if (swept_ == order_.size()) std::sort(candidates_.begin(), candidates_.end());
}

bool PairCheck::advance(double seconds) {
    if (!running_) return false;
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    do {
        if (searching())
            find_neighbours();
        else if (next_ < candidates_.size()) {
            const auto [a, b] = candidates_[next_++];
            check(bodies_[a], bodies_[b]);
        }
        running_ = searching() || next_ < candidates_.size();
    } while (running_ && std::chrono::duration<double>(Clock::now() - start).count() < seconds);
    return !running_;
}

/// The answer from an empty cache; none outside the algorithm's domain.
std::optional<collision::PairResult> PairCheck::ask(const collision::PairAlgorithm& algorithm,
                                                    const PairSubject& subject) {
    const collision::PairQuery query = query_for(algorithm, subject, settings_, prepared_, scratch_);
    if (!collision::applicable(algorithm, query.a, query.b) || is_slow_to_prepare(algorithm, subject))
        return std::nullopt;
    pool_.assign(algorithm.cache_bytes == nullptr ? 0 : algorithm.cache_bytes(*subject.a, *subject.b),
                 std::byte{0});
    collision::PairCache cache;
    cache.set_pool(pool_);
    const collision::PairResult result = collision::run_query(algorithm, query, cache);
    if (result.status != collision::QueryStatus::done) return std::nullopt;
    return result;
}

void PairCheck::check(const CheckBody& a, const CheckBody& b) {
    PairSubject subject;
    subject.a = a.shape;
    subject.b = b.shape;
    subject.world_from_a = subject.before_a = a.world_from_body;
    subject.world_from_b = subject.before_b = b.world_from_body;
    subject.frame = frame_;
    const Truth truth = find_truth(subject, scratch_);
    ++counts_.pairs;
    if (truth.solid == Verdict::colliding || truth.surface == Verdict::colliding) ++counts_.colliding;
    if (const auto counted = ask(*settings_.pair_algorithm, subject))
        ++histogram_[std::min<std::size_t>(std::bit_width(counted->iterations), histogram_.size() - 1)];
    for (const collision::PairAlgorithm* algorithm : algorithms_) {
        const auto answered = ask(*algorithm, subject);
        if (!answered) {
            ++counts_.not_accepted;
            continue;
        }
        const collision::PairResult& result = *answered;
        ++counts_.answers;
        const Verdict right = truth.of(result.meaning);
        const Standing standing = standing_of(result.verdict, right, {algorithm->exact, algorithm->bias});
        if (standing == Standing::unchecked) ++counts_.unchecked;
        if (standing != Standing::disagrees) continue;
        ++counts_.disagreements;
        if (!first_) first_ = Difference{a.pick, b.pick, algorithm, result.verdict, right, subject};
    }
}

}  // namespace claybox::app
