#include "app/session/strict_json.hpp"

#include <gtest/gtest.h>

namespace claybox::app {
namespace {

std::string fault(const std::string& text) {
    const auto parsed = parse_strict_json(text);
    return parsed ? std::string() : parsed.error().message;
}

TEST(StrictJson, duplicate_keys_depth_and_syntax_are_errors) {
    EXPECT_EQ(fault("{\"a\":{\"a\":1},\"b\":[{\"a\":1},{\"a\":2}]}"), "");
    EXPECT_NE(fault("{\"a\":1,\"b\":2,\"a\":3}").find("\"a\" appears twice"), std::string::npos);
    EXPECT_EQ(fault(std::string(32, '[') + std::string(32, ']')), "");
    EXPECT_NE(fault(std::string(33, '[') + std::string(33, ']')).find("32 levels"), std::string::npos);
    EXPECT_NE(fault("{\"a\":").find("syntax error"), std::string::npos);
    EXPECT_NE(fault("[1e999]"), "");
    EXPECT_NE(fault("\"\xff\""), "");
    EXPECT_NE(fault("1 2"), "");
}

// A parser callback of the library would look at all earlier elements after each object, and exceed the time
// limit of a test.
TEST(StrictJson, many_objects_are_read) {
    std::string objects = "{\"list\":[{}", members = "{\"m\":{}";
    for (int i = 0; i < 200000; ++i) {
        objects += ",{}";
        members += ",\"k" + std::to_string(i) + "\":{}";
    }
    EXPECT_EQ(fault(objects + "]}"), "");
    EXPECT_EQ(fault(members + "}"), "");
}

}  // namespace
}  // namespace claybox::app
