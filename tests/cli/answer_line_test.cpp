// Lines of answers: valid JSON that reads back as what was written.

#include "app/cli/commands/answer_line.hpp"

#include "collision/core/random.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

namespace claybox::app {
namespace {

using nlohmann::json;

TEST(AnswerLine, members_keep_their_order_and_types) {
    std::string out = "before\n";
    AnswerLine line(out);
    line.word("pair", "gjk");
    line.truth("collide", true);
    line.integer("line", std::numeric_limits<std::uint64_t>::max());
    line.open("contact");
    line.point("a", {1, -2.5, 1e300});
    line.close();
    line.number("depth", 0.25);
    line.finish();
    EXPECT_EQ(out,
              "before\n{\"pair\":\"gjk\",\"collide\":true,\"line\":18446744073709551615,"
              "\"contact\":{\"a\":[1.0,-2.5,1e+300]},\"depth\":0.25}\n");
}

TEST(AnswerLine, an_empty_object_is_valid) {
    std::string out;
    AnswerLine line(out);
    line.open("inner");
    line.close();
    line.finish();
    EXPECT_EQ(out, "{\"inner\":{}}\n");
}

TEST(AnswerLine, any_identity_reads_back) {
    for (const json& id :
         {json("plain"), json("a \"b\" \\ c\n"), json("\xc3\xa4"), json(""), json(-7), json(2.5), json()}) {
        std::string out;
        AnswerLine line(out);
        line.value("id", id);
        line.finish();
        EXPECT_EQ(json::parse(out).at("id"), id) << out;
    }
}

TEST(AnswerLine, invalid_bytes_are_replaced) {
    std::string out;
    AnswerLine line(out);
    line.value("id", json(std::string("\x80x")));
    line.finish();
    EXPECT_EQ(json::parse(out).at("id"), "\xef\xbf\xbdx");
}

double read_back(double value) {
    std::string out;
    AnswerLine line(out);
    line.number("n", value);
    line.finish();
    const json read = json::parse(out).at("n");
    EXPECT_TRUE(read.is_number_float()) << out;
    return read.get<double>();
}

TEST(AnswerLine, numbers_read_back_bit_by_bit) {
    collision::Random random(7);
    const auto same = [](double value) {
        return std::bit_cast<std::uint64_t>(read_back(value)) == std::bit_cast<std::uint64_t>(value);
    };
    for (const double value : {0.0, -0.0, 1.0, -1.0, 0.1, 1e22, 1e-5, 123456789.0, 1e15, 5e-324,
                               std::numeric_limits<double>::max(), std::numeric_limits<double>::min()})
        EXPECT_TRUE(same(value)) << value;
    for (int i = 0; i < 20000; ++i) {
        const auto value = std::bit_cast<double>(random.below(std::numeric_limits<std::uint64_t>::max()));
        if (!std::isfinite(value)) continue;
        ASSERT_TRUE(same(value)) << value;
    }
}

TEST(AnswerLine, numbers_that_json_lacks_become_null) {
    for (const double value :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
          -std::numeric_limits<double>::infinity()}) {
        std::string out;
        AnswerLine line(out);
        line.number("n", value);
        line.finish();
        EXPECT_EQ(out, "{\"n\":null}\n");
    }
}

}  // namespace
}  // namespace claybox::app
