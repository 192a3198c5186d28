#include "engine/ui/icons.hpp"

#include <cmath>
#include <initializer_list>
#include <iterator>

namespace claybox::engine {
namespace {

constexpr float kPi = 3.14159265f;

/// A pen over a box of 24 units.
struct Pen {
    ImDrawList& list;
    ImVec2 origin;
    float unit;
    Colour colour;

    ImVec2 at(float x, float y) const { return {origin.x + x * unit, origin.y + y * unit}; }
    float stroke() const { return 1.6f * unit; }
    void line(std::initializer_list<ImVec2> points, bool closed = false) const {
        for (const ImVec2& p : points) list.PathLineTo(at(p.x, p.y));
        list.PathStroke(colour, closed ? ImDrawFlags_Closed : 0, stroke());
    }
    void arc(float x, float y, float r, float from, float to) const {
        list.PathArcTo(at(x, y), r * unit, from, to, 24);
        list.PathStroke(colour, 0, stroke());
    }
    void curve(ImVec2 a, ImVec2 b, ImVec2 c, ImVec2 d) const {
        list.PathLineTo(at(a.x, a.y));
        list.PathBezierCubicCurveTo(at(b.x, b.y), at(c.x, c.y), at(d.x, d.y), 16);
        list.PathStroke(colour, 0, stroke());
    }
    void circle(float x, float y, float r) const { list.AddCircle(at(x, y), r * unit, colour, 32, stroke()); }
    void dot(float x, float y, float r) const { list.AddCircleFilled(at(x, y), r * unit, colour, 16); }
    void rect(float x0, float y0, float x1, float y1, float r = 0) const {
        list.AddRect(at(x0, y0), at(x1, y1), colour, r * unit, 0, stroke());
    }
    void fill(float x0, float y0, float x1, float y1, float r = 0) const {
        list.AddRectFilled(at(x0, y0), at(x1, y1), colour, r * unit);
    }
    void triangle(ImVec2 a, ImVec2 b, ImVec2 c) const {
        list.AddTriangleFilled(at(a.x, a.y), at(b.x, b.y), at(c.x, c.y), colour);
    }
};

void cube(const Pen& p) {
    p.line({{12, 3}, {20, 7.5f}, {20, 16.5f}, {12, 21}, {4, 16.5f}, {4, 7.5f}}, true);
    p.line({{4, 7.5f}, {12, 12}, {20, 7.5f}});
    p.line({{12, 12}, {12, 21}});
}

void pot(const Pen& p) {
    p.line({{7.5f, 3.5f}, {16.5f, 3.5f}});
    p.curve({8.5f, 3.5f}, {8.5f, 8}, {4, 8}, {4, 13});
    p.curve({4, 13}, {4, 17.5f}, {7, 20.5f}, {8.5f, 20.5f});
    p.line({{8.5f, 20.5f}, {15.5f, 20.5f}});
    p.curve({15.5f, 20.5f}, {17, 20.5f}, {20, 17.5f}, {20, 13});
    p.curve({20, 13}, {20, 8}, {15.5f, 8}, {15.5f, 3.5f});
}

void buttons(const Pen& p) {
    p.line({{12, 2.5f}, {12, 9}});
    p.line({{9, 6.5f}, {12, 9.5f}, {15, 6.5f}});
    p.rect(6.5f, 12, 17.5f, 16, 1);
    p.rect(3.5f, 16.5f, 20.5f, 20.5f, 1);
}

/// A key and the scale of its travel.
void button_lab(const Pen& p) {
    p.line({{9, 2.5f}, {9, 8}});
    p.line({{6.5f, 5.5f}, {9, 8.5f}, {11.5f, 5.5f}});
    p.rect(3.5f, 11, 14.5f, 15, 1);
    p.line({{3.5f, 20}, {14.5f, 20}});
    p.line({{19, 4}, {19, 20}});
    for (const float y : {4.0f, 9.3f, 14.6f, 20.0f}) p.line({{17, y}, {21, y}});
}

/// Two polygons and the line between them.
void polygons(const Pen& p) {
    p.line({{3, 9}, {7.5f, 4.5f}, {10.5f, 9.5f}, {6.5f, 14.5f}}, true);
    p.line({{14, 14.5f}, {18, 10}, {21.5f, 14.5f}, {18, 20}}, true);
    p.line({{7, 20.5f}, {17, 3.5f}});
}

/// A box and the two that it is cut into.
void tree(const Pen& p) {
    p.rect(8.5f, 3, 15.5f, 8, 1);
    p.line({{12, 8}, {12, 11.5f}});
    p.line({{6, 15.5f}, {6, 11.5f}, {18, 11.5f}, {18, 15.5f}});
    p.rect(3, 15.5f, 9, 20.5f, 1);
    p.rect(15, 15.5f, 21, 20.5f, 1);
}

void hand(const Pen& p) {
    constexpr float kTop[4] = {7.2f, 4.6f, 3.8f, 5.4f};
    for (int i = 0; i < 4; ++i) {
        const float x = 7.2f + 3.3f * static_cast<float>(i);
        p.line({{x, 13.2f}, {x, kTop[i]}});
        p.arc(x + 1.65f, kTop[i], 1.65f, kPi, 2 * kPi);
    }
    p.line({{20.4f, 5.4f}, {20.4f, 14.5f}});
    p.curve({20.4f, 14.5f}, {20.4f, 19}, {17.5f, 21.2f}, {13.8f, 21.2f});
    p.curve({13.8f, 21.2f}, {10.5f, 21.2f}, {9, 20}, {7.5f, 18});
    p.line({{7.5f, 18}, {3.8f, 13.4f}});
    p.curve({3.8f, 13.4f}, {2.8f, 11.6f}, {5.2f, 10.6f}, {7.2f, 13.4f});
}

void boxes(const Pen& p) {
    p.rect(4, 4, 20, 20, 1);
    p.line({{12, 4}, {12, 20}});
    p.line({{4, 12}, {20, 12}});
}

void label(const Pen& p) {
    p.line({{3.5f, 12}, {8, 6.5f}, {20.5f, 6.5f}, {20.5f, 17.5f}, {8, 17.5f}}, true);
    p.dot(9, 12, 1.3f);
}

void ruler(const Pen& p) {
    p.line({{4, 6}, {4, 18}});
    p.line({{20, 6}, {20, 18}});
    p.line({{4, 12}, {20, 12}});
    p.line({{7, 9.5f}, {4.3f, 12}, {7, 14.5f}});
    p.line({{17, 9.5f}, {19.7f, 12}, {17, 14.5f}});
}

void sun(const Pen& p) {
    p.circle(12, 12, 4.2f);
    for (int i = 0; i < 8; ++i) {
        const float a = static_cast<float>(i) * kPi / 4, c = std::cos(a), s = std::sin(a);
        p.line({{12 + 6.8f * c, 12 + 6.8f * s}, {12 + 9.2f * c, 12 + 9.2f * s}});
    }
}

void moon(const Pen& p) {
    p.arc(12, 12, 8.3f, 0.32f, 1.6f * kPi - 0.36f);
    p.curve({13.0f, 3.8f}, {9.4f, 7.4f}, {11.6f, 16}, {19.9f, 14.6f});
}

void help(const Pen& p) {
    p.circle(12, 12, 9);
    p.arc(12, 9.6f, 2.7f, kPi, 2.35f * kPi);
    p.line({{13.3f, 11.9f}, {12, 13.2f}, {12, 14.4f}});
    p.dot(12, 17, 1.1f);
}

void restart(const Pen& p) {
    p.fill(5, 5.5f, 7.4f, 18.5f, 0.6f);
    p.triangle({18.5f, 5.5f}, {18.5f, 18.5f}, {8.6f, 12});
}

void step(const Pen& p) {
    p.fill(16.6f, 5.5f, 19, 18.5f, 0.6f);
    p.triangle({5.5f, 5.5f}, {15.4f, 12}, {5.5f, 18.5f});
}

void undo(const Pen& p) {
    p.line({{9, 4.5f}, {4.5f, 9}, {9, 13.5f}});
    p.line({{4.5f, 9}, {14, 9}});
    p.arc(14, 14, 5, -0.5f * kPi, 0.5f * kPi);
    p.line({{14, 19}, {9, 19}});
}

void crowd(const Pen& p) {
    constexpr float kAt[][3] = {{5, 8.5f, 1.5f},      {9.5f, 5.5f, 2},     {15, 6, 1.5f},
                                {19.5f, 9.5f, 2},     {12, 11, 2.4f},      {6, 14.5f, 2.1f},
                                {17.5f, 15.5f, 1.6f}, {11.5f, 17.5f, 1.8f}};
    for (const auto& [x, y, r] : kAt) p.dot(x, y, r);
}

void mobile(const Pen& p) {
    p.line({{12, 3}, {12, 7.5f}});
    p.line({{4.5f, 8.5f}, {19.5f, 6.5f}});
    p.line({{4.5f, 8.5f}, {4.5f, 13.5f}});
    p.dot(4.5f, 15.5f, 2.4f);
    p.line({{19.5f, 6.5f}, {19.5f, 11}});
    p.line({{14.5f, 10.5f}, {22, 11.3f}});
    p.dot(14.5f, 14, 1.9f);
    p.line({{14.5f, 10.5f}, {14.5f, 14}});
    p.line({{22, 11.3f}, {22, 17}});
    p.dot(22, 18, 1.7f);
}

void workbench(const Pen& p) {
    p.line({{3, 16}, {21, 16}});
    p.line({{5.5f, 16}, {5.5f, 20.5f}});
    p.line({{18.5f, 16}, {18.5f, 20.5f}});
    p.line({{5, 16}, {8.5f, 9.5f}, {12, 16}});
    p.rect(13.5f, 6, 19.5f, 12, 1);
}

void scene(const Pen& p) {
    p.rect(4, 4, 20, 20, 3);
    p.dot(12, 12, 2.5f);
}

void diamond(const Pen& p) {
    p.line({{12, 3.5f}, {19.5f, 12}, {12, 20.5f}, {4.5f, 12}}, true);
    p.dot(12, 12, 2);
}

void pause(const Pen& p) {
    p.fill(7, 5.5f, 10.2f, 18.5f, 0.6f);
    p.fill(13.8f, 5.5f, 17, 18.5f, 0.6f);
}

void play(const Pen& p) {
    p.triangle({7.5f, 5}, {19, 12}, {7.5f, 19});
}

void close(const Pen& p) {
    p.line({{7, 7}, {17, 17}});
    p.line({{17, 7}, {7, 17}});
}

/// In the order of Icon.
constexpr void (*kIcons[])(const Pen&) = {
    cube,  pot,   buttons, button_lab, polygons, tree, crowd, mobile, workbench, scene,   hand, diamond,
    boxes, label, ruler,   sun,        moon,     help, pause, play,   step,      restart, undo, close};
static_assert(std::size(kIcons) == static_cast<std::size_t>(Icon::close) + 1);

}  // namespace

void draw_icon(Ui& ui, ImDrawList& list, ImVec2 centre, Icon icon, Colour colour) {
    const float unit = ui.scale();
    kIcons[static_cast<std::size_t>(icon)](
        {list, {centre.x - 12 * unit, centre.y - 12 * unit}, unit, colour});
}

}  // namespace claybox::engine
