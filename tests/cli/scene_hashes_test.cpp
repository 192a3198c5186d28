// The same everywhere: tests/data/scene_hashes.txt holds the hash of every scene. The test runs on the
// machine that builds it; scripts/everywhere compares other compilers, processors and systems with the same
// file.

#include "app/scenes/scene.hpp"
#include "collision/simd/vector_target.hpp"
#include "tests/cli/support.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace claybox::test {
namespace {

struct KnownHash {
    std::string scene, frames, hash;
};

std::vector<KnownHash> known_hashes() {
    std::vector<KnownHash> out;
    std::ifstream in(CLAYBOX_TEST_DATA "/scene_hashes.txt");
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with('#')) continue;
        std::istringstream words(line);
        KnownHash known;
        words >> known.scene >> known.frames >> known.hash;
        out.push_back(known);
    }
    return out;
}

/// `before` and `after`: switches before and after the command.
void expect_known_hashes(const std::vector<std::string>& before, const std::vector<std::string>& after) {
    for (const KnownHash& known : known_hashes()) {
        std::vector<std::string> words = before;
        words.insert(words.end(),
                     {"run", "--headless", "--hash", "--scene", known.scene, "--frames", known.frames});
        words.insert(words.end(), after.begin(), after.end());
        const Outcome outcome = run_here(words);
        ASSERT_EQ(outcome.status, 0) << outcome.err;
        EXPECT_EQ(lines_of(outcome.out).back(), "hash " + known.hash) << known.scene;
    }
}

TEST(SceneHashes, the_file_names_every_scene_in_order) {
    const std::vector<KnownHash> known = known_hashes();
    ASSERT_EQ(known.size(), app::scenes().size());
    for (std::size_t i = 0; i < known.size(); ++i) EXPECT_EQ(known[i].scene, app::scenes()[i]->id);
}

TEST(SceneHashes, one_worker_gives_the_known_hashes) {
    expect_known_hashes({}, {});
}

TEST(SceneHashes, two_workers_give_the_known_hashes) {
    expect_known_hashes({}, {"--parallel", "pairs", "--workers", "2"});
}

TEST(SceneHashes, all_vector_instructions_give_the_known_hashes) {
    for (const std::string& name : collision::vector_targets()) {
        SCOPED_TRACE(name);
        expect_known_hashes({"--vectors", name}, {});
    }
    collision::choose_vector_target("");  // the best again
}

TEST(SceneHashes, list_vectors_shows_what_can_be_chosen) {
    const std::vector<std::string> lines = lines_of(run_here({"list", "vectors"}).out);
    const auto all = collision::vector_targets();
    ASSERT_EQ(lines.size(), all.size());
    for (std::size_t i = 0; i < all.size(); ++i) EXPECT_TRUE(lines[i].starts_with(all[i] + ' ')) << lines[i];
}

}  // namespace
}  // namespace claybox::test
