#include "bench/experiments/algorithms/space_exact.hpp"

#include "bench/experiments/shared/measure.hpp"
#include "bench/experiments/shared/tables.hpp"
#include "collision/core/random.hpp"
#include "collision/geometry/primitives/primitives.hpp"
#include "collision/module/world.hpp"

#include <cmath>

namespace claybox::bench {

using namespace collision;

namespace {

constexpr double kCage = 5;
constexpr unsigned kWalls = 1;  ///< interest group; movers are in group 0
constexpr std::size_t kBlocks = 20;

/// A combination of pair algorithm and broad phase.
struct Method {
    std::string name;
    const char* pair;
    const char* broad;
    double cell = 0;  ///< cell size of a grid, metres
};

/// A world with bodies that move and rotate in the cage and turn back at its walls.
class Flyers {
  public:
    Flyers(const std::vector<ShapePtr>& movers, const std::vector<std::pair<ShapePtr, Pose>>& fixed,
           const Method& method, std::uint64_t seed)
        : world_(settings(method)) {
        Random random(seed);
        world_.set_interest(kWalls, kWalls, {false, kWantVerdict, 0});
        for (const auto& [shape, pose] : fixed)
            (void)world_.add_body({.shape = shape, .pose = pose, .group = kWalls}).value();
        const auto place = [&] { return random.uniform(-kCage / 2, kCage / 2); };
        for (const ShapePtr& shape : movers) {
            const Pose pose{axis_angle(random.unit_vector(), 1), {place(), place(), place()}};
            bodies_.push_back({world_.add_body({.shape = shape, .pose = pose}).value(), pose,
                               0.05 * random.unit_vector(), axis_angle(random.unit_vector(), 0.087)});
        }
    }
    void frame() {
        for (Body& body : bodies_) {
            body.pose.translation += body.step;
            body.pose.rotation = body.turn * body.pose.rotation;
            for (std::size_t axis = 0; axis < 3; ++axis)
                if (std::abs(body.pose.translation[axis]) > kCage / 2)
                    body.step[axis] = std::copysign(body.step[axis], -body.pose.translation[axis]);
            (void)world_.move(body.id, body.pose);
        }
        world_.publish(++frame_);
        world_.check();
        near_pairs += static_cast<double>(world_.stats().raw_candidates);
        world_.poll_events(events_);
    }
    std::uint64_t hash() const { return world_.stats().state_hash; }
    double pairs_per_frame() const { return near_pairs / static_cast<double>(frame_); }

    double near_pairs = 0;

  private:
    struct Body {
        BodyId id;
        Pose pose;
        Vec3d step;
        Quat turn;
    };
    static WorldSettings settings(const Method& method) {
        WorldSettings out = default_settings();
        out.pair_algorithm = find_pair_algorithm(method.pair);
        out.pair_parameters = default_values(out.pair_algorithm->parameters);
        out.broad_phase = find_broad_phase(method.broad);
        out.broad_parameters = default_values(out.broad_phase->parameters);
        const std::size_t cell = find_parameter(out.broad_phase->parameters, "cell_size");
        if (method.cell > 0) out.broad_parameters[cell] = method.cell;
        return out;
    }

