#include "app/panels/cards/chips.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace claybox::app {
namespace {

using engine::Rect;

constexpr int kDirections = 16;
constexpr std::array<float, 6> kGaps{26, 46, 70, 100, 135, 175};  // units from the point to the chip

struct Direction {
    float c, s;  ///< cosine and sine
};

const std::array<Direction, kDirections> kAround = [] {
    constexpr float kTurn = 6.2831853f / kDirections;
    std::array<Direction, kDirections> all;
    for (int i = 0; i < kDirections; ++i) {
        const float angle = kTurn * static_cast<float>(i) + 0.5f * kTurn;
        all[static_cast<std::size_t>(i)] = {std::cos(angle), std::sin(angle)};
    }
    return all;
}();

/// The chip's rectangle in one of the directions, with its near side at the gap.
Rect candidate(const ChipField& field, float x, float y, float width, float height, int choice) {
    const auto [c, s] = kAround[static_cast<std::size_t>(choice % kDirections)];
    const float gap = kGaps[static_cast<std::size_t>(choice / kDirections)] * field.unit;
    const float cx = x + c * gap + std::copysign(0.5f * width * std::min(1.0f, std::abs(c) * 1.5f), c);
    const float cy = y + s * gap + std::copysign(0.5f * height, s) * std::abs(s);
    return {cx - 0.5f * width, cy - 0.5f * height, cx + 0.5f * width, cy + 0.5f * height};
}

float overlap(const Rect& a, const Rect& b, float margin) {
    const float w = std::min(a.x1, b.x1) - std::max(a.x0, b.x0) + margin;
    const float h = std::min(a.y1, b.y1) - std::max(a.y0, b.y0) + margin;
    return w > 0 && h > 0 ? std::min(w, h) : 0;
}

/// How deep a point lies in a disc, from its offset to the centre; 0 outside.
float depth_in(const ScreenDisc& disc, float dx, float dy) {
    const float square = dx * dx + dy * dy;
    return square < disc.radius * disc.radius ? disc.radius - std::sqrt(square) : 0.0f;
}

/// How far a line from the point to the chip runs through bodies other than those at the point; pixels.
float crossed(const ChipField& field, float x, float y, const Rect& box) {
    const float dx = std::clamp(x, box.x0, box.x1) - x, dy = std::clamp(y, box.y0, box.y1) - y;
    const float length2 = std::max(dx * dx + dy * dy, 1.0f);
    float sum = 0;
    const Rect line{std::min(x, x + dx), std::min(y, y + dy), std::max(x, x + dx), std::max(y, y + dy)};
    field.grid.visit(line, [&](const ScreenDisc& d) {
        const float px = d.x - x, py = d.y - y;
        if (px * px + py * py < d.radius * d.radius) return true;  // the point lies on this body
        const float t = std::clamp((px * dx + py * dy) / length2, 0.0f, 1.0f);
        sum += depth_in(d, t * dx - px, t * dy - py);
        return true;
    });
    return sum;
}

/// Penetration depth into everything that the chip should not cover, plus small costs for its distance and
/// for bodies that its leader line crosses; pixels. All terms are positive, so it ends where they reach
/// `limit`.
float cost(const ChipField& field, float x, float y, const Rect& box, int choice, float limit) {
    const float out =
        std::max({0.0f, field.area.x0 + 4 * field.unit - box.x0, box.x1 + 4 * field.unit - field.area.x1,
                  field.area.y0 + 4 * field.unit - box.y0, box.y1 + 4 * field.unit - field.area.y1});
    float sum = 20 * out + 0.12f * kGaps[static_cast<std::size_t>(choice / kDirections)] * field.unit;
    for (const Rect& t : field.taken) sum += 8 * overlap(box, t, 4 * field.unit);
    if (sum >= limit) return sum;
    field.grid.visit(box, [&](const ScreenDisc& d) {
        const float dx = d.x - std::clamp(d.x, box.x0, box.x1), dy = d.y - std::clamp(d.y, box.y0, box.y1);
        sum += (d.colliding ? 4.0f : 1.0f) * std::min(depth_in(d, dx, dy), 40 * field.unit);
        return sum < limit;
    });
    if (sum >= limit) return sum;
    return sum + 0.5f * std::min(crossed(field, x, y, box), 40 * field.unit);
}

}  // namespace

void DiscGrid::build(std::span<const ScreenDisc> discs, const Rect& area, float cell) {
    x_ = area.x0;
    y_ = area.y0;
    cell_ = cell;
    columns_ = static_cast<std::size_t>(std::max(0.0f, area.width()) / cell) + 1;
    rows_ = static_cast<std::size_t>(std::max(0.0f, area.height()) / cell) + 1;
    starts_.assign(columns_ * rows_ + 1, 0);
    const auto cell_of = [this](const ScreenDisc& d) { return row(d.y) * columns_ + column(d.x); };
    for (const ScreenDisc& d : discs) {
        ++starts_[cell_of(d) + 1];
        widest_ = std::max(widest_, d.radius);
    }
    for (std::size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
    sorted_.resize(discs.size());
    std::vector<std::size_t> next(starts_.begin(), starts_.end() - 1);
    for (const ScreenDisc& d : discs) sorted_[next[cell_of(d)]++] = d;
}

Rect place_chip(ChipField& field, float x, float y, float width, float height, int& choice) {
    constexpr int kChoices = kDirections * static_cast<int>(kGaps.size());
    constexpr float kCell = 40;  // units
    if (!field.grid.built()) field.grid.build(field.discs, field.area, kCell * field.unit);
    int best = -1;
    float least_cost = 1e30f;
    const auto try_choice = [&](int i, float factor, float bonus) {
        const Rect box = candidate(field, x, y, width, height, i);
        const float price = factor * cost(field, x, y, box, i, (least_cost + bonus) / factor) - bonus;
        if (best >= 0 && price >= least_cost) return;
        least_cost = price;
        best = i;
    };
    // The last place comes first, cheaper than it is: chips do not jump, and most of the others end early.
    if (choice >= 0 && choice < kChoices) try_choice(choice, 0.7f, 6 * field.unit);
    for (int i = 0; i < kChoices; ++i)
        if (i != choice) try_choice(i, 1, 0);
    choice = best;
    const Rect box = candidate(field, x, y, width, height, best);
    field.taken.push_back(box);
    return box;
}

}  // namespace claybox::app
