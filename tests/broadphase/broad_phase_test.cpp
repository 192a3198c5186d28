// Every registered broad phase compared with a double loop over the same boxes.
#include "collision/broadphase/broad_phase.hpp"

#include "collision/broadphase/grid/grid_cells.hpp"
#include "collision/core/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <tuple>

namespace claybox::collision {
namespace {

std::vector<PairKey> expected_pairs(const std::vector<Aabb>& boxes, const std::set<std::uint32_t>& present,
                                    const std::vector<std::uint32_t>& moved) {
    const std::set<std::uint32_t> moved_set(moved.begin(), moved.end());
    std::vector<PairKey> out;
    for (const std::uint32_t a : present)
        for (const std::uint32_t b : present)
            if (a < b && (moved_set.count(a) || moved_set.count(b)) && overlap(boxes[a], boxes[b]))
                out.push_back(make_pair_key(a, b));
    std::sort(out.begin(), out.end());
    return out;
}

Aabb box_at(const Vec3d& centre, double half_x, double half_y, double half_z) {
    Aabb box;
    box.add(cast<float>(centre - Vec3d{half_x, half_y, half_z}));
    box.add(cast<float>(centre + Vec3d{half_x, half_y, half_z}));
    return box;
}

/// Mostly bodies of about 1 m in a world of `extent`; sometimes huge, tiny, flat, distant or a point.
Aabb random_box(Random& random, double extent) {
    const Vec3d centre{random.uniform(-extent, extent), random.uniform(-extent, extent),
                       random.uniform(-extent, extent)};
    switch (random.below(24)) {
        case 0:
            return box_at(centre, 30, 20, 25);
        case 1:
            return box_at(centre, 1e-6, 1e-6, 1e-6);
        case 2:
            return box_at(centre, 0, 0, 0);
        case 3:
            return box_at(centre, 40, 0.1, 0.1);
        case 4:
            return box_at(1e18 * random.unit_vector(), 1e17, 1e17, 1e17);
        case 5:
            return box_at(centre * 1e8, 1, 1, 1);
        case 6:
            return box_at({}, 0x1p61, 0x1p61, 0x1p61);
        default:
            break;
    }
    const double half_z = random.uniform(0.2, 1), half_y = random.uniform(0.2, 1),
                 half_x = random.uniform(0.2, 1);
    return box_at(centre, half_x, half_y, half_z);
}

std::unique_ptr<BroadPhase> create(const BroadPhaseDescriptor& descriptor, double first_parameter = 0) {
    ParameterValues values = default_values(descriptor.parameters);
    if (!descriptor.parameters.empty()) values[0] = first_parameter;
    return descriptor.create(values);
}

class EveryBroadPhase : public testing::TestWithParam<const BroadPhaseDescriptor*> {};

INSTANTIATE_TEST_SUITE_P(Registry, EveryBroadPhase,
                         testing::ValuesIn(broad_phases().begin(), broad_phases().end()),
                         [](const auto& row) { return std::string(row.param->id); });

/// The structure of a tree, of a hierarchy and of a sweep on one axis depends on past updates. For these,
/// only the pairs equal those of a rebuild.
bool depends_on_history(const BroadPhaseDescriptor& descriptor, double first_parameter) {
    const std::string id = descriptor.id;
    return id == "tree" || id == "hierarchy" || (id == "sweep" && first_parameter < 1);
}

/// The bodies and boxes of the structure under test.
struct Model {
    std::vector<Aabb> boxes;
    std::set<std::uint32_t> present;
    std::vector<std::uint32_t> moved;
};

/// Inserts, removes and moves at random. `moved` contains every present slot that changed, in random order.
void random_step(Random& random, Model& model, BroadPhase& phase, double extent) {
    model.moved.clear();
    std::set<std::uint32_t> moved;
    const double move_probability = random.uniform();
    for (std::uint32_t slot = 0; slot < model.boxes.size(); ++slot) {
        const double dice = random.uniform();
        const bool here = model.present.count(slot) > 0;
        if (!here && dice < 0.2) {
            model.boxes[slot] = random_box(random, extent);
            phase.insert(slot);
            model.present.insert(slot);
            moved.insert(slot);
        } else if (here && dice < 0.05) {
            phase.remove(slot);
            model.present.erase(slot);
        } else if (here && dice < move_probability) {
            Aabb& box = model.boxes[slot];
            if (random.below(8) == 0) {
                box = random_box(random, extent);
            } else if (random.below(2) == 0) {
                const Vec3f step = cast<float>(0.3 * random.unit_vector());
                box.min += step;
                box.max += step;
            }
            moved.insert(slot);
        }
    }
    model.moved.assign(moved.begin(), moved.end());
    for (std::size_t i = model.moved.size(); i > 1; --i)
        std::swap(model.moved[i - 1], model.moved[random.below(i)]);
}

TEST_P(EveryBroadPhase, finds_exactly_the_overlapping_pairs_with_a_moved_body_APP_broad_panel) {
    for (const double parameter : {0.0, 0.01, 0.7, 5.0, 1000.0})
        for (const double extent : {3.0, 12.0}) {
            const auto phase = create(*GetParam(), parameter);
            const auto executor = make_serial_executor();
            Random random(42 + static_cast<std::uint64_t>(extent));
            Model model;
            model.boxes.resize(150);
            std::vector<PairKey> found{1, 2, 3};
            std::size_t pairs = 0;
            for (int step = 0; step < 60; ++step) {
                random_step(random, model, *phase, extent);
                phase->update(model.moved, model.boxes, *executor);
                phase->find_pairs(model.moved, model.boxes, *executor, found);
                ASSERT_EQ(found, expected_pairs(model.boxes, model.present, model.moved))
                    << "parameter " << parameter << " step " << step;
                pairs += found.size();
            }
            EXPECT_GT(pairs, 1000u);
        }
}

TEST_P(EveryBroadPhase, does_not_depend_on_the_executor) {
    const auto one = create(*GetParam()), many = create(*GetParam());
    const auto serial = make_serial_executor(), threads = make_thread_executor(3);
    Random random_one(7), random_many(7);
    Model model_one, model_many;
    model_one.boxes.resize(300);
    model_many.boxes.resize(300);
    std::vector<PairKey> found_one, found_many;
    for (int step = 0; step < 30; ++step) {
        random_step(random_one, model_one, *one, 10);
        random_step(random_many, model_many, *many, 10);
        one->update(model_one.moved, model_one.boxes, *serial);
        many->update(model_many.moved, model_many.boxes, *threads);
        one->find_pairs(model_one.moved, model_one.boxes, *serial, found_one);
        many->find_pairs(model_many.moved, model_many.boxes, *threads, found_many);
        ASSERT_EQ(found_one, found_many);
        ASSERT_EQ(one->counts().raw_candidates, many->counts().raw_candidates);
    }
}

StructureView view_of(const BroadPhase& phase, std::uint32_t limit = 100000) {
    StructureView view;
    view.begin({limit});
    phase.view(view);
    return view;
}

std::vector<ViewBox> sorted_view(const BroadPhase& phase) {
    const StructureView view = view_of(phase);
    std::vector<ViewBox> boxes(view.boxes().begin(), view.boxes().end());
    std::sort(boxes.begin(), boxes.end(), [](const ViewBox& a, const ViewBox& b) {
        return std::tie(a.box.min.x, a.box.min.y, a.box.min.z, a.level) <
               std::tie(b.box.min.x, b.box.min.y, b.box.min.z, b.level);
    });
    return boxes;
}

TEST_P(EveryBroadPhase, structure_after_random_changes_equals_a_rebuild) {
    for (const double parameter : {0.3, 1.0, 4.0}) {
        const auto phase = create(*GetParam(), parameter);
        const auto executor = make_serial_executor();
        Random random(99);
        Model model;
        model.boxes.resize(200);
        for (int step = 0; step < 120; ++step) {
            random_step(random, model, *phase, 8);
            phase->update(model.moved, model.boxes, *executor);
        }
        const auto rebuilt = create(*GetParam(), parameter);
        for (const std::uint32_t slot : model.present) rebuilt->insert(slot);
        const std::vector<std::uint32_t> all(model.present.begin(), model.present.end());
        rebuilt->update(all, model.boxes, *executor);

        std::vector<PairKey> found, found_rebuilt;
        phase->find_pairs(all, model.boxes, *executor, found);
        rebuilt->find_pairs(all, model.boxes, *executor, found_rebuilt);
        EXPECT_EQ(found, found_rebuilt);
        if (depends_on_history(*GetParam(), parameter)) continue;
        EXPECT_EQ(phase->counts().raw_candidates, rebuilt->counts().raw_candidates);
        EXPECT_EQ(sorted_view(*phase), sorted_view(*rebuilt));
    }
}

TEST_P(EveryBroadPhase, every_choice_and_toggle_finds_the_same_pairs_and_equals_a_rebuild) {
    const std::span<const Parameter> table = GetParam()->parameters;
    const auto executor = make_serial_executor();
    for (std::size_t parameter = 0; parameter < table.size(); ++parameter) {
        if (table[parameter].kind != ParameterKind::choice && table[parameter].kind != ParameterKind::toggle)
            continue;
        for (double value = table[parameter].min; value <= table[parameter].max; ++value) {
            ParameterValues values = default_values(table);
            values[0] = 4;  // no automatic choice: a rebuild has the same cells
            values[parameter] = value;
            const auto phase = GetParam()->create(values), rebuilt = GetParam()->create(values);
            Random random(21);
            Model model;
            model.boxes.resize(120);
            std::vector<PairKey> found;
            for (int step = 0; step < 60; ++step) {
                random_step(random, model, *phase, 6);
                phase->update(model.moved, model.boxes, *executor);
                phase->find_pairs(model.moved, model.boxes, *executor, found);
                ASSERT_EQ(found, expected_pairs(model.boxes, model.present, model.moved))
                    << table[parameter].id << " " << value << " step " << step;
            }
            const std::vector<std::uint32_t> all(model.present.begin(), model.present.end());
            for (const std::uint32_t slot : all) rebuilt->insert(slot);
            rebuilt->update(all, model.boxes, *executor);
            rebuilt->find_pairs(all, model.boxes, *executor, found);
            phase->find_pairs(all, model.boxes, *executor, found);
            EXPECT_EQ(found, expected_pairs(model.boxes, model.present, all));
            if (depends_on_history(*GetParam(), values[0])) continue;
            EXPECT_EQ(phase->counts().raw_candidates, rebuilt->counts().raw_candidates)
                << table[parameter].id << " " << value;
        }
    }
}

TEST_P(EveryBroadPhase, touching_boxes_are_a_pair_and_boxes_one_ulp_apart_are_not) {
    const auto phase = create(*GetParam());
    const auto executor = make_serial_executor();
    for (const float x : {-3.0f, -1.0f, 0.0f, 0.1f, 1.0f, 1e6f, 1e12f}) {
        std::vector<Aabb> boxes(3);
        boxes[0] = {{x - 1e13f, 0, 0}, {x, 1, 1}};
        boxes[1] = {{x, 1, 1}, {x + 1e13f, 2, 2}};
        boxes[2] = {{std::nextafter(x, 1e20f), 0, 0}, {x + 1e13f, 0.5f, 0.5f}};
        for (std::uint32_t slot = 0; slot < 3; ++slot) phase->insert(slot);
        const std::vector<std::uint32_t> moved{2, 0, 1};
        std::vector<PairKey> found;
        phase->update(moved, boxes, *executor);
        phase->find_pairs(moved, boxes, *executor, found);
        EXPECT_EQ(found, std::vector<PairKey>{make_pair_key(0, 1)}) << x;
        for (std::uint32_t slot = 0; slot < 3; ++slot) phase->remove(slot);
    }
}

TEST_P(EveryBroadPhase, removed_bodies_are_not_found_and_removing_them_again_is_ignored) {
    const auto phase = create(*GetParam());
    const auto executor = make_serial_executor();
    std::vector<Aabb> boxes(40, box_at({}, 1, 1, 1));
    std::vector<PairKey> found;
    for (std::uint32_t slot = 0; slot < 40; ++slot) phase->insert(slot);
    phase->remove(1000);
    for (std::uint32_t slot = 0; slot < 40; slot += 2) phase->remove(slot);
    for (std::uint32_t slot = 0; slot < 40; slot += 2) phase->remove(slot);
    const std::vector<std::uint32_t> moved{1, 3, 5};
    phase->update(moved, boxes, *executor);
    phase->find_pairs(moved, boxes, *executor, found);
    EXPECT_EQ(found.size(), 3u * 17 + 3);  // three moved bodies with 17 others, and with each other
    phase->find_pairs({}, boxes, *executor, found);
    EXPECT_TRUE(found.empty());
}

TEST(BroadPhaseRegistry, ids_are_unique_and_found) {
    std::set<std::string> ids;
    for (const BroadPhaseDescriptor* entry : broad_phases()) {
        EXPECT_TRUE(ids.insert(entry->id).second);
        EXPECT_EQ(find_broad_phase(entry->id), entry);
        EXPECT_NE(entry->create, nullptr);
    }
    EXPECT_EQ(find_broad_phase("nothing"), nullptr);
    EXPECT_NE(find_broad_phase("grid"), nullptr);
    EXPECT_NE(find_broad_phase("all_pairs"), nullptr);
}

std::unique_ptr<BroadPhase> create_grid(double cell_size, bool doubly_indexed, bool exit_when_same = true) {
    const BroadPhaseDescriptor& descriptor = *find_broad_phase("grid");
    ParameterValues values = default_values(descriptor.parameters);
    values[find_parameter(descriptor.parameters, "cell_size")] = cell_size;
    values[find_parameter(descriptor.parameters, "pointers")] = doubly_indexed ? 1 : 0;
    values[find_parameter(descriptor.parameters, "exit_when_same")] = exit_when_same ? 1 : 0;
    return descriptor.create(values);
}

TEST(Grid, Z_5_4_3_same_body_that_stays_in_its_cells_changes_nothing) {
    for (const bool doubly_indexed : {false, true})
        for (const bool exit : {true, false}) {
            const auto grid = create_grid(1.0, doubly_indexed, exit);
            const auto executor = make_serial_executor();
            std::vector<Aabb> boxes{box_at({0.5, 0.5, 0.5}, 0.2, 0.2, 0.2),
                                    box_at({5.5, 0.5, 0.5}, 0.2, 0.2, 0.2)};
            grid->insert(0);
            grid->insert(1);
            const std::vector<std::uint32_t> moved{0, 1};
            grid->update(moved, boxes, *executor);
            EXPECT_EQ(grid->counts().cells_changed, 2u);
            boxes[0] = box_at({0.6, 0.4, 0.6}, 0.2, 0.2, 0.2);  // stays in its cell
            boxes[1] = box_at({5.9, 0.5, 0.5}, 0.2, 0.2, 0.2);  // enters another cell
            grid->update(moved, boxes, *executor);
            EXPECT_EQ(grid->counts().unchanged, exit ? 1u : 0u);
            EXPECT_EQ(grid->counts().cells_changed, 1u);
            boxes[1] = box_at({6.5, 0.5, 0.5}, 0.2, 0.2, 0.2);  // leaves the first cell
            grid->update(moved, boxes, *executor);
            EXPECT_EQ(grid->counts().cells_changed, 1u);
        }
}

TEST(Grid, Z_5_5_grid_bodies_are_in_the_cells_of_their_boxes_and_a_move_changes_the_difference) {
    using Cell = std::tuple<int, int, int>;
    const auto cells_of = [](const Aabb& box) {
        std::set<Cell> out;
        const auto cell = [](float x) { return static_cast<int>(std::floor(x / 0.5f)); };
        for (int x = cell(box.min.x); x <= cell(box.max.x); ++x)
            for (int y = cell(box.min.y); y <= cell(box.max.y); ++y)
                for (int z = cell(box.min.z); z <= cell(box.max.z); ++z) out.emplace(x, y, z);
        return out;
    };
    for (const bool doubly_indexed : {false, true}) {
        const auto grid = create_grid(0.5, doubly_indexed);
        const auto executor = make_serial_executor();
        Random random(31);
        std::vector<Aabb> boxes;
        std::vector<std::uint32_t> moved;
        for (std::uint32_t slot = 0; slot < 60; ++slot) {
            const double half_x = random.uniform(0, 1);
            boxes.push_back(box_at(3.0 * random.unit_vector(), half_x, 0.4, 0.7));
            grid->insert(slot);
            moved.push_back(slot);
        }
        const std::set<std::uint32_t> present(moved.begin(), moved.end());
        std::vector<PairKey> found;
        grid->update(moved, boxes, *executor);
        for (int step = 0; step < 100; ++step) {
            std::size_t changed = 0;
            std::set<Cell> occupied;
            for (Aabb& box : boxes) {
                const std::set<Cell> before = cells_of(box);
                const Vec3f to = cast<float>(0.3 * random.unit_vector());
                box.min += to;
                box.max += to;
                const std::set<Cell> after = cells_of(box);
                for (const Cell& cell : before) changed += after.count(cell) == 0;
                for (const Cell& cell : after) changed += before.count(cell) == 0;
                occupied.insert(after.begin(), after.end());
            }
            grid->update(moved, boxes, *executor);
            grid->find_pairs(moved, boxes, *executor, found);
            ASSERT_EQ(found, expected_pairs(boxes, present, moved));
            EXPECT_EQ(grid->counts().cells_changed, changed);
            EXPECT_EQ(view_of(*grid).boxes().size(), occupied.size());
        }
    }
}

TEST(Grid, Z_5_5_overkill_double_indices_are_consistent_after_a_hundred_thousand_operations) {
    LinkedCellTable linked;
    CellTable plain;
    Random random(32);
    const auto cells_of = [](const auto& table) {
        std::map<CellKey, std::multiset<std::uint32_t>> out;
        table.for_each_cell([&](CellKey key, std::uint32_t bodies) {
            table.for_each(key, [&](std::uint32_t slot) { out[key].insert(slot); });
            EXPECT_EQ(out[key].size(), bodies);
        });
        return out;
    };
    std::vector<CellBox> boxes(50);
    std::vector<bool> present(boxes.size(), false);
    std::uint64_t operations = 0;
    for (int step = 0; operations < 100000; ++step) {
        const auto slot = static_cast<std::uint32_t>(random.below(boxes.size()));
        CellBox to;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            to.low[axis] = static_cast<std::int32_t>(random.below(12)) - 6;
            to.high[axis] = to.low[axis] + static_cast<std::int32_t>(random.below(4));
        }
        const bool leaves = random.below(8) == 0;
        if (present[slot]) {
            const std::uint64_t removed =
                leaves ? linked.remove_all(slot, boxes[slot]) : linked.remove_outside(slot, boxes[slot], to);
            EXPECT_EQ(removed, leaves ? plain.remove_all(slot, boxes[slot])
                                      : plain.remove_outside(slot, boxes[slot], to));
            operations += removed;
        }
        if (!leaves)
            to.for_each([&](auto x, auto y, auto z) {
                if (present[slot] && boxes[slot].contains(x, y, z)) return;
                linked.add(make_cell_key(x, y, z), slot);
                plain.add(make_cell_key(x, y, z), slot);
                ++operations;
            });
        present[slot] = !leaves;
        boxes[slot] = to;
        if (step % 100 == 0) {
            ASSERT_TRUE(linked.is_consistent()) << "step " << step;
            ASSERT_EQ(cells_of(linked), cells_of(plain)) << "step " << step;
        }
    }
    EXPECT_TRUE(linked.is_consistent());
    EXPECT_EQ(cells_of(linked), cells_of(plain));
    for (std::uint32_t slot = 0; slot < boxes.size(); ++slot)
        if (present[slot]) linked.remove_all(slot, boxes[slot]);
    EXPECT_TRUE(linked.is_consistent());
    EXPECT_TRUE(cells_of(linked).empty());
}

TEST(Grid, automatic_cell_size_adapts_to_the_size_of_the_bodies) {
    for (const double size : {1e-3, 1.0, 1e4}) {
        const auto grid = create(*find_broad_phase("grid"));
        const auto executor = make_serial_executor();
        Random random(3);
        std::vector<Aabb> boxes;
        std::vector<std::uint32_t> moved;
        for (std::uint32_t slot = 0; slot < 1000; ++slot) {
            const Vec3d centre{random.uniform(0, 20 * size), random.uniform(0, 20 * size),
                               random.uniform(0, 20 * size)};
            boxes.push_back(box_at(centre, size / 2, size / 2, size / 2));
            grid->insert(slot);
            moved.push_back(slot);
        }
        std::vector<PairKey> found;
        grid->update(moved, boxes, *executor);
        grid->find_pairs(moved, boxes, *executor, found);
        EXPECT_LT(grid->counts().raw_candidates, 20000u) << size;  // all pairs: 499,500
        EXPECT_GT(found.size(), 100u);
    }
}

TEST(Grid, APP_param_panel_cell_size_changes_the_work_and_not_the_pairs) {
    const auto executor = make_serial_executor();
    std::vector<std::vector<PairKey>> found;
    std::vector<std::uint64_t> raw, cells;
    for (const double size : {0.5, 2.0, 50.0}) {
        const auto grid = create(*find_broad_phase("grid"), size);
        Random random(8);
        std::vector<Aabb> boxes;
        std::vector<std::uint32_t> moved;
        for (std::uint32_t slot = 0; slot < 400; ++slot) {
            boxes.push_back(
                box_at({random.uniform(1, 10), random.uniform(1, 10), random.uniform(1, 10)}, 0.5, 0.5, 0.5));
            grid->insert(slot);
            moved.push_back(slot);
        }
        found.emplace_back();
        grid->update(moved, boxes, *executor);
        grid->find_pairs(moved, boxes, *executor, found.back());
        raw.push_back(grid->counts().raw_candidates);
        cells.push_back(grid->counts().cells_changed);
    }
    EXPECT_EQ(found[0], found[1]);
    EXPECT_EQ(found[1], found[2]);
    EXPECT_GT(cells[0], 2 * cells[1]);
    EXPECT_EQ(cells[2], 400u);
    EXPECT_EQ(raw[2], 400u * 399 / 2);
    EXPECT_LT(raw[1], raw[2] / 4);
}

TEST(Grid, few_and_many_moved_bodies_find_the_same_pairs) {
    // Few moved bodies look up their cells, many cause a loop over the table. Tests both, with large bodies.
    const auto grid = create(*find_broad_phase("grid"), 1.0);
    const auto executor = make_serial_executor();
    Random random(12);
    std::vector<Aabb> boxes;
    std::vector<std::uint32_t> all;
    std::set<std::uint32_t> present;
    for (std::uint32_t slot = 0; slot < 300; ++slot) {
        boxes.push_back(random_box(random, 6));
        grid->insert(slot);
        all.push_back(slot);
        present.insert(slot);
    }
    grid->update(all, boxes, *executor);
    std::vector<PairKey> found;
    for (const std::size_t count : {1u, 10u, 70u, 74u, 75u, 76u, 200u, 300u}) {
        const std::vector<std::uint32_t> moved(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count));
        grid->find_pairs(moved, boxes, *executor, found);
        EXPECT_EQ(found, expected_pairs(boxes, present, moved)) << count;
    }
}

