// The commands, scene files and query lines of the documentation work as they stand there. C++, CMake and
// Python have tests of their own.
#include "tests/cli/support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

namespace claybox::test {
namespace {

namespace fs = std::filesystem;
const fs::path kSource = CLAYBOX_SOURCE_DIR;

struct Block {
    std::string page;
    std::vector<std::string> lines;
};

/// The fenced blocks without a language.
void add_blocks(const fs::path& file, std::vector<Block>& out) {
    std::ifstream in(file);
    ASSERT_TRUE(in) << file;
    bool inside = false, plain = false;
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with("```")) {
            inside = !inside;
            plain = inside && line == "```";
            if (plain) out.push_back({file.string(), {}});
        } else if (plain) {
            out.back().lines.push_back(line);
        }
    }
    EXPECT_FALSE(inside) << file << ": a block has no end";
}

std::vector<Block> all_blocks() {
    std::vector<Block> out;
    add_blocks(kSource / "README.md", out);
    for (const auto& entry : fs::recursive_directory_iterator(kSource / "docs"))
        if (entry.path().extension() == ".md") add_blocks(entry.path(), out);
    return out;
}

std::vector<Block> blocks_that_begin_with(const std::string& start) {
    std::vector<Block> out = all_blocks();
    std::erase_if(out, [&](const Block& block) {
        return block.lines.empty() || !block.lines.front().starts_with(start);
    });
    return out;
}

/// The words after `claybox`, or after the script that starts it; none for other lines.
std::vector<std::string> words_of_command(const std::string& line) {
    std::istringstream stream(line);
    std::vector<std::string> words{std::istream_iterator<std::string>(stream), {}};
    if (words.empty()) return {};
    const bool is_command = words[0] == "claybox" || words[0] == "./scripts/run";
    if (words[0] == "./scripts/bench")
        words[0] = "bench";
    else if (is_command)
        words.erase(words.begin());
    else
        words.clear();
    return words;
}

TEST(Documentation, commands_use_switches_that_exist) {
    const std::vector<std::string> commands{"run", "replay", "query", "inspect", "bench", "list"};
    std::map<std::string, std::vector<std::string>> known;
    std::size_t seen = 0;
    for (const Block& block : all_blocks()) {
        for (const std::string& line : block.lines) {
            const std::vector<std::string> words = words_of_command(line);
            if (words.empty()) continue;
            const bool named = std::find(commands.begin(), commands.end(), words[0]) != commands.end();
            const std::string command = named ? words[0] : "";
            if (!known.contains(command)) known[command] = switches_of(command);
            for (const std::string& word : words) {
                if (!word.starts_with("--")) continue;
                const auto& switches = known[command];
                EXPECT_NE(std::find(switches.begin(), switches.end(), word), switches.end())
                    << block.page << ": " << line << ": there is no " << word;
                ++seen;
            }
        }
    }
    EXPECT_GT(seen, 40u);
}

TEST(Documentation, scene_files_are_read) {
    const Folder folder("documented-scenes");
    std::ifstream mesh(kSource / "assets" / "meshes" / "ring.obj", std::ios::binary);
    folder.write("my.obj", {std::istreambuf_iterator<char>(mesh), {}});
    const std::vector<Block> blocks = blocks_that_begin_with("claybox_scene");
    EXPECT_GE(blocks.size(), 2u);
    for (const Block& block : blocks) {
        std::string text;
        for (const std::string& line : block.lines) text += line + '\n';
        const std::string file = folder.write("a.scene", text);
        const Outcome outcome = run_here({"run", "--scene", file, "--headless", "--frames", "1"});
        EXPECT_EQ(outcome.status, 0) << block.page << ": " << outcome.err << text;
    }
}

TEST(Documentation, query_lines_are_answered) {
    const Folder folder("documented-queries");
    const std::vector<Block> blocks = blocks_that_begin_with("{\"id\"");
    EXPECT_GE(blocks.size(), 1u);
    for (const Block& block : blocks) {
        std::string text;  // one query, in several lines to be readable
        for (const std::string& line : block.lines) text += line;
        const Outcome outcome = run_here({"query", folder.write("a.jsonl", text + '\n')});
        EXPECT_EQ(outcome.status, 0) << block.page << ": " << outcome.err << text;
        EXPECT_NE(outcome.out.find("\"verdict\":\"separated\""), std::string::npos) << outcome.out;
    }
}

}  // namespace
}  // namespace claybox::test
