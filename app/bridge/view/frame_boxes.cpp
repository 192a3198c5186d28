#include "app/bridge/view/frame_boxes.hpp"

#include "app/bridge/view/bridge.hpp"
#include "engine/ui/drawing/draw.hpp"

#include <algorithm>
#include <bit>
#include <queue>
#include <unordered_map>

namespace claybox::app {
namespace {

using collision::Aabb;
using collision::Vec3f;

constexpr std::size_t kMaxStripBars = 400;  // more lines are not told apart
constexpr std::size_t kMaxSwaps = 20000;

}  // namespace

Aabb FrameBoxes::local_box(std::uint64_t mesh, std::span<const ViewMesh> meshes) {
    const auto it =
        std::find_if(meshes.begin(), meshes.end(), [&](const ViewMesh& m) { return m.id == mesh; });
    if (it == meshes.end()) return {};
    const auto [kept, fresh] = local_.try_emplace(mesh);
    if (fresh || kept->second.version != it->version) {
        kept->second = {it->version, {}};
        for (const Vec3f& p : *it->positions) kept->second.box.add(p);
    }
    return kept->second.box;
}

void FrameBoxes::take(std::uint64_t frame, const SceneView& view, std::span<const ViewMesh> meshes) {
    if (frame == frame_) return;
    before_.swap(entries_);
    constexpr std::uint64_t kOnePicture = 4;  // steps that a slow program runs between two pictures
    if (frame < frame_ || frame > frame_ + kOnePicture) before_.clear();  // a jump is not a motion
    frame_ = frame;
    entries_.clear();
    for (const Drawable& d : view.drawables) {
        if (d.pick == collision::kNoIndex) continue;
        const Aabb local = local_box(d.mesh, meshes);
        if (!local.empty())
            entries_.push_back({d.pick, collision::transform_aabb(placement_of(d), local), false});
    }
    for (const ViewCrowd& crowd : view.crowds) {
        const Aabb local = crowd.poses.empty() ? Aabb{} : local_box(crowd.mesh, meshes);
        const Vec3f r{crowd.radius, crowd.radius, crowd.radius};
        for (std::size_t i = 0; i < crowd.positions.size(); ++i) {
            Aabb box{crowd.positions[i] - r, crowd.positions[i] + r};
            if (!local.empty())
                box = collision::transform_aabb(placement_of(drawable_of(view, crowd, i)), local);
            entries_.push_back({crowd.first_pick + static_cast<std::uint32_t>(i), box, false});
        }
    }
    std::sort(entries_.begin(), entries_.end(),
              [](const Entry& x, const Entry& y) { return x.pick < y.pick; });
    auto old = before_.begin();
    for (Entry& e : entries_) {
        while (old != before_.end() && old->pick < e.pick) ++old;
        e.moved = old != before_.end() && old->pick == e.pick && !(old->box == e.box);
    }
    by_low_.resize(entries_.size());
    widest_ = 0;
    for (std::uint32_t i = 0; i < by_low_.size(); ++i) {
        by_low_[i] = i;
        widest_ = std::max(widest_, entries_[i].box.max.x - entries_[i].box.min.x);
    }
    std::sort(by_low_.begin(), by_low_.end(), [&](std::uint32_t x, std::uint32_t y) {
        return entries_[x].box.min.x < entries_[y].box.min.x;
    });
    for (std::size_t axis = 0; axis < 3; ++axis) find_swaps(axis);
}

/// Sorts the ends of this frame, starting from the order of the frame before, as sweep and prune does.
void FrameBoxes::find_swaps(std::size_t axis) {
    swaps_[axis].clear();
    std::unordered_map<std::uint32_t, float> at;
    for (const Entry& e : entries_) {
        at[2 * e.pick] = e.box.min[axis];
        at[2 * e.pick + 1] = e.box.max[axis];
    }
    std::vector<std::uint32_t>& order = order_[axis];
    std::erase_if(order, [&](std::uint32_t end) { return !at.contains(end); });
    if (before_.empty() || order.size() != at.size()) {  // other bodies: a new list
        order.clear();
        for (const auto& [end, value] : at) order.push_back(end);
        std::sort(order.begin(), order.end(),
                  [&](std::uint32_t x, std::uint32_t y) { return at[x] != at[y] ? at[x] < at[y] : x < y; });
        return;
    }
    for (std::size_t i = 1; i < order.size(); ++i)
        for (std::size_t k = i; k > 0 && at[order[k]] < at[order[k - 1]]; --k) {
            std::swap(order[k], order[k - 1]);
            swaps_[axis].push_back(at[order[k - 1]]);
            if (swaps_[axis].size() > kMaxSwaps) return order.clear();  // all jumped: sort anew next time
        }
}

std::size_t FrameBoxes::moved() const {
    return static_cast<std::size_t>(
        std::count_if(entries_.begin(), entries_.end(), [](const Entry& e) { return e.moved; }));
}

std::uint32_t FrameBoxes::load_of(const Aabb& box) const {
    auto it = std::lower_bound(by_low_.begin(), by_low_.end(), box.min.x - widest_,
                               [&](std::uint32_t i, float x) { return entries_[i].box.min.x < x; });
    std::uint32_t out = 0;
    for (; it != by_low_.end() && entries_[*it].box.min.x <= box.max.x; ++it)
        if (overlap(entries_[*it].box, box)) ++out;
    return out;
}

std::uint32_t load_class(std::uint32_t bodies) {
    if (bodies <= 1) return 0;
    return std::min(static_cast<std::uint32_t>(std::bit_width(bodies - 1)), kLoadClasses - 1);
}

namespace {

using Entries = std::vector<const FrameBoxes::Entry*>;
constexpr float kStripLeft = 0.06f, kStripWide = 0.91f, kStripHigh = 1.0f / 3;

/// Each interval on the lowest row that is free at its low end. Returns the number of rows.
std::size_t choose_rows_of(const Entries& sorted, std::size_t axis, std::vector<std::size_t>& rows) {
    using End = std::pair<float, std::size_t>;
    std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> free;
    std::priority_queue<End, std::vector<End>, std::greater<>> busy;
    std::size_t used = 0;
    rows.clear();
    for (const FrameBoxes::Entry* e : sorted) {
        for (; !busy.empty() && busy.top().first < e->box.min[axis]; busy.pop()) free.push(busy.top().second);
        rows.push_back(free.empty() ? used++ : free.top());
        if (!free.empty()) free.pop();
        busy.push({e->box.max[axis], rows.back()});
    }
    return used;
}

/// The intervals on one axis, and over them the swaps.
void draw_strip(const FrameBoxes& boxes, std::size_t axis, ViewInset& out) {
    const float base = 1 - kStripHigh * static_cast<float>(axis + 1);
    const std::size_t every = boxes.entries().size() / kMaxStripBars + 1;
    Entries sorted;
    for (std::size_t i = 0; i < boxes.entries().size(); i += every) sorted.push_back(&boxes.entries()[i]);
    std::sort(sorted.begin(), sorted.end(),
              [&](const auto* p, const auto* q) { return p->box.min[axis] < q->box.min[axis]; });
    Aabb around;
    for (const FrameBoxes::Entry* e : sorted) around.add(e->box);
    const float low = around.min[axis], size = std::max(around.max[axis] - low, 1e-30f);
    const auto x = [&](float v) { return kStripLeft + kStripWide * (v - low) / size; };
    std::vector<std::size_t> rows;
    const std::size_t most = choose_rows_of(sorted, axis, rows);
    const float step = (kStripHigh - 0.09f) / static_cast<float>(std::max<std::size_t>(most, 4));
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        const float y = base + 0.045f + step * (static_cast<float>(rows[i]) + 0.5f);
        out.begin(sorted[i]->moved ? Ink::witness : Ink::dimension, 2, sorted[i]->moved ? 0.9f : 0.4f);
        out.add(x(sorted[i]->box.min[axis]), y);
        out.add(x(sorted[i]->box.max[axis]), y);
    }
    const std::vector<float>& swaps = boxes.swaps(axis);
    for (std::size_t i = 0; i < std::min(swaps.size(), kMaxStripBars); ++i) {
        out.begin(Ink::candidate, 2);
        out.add(x(swaps[i]), base + 0.03f);
        out.add(x(swaps[i]), base + kStripHigh - 0.03f);
    }
    out.begin(Ink::dimension, 1, 0.2f);
    out.add(0, base);
    out.add(1, base);
}

}  // namespace

ViewInset intervals_inset(const FrameBoxes& boxes) {
    ViewInset out;
    out.title = "Intervals and swaps";
    out.aspect = 1.7f;
    for (std::size_t axis = 0; axis < 3; ++axis) draw_strip(boxes, axis, out);
    const std::size_t moved = boxes.moved();
    const auto swaps = [&](std::size_t axis) { return engine::grouped(boxes.swaps(axis).size()); };
    out.legend = {{Ink::witness, "Moved: " + engine::grouped(moved)},
                  {Ink::dimension, "Resting: " + engine::grouped(boxes.entries().size() - moved)},
                  {Ink::candidate, "Swaps: x " + swaps(0) + ", y " + swaps(1) + ", z " + swaps(2)}};
    out.note = "From above: x, y, z";
    return out;
}

}  // namespace claybox::app