TEST(Grid, crowded_cells_grow_and_shrink) {
    const auto grid = create(*find_broad_phase("grid"), 1000.0);
    const auto executor = make_serial_executor();
    std::vector<Aabb> boxes;
    std::vector<std::uint32_t> moved;
    std::vector<PairKey> found;
    Random random(5);
    for (std::uint32_t slot = 0; slot < 500; ++slot) {
        boxes.push_back(
            box_at({random.uniform(1, 99), random.uniform(1, 99), random.uniform(1, 99)}, 4, 4, 4));
        grid->insert(slot);
        moved.push_back(slot);
    }
    std::set<std::uint32_t> present(moved.begin(), moved.end());
    while (!moved.empty()) {
        grid->update(moved, boxes, *executor);
        grid->find_pairs(moved, boxes, *executor, found);
        ASSERT_EQ(found, expected_pairs(boxes, present, moved));
        for (int i = 0; i < 50; ++i) {
            const std::size_t at = random.below(moved.size());
            grid->remove(moved[at]);
            present.erase(moved[at]);
            moved.erase(moved.begin() + static_cast<std::ptrdiff_t>(at));
        }
    }
    grid->update(moved, boxes, *executor);
    EXPECT_TRUE(view_of(*grid, 10).boxes().empty());
}

}  // namespace
}  // namespace claybox::collision
