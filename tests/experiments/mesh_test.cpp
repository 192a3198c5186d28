// The experiment `mesh`: rows, recorded answers, deformation, counts, tables. No check depends on times.

#include "bench/experiments/mesh/mesh_report.hpp"
#include "bench/streams/mesh_stream.hpp"
#include "collision/core/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace claybox::bench {
namespace {

using namespace collision;
using streams::DentStream;
using streams::JudgedStream;

MeshEffort small_effort() {
    MeshEffort out;
    out.contacts = 12;
    out.bodies = 4;
    out.frames = 6;
    out.dents = 4;
    out.dent_repeats = 1;
    out.max_repeats = out.min_repeats = 2;
    out.seconds = 0.05;
    return out;
}

MeshRow row_of(const std::string& name) {
    return mesh_rows({name}, {}, false).value().at(0);
}

TEST(MeshRows, patterns_select_rows_and_invalid_patterns_are_errors) {
    const std::vector<std::string> files{"bowl", "gear"};
    EXPECT_EQ(mesh_rows({}, {}, false).value().size(), 5u + 5u + 5u + 18u + 5u);
    EXPECT_EQ(mesh_rows({}, files, false).value().size(), 5u + 2u + 5u + 5u + 18u + 5u);
    EXPECT_EQ(mesh_rows({}, files, true).value().size(), 2u + 2u + 2u + 1u + 1u);
    EXPECT_EQ(mesh_rows({"contact"}, files, false).value().size(), 7u);
    EXPECT_EQ(mesh_rows({"contact/file"}, files, true).value().size(), 2u);
    EXPECT_EQ(mesh_rows({"*/torus"}, files, false).value().size(), 15u);
    EXPECT_EQ(mesh_rows({"moving", "moving/torus/1000"}, files, false).value().size(), 5u);
    for (const char* name :
         {"contact/sphere/500", "contact/file/gear", "deform/20000/50", "deform/1000000/25"})
        EXPECT_EQ(mesh_rows({name}, files, false).value().at(0).name(), name);
    EXPECT_EQ(row_of("deform/40000").moved, 100u);
    for (const char* bad :
         {"", "near", "contact/cube/1000", "contact/torus/49", "contact/torus/1000001",
          "contact/torus/1000.5", "contact/torus/1000/5", "contact/file/spoon", "deform/x", "deform/10000/0",
          "deform/10000/2/3", "contact/sphere", "moving/file/gear", "deform/torus/500"}) {
        const auto rows = mesh_rows({bad}, files, false);
        ASSERT_FALSE(rows.ok()) << bad;
        EXPECT_NE(rows.error().message.find("expected contact/SHAPE"), std::string::npos);
    }
}

TEST(MeshShapes, tori_and_flakes_are_closed_and_have_the_requested_triangles) {
    for (const char* name :
         {"contact/torus/1000", "contact/flake/864", "contact/flake/5184", "contact/sphere/2000"}) {
        const MeshRow row = row_of(name);
        const ShapePtr mesh = make_mesh(row).value();
        const auto count = static_cast<double>(mesh->topology().triangles.size());
        EXPECT_NEAR(count, row.triangles, row.shape == MeshShape::flake ? 0 : 0.1 * row.triangles);
        EXPECT_EQ(mesh->topology().polygon_count(), mesh->topology().triangles.size());
        std::size_t open = 0;
        for (const Edge& edge : mesh->topology().edges) open += edge.use_count % 2;
        EXPECT_EQ(open, 0u) << name;
        for (const Vec3f& v : mesh->geometry().positions) EXPECT_LE(length(v), 1.0001f);
    }
}

TEST(MeshStream, every_other_contact_collides_and_small_steps_change_most_answers) {
    const ShapePtr mesh = make_mesh(row_of("contact/torus/400")).value();
    const JudgedStream stream = streams::record_contacts(mesh, mesh, 20, 7).value();
    ASSERT_EQ(stream.queries.size(), 20u);
    Scratch scratch;
    const PairAlgorithm& plain = *find_pair_algorithm("edge_polygon");
    const auto collide = [&](const Matrix34f& a, const Matrix34f& b) {
        PairQuery query = make_pair_query(*mesh, a, *mesh, b, scratch);
        query.parameters = default_values(plain.parameters);
        PairCache cache;
        return run_query(plain, query, cache).verdict == Verdict::colliding;
    };
    Random random(3);
    int changed = 0;
    for (std::size_t i = 0; i < stream.queries.size(); ++i) {
        const streams::JudgedQuery& q = stream.queries[i];
        EXPECT_EQ(q.collides, i % 2 == 0);
        EXPECT_EQ(collide(q.world_from_a, q.world_from_b), q.collides);
        bool other = false;
        for (int step = 0; step < 60 && !other; ++step) {
            Matrix34f moved = q.world_from_b;
            const Vec3d by = 3 * streams::kContactGap * random.unit_vector();
            for (std::size_t k = 0; k < 3; ++k) moved.m[4 * k + 3] += static_cast<float>(by[k]);
            other = collide(q.world_from_a, moved) != q.collides;
        }
        changed += other ? 1 : 0;
    }
    EXPECT_GE(changed, 18);
}

TEST(MeshStream, bodies_in_a_narrow_cage_collide_separate_and_are_queried_every_frame) {
    const ShapePtr mesh = make_mesh(row_of("contact/torus/400")).value();
    const JudgedStream stream = streams::record_moving(mesh, 6, 20, 1, 1).value();
    EXPECT_EQ(stream.frames, 20u);
    std::size_t colliding = 0, fresh = 0;
    for (const streams::JudgedQuery& q : stream.queries) {
        colliding += q.collides ? 1 : 0;
        fresh += q.fresh ? 1 : 0;
    }
    EXPECT_GT(colliding, 0u);
    EXPECT_LT(colliding, stream.queries.size());
    EXPECT_LT(fresh, stream.queries.size() / 4);
}

TEST(MeshMeasure, own_algorithms_answer_exactly_and_libraries_mostly_correctly) {
    std::vector<Entry> entries = our_mesh_entries();
    ASSERT_FALSE(entries.empty());
    for (const Library& library : mesh_libraries()) {
        EXPECT_EQ(library.missing_reason.empty(), !library.entries.empty()) << library.missing_reason;
        entries.insert(entries.end(), library.entries.begin(), library.entries.end());
    }
    for (const char* name : {"contact/flake/144", "moving/torus/400"}) {
        const MeshRow row = row_of(name);
        const ShapePtr mesh = make_mesh(row).value();
        const JudgedStream stream = record_mesh_row(row, mesh, small_effort()).value();
        for (const PlayResult& r : measure(stream, entries, small_effort()).results) {
            if (!r.fits) continue;
            EXPECT_GT(r.answered, 0u) << r.entry->id;
            const PairAlgorithm* ours = r.entry->algorithm;
            const std::uint64_t allowed = ours == nullptr ? r.answered / 4 : ours->exact ? 0 : r.answered;
            EXPECT_LE(r.wrong + r.undecided, allowed) << r.entry->id << ' ' << name;
        }
    }
}

TEST(MeshDents, every_frame_moves_the_given_vertices_and_the_hand_collides_sometimes) {
    const DentStream stream = streams::record_dents(2000, 40, 12, 1).value();
    ASSERT_EQ(stream.parts.size(), streams::kHandParts);
    std::uint32_t any = 0, all = ~0u;
    for (const streams::DentFrame& frame : stream.frames) {
        EXPECT_EQ(frame.changes.size(), 40u);
        std::set<std::uint32_t> moved;
        for (const VertexChange& c : frame.changes) moved.insert(c.vertex);
        EXPECT_EQ(moved.size(), 40u);
        any |= frame.colliding_parts;
        all &= frame.colliding_parts;
    }
    EXPECT_NE(any, 0u);
    EXPECT_EQ(all, 0u);
}

/// Ignores all deformations.
class IgnoresChanges final : public DeformingContestant {
  public:
    void set_parts(std::span<const ShapePtr>) override {}
    void build(const ShapePtr&) override {}
    void load(const streams::DentFrame&) override {}
    void update() override {}
    std::uint32_t query() override { return 0; }
};

TEST(MeshDents, contestants_track_the_clay_and_wrong_answers_are_counted) {
    std::vector<DeformingEntry> entries = our_deforming_entries();
    for (const Library& library : mesh_libraries())
        entries.insert(entries.end(), library.deforming.begin(), library.deforming.end());
    entries.push_back(
        {"ignores_changes", "Ignores changes", false, [] { return std::make_unique<IgnoresChanges>(); }});
    MeshEffort effort = small_effort();
    effort.dents = 10;
    const DentRowResult row = measure_dents(row_of("deform/2000/40"), entries, effort).value();
    EXPECT_GT(row.colliding, 0u);
    for (const DentResult& r : row.results) {
        EXPECT_GT(r.answered, 0u);
        if (r.entry->id == "ignores_changes")
            EXPECT_EQ(r.wrong, row.colliding);
        else
            EXPECT_LE(r.wrong, r.entry->ours ? 0u : r.answered / 50) << r.entry->id;
    }
}

/// Own entries with these ids, in this order.
std::vector<Entry> chosen_of(const std::vector<std::string>& ids) {
    std::vector<Entry> out;
    for (const std::string& id : ids)
        for (const Entry& entry : our_mesh_entries())
            if (entry.id == id) out.push_back(entry);
    return out;
}

MeshRun run_of(const std::vector<Entry>& entries, const std::string& name) {
    MeshRun run;
    run.effort = small_effort();
    run.entries = entries;
    const MeshRow row = row_of(name);
    const ShapePtr mesh = make_mesh(row).value();
    MeshRowResult result;
    static_cast<StreamResult&>(result) =
        measure(record_mesh_row(row, mesh, run.effort).value(), run.entries, run.effort);
    result.row = row;
    result.triangles = mesh->topology().triangles.size();
    run.contacts.push_back(std::move(result));
    return run;
}

TEST(MeshReport, one_wrong_answer_of_claybox_fails_the_run_with_its_row) {
    MeshRun run = run_of(our_mesh_entries(), "contact/torus/400");
    EXPECT_EQ(report_mesh(run).failure, "");
    run.contacts[0].results[0].wrong = 1;
    const std::string failure = report_mesh(run).failure;
    EXPECT_NE(failure.find(run.entries[0].id), std::string::npos);
    EXPECT_NE(failure.find("contact/torus/400"), std::string::npos);
}

TEST(MeshReport, ratios_use_the_fastest_library_of_the_row) {
    std::vector<Entry> entries = chosen_of({"mesh_bvh"});
    ASSERT_EQ(entries.size(), 1u);
    for (const char* id : {"slow", "fast", "in_part"}) {
        entries.push_back(entries[0]);
        entries.back().id = id;
        entries.back().algorithm = nullptr;
        entries.back().load_per_query = id == std::string("in_part");
    }
    MeshRun run = run_of(entries, "contact/torus/400");
    const double ns[] = {1000, 9000, 5000, 900};
    for (std::size_t i = 0; i < 4; ++i) {
        run.contacts[0].results[i].all_ns = ns[i];
        run.contacts[0].results[i].spread = 0.1 * (static_cast<double>(i) + 1);
    }
    EXPECT_EQ(report_mesh(run).measurements.at(0).spread, 0.1);
    const std::string text = report_mesh(run).markdown;
    EXPECT_NE(text.find("| 1.00 | 5.00 | fast | 10 / 30 | 5.00 | 4 | yes | 0.90 |"), std::string::npos)
        << text;
    EXPECT_NE(text.find("1 of 1 targets are met."), std::string::npos);
    run.contacts[0].results[0].all_ns = 2000;
    EXPECT_NE(report_mesh(run).markdown.find("| fast | 10 / 30 | 2.50 | 4 | no |"), std::string::npos);
}

TEST(MeshReport, many_rows_are_split_into_tables_and_file_names_are_complete) {
    MeshRun run = run_of(chosen_of({"mesh_bvh"}), "contact/torus/400");
    const std::string long_name = "a_mesh_whose_name_is_longer_than_most";
    for (int i = 0; i < 13; ++i) {
        run.contacts.push_back(run.contacts[0]);
        run.contacts.back().row = {MeshPart::contact, MeshShape::file, 0, 0, long_name + std::to_string(i)};
    }
    const std::string text = report_mesh(run).markdown;
    std::size_t widest = 0, seen = 0;
    for (std::size_t at = 0, end = 0; at < text.size(); at = end + 1) {
        end = text.find('\n', at);
        const std::string line = text.substr(at, end - at);
        widest = std::max(widest, static_cast<std::size_t>(std::count(line.begin(), line.end(), '|')));
        for (int i = 0; i < 13; ++i)
            seen += line.find("| " + long_name + std::to_string(i) + " |") != std::string::npos ? 1 : 0;
    }
    EXPECT_LE(widest, 10u) << "nine columns, as in the table of ratios";
    EXPECT_EQ(seen, 2 * 13u) << "times and preparation";
}

TEST(MeshReport, Z_3_6_5_X4_threshold_is_the_first_row_from_which_on_box_tree_is_faster) {
    MeshRun run;
    run.threshold_entries = chosen_of({"edge_polygon", "box_tree"});
    ASSERT_EQ(run.threshold_entries.size(), 2u);
    const double ns[][2] = {{100, 200}, {500, 400}, {300, 400}, {900, 300}, {2000, 400}};
    const std::uint32_t polygons[] = {50, 100, 200, 300, 500};
    for (std::size_t i = 0; i < 5; ++i) {
        MeshRowResult row;
        row.row = row_of("threshold/torus/" + std::to_string(polygons[i]));
        for (std::size_t k = 0; k < 2; ++k) {
            PlayResult r;
            r.entry = &run.threshold_entries[k];
            r.all_ns = ns[i][k];
            row.results.push_back(r);
        }
        run.thresholds.push_back(std::move(row));
    }
    const std::string text = summarise_thresholds(run);
    EXPECT_NE(text.find("- torus: from 300 polygons (thesis: about 60)"), std::string::npos) << text;
}

TEST(MeshReport, targets_of_a_deforming_mesh_are_printed_with_measured_values) {
    MeshRun run;
    run.effort = small_effort();
    run.deforming = {{"mesh_bvh", "Ours", true, nullptr}};
    for (const char* name : {"deform/10000/25", "deform/1000000/25", "deform/1000000/2500"}) {
        DentRowResult row;
        row.row = row_of(name);
        row.results.push_back({&run.deforming[0], 900, 0.01, 0.02, 0.03, 0.25, 3, 48, 0});
        run.dents.push_back(row);
    }
    run.dents[1].results[0].frame_ms = 0.07;
    const std::string text = report_mesh(run).markdown;
    EXPECT_NE(text.find("2500 vertices moved, ms | 0.030 | < 0.25 | yes |"), std::string::npos) << text;
    EXPECT_NE(text.find("25 vertices moved | 2.33 | < 2 | no |"), std::string::npos) << text;
    EXPECT_NE(text.find("build of 1,000,000 triangles, ms | 900.0 | < 1000 | yes |"), std::string::npos);
    EXPECT_NE(text.find("0.010 + 0.020 = 0.030 (25 %)"), std::string::npos) << text;
}

}  // namespace
}  // namespace claybox::bench
