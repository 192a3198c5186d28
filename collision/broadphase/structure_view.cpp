#include "collision/broadphase/structure_view.hpp"

#include <algorithm>
#include <queue>

namespace claybox::collision {

void StructureView::begin(const ViewRequest& request) {
    request_ = request;
    boxes_.clear();
    levels_ = 0;
    total_ = 0;
    stride_ = 1;
}

void StructureView::add(const Aabb& box, std::uint32_t level) {
    if (request_.limit == 0) return;
    levels_ = std::max(levels_, level + 1);
    if (request_.level != ViewRequest::kEveryLevel && request_.level != level) return;
    if (total_++ % stride_ != 0) return;
    if (boxes_.size() == request_.limit) {
        for (std::size_t i = 1; 2 * i < boxes_.size(); ++i) boxes_[i] = boxes_[2 * i];
        boxes_.resize((boxes_.size() + 1) / 2);
        stride_ *= 2;
        if ((total_ - 1) % stride_ != 0 || boxes_.size() == request_.limit) return;
    }
    boxes_.push_back({box, level});
}

void IntervalBars::add(float low, float high) {
    bars_.push_back({low, high, 0});
}

/// Each bar gets the lowest lane that is free at its low end.
void IntervalBars::choose_lanes() {
    using End = std::pair<float, std::uint32_t>;
    std::priority_queue<End, std::vector<End>, std::greater<>> busy;
    std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> free;
    lanes_ = 0;
    for (Bar& bar : bars_) {
        for (; !busy.empty() && busy.top().first < bar.low; busy.pop()) free.push(busy.top().second);
        bar.lane = free.empty() ? lanes_++ : free.top();
        if (!free.empty()) free.pop();
        busy.push({bar.high, bar.lane});
    }
}

void IntervalBars::show(std::size_t axis, StructureView& out) {
    constexpr float kGap = 0.02f,
                    kDepth = 0.12f;  // relative to the extent: distance of the first bar, depth of the stack
    const std::size_t limit = out.request().limit;
    if (bars_.empty() || limit == 0) return;
    const std::size_t every = (bars_.size() + limit - 1) / limit;
    for (std::size_t i = 1; i * every < bars_.size(); ++i) bars_[i] = bars_[i * every];
    bars_.resize((bars_.size() + every - 1) / every);
    choose_lanes();
    // Intervals on x are drawn in front of the bodies, those on y and z to the left.
    const std::size_t offset_axis = axis == 0 ? 2 : 0;
    const Vec3f extent = around_.max - around_.min;
    const float size = std::max({extent.x, extent.y, extent.z});
    const float step = kDepth * size / static_cast<float>(std::max(lanes_, 8u));
    for (const Bar& bar : bars_) {
        const float offset = kGap * size + step * static_cast<float>(bar.lane);
        Aabb line{around_.min, around_.min};
        line.min[offset_axis] = line.max[offset_axis] =
            offset_axis == 2 ? around_.max.z + offset : around_.min.x - offset;
        line.min[axis] = bar.low;
        line.max[axis] = bar.high;
        out.add(line, static_cast<std::uint32_t>(axis));
    }
}

}  // namespace claybox::collision
