#include "app/potter/walls/wall_thickness.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace claybox::app {

using collision::kNoIndex;
using collision::Vec3d;
using collision::Vec3f;

namespace {

constexpr double kBlock = 0.010;  // metres
constexpr double kMostBlocks = 1e6;
constexpr std::uint8_t kMoved = 1, kUrgent = 2;
constexpr std::size_t kChecksPerRay = 16, kMovedPerRay = 2;  // each costs as much as a ray

int block_of(double metres) {
    return static_cast<int>(std::clamp(std::floor(metres / kBlock), -kMostBlocks, kMostBlocks));
}

std::size_t mix(int x, int y, int z) {
    return static_cast<std::uint32_t>(x) * 2654435761u ^ static_cast<std::uint32_t>(y) * 2246822519u ^
           static_cast<std::uint32_t>(z) * 3266489917u;
}

/// Removes the first `used` items of a queue when they are the larger part.
void drop_front(std::vector<std::uint32_t>& queue, std::size_t& used) {
    if (2 * used < queue.size()) return;
    queue.erase(queue.begin(), queue.begin() + static_cast<std::ptrdiff_t>(used));
    used = 0;
}

}  // namespace

WallThickness::WallThickness(const collision::Topology& topology, const std::vector<Vec3f>& positions,
                             const std::vector<Vec3f>& normals)
    : topology_(&topology),
      positions_(&positions),
      normals_(&normals),
      grid_(topology, positions),
      thickness_(topology.vertex_count, kFar),
      run_thinnest_((topology.vertex_count + kRun - 1) / kRun, kFar),
      run_versions_(run_thinnest_.size(), version_),
      block_changed_(kBlockMarks),
      measured_(topology.vertex_count),
      taken_in_(topology.polygon_count()),
      recent_(kRecent),
      waits_(topology.vertex_count),
      unknown_(topology.vertex_count) {}

void WallThickness::use(const collision::Topology& topology, const std::vector<Vec3f>& positions,
                        const std::vector<Vec3f>& normals) {
    grid_.use(topology, positions);
    topology_ = &topology;
    positions_ = &positions;
    normals_ = &normals;
}

void WallThickness::note(std::span<const collision::VertexChange> moved) {
    for (const collision::VertexChange& change : moved) {
        if ((waits_[change.vertex] & kMoved) != 0) continue;
        waits_[change.vertex] |= kMoved;
        moved_.push_back(change.vertex);
    }
}

void WallThickness::make_urgent(std::uint32_t vertex) {
    if ((waits_[vertex] & kUrgent) != 0) return;
    waits_[vertex] |= kUrgent;
    urgent_.push_back(vertex);
}

/// Marks all blocks of space from which a ray can reach the cells.
void WallThickness::mark_near(const CellBox& cells) {
    if (cells.low[0] > cells.high[0]) {
        all_changed_ = round_;
        return;
    }
    Blocks b{};
    const double far = static_cast<double>(kFar);
    for (std::size_t k = 0; k < 3; ++k) {
        b[k] = block_of(cells.low[k] * grid_.cell_size() - far);
        b[k + 3] = block_of((cells.high[k] + 1) * grid_.cell_size() + far);
    }
    Recent& recent = recent_[(mix(b[0], b[1], b[2]) ^ mix(b[3], b[4], b[5]) >> 7) % kRecent];
    if (recent.round == round_ && recent.blocks == b) return;
    recent = {b, round_};
    const auto many = static_cast<double>(kBlockMarks);
    if (double(b[3] - b[0] + 1) * double(b[4] - b[1] + 1) * double(b[5] - b[2] + 1) > many) {
        all_changed_ = round_;
        return;
    }
    for (int z = b[2]; z <= b[5]; ++z)
        for (int y = b[1]; y <= b[4]; ++y)
            for (int x = b[0]; x <= b[3]; ++x) block_changed_[mix(x, y, z) % kBlockMarks] = round_;
}

void WallThickness::take_in(std::uint32_t polygon) {
    if (std::exchange(taken_in_[polygon], round_) == round_) return;
    mark_near(grid_.cells(polygon));
    grid_.update(polygon);
    mark_near(grid_.cells(polygon));
    for (const std::uint32_t v : topology_->loop(polygon)) make_urgent(v);
}

