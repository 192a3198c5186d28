#include "app/scenes/cars/crash.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::app {

using collision::MotionHit;
using collision::Vec3d;

namespace {

/// Steps of the impulse solver. It converges geometrically; contacts at opposite corners need about ten.
constexpr int kSolverSteps = 60;

Vec3d on_ground(const Vec3d& v) {
    return {v.x, 0, v.z};
}
/// Of the spin about +y, at an offset from the centre.
Vec3d turning(double spin, const Vec3d& arm) {
    return {spin * arm.z, 0, -spin * arm.x};
}
Vec3d velocity_at(const Car& car, const Vec3d& point) {
    return car.velocity + turning(car.spin, point - car.position);
}
/// The part of a normal in the plane of the ground; zero for a contact from above.
Vec3d level(const Vec3d& normal) {
    const Vec3d flat = on_ground(normal);
    return length(flat) > 0.1 ? normalized(flat, Vec3d{}) : Vec3d{};
}
/// y of the torque of a unit impulse along `n` at an offset.
double lever(const Vec3d& arm, const Vec3d& n) {
    return arm.z * n.x - arm.x * n.z;
}
void push(Car& car, const CarBody& body, const Vec3d& point, const Vec3d& impulse) {
    car.velocity += impulse / body.mass;
    car.spin += lever(point - car.position, impulse) / body.inertia();
}

}  // namespace

collision::Pose Car::pose() const {
    return {collision::axis_angle({0, 1, 0}, yaw), position};
}

void Car::drive(double seconds) {
    position += seconds * velocity;
    yaw += seconds * spin;
}

void choose_contacts(std::span<const MotionHit> hits, Response response, std::vector<MotionHit>& out) {
    out.clear();
    for (const MotionHit& hit : hits)
        if (hit.properness >= kLeastProperness) out.push_back(hit);
    std::stable_sort(out.begin(), out.end(),
                     [](const MotionHit& x, const MotionHit& y) { return x.time < y.time; });
    if (response == Response::first && out.size() > 1) out.resize(1);
}

double approach(const Car& a, const Car& b, const MotionHit& contact) {
    return dot(velocity_at(a, contact.point_w) - velocity_at(b, contact.point_w), level(contact.normal_w));
}

void crash(Car& a, Car& b, const CarBody& body, std::span<const MotionHit> contacts, Response response,
           double restitution) {
    if (response == Response::reverse) {
        for (Car* const car : {&a, &b}) {
            car->velocity = -car->velocity;
            car->spin = -car->spin;
        }
        return;
    }
    // Gauss and Seidel's method on the impulses, which only push. Each contact shall separate `restitution`
    // times as fast as it approached.
    std::vector<double> wanted, impulse(contacts.size(), 0.0);
    for (const MotionHit& contact : contacts)
        wanted.push_back(-restitution * std::max(0.0, approach(a, b, contact)));
    for (int step = 0; step < kSolverSteps; ++step)
        for (std::size_t i = 0; i < contacts.size(); ++i) {
            const Vec3d n = level(contacts[i].normal_w), p = contacts[i].point_w;
            if (n == Vec3d{}) continue;
            const double la = lever(p - a.position, n), lb = lever(p - b.position, n);
            const double give = 2 / body.mass + (la * la + lb * lb) / body.inertia();
            const double more = (approach(a, b, contacts[i]) - wanted[i]) / give;
            const double before = impulse[i];
            impulse[i] = std::max(0.0, before + more);
            const Vec3d change = (impulse[i] - before) * n;
            push(a, body, p, -change);
            push(b, body, p, change);
        }
}

}  // namespace claybox::app
