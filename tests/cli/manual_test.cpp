// The manual page and the completion for bash, as an installed program prints them.
#include "app/scenes/scene.hpp"
#include "collision/pairwise/registry.hpp"
#include "tests/cli/support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>

namespace claybox::test {
namespace {

const std::vector<std::string> kCommands{"run", "replay", "query", "inspect", "bench", "list"};

TEST(Manual, names_every_command_and_switch) {
    const Outcome outcome = run_here({"manual"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.out.substr(0, 11), ".TH CLAYBOX");
    std::size_t seen = 0;
    for (const std::string& command : kCommands) {
        EXPECT_NE(outcome.out.find(".SS " + command + "\n"), std::string::npos) << command;
        for (std::string name : switches_of(command)) {
            if (name == "--help") continue;
            for (std::size_t at = 0; (at = name.find('-', at)) != std::string::npos; at += 2)
                name.insert(at, "\\");
            EXPECT_NE(outcome.out.find(name), std::string::npos) << command << ' ' << name;
            ++seen;
        }
    }
    EXPECT_GT(seen, 60u);
}

#ifndef _WIN32
/// What bash offers for the last of the words.
std::vector<std::string> completed(const Folder& folder, const std::string& words) {
    const Outcome script = run_here({"completion"});
    EXPECT_EQ(script.status, 0) << script.err;
    const std::string file = folder.write(
        "ask.sh",
        script.out + "COMP_WORDS=(" + words +
            ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_claybox\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n");
    std::string out;
    std::FILE* pipe = popen(("bash -u '" + file + "'").c_str(), "r");
    std::array<char, 4096> block{};
    while (const std::size_t n = std::fread(block.data(), 1, block.size(), pipe)) out.append(block.data(), n);
    EXPECT_EQ(pclose(pipe), 0) << words;
    return lines_of(out);
}

TEST(Completion, bash_offers_commands_switches_and_names) {
    const Folder folder("completion");
    using Words = std::vector<std::string>;
    EXPECT_EQ(completed(folder, "claybox rep"), Words{"replay"});
    EXPECT_EQ(completed(folder, "claybox run --head"), Words{"--headless"});
    EXPECT_EQ(completed(folder, "claybox run --exactness fa"), Words{"fast"});
    EXPECT_EQ(completed(folder, "claybox run --exactness fast --pair mesh_b"), Words{"mesh_bvh"});
    EXPECT_EQ(completed(folder, "claybox list sc"), Words{"scene"});
    EXPECT_EQ(completed(folder, "claybox inspect --j"), Words{"--json"});
    EXPECT_EQ(completed(folder, "claybox query --no"), Words{""});
    // Files are left to the shell.
    EXPECT_EQ(completed(folder, "claybox run --record ''"), Words{""});
    Words scenes;
    for (const app::SceneDescriptor* scene : app::scenes()) scenes.emplace_back(scene->id);
    EXPECT_EQ(completed(folder, "claybox --scene ''"), scenes);
}
#endif

}  // namespace
}  // namespace claybox::test
