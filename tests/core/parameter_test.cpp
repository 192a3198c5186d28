#include "collision/core/parameter.hpp"

#include <gtest/gtest.h>

namespace claybox::collision {
namespace {

constexpr const char* kNames[] = {"serial", "pairs"};
const Parameter kTable[] = {
    {"gap", "Gap", ParameterKind::real, 0.5, -1.0, 2.0},
    {"count", "Count", ParameterKind::integer, 3, 1, 100},
    {"on", "On", ParameterKind::toggle, 1},
    {"mode", "Mode", ParameterKind::choice, 1, 0, 1, "", "", "", false, kNames},
};

double parsed(int i, std::string_view text) {
    return parse_parameter(kTable[i], text).value();
}

std::string error_of(int i, std::string_view text) {
    const auto result = parse_parameter(kTable[i], text);
    return result ? "accepted" : result.error().message;
}

TEST(Parameter, every_kind_is_parsed) {
    EXPECT_EQ(parsed(0, "0.25"), 0.25);
    EXPECT_EQ(parsed(0, "-1e0"), -1.0);
    EXPECT_EQ(parsed(1, "100"), 100);
    EXPECT_EQ(parsed(2, "off"), 0);
    EXPECT_EQ(parsed(2, "true"), 1);
    EXPECT_EQ(parsed(3, "pairs"), 1);
}

TEST(Parameter, invalid_text_is_an_error_with_the_expected_values) {
    EXPECT_EQ(error_of(0, "3"), "parameter gap: '3' is not a number from -1 to 2");
    EXPECT_EQ(error_of(0, "nan"), "parameter gap: 'nan' is not a number from -1 to 2");
    EXPECT_EQ(error_of(0, "1x"), "parameter gap: '1x' is not a number from -1 to 2");
    EXPECT_EQ(error_of(0, ""), "parameter gap: '' is not a number from -1 to 2");
    EXPECT_EQ(error_of(1, "2.5"), "parameter count: '2.5' is not a whole number from 1 to 100");
    EXPECT_EQ(error_of(1, "inf"), "parameter count: 'inf' is not a whole number from 1 to 100");
    EXPECT_EQ(error_of(2, "maybe"), "parameter on: 'maybe' is not on or off");
    EXPECT_EQ(error_of(3, "fine"), "parameter mode: 'fine' is not one of serial, pairs");
}

TEST(Parameter, table_lookup_and_defaults) {
    EXPECT_EQ(find_parameter(kTable, "mode"), 3u);
    EXPECT_EQ(find_parameter(kTable, "nothing"), 4u);
    const ParameterValues values = default_values(kTable);
    EXPECT_EQ(values[0], 0.5);
    EXPECT_EQ(values.integer(1), 3);
    EXPECT_TRUE(values.on(2));
}

}  // namespace
}  // namespace claybox::collision
