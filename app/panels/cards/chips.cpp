#include "app/panels/cards/chips.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace claybox::app {
namespace {

using engine::Rect;

constexpr int kDirections = 16;
constexpr std::array<float, 6> kGaps{26, 46, 70, 100, 135, 175};  // units from the point to the chip

/// The chip's rectangle in one of the directions, with its near side at the gap.
Rect candidate(const ChipField& field, float x, float y, float width, float height, int choice) {
    constexpr float kTurn = 6.2831853f / kDirections;
    const float angle = kTurn * static_cast<float>(choice % kDirections) + 0.5f * kTurn;
    const float c = std::cos(angle), s = std::sin(angle);
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

/// How far a line from the point to the chip runs through bodies other than those at the point; pixels.
float crossed(const ChipField& field, float x, float y, const Rect& box) {
    const float dx = std::clamp(x, box.x0, box.x1) - x, dy = std::clamp(y, box.y0, box.y1) - y;
    const float length2 = std::max(dx * dx + dy * dy, 1.0f);
    float sum = 0;
    for (const ScreenDisc& d : field.discs) {
        if (std::hypot(d.x - x, d.y - y) < d.radius) continue;  // the point lies on this body
        const float t = std::clamp(((d.x - x) * dx + (d.y - y) * dy) / length2, 0.0f, 1.0f);
        sum += std::max(0.0f, d.radius - std::hypot(x + t * dx - d.x, y + t * dy - d.y));
    }
    return sum;
}

/// Penetration depth into everything that the chip should not cover, plus small costs for its distance and
/// for bodies that its leader line crosses; pixels.
float cost(const ChipField& field, float x, float y, const Rect& box, int choice) {
    const float out =
        std::max({0.0f, field.area.x0 + 4 * field.unit - box.x0, box.x1 + 4 * field.unit - field.area.x1,
                  field.area.y0 + 4 * field.unit - box.y0, box.y1 + 4 * field.unit - field.area.y1});
    float sum = 20 * out + 0.12f * kGaps[static_cast<std::size_t>(choice / kDirections)] * field.unit;
    sum += 0.5f * std::min(crossed(field, x, y, box), 40 * field.unit);
    for (const Rect& t : field.taken) sum += 8 * overlap(box, t, 4 * field.unit);
    for (const ScreenDisc& d : field.discs) {
        const float dx = d.x - std::clamp(d.x, box.x0, box.x1), dy = d.y - std::clamp(d.y, box.y0, box.y1);
        const float depth = d.radius - std::hypot(dx, dy);
        if (depth > 0) sum += (d.colliding ? 4.0f : 1.0f) * std::min(depth, 40 * field.unit);
    }
    return sum;
}

}  // namespace

Rect place_chip(ChipField& field, float x, float y, float width, float height, int& choice) {
    constexpr int kChoices = kDirections * static_cast<int>(kGaps.size());
    int best = 0;
    float least_cost = 1e30f;
    for (int i = 0; i < kChoices; ++i) {
        float price = cost(field, x, y, candidate(field, x, y, width, height, i), i);
        if (i == choice) price = 0.7f * price - 6 * field.unit;  // hysteresis against jumping chips
        if (price >= least_cost) continue;
        least_cost = price;
        best = i;
    }
    choice = best;
    const Rect box = candidate(field, x, y, width, height, best);
    field.taken.push_back(box);
    return box;
}

}  // namespace claybox::app
