// The paper shows figures, not numbers. The placements are ours, chosen for what its captions say.

#include "collision/continuous/screw_motion/screw_examples.hpp"

#include "collision/continuous/screw_motion/motion/relative_screw.hpp"
#include "collision/core/trig.hpp"

namespace claybox::collision {

namespace {

constexpr double kTwentyDegrees = 20 * kPi / 180;

ShapePtr finish(const PolygonList& polygons, const char* name) {
    return Shape::from_polygons(polygons, name).value();
}

void add_quad(PolygonList& list, std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    const std::uint32_t loop[] = {a, b, c, d};
    list.add_polygon(loop);
}

ShapePtr make_cube() {
    PolygonList list;
    for (int i = 0; i < 8; ++i)
        list.positions.push_back(
            {(i & 1) != 0 ? 0.5f : -0.5f, (i & 2) != 0 ? 0.5f : -0.5f, (i & 4) != 0 ? 0.5f : -0.5f});
    add_quad(list, 0, 2, 3, 1), add_quad(list, 4, 5, 7, 6), add_quad(list, 0, 1, 5, 4);
    add_quad(list, 2, 6, 7, 3), add_quad(list, 0, 4, 6, 2), add_quad(list, 1, 3, 7, 5);
    return finish(list, "cube");
}

}  // namespace

ShapePtr make_torus(std::uint32_t around, std::uint32_t along, double major, double minor) {
    PolygonList list;
    for (std::uint32_t i = 0; i < around; ++i) {
        const SinCos turn = sin_cos(2 * kPi * i / around);
        for (std::uint32_t k = 0; k < along; ++k) {
            const SinCos tube = sin_cos(2 * kPi * (k + 0.5) / along);
            const double r = major + minor * tube.cos;
            list.positions.push_back({static_cast<float>(r * turn.sin), static_cast<float>(minor * tube.sin),
                                      static_cast<float>(r * turn.cos)});
        }
    }
    for (std::uint32_t i = 0; i < around; ++i)
        for (std::uint32_t k = 0; k < along; ++k) {
            const std::uint32_t n = (i + 1) % around, up = (k + 1) % along;
            add_quad(list, i * along + k, n * along + k, n * along + up, i * along + up);
        }
    return finish(list, "torus");
}

ShapePtr make_car() {
    // The profile of the right side, from the rear along the ground to the front and back over the roof.
    const Vec3f profile[] = {{-2.2f, 0.2f, 0.9f}, {2.2f, 0.2f, 0.9f}, {2.2f, 0.7f, 0.9f},
                             {1.0f, 0.9f, 0.9f},  {0.4f, 1.4f, 0.7f}, {-1.2f, 1.4f, 0.7f},
                             {-1.8f, 0.9f, 0.9f}, {-2.2f, 0.8f, 0.9f}};
    PolygonList list;
    for (const float side : {1.0f, -1.0f})
        for (const Vec3f& p : profile) list.positions.push_back({p.x, p.y, side * p.z});
    const std::uint32_t right[] = {0, 1, 2, 3, 6, 7}, left[] = {15, 14, 11, 10, 9, 8};
    list.add_polygon(right), list.add_polygon(left);
    add_quad(list, 3, 4, 5, 6), add_quad(list, 14, 13, 12, 11);  // the cabin's sides
    for (std::uint32_t i = 0; i < 8; ++i) {
        const std::uint32_t next = (i + 1) % 8;
        add_quad(list, next, i, i + 8, next + 8);
    }
    return finish(list, "car");
}

ScrewExample cubes_example() {
    ScrewExample e;
    e.title = "Cubes";
    e.a = e.b = make_cube();
    e.matrix_a = to_matrix({axis_angle({0, 0, 1}, 0.3), {-1.6, 0.2, 0.1}});
    e.matrix_b = to_matrix({axis_angle(normalized(Vec3d{1, 2, 0.5}), 0.7), {}});
    e.motion_a = Motion::along({{-0.8, -3, 0.2}, {0, 0, -1}, kTwentyDegrees, -0.2});
    return e;
}

ScrewExample cars_example() {
    ScrewExample e;
    e.title = "Cars";
    e.a = e.b = make_car();
    e.matrix_a = to_matrix({{}, {-5.2, 0, 0.4}});
    e.matrix_b = to_matrix({axis_angle({0, 1, 0}, 2.6), {}});
    // 150 miles an hour are 67.06 metres a second; a thirtieth of it is the arc.
    const double arc = 67.056 / 30;
    e.motion_a = Motion::along({{-5.2, 0, 0.4 - arc / kTwentyDegrees}, {0, 1, 0}, kTwentyDegrees, 0.05});
    return e;
}

ScrewExample tori_example() {
    ScrewExample e;
    e.title = "Tori";
    e.a = e.b = make_torus(25, 12, 1, 0.4);
    e.matrix_a =
        to_matrix({axis_angle({0, 0, 1}, 0.168) * axis_angle({1, 0, 0}, 0.1256), {0.563, -2.003, 1.529}});
    e.matrix_b = to_matrix({});
    const Vec3d axis = normalized(Vec3d{0.963, -0.0256, -0.268});
    e.motion_a = Motion::along({{3.619, 4.204, 11.928}, axis, kTwentyDegrees, 0.016});
    return e;
}

}  // namespace claybox::collision
