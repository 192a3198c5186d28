// Names on the command line: every registry entry is found by id and by title, in any case.

#include "app/cli/name_lookup.hpp"

#include "app/scenes/scene.hpp"
#include "bench/experiments/experiment.hpp"
#include "collision/continuous/registry.hpp"
#include "collision/module/world.hpp"
#include "collision/pairwise/registry.hpp"
#include "tests/cli/support.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <map>

namespace claybox::app {
namespace {

std::string upper(std::string text) {
    for (char& c : text)
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    return text;
}

/// The same name as some people type it: with '-' or ' ' for '_'.
std::string with_separator(std::string text, char separator) {
    for (char& c : text)
        if (c == '_' || c == ' ') c = separator;
    return text;
}

template <class Entry>
void expect_every_entry_is_found(std::span<const Entry* const> registry) {
    for (const Entry* entry : registry) {
        const std::string id = entry->id, title = entry->title;
        for (const std::string& name :
             {id, title, upper(id), upper(title), with_separator(id, '-'), with_separator(id, ' '),
              with_separator(title, '_'), ' ' + id + ' '}) {
            const auto found = entry_by_name("entry", name, registry);
            ASSERT_TRUE(found) << name << ": " << found.error().text();
            EXPECT_STREQ(found.value()->id, entry->id) << name;
        }
    }
}

/// No two entries share a normalised id or title.
template <class Entry>
void expect_no_collision(std::span<const Entry* const> registry) {
    std::map<std::string, std::string> owner;  // normalised name -> id
    for (const Entry* entry : registry)
        for (const char* name : {entry->id, entry->title}) {
            const std::string normalised = normalised_name(name);
            ASSERT_FALSE(normalised.empty()) << entry->id;
            const auto [at, fresh] = owner.emplace(normalised, entry->id);
            EXPECT_TRUE(fresh || at->second == entry->id)
                << name << " names both " << at->second << " and " << entry->id;
        }
}

TEST(NameLookup, every_registry_entry_is_found_by_id_and_title_in_any_case) {
    expect_every_entry_is_found(scenes());
    expect_every_entry_is_found(collision::pair_algorithms());
    expect_every_entry_is_found(collision::continuous_algorithms());
    expect_every_entry_is_found(collision::broad_phases());
    expect_every_entry_is_found(bench::experiments());
}

TEST(NameLookup, no_two_entries_of_a_registry_have_the_same_normalised_name) {
    expect_no_collision(scenes());
    expect_no_collision(collision::pair_algorithms());
    expect_no_collision(collision::continuous_algorithms());
    expect_no_collision(collision::broad_phases());
    expect_no_collision(bench::experiments());
}

TEST(NameLookup, normalisation_ignores_case_and_joins_separators) {
    EXPECT_EQ(normalised_name("box_tree"), "box_tree");
    EXPECT_EQ(normalised_name("Box-Tree"), "box_tree");
    EXPECT_EQ(normalised_name("  V -_ clip "), "v_clip");
    EXPECT_EQ(normalised_name(" - "), "");
}

TEST(NameLookup, the_title_of_a_scene_is_its_id_in_words) {
    for (const SceneDescriptor* scene : scenes()) EXPECT_EQ(normalised_name(scene->title), scene->id);
}

TEST(NameLookup, scene_and_algorithm_box_tree_have_the_same_name) {
    EXPECT_EQ(normalised_name(find_scene("box_tree")->title), "box_tree");
    EXPECT_EQ(normalised_name(collision::find_pair_algorithm("box_tree")->title), "box_tree");
}

TEST(NameLookup, an_equal_id_wins_over_a_title) {
    const NamedEntry entries[] = {{"first", "second"}, {"second", "third"}};
    EXPECT_EQ(find_name("second", entries), 1u);
    EXPECT_EQ(find_name("SECOND", entries), 0u);
    EXPECT_EQ(find_name("third", entries), 1u);
    EXPECT_EQ(find_name("fourth", entries), std::nullopt);
    EXPECT_EQ(find_name("", entries), std::nullopt);
}

TEST(NameLookup, a_typing_error_suggests_the_nearest_entry) {
    const NamedEntry entries[] = {{"solids", "Solids"}, {"cage", "Cage"}, {"box_tree", "Box tree"}};
    const auto suggestion = [&](const char* name) {
        const std::optional<std::size_t> nearest = nearest_name(name, entries);
        return std::string(nearest ? entries[*nearest].id : "");
    };
    EXPECT_EQ(suggestion("solidz"), "solids");
    EXPECT_EQ(suggestion("SOLID"), "solids");
    EXPECT_EQ(suggestion("cgae"), "cage");
    EXPECT_EQ(suggestion("boxtree"), "box_tree");
    EXPECT_EQ(suggestion("nonsense"), "");
    EXPECT_EQ(suggestion(""), "");
    EXPECT_EQ(unknown_name("scene", "solidz", entries).message,
              "unknown scene 'solidz': did you mean 'solids'? Expected one of solids, cage, box_tree");
    EXPECT_EQ(unknown_name("scene", "nonsense", entries).message,
              "unknown scene 'nonsense': expected one of solids, cage, box_tree");
    EXPECT_EQ(unknown_name("tool", "brush", {}).message, "unknown tool 'brush': none is built in");
}

using test::lines_of;
using test::Outcome;
using test::run_here;

TEST(Names, switches_accept_titles_in_any_case) {
    const auto run = [](std::vector<std::string> more) {
        more.insert(more.begin(), {"run", "--headless", "--frames", "2", "--json", "-"});
        const Outcome outcome = run_here(more);
        EXPECT_EQ(outcome.status, 0) << outcome.err;
        return nlohmann::json::parse(outcome.out);
    };
    const nlohmann::json out =
        run({"--scene", "BUTTON LAB", "--pair", "separating-vector", "--broad", "All Pairs", "--exactness",
             "FAST", "--parallel", "Pairs+HALVES", "--workers", "2"});
    EXPECT_EQ(out.at("scene"), "button_lab");
    EXPECT_EQ(out.at("pair"), "separating_vector");
    EXPECT_EQ(out.at("broad"), "all_pairs");
    EXPECT_EQ(run({"--scene", "Cage", "--set", "BODIES=13"}).at("bodies"), 13);
    EXPECT_EQ(run({"--broad", "Grid", "--set", "Cell size=0.5"}).at("hash"),
              run({"--broad", "grid", "--set", "cell_size=0.5"}).at("hash"));
    EXPECT_EQ(run_here({"list", "Broad phase", "--json"}).out, run_here({"list", "broad", "--json"}).out);
    EXPECT_EQ(run_here({"--log-level", "ERROR", "list", "Scene"}).status, 0);
    EXPECT_EQ(run_here({"bench", "LIST"}).status, 0);
}

TEST(Names, unknown_names_are_one_line_with_the_nearest_entry) {
    const struct {
        std::vector<std::string> arguments;
        const char* line;
    } wrong[] = {
        {{"run", "--headless", "--scene", "solidz"},
         "unknown scene 'solidz': did you mean 'solids'? Expected one of "},
        {{"run", "--headless", "--pair", "gjkk"},
         "unknown pair algorithm 'gjkk': did you mean 'gjk'? Expected one of "},
        {{"run", "--headless", "--broad", "octre"},
         "unknown broad phase 'octre': did you mean 'octree'? Expected one of "},
        {{"run", "--headless", "--parallel", "pairs+halfs"},
         "unknown parallel mode 'halfs': did you mean 'halves'? Expected serial, or some of pairs"},
        {{"run", "--headless", "--exactness", "exakt"},
         "unknown exactness 'exakt': did you mean 'exact'? Expected one of "},
        {{"run", "--headless", "--set", "bodys=3"},
         "unknown parameter 'bodys': did you mean 'bodies'? Expected one of "},
        {{"query", "-", "--pair", "v_clop"},
         "unknown pair algorithm 'v_clop': did you mean 'v_clip'? Expected one of "},
        {{"bench", "convx"}, "unknown experiment 'convx': did you mean 'convex'? Expected one of list, "},
        {{"list", "sceen"}, "unknown list 'sceen': did you mean 'scene'? Expected one of "},
        {{"--vectors", "abacus", "list", "pair"}, "unknown vector instructions 'abacus': expected one of "},
        {{"--log-level", "debgu", "list", "pair"},
         "unknown log level 'debgu': did you mean 'debug'? Expected one of "},
    };
    for (const auto& [arguments, line] : wrong) {
        const Outcome outcome = run_here(arguments);
        EXPECT_EQ(outcome.status, 2) << line;
        EXPECT_EQ(outcome.out, "");
        EXPECT_EQ(lines_of(outcome.err).size(), 1u) << outcome.err;
        EXPECT_NE(outcome.err.find(line), std::string::npos) << outcome.err;
    }
}

}  // namespace
}  // namespace claybox::app
