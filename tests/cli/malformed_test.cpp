// Broken files: `reject` means status 2 and one line, `accept` status 0, `either` one of both as decided
// below.

#include "tests/cli/support.hpp"
#include "tests/support/sanitizers.hpp"
#include "tests/support/truth.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#if defined(__linux__)
#include <sys/wait.h>
#endif

namespace claybox::test {
namespace {

/// Decisions for files that the index leaves open. True: loads.
const std::map<std::string, bool> kDecided = {
    {"overflow_coord.obj", false},  // above 2^60, where squares and products of three leave float32's range
    {"max_float.obj", false},       // above 2^60, too
    {"denormal.obj", true},         // subnormal numbers are valid
    {"forward_ref.obj", true},      // the vertices exist at the end of the file
    {"vertices_only.obj", false},   // a mesh without polygons has no surface
    {"nul_bytes.obj", false},       // a byte 0 is no text, and readers interpret it differently
    {"utf8_bom.obj", true},         // the mark is skipped
    {"cr_only.obj", true},          // line ends of old machines
    {"face_empty.obj", false},      // a face needs three vertices
    {"face_repeated.obj", true},    // a degenerate polygon is a defect that `inspect` names
    {"selfcrossing_polygon.obj", true},  // its triangulation defines it
    {"nonplanar_polygon.obj", true},     // its triangulation defines it, too
    {"polygon_50k.obj", true},           // polygons have any size
    {"collinear_all.obj", true},         // degenerate polygons
    {"same_point.obj", true},            // one vertex after merging
    {"line_continuation.obj", true},     // part of the format
    {"slashes.obj", true},               // a missing number after a slash does not affect the vertex
    {"vt_index_bad.obj", true},          // texture and normal indices are not used
    {"dup_keys.json", false},            // one of the two values would be ignored silently
    {"lone_surrogate.json", false},      // half a character
};

struct Entry {
    std::string file, expect;
};

std::vector<Entry> read_index(const std::filesystem::path& folder) {
    std::vector<Entry> entries;
    std::ifstream in(folder / "INDEX.tsv");
    std::string line;
    std::getline(in, line);
    while (std::getline(in, line)) {
        std::istringstream fields(line);
        Entry entry;
        std::string bytes;
        std::getline(fields, entry.file, '\t');
        std::getline(fields, bytes, '\t');
        std::getline(fields, entry.expect, '\t');
        entries.push_back(entry);
    }
    return entries;
}

/// Error lines: a query reports a bad line among its answers, every other command on standard error.
std::vector<std::string> error_lines(const Entry& entry, const Outcome& outcome) {
    std::vector<std::string> lines = lines_of(outcome.err);
    if (entry.file.ends_with(".json")) {
        for (const std::string& line : lines_of(outcome.out)) lines.push_back(line);
    }
    return lines;
}

void expect_as_decided(const Entry& entry, const Outcome& outcome) {
    const bool loads = entry.expect == "accept" || (entry.expect == "either" && kDecided.at(entry.file));
    EXPECT_EQ(outcome.status, loads ? 0 : 2) << entry.file << ": " << outcome.err;
    const std::vector<std::string> errors = error_lines(entry, outcome);
    EXPECT_EQ(errors.size(), loads ? 0u : 1u) << entry.file;
    if (loads || errors.empty()) return;
    const bool in_place = errors[0].starts_with("{\"line\":1,\"error\":\"");
    EXPECT_TRUE(in_place || errors[0].find(entry.file + ":") != std::string::npos) << errors[0];
}

std::vector<std::string> command_for(const std::filesystem::path& folder, const Entry& entry) {
    const std::string file = (folder / entry.file).string();
    if (entry.file.ends_with(".json")) return {"query", file};
    return {"inspect", file, "--json"};
}

TEST(Malformed, small_files_load_or_fail_as_listed) {
    const std::filesystem::path folder = truth_dir() / "malformed";
    const std::vector<Entry> entries = read_index(folder);
    ASSERT_GT(entries.size(), 50u);
    constexpr std::uintmax_t kSmall = 1 << 20;
    for (const Entry& entry : entries)
        if (std::filesystem::file_size(folder / entry.file) < kSmall)
            expect_as_decided(entry, run_here(command_for(folder, entry)));
}

TEST(Malformed, all_files_load_or_fail_as_listed_with_less_than_a_gigabyte) {
    const std::filesystem::path folder = truth_dir() / "malformed";
    const std::vector<Entry> entries = read_index(folder);
    ASSERT_GT(entries.size(), 50u);
    for (const Entry& entry : entries) {
        const Outcome outcome = run_program(command_for(folder, entry));
        expect_as_decided(entry, outcome);
#ifndef CLAYBOX_SANITIZED
        EXPECT_LT(outcome.peak_kilobytes, 1'000'000) << entry.file;
#endif
    }
}

#if defined(__linux__) && !defined(CLAYBOX_SANITIZED)

TEST(Malformed, exhausted_memory_is_an_error_in_one_line) {
    constexpr std::size_t kFaces = 10'000'000;
    std::string text =
        "ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty char x\nproperty char y\n"
        "property char z\nelement face " +
        std::to_string(kFaces) + "\nproperty list uchar uchar vertex_indices\nend_header\n" +
        std::string(9, '\0');
    for (std::size_t face = 0; face < kFaces; ++face) text.append("\3\0\1\2", 4);
    const Folder folder("exhausted");
    const std::string file = folder.write("large.ply", text);
    const std::string errors = folder.file("errors");
    // Only the shell and the program get the limit, in kilobytes of address space.
    const std::string command =
        "ulimit -v 400000; exec '" CLAYBOX_PROGRAM "' inspect '" + file + "' 2> '" + errors + "'";
    const int status = std::system(command.c_str());
    std::ostringstream text_of_errors;
    text_of_errors << std::ifstream(errors).rdbuf();
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 2) << text_of_errors.str();
    ASSERT_EQ(lines_of(text_of_errors.str()).size(), 1u) << text_of_errors.str();
    EXPECT_NE(text_of_errors.str().find("memory"), std::string::npos) << text_of_errors.str();
}

#endif

TEST(Malformed, a_broken_mesh_of_a_query_is_an_error) {
    const Folder folder("malformed_query");
    std::filesystem::copy_file(truth_dir() / "malformed/index_zero.obj", folder.file("bad.obj"));
    const std::string matrix = "[1,0,0,0,0,1,0,0,0,0,1,0]";
    const std::string query = folder.write(
        "q.jsonl", "{\"id\":1,\"a\":{\"mesh\":\"bad.obj\"},\"b\":{\"mesh\":\"bad.obj\"},\"matrix_a\":" +
                       matrix + ",\"matrix_b\":" + matrix + "}\n");
    const Outcome outcome = run_here({"query", query});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_NE(outcome.out.find("bad.obj:4: vertex index 0"), std::string::npos) << outcome.out;
}

}  // namespace
}  // namespace claybox::test
