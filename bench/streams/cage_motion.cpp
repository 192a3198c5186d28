#include "bench/streams/cage_motion.hpp"

#include "collision/core/random.hpp"

#include <cmath>
#include <numbers>

namespace claybox::streams {

using namespace collision;

namespace {

double volume_of(const Shape& shape) {
    double sum = 0;
    for (const Triangle& t : shape.topology().triangles) {
        const auto corner = [&](int i) { return cast<double>(shape.geometry().positions[t.vertices[i]]); };
        sum += dot(corner(0), cross(corner(1), corner(2)));
    }
    return sum / 6;
}

}  // namespace

Result<CageMotion> CageMotion::make(const CageSettings& s) {
    CageMotion out;
    out.shapes_ = s.given;
    for (std::size_t i = 0; i < s.shapes && s.given.empty(); ++i) {
        auto shape = make_primitive_shape(s.primitive, s.vertices, s.radius, s.seed + i);
        if (!shape.ok()) return shape.error();
        out.shapes_.push_back(std::move(shape.value()));
    }
    double volume = 0;
    for (const ShapePtr& shape : out.shapes_)
        volume += volume_of(*shape) / static_cast<double>(out.shapes_.size());
    if (s.filled_by_balls) volume = 4.0 / 3.0 * std::numbers::pi * std::pow(static_cast<double>(s.radius), 3);
    out.half_ = 0.5 * std::cbrt(static_cast<double>(s.bodies) * volume / s.filled);
    Random random(s.seed);
    for (std::size_t i = 0; i < s.bodies; ++i) {
        Body body;
        for (std::size_t k = 0; k < 3; ++k) body.pose.translation[k] = random.uniform(-out.half_, out.half_);
        body.pose.rotation = random_rotation(random, 0, 2 * std::numbers::pi);
        body.velocity = s.step * s.radius * random.unit_vector();
        body.turn = axis_angle(random.unit_vector(), s.turn * std::numbers::pi / 180);
        out.bodies_.push_back(body);
    }
    return out;
}

void CageMotion::advance(std::uint32_t parts) {
    const double part = 1.0 / parts;
    for (Body& body : bodies_) {
        body.pose.translation += part * body.velocity;
        for (std::size_t k = 0; k < 3; ++k)
            if (std::abs(body.pose.translation[k]) > half_)
                body.velocity[k] = std::copysign(body.velocity[k], -body.pose.translation[k]);
        body.pose.rotation =
            normalized((parts == 1 ? body.turn : slerp({}, body.turn, part)) * body.pose.rotation);
    }
}

void CageMotion::reverse(std::size_t body) {
    bodies_[body].velocity = -bodies_[body].velocity;
    bodies_[body].turn = conjugate(bodies_[body].turn);
}

}  // namespace claybox::streams
