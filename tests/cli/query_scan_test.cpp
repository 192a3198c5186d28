// The quick reader of query lines: what it reads equals what the strict one reads, for right and wrong lines.

#include "app/cli/commands/query_scan.hpp"

#include "collision/core/random.hpp"
#include "tests/support/truth.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <map>

namespace claybox::app {
namespace {

template <class T>
bool same_bytes(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

bool same(const QuerySide& a, const QuerySide& b) {
    return same_bytes(a.points, b.points) && a.mesh == b.mesh &&
           std::memcmp(&a.world_from_body, &b.world_from_body, sizeof a.world_from_body) == 0 &&
           a.motion.kind == b.motion.kind;
}

bool same(const QueryLine& a, const QueryLine& b) {
    return a.id == b.id && same(a.a, b.a) && same(a.b, b.b) && a.has_motion == b.has_motion;
}

/// All points that a test has read, by their text.
class ReadPoints {
  public:
    void remember(const QuerySide& side) {
        if (side.points_text.empty()) return;
        points_[std::string(side.points_text)] = side.points;
    }
    PreparedShape* find(std::string_view text) {
        const auto at = points_.find(std::string(text));
        return at == points_.end() ? nullptr : reinterpret_cast<PreparedShape*>(&at->second);
    }
    /// Fills in the points that were not read.
    static void complete(QuerySide& side) {
        if (side.known == nullptr) return;
        EXPECT_TRUE(side.points.empty());
        side.points = *reinterpret_cast<std::vector<collision::Vec3f>*>(side.known);
    }

  private:
    std::map<std::string, std::vector<collision::Vec3f>> points_;
};
ReadPoints g_read;

/// Whether the line was scanned. Fails if the strict reader says something else, or if the line is read
/// differently where points were read from the same text before.
bool scans(const std::string& text) {
    const auto scanned = scan_query_line(text);
    auto again = scan_query_line(text, [](std::string_view points) { return g_read.find(points); });
    EXPECT_EQ(scanned.has_value(), again.has_value()) << text;
    if (!scanned || !again) return false;
    const auto strict = parse_query_line(text);
    EXPECT_TRUE(strict.ok()) << text << ": " << strict.error().message;
    if (!strict.ok()) return true;
    EXPECT_TRUE(same(*scanned, strict.value())) << text;
    for (QuerySide* side : {&again->a, &again->b}) ReadPoints::complete(*side);
    EXPECT_TRUE(same(*again, strict.value())) << text;
    for (const QuerySide* side : {&scanned->a, &scanned->b}) g_read.remember(*side);
    return true;
}

const std::string kMatrix = "[1,0,0,0,0,1,0,0,0,0,1,0]";
std::string line_with(const std::string& number) {
    return R"({"id":"q","a":{"kind":"vertices","points":[[0,)" + number +
           R"(,1]]},"b":{"mesh":"part.obj"},"matrix_a":)" + kMatrix + ",\"matrix_b\":" + kMatrix + "}";
}

TEST(QueryScan, the_lines_of_the_ground_truth_are_scanned) {
    std::size_t count = 0;
    for (const char* name : {"convex.jsonl", "mesh.jsonl"}) {
        std::ifstream file(test::truth_dir() / name);
        for (std::string line; std::getline(file, line); ++count) ASSERT_TRUE(scans(line)) << line;
    }
    EXPECT_GT(count, 100u);
}

TEST(QueryScan, numbers_are_those_of_the_strict_reader) {
    for (const char* good :
         {"0", "-0", "-0.0", "1", "-12.5", "1e3", "1E-3", "1.5e+2", "0.1", "1e-45", "9007199254740993",
          "1152921504606846976", "0.30000001192092896", "16777217", "3.4028235677973366e-38"})
        EXPECT_TRUE(scans(line_with(good))) << good;
    for (const char* left : {"01", "-", "1.", ".5", "+1", "1e", "1e+", "0x10", "nan", "inf", "1e999",
                             "1e-999", "1152921504606847232", "true", "\"1\"", "", "1 2", "- 1"})
        EXPECT_FALSE(scans(line_with(left))) << left;
}

TEST(QueryScan, points_of_the_same_text_are_not_read_again) {
    const std::string line = R"({"a":{"kind":"vertices","points":[[0,0,0],[1,0,0]]},)"
                             R"("b":{"points":[[0,0,0],[1,0,0] ],"kind":"vertices"},"matrix_a":)" +
                             kMatrix + ",\"matrix_b\":" + kMatrix + "}";
    ReadPoints read;
    const auto scan = [&] {
        return scan_query_line(line, [&](std::string_view points) { return read.find(points); });
    };
    const auto first = scan();
    ASSERT_TRUE(first.has_value());
    EXPECT_EQ(first->a.points_text, "[[0,0,0],[1,0,0]]");
    EXPECT_EQ(first->b.points_text, "") << "the text that is looked up does not end with the points";
    EXPECT_EQ(first->b.points.size(), 2u);
    read.remember(first->a);
    const auto second = scan();
    ASSERT_TRUE(second.has_value());
    EXPECT_NE(second->a.known, nullptr);
    EXPECT_TRUE(second->a.points.empty());
    EXPECT_EQ(second->b.known, nullptr);
    EXPECT_EQ(second->b.points.size(), 2u);
}

TEST(QueryScan, random_decimals_are_those_of_the_strict_reader) {
    collision::Random random(5);
    for (int i = 0; i < 20000; ++i) {
        std::string number = random.below(2) == 0 ? "-" : "";
        // Up to 24 digits: some fit a double, some an integer of 64 bits, some neither.
        const std::uint64_t digits = 1 + random.below(24), whole = 1 + random.below(digits);
        for (std::uint64_t d = 0; d < digits; ++d) {
            if (d == whole) number += '.';
            const bool may_be_zero = d > 0 || whole == 1;
            number += static_cast<char>('0' + (may_be_zero ? random.below(10) : 1 + random.below(9)));
        }
        if (random.below(4) == 0) number += "e-" + std::to_string(random.below(30));
        if (whole > 18) continue;  // above 2^60
        ASSERT_TRUE(scans(line_with(number))) << number;
    }
}

TEST(QueryScan, unusual_lines_are_left_to_the_strict_reader) {
    const std::string usual = line_with("1");
    ASSERT_TRUE(scans(usual));
    ASSERT_TRUE(scans(" { \"id\" : \"q\" ," + usual.substr(10) + " \t\r\n"));
    const auto with = [&](const std::string& from, const std::string& to) {
        std::string line = usual;
        line.replace(line.find(from), from.size(), to);
        return line;
    };
    for (const char* more : {"1", "-0", "\"x\"", "true", "false", "null", "[]", "{}",
                             "[1,[2,{\"p\":[null]}]]", "{\"p\":1,\"q\":{}}"})
        EXPECT_TRUE(scans(with("{\"id\"", "{\"more\":" + std::string(more) + ",\"id\""))) << more;
    for (const char* more : {"1,\"more\":1", "tru", "[1,]", "{\"p\":1,\"p\":1}", "[[[[[[[[[[1]]]]]]]]]]",
                             "\"\\n\"", "[1 2]", "01"})
        EXPECT_FALSE(scans(with("{\"id\"", "{\"more\":" + std::string(more) + ",\"id\""))) << more;
    for (const std::string& line :
         {with("\"id\":\"q\"", "\"id\":7"), with("\"q\"", "\"\\u0071\""), with("\"q\"", "\"\xc3\xa4\""),
          with("\"id\":\"q\"", "\"id\":\"q\",\"id\":\"q\""), with("part.obj", "../part.obj"),
          with("{\"mesh\"", "{\"kind\":\"vertices\",\"mesh\""), usual + "x",
          usual.substr(0, usual.size() - 1), usual.substr(1), with(kMatrix, "[1,0,0,0,0,1,0,0,0,0,1]"),
          with("[[0,", "[[0,0,"), with("\"matrix_a\"", "\"matrix_c\""),
          with("{\"id\"", "{\"screw_a\":null,\"id\""), std::string("{}"), std::string()})
        EXPECT_FALSE(scans(line)) << line;
}

TEST(QueryScan, a_line_has_at_most_as_many_points_as_the_strict_reader_takes) {
    const auto with = [](std::size_t count) {
        std::string points = "[0,0,0]";
        for (std::size_t i = 1; i < count; ++i) points += ",[0,0,0]";
        std::string line = line_with("1");
        line.replace(line.find("[0,1,1]"), 7, points);
        return line;
    };
    EXPECT_TRUE(scans(with(kMaxQueryPoints)));
    EXPECT_FALSE(scans(with(kMaxQueryPoints + 1)));
}

TEST(QueryScan, changed_lines_are_read_alike_or_left_to_the_strict_reader) {
    collision::Random random(11);
    std::ifstream file(test::truth_dir() / "convex.jsonl");
    constexpr std::string_view kBytes = "0123456789.-+eE,:[]{}\"\\ abmtxkp_\t\x01\x80";
    std::size_t scanned = 0, lines = 0;
    for (std::string line; lines < 300 && std::getline(file, line);) {
        if (line.size() > 3000) continue;
        ++lines;
        for (int change = 0; change < 40; ++change) {
            std::string text = line;
            for (std::uint64_t n = random.below(3) + 1; n > 0; --n) {
                const auto at = random.below(text.size());
                const char byte = kBytes[random.below(kBytes.size())];
                if (random.below(3) == 0)
                    text.erase(at, 1);
                else if (random.below(2) == 0)
                    text.insert(at, 1, byte);
                else
                    text[at] = byte;
            }
            scanned += scans(text) ? 1 : 0;
        }
    }
    EXPECT_GT(scanned, 1000u);
}

}  // namespace
}  // namespace claybox::app