    World world_;
    std::vector<Body> bodies_;
    EventBatch events_;
    std::uint64_t frame_ = 0;
};

/// The bodies of a row, equal for all methods.
struct Row {
    std::string name;
    std::vector<ShapePtr> movers;
    std::vector<std::pair<ShapePtr, Pose>> fixed;
};

struct FrameCost {
    double ms = 0, pairs = 0;
};

/// Plays blocks of frames with all methods in turn. All runs must end with the same state hash.
std::vector<FrameCost> measure_methods(const Row& row, const std::vector<Method>& methods,
                                       const ExperimentOptions& options, ExperimentReport& report) {
    const std::size_t frames = options.quick ? 1 : 5000 / kBlocks;
    std::vector<std::unique_ptr<Flyers>> runs;
    for (const Method& method : methods)
        runs.push_back(std::make_unique<Flyers>(row.movers, row.fixed, method, options.seed));
    std::vector<std::vector<float>> times(methods.size());
    for (std::size_t block = 0; block < kBlocks; ++block)
        for (std::size_t i = 0; i < runs.size(); ++i) {
            const double start = now_ns();
            for (std::size_t frame = 0; frame < frames; ++frame) runs[i]->frame();
            times[i].push_back(static_cast<float>((now_ns() - start) / static_cast<double>(frames)));
        }
    std::vector<FrameCost> out;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (runs[i]->hash() != runs[0]->hash())
            report.failure =
                row.name + ": " + methods[i].name + " and " + methods[0].name + " end in different states";
        const double spread = spread_of({times[i].begin(), times[i].end()});
        out.push_back({1e-6 * median(times[i]), runs[i]->pairs_per_frame()});
        Measurement m;
        m.name = "space/exact/" + row.name + "/" + methods[i].name;
        m.ns = 1e6 * out.back().ms;
        m.queries = kBlocks * frames;
        m.counters = {{"pairs", out.back().pairs}};
        m.spread = spread;
        report.measurements.push_back(std::move(m));
    }
    return out;
}

ShapePtr shape_of(Primitive primitive, std::uint32_t count, float radius) {
    return make_primitive_shape(primitive, count, radius, 1).value();
}

/// Figure 5.22.
void tetrahedra(const ExperimentOptions& options, ExperimentReport& report) {
    report.markdown +=
        "\n### Tetrahedra, exact tests after the broad phase: ms per frame\n\nTetrahedra with boxes of 1 m "
        "in a cage of 5 m, Cyrus-Beck; grid of 8^3 cells. Figure 5.22 shows no numbers: \"even 100^2 / 2 "
        "bounding box checks are very cheap\".\n\n";
    report.markdown +=
        table_head({"bodies", "no grid", "grid", "times faster", "pairs without grid", "pairs with grid"}, 0);
    const ShapePtr shape = shape_of(Primitive::tetrahedron, 4, 0.866f);
    for (const std::size_t bodies : {10, 20, 50, 100, 200}) {
        if (options.quick && bodies > 20) break;
        const Row row{"tetrahedra-" + std::to_string(bodies), std::vector<ShapePtr>(bodies, shape), {}};
        const auto costs = measure_methods(
            row, {{"all_pairs", "cyrus_beck", "all_pairs"}, {"grid", "cyrus_beck", "grid", kCage / 8}},
            options, report);
        report.markdown +=
            table_row({std::to_string(bodies), format_number("%.3g", costs[0].ms),
                       format_number("%.3g", costs[1].ms), format_number("%.2f", costs[0].ms / costs[1].ms),
                       format_number("%.0f", costs[0].pairs), format_number("%.0f", costs[1].pairs)});
    }
}

/// The six walls of the cage, as boxes around it.
std::vector<std::pair<ShapePtr, Pose>> walls() {
    std::vector<std::pair<ShapePtr, Pose>> out;
    const ShapePtr wall = shape_of(Primitive::box, 6, static_cast<float>(kCage * 0.8));
    for (std::size_t axis = 0; axis < 3; ++axis)
        for (const double side : {-1.0, 1.0}) {
            Pose pose;
            pose.translation[axis] = side * kCage;
            out.emplace_back(wall, pose);
        }
    return out;
}

/// The table of 30 movers and 6 walls.
void mixed_movers(const ExperimentOptions& options, ExperimentReport& report) {
    Row row{"mixed", {}, walls()};
    constexpr std::pair<Primitive, std::uint32_t> kKinds[] = {{Primitive::uv_sphere, 100},
                                                              {Primitive::torus, 200},
                                                              {Primitive::tetra_flake, 64},
                                                              {Primitive::hyperboloid, 150},
                                                              {Primitive::cylinder, 50}};
    std::size_t polygons = 0;
    for (std::size_t i = 0; i < 30; ++i) {
        const auto [primitive, count] = kKinds[i % std::size(kKinds)];
        row.movers.push_back(shape_of(primitive, count, 0.5f));
        polygons += row.movers.back()->topology().polygon_count();
    }
    const auto costs = measure_methods(row,
                                       {{"no index, edge_polygon", "edge_polygon", "all_pairs"},
                                        {"no index, box_tree", "box_tree", "all_pairs"},
                                        {"grid, box_tree", "box_tree", "grid", kCage / 8}},
                                       options, report);
    report.markdown +=
        "\n### 30 movers and 6 walls, exact tests after the broad phase\n\n" + std::to_string(polygons) +
        " polygons; the thesis had 4758 on a 40 MHz R3000.\n\n" +
        table_head({"method", "ms per frame", "thesis", "pairs after the broad phase", "thesis"}, 1);
    constexpr const char* kPaper[3][2] = {{"260", "615"}, {"234", "615"}, {"219", "155"}};
    constexpr const char* kNames[] = {"no grid, no box-trees", "no grid, box-trees", "grid and box-trees"};
    for (std::size_t i = 0; i < 3; ++i)
        report.markdown += table_row({kNames[i], format_number("%.3g", costs[i].ms), kPaper[i][0],
                                      format_number("%.0f", costs[i].pairs), kPaper[i][1]});
    report.markdown += "\nThe grid keeps 1 pair in " +
                       format_number("%.1f", costs[1].pairs / costs[2].pairs) + " (thesis: 1 in 4.0).\n";
}

/// The last table of 5.5.2.
void one_among_many(const ExperimentOptions& options, ExperimentReport& report) {
    Random random(options.seed);
    Row row{"one-mover", {shape_of(Primitive::uv_sphere, 20, 0.3f)}, {}};
    const ShapePtr flake = shape_of(Primitive::tetra_flake, 52, 0.3f);
    const auto place = [&] { return random.uniform(-kCage / 2, kCage / 2); };
    for (int i = 0; i < 500; ++i)
        row.fixed.emplace_back(flake, Pose{axis_angle(random.unit_vector(), 1), {place(), place(), place()}});
    const auto costs = measure_methods(
        row, {{"all_pairs", "edge_polygon", "all_pairs"}, {"grid", "edge_polygon", "grid", kCage / 8}},
        options, report);
    report.markdown += "\n### One mover among 500 flakes\n\n" +
                       table_head({"broad phase", "ms per frame", "thesis"}, 1) +
                       table_row({"none", format_number("%.3g", costs[0].ms), "1.0"}) +
                       table_row({"grid of 8^3", format_number("%.3g", costs[1].ms), "0.2"}) + "\n" +
                       format_number("%.1f", costs[0].ms / costs[1].ms) + " times faster (thesis: 5).\n";
}

}  // namespace

void measure_space_exact(const ExperimentOptions& options, ExperimentReport& report) {
    tetrahedra(options, report);
    mixed_movers(options, report);
    one_among_many(options, report);
}

}  // namespace claybox::bench
