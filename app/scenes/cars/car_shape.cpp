#include "app/scenes/cars/car_shape.hpp"

#include <array>

namespace claybox::app {

/// Each side is two faces: the body up to the window line, and the cabin above it.
collision::Result<collision::ShapePtr> make_car_shape(double length, double width) {
    struct Corner {
        double x, y;  ///< x: of the half length
    };
    // Counter-clockwise, seen with the car heading right: sill, bonnet, roof, boot.
    constexpr std::array<Corner, 8> kSide{{{-1, 0.18},
                                           {1, 0.18},
                                           {0.97, 0.72},
                                           {0.38, 0.86},
                                           {0.08, 1.36},
                                           {-0.52, 1.36},
                                           {-0.82, 0.88},
                                           {-0.98, 0.8}}};
    constexpr std::uint32_t kCorners = kSide.size();
    constexpr std::uint32_t kFrontWindow = 3, kBackWindow = 6;  // ends of the window line
    collision::PolygonList mesh;
    for (const double side : {0.5, -0.5})
        for (const Corner& c : kSide)
            mesh.positions.push_back(
                collision::cast<float>(collision::Vec3d{0.5 * length * c.x, c.y, width * side}));
    for (std::uint32_t i = 0; i < kCorners; ++i) {
        const std::uint32_t next = (i + 1) % kCorners;
        mesh.add_polygon(std::array<std::uint32_t, 4>{next, i, kCorners + i, kCorners + next});
    }
    const std::array<std::uint32_t, 6> body{0, 1, 2, kFrontWindow, kBackWindow, 7};
    const std::array<std::uint32_t, 4> cabin{kFrontWindow, 4, 5, kBackWindow};
    const auto add_side = [&](const auto& loop) {
        auto near = loop, far = loop;
        for (std::size_t i = 0; i < loop.size(); ++i) far[i] = kCorners + loop[loop.size() - 1 - i];
        mesh.add_polygon(near);
        mesh.add_polygon(far);
    };
    add_side(body);
    add_side(cabin);
    return collision::Shape::from_polygons(mesh, "car");
}

}  // namespace claybox::app
