// The file of the hardest pair: `query` reads what the sandbox saves.

#include "app/session/pair_line.hpp"
#include "collision/pairwise/registry.hpp"
#include "tests/cli/support.hpp"
#include "tests/session/session_support.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace claybox::app {
namespace {

using nlohmann::json;

TEST(HardestPair, CW_7_hard_the_saved_pair_can_be_queried_again_and_has_its_k) {
    for (const char* id : {"gjk", "separating_plane", "lp_exact"}) {
        SessionOptions options = options_for("cage");
        set(options, "speed", 5);
        set(options, "rotation", 10);
        options.settings.pair_algorithm = collision::find_pair_algorithm(id);
        options.settings.pair_parameters =
            collision::default_values(options.settings.pair_algorithm->parameters);
        const auto session = start(options);
        run(*session, 60);
        const collision::HardestPair pair = session->world().hardest_pair();
        ASSERT_GT(pair.iterations, 0u);
        const std::string line = hardest_pair_line(pair);
        const json saved = json::parse(line);
        EXPECT_EQ(saved.at("k"), pair.iterations);
        EXPECT_EQ(saved.at("pair"), id);
        EXPECT_EQ(saved.at("parameters").size(), options.settings.pair_algorithm->parameters.size());

        const test::Folder folder("hardest_pair");
        const test::Outcome answered =
            test::run_here({"query", folder.write("hardest.jsonl", line), "--pair", id});
        ASSERT_EQ(answered.status, 0) << answered.err;
        const json answer = json::parse(answered.out);
        // The bodies are equal bit by bit, so a query with an empty cache has the same answer.
        collision::Scratch scratch;
        auto q = collision::make_pair_query(*pair.a, pair.world_from_a, *pair.b, pair.world_from_b, scratch);
        q.parameters = pair.parameters;
        collision::PairCache cache;
        const collision::PairResult direct = collision::run_query(*pair.algorithm, q, cache);
        EXPECT_EQ(answer.at("verdict"), collision::to_string(direct.verdict));
        EXPECT_EQ(answer.at("id"), saved.at("id"));
        EXPECT_GT(answer.at("iterations"), 0);
        EXPECT_EQ(saved.at("matrix_a").at(3).get<float>(), pair.world_from_a.m[3]);
    }
}

}  // namespace
}  // namespace claybox::app
