#include "app/scenes/shared/screen_inset.hpp"

#include <algorithm>
#include <cstdio>

namespace claybox::app {

using collision::CollisionScreen;

namespace {

constexpr Ink kInkA = Ink::accent, kInkB = Ink::separating;

/// From metres on the screen to the plot.
struct Frame {
    double h_low, r_low, width, height;
    float x(double h) const { return static_cast<float>((h - h_low) / width); }
    float y(double r) const { return static_cast<float>((r - r_low) / height); }
};

Frame frame_of(const CollisionScreen& screen) {
    return {screen.first_column * screen.pixel, screen.r_low, std::max(1, screen.columns) * screen.pixel,
            std::max(1, screen.rows) * screen.pixel};
}

void add_pixels(const CollisionScreen& screen, const Frame& frame, ViewInset& out) {
    for (const CollisionScreen::Run& run : screen.runs) {
        if (run.is_virtual) continue;
        const float y = frame.y(screen.r_low + (run.row + 0.5) * screen.pixel);
        out.begin(run.of_b ? kInkB : kInkA, 2.5f, 0.25f);
        out.add(frame.x(run.first * screen.pixel), y);
        out.add(frame.x((run.last + 1) * screen.pixel), y);
    }
}

}  // namespace

ViewInset make_screen_inset(const CollisionScreen& screen, bool pixels, double threshold, double time) {
    ViewInset out;
    char title[64];
    std::snprintf(title, sizeof title, "Collision screen, %d x %d", screen.columns, screen.rows);
    out.title = title;
    out.x_title = "h, along the spiral";
    out.y_title = "r, from the axis (up)";
    if (screen.rows <= 0 || screen.columns <= 0) return out;
    const Frame frame = frame_of(screen);
    out.aspect = static_cast<float>(std::clamp(frame.width / frame.height, 0.6, 2.4));
    if (pixels) add_pixels(screen, frame, out);
    for (const CollisionScreen::Curve& curve : screen.curves) {
        if (curve.is_virtual) continue;
        out.begin(curve.of_b ? kInkB : kInkA, 1, 0.8f);
        for (const CollisionScreen::Point& p : curve.points) out.add(frame.x(p.h), frame.y(p.r));
    }
    int number = 0;
    for (const CollisionScreen::Mark& mark : screen.marks) {
        if (mark.hit.properness < threshold) continue;
        out.marks.push_back({{frame.x(mark.h), frame.y(mark.r)},
                             mark.hit.time <= time ? Ink::colliding : Ink::witness,
                             std::to_string(++number)});
    }
    return out;
}

}  // namespace claybox::app
