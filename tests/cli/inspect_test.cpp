#include "tests/cli/support.hpp"
#include "tests/support/truth.hpp"

#include <gtest/gtest.h>

namespace claybox::test {
namespace {

TEST(Inspect, describes_every_mesh_as_the_ground_truth_does) {
    const std::vector<nlohmann::json> truth = truth_lines("inspect.jsonl");
    ASSERT_GT(truth.size(), 10u);
    for (const nlohmann::json& expected : truth) {
        const std::string mesh = expected.at("mesh").get<std::string>();
        const Outcome outcome = run_here({"inspect", (truth_dir() / "meshes" / mesh).string(), "--json"});
        ASSERT_EQ(outcome.status, 0) << mesh << outcome.err;
        const auto found = nlohmann::json::parse(outcome.out);
        for (const auto& field : expected.items()) {
            if (field.key() == "mesh") continue;
            EXPECT_EQ(found.at(field.key()), field.value()) << mesh << ' ' << field.key();
        }
        EXPECT_EQ(found.at("defects").size(), found.at("defect_count").get<std::size_t>()) << mesh;
    }
}

TEST(Inspect, text_output_names_defects_and_lists_twenty) {
    const Folder folder("inspect");
    std::string text = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    for (int i = 0; i < 30; ++i) text += "f 1 2 3\n";
    const Outcome outcome = run_here({"inspect", folder.write("stack.obj", text)});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_NE(outcome.out.find("duplicate_polygon: polygon 1"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find(" more; --json lists them"), std::string::npos) << outcome.out;
    EXPECT_EQ(outcome.err, "");
}

TEST(Inspect, text_and_json_name_place_and_suspects_of_a_defect) {
    const Folder folder("suspects");
    // A box without lid; its third wall is inside out.
    const std::string box =
        folder.write("box.obj",
                     "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
                     "f 4 3 2 1\nf 1 2 6 5\nf 2 3 7 6\nf 3 7 8 4\nf 4 1 5 8\n");
    const auto found = nlohmann::json::parse(run_here({"inspect", box, "--json"}).out);
    EXPECT_EQ(found.at("oriented"), false);
    int flipped = 0;
    for (const auto& defect : found.at("defects")) {
        if (defect.at("kind") != "flipped_edge") continue;
        ++flipped;
        EXPECT_EQ(defect.at("suspects").size(), 2u);
        EXPECT_TRUE(defect.at("suspects")[0] == 3 || defect.at("suspects")[1] == 3) << defect;
        EXPECT_EQ(defect.at("where").get<std::string>().substr(0, 5), "edge ");
    }
    EXPECT_EQ(flipped, 3);
    const std::string text = run_here({"inspect", box}).out;
    EXPECT_NE(text.find("flipped_edge: edge 2-6; suspects: polygons 2 and 3"), std::string::npos) << text;
    EXPECT_NE(text.find("boundary_edge: edge 4-5; suspects: polygon 1"), std::string::npos) << text;
}

TEST(Inspect, reports_star_shapes_holes_and_bends) {
    const auto meshes = truth_dir() / "meshes";
    const auto inspected = [&](const char* mesh) {
        return nlohmann::json::parse(run_here({"inspect", (meshes / mesh).string(), "--json"}).out);
    };
    EXPECT_EQ(inspected("star.obj").at("star_shaped"), true);
    EXPECT_EQ(inspected("gear.obj").at("star_shaped"), true);
    EXPECT_EQ(inspected("spring.obj").at("star_shaped"), false);
    EXPECT_EQ(inspected("dirty_keyhole_plate.obj").at("keyhole_polygons"), 1);
    EXPECT_EQ(inspected("lshape_ngon.obj").at("keyhole_polygons"), 0);
    EXPECT_EQ(inspected("cube.obj").at("largest_bend"), 0.0);
    const Folder folder("bend");
    const std::string bent = folder.write("bent.obj", "v 0 0 0\nv 1 0 0\nv 1 1 1\nv 0 1 0\nf 1 2 3 4\n");
    EXPECT_NE(run_here({"inspect", bent}).out.find("Largest bend      0.2"), std::string::npos);
}

TEST(Inspect, result_does_not_depend_on_the_file_format) {
    const Folder folder("formats");
    const std::string off =
        folder.write("t.off", "OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 0 3 2\n");
    const std::string obj =
        folder.write("t.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n");
    const Outcome a = run_here({"inspect", off, "--json"}), b = run_here({"inspect", obj, "--json"});
    EXPECT_EQ(a.status, 0) << a.err;
    EXPECT_EQ(a.out, b.out);
    EXPECT_EQ(nlohmann::json::parse(a.out).at("genus"), 0);
}

}  // namespace
}  // namespace claybox::test