/// Sorts in the polygons of at most `count` moved vertices, and finds out which vertices that concerns.
void WallThickness::take_in_moved(std::size_t count) {
    if (moved_.empty()) return;
    ++round_;
    checked_ = 0;
    for (; count > 0 && next_moved_ < moved_.size(); --count) {
        const std::uint32_t v = moved_[next_moved_++];
        waits_[v] &= static_cast<std::uint8_t>(~kMoved);
        for (const std::uint32_t polygon : topology_->polygons_around(v)) take_in(polygon);
    }
    drop_front(moved_, next_moved_);
}

bool WallThickness::is_stale(std::uint32_t vertex) const {
    const std::uint32_t last = measured_[vertex];
    if (last == 0 || all_changed_ > last) return true;
    const Vec3d p = collision::cast<double>((*positions_)[vertex]);
    return block_changed_[mix(block_of(p.x), block_of(p.y), block_of(p.z)) % kBlockMarks] > last;
}

void WallThickness::set(std::uint32_t vertex, float thickness) {
    const float before = thickness_[vertex];
    if (thickness == before) return;
    thickness_[vertex] = thickness;
    const std::size_t run = vertex / kRun;
    run_versions_[run] = version_ + 1;
    changed_ = true;
    float& thinnest = run_thinnest_[run];
    if (thickness < thinnest) {
        thinnest = thickness;
    } else if (before == thinnest) {
        const auto first = thickness_.begin() + static_cast<std::ptrdiff_t>(run * kRun);
        const std::size_t count = std::min(kRun, thickness_.size() - run * kRun);
        thinnest = *std::min_element(first, first + static_cast<std::ptrdiff_t>(count));
    }
}

std::size_t WallThickness::measure_vertex(std::uint32_t vertex) {
    if (std::exchange(measured_[vertex], round_) == 0) --unknown_;
    const auto way_out = [&](const Vec3d& from, const Vec3d& along, double reach, std::uint32_t start) {
        return grid_.way_out(from, along, reach, start);
    };
    WallMeasure measure(collision::cast<double>((*positions_)[vertex]),
                        collision::cast<double>((*normals_)[vertex]), vertex, way_out);
    set(vertex, std::min(kFar, static_cast<float>(measure.thickness())));
    rays_ += measure.rays();
    return measure.rays();
}

void WallThickness::measure(std::size_t rays) {
    if (rays == 0) return;
    take_in_moved(kMovedPerRay * rays);
    std::size_t left = rays;
    const auto spend = [&](std::size_t used) { left -= std::min(left, used); };
    // While a stroke makes more vertices urgent than there are rays, the others must not wait forever.
    const std::size_t reserved = checked_ < thickness_.size() ? rays / 4 : 0;
    while (left > reserved && next_urgent_ < urgent_.size()) {
        const std::uint32_t v = urgent_[next_urgent_++];
        waits_[v] &= static_cast<std::uint8_t>(~kUrgent);
        spend(measure_vertex(v));
    }
    drop_front(urgent_, next_urgent_);
    for (std::size_t checks = rays * kChecksPerRay; left > 0 && checks > 0 && checked_ < thickness_.size();
         --checks) {
        const std::uint32_t v = cursor_;
        cursor_ = v + 1 < thickness_.size() ? v + 1 : 0;
        ++checked_;
        if (is_stale(v)) spend(measure_vertex(v));
    }
    if (std::exchange(changed_, false)) ++version_;
}

WallThickness::Place WallThickness::thinnest() const {
    const auto run = std::min_element(run_thinnest_.begin(), run_thinnest_.end());
    if (run == run_thinnest_.end() || !(*run < kFar)) return {};
    const auto first = thickness_.begin() + (run - run_thinnest_.begin()) * static_cast<std::ptrdiff_t>(kRun);
    const auto at = std::find(first, thickness_.end(), *run);
    return {*run, static_cast<std::uint32_t>(at - thickness_.begin())};
}

}  // namespace claybox::app
