#include "app/cli/cli.hpp"
#include "app/cli/log.hpp"
#include "app/cli/output.hpp"
#include "app/devices/app_devices.hpp"
#include "app/potter/touch/clay_op.hpp"
#include "app/scenes/scene.hpp"
#include "collision/continuous/registry.hpp"
#include "tests/cli/support.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <set>
#include <system_error>

namespace claybox::test {
namespace {

TEST(CommandLine, help_and_version_go_to_standard_output) {
    EXPECT_EQ(run_here({"--version"}).out.substr(0, 8), "claybox ");
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"--help"}, {"run", "--help"}, {"query", "--help"}}) {
        const Outcome help = run_here(words);
        EXPECT_EQ(help.status, 0);
        EXPECT_NE(help.out.find("--seed"), std::string::npos);
        EXPECT_EQ(help.err, "");
    }
}

TEST(CommandLine, bad_usage_is_one_line_and_status_two) {
    for (const std::vector<std::string>& words : {std::vector<std::string>{"--bogus"},
                                                  {"nonsense"},
                                                  {"query"},
                                                  {"inspect"},
                                                  {"inspect", "absent.obj"},
                                                  {"list"},
                                                  {"list", "nonsense"},
                                                  {"list", "pair", "--json", "--markdown"},
                                                  {"run", "--headless", "--frames", "-1"},
                                                  {"run", "--headless", "--seed", "x"},
                                                  {"run", "--hash"},
                                                  {"run", "--json", "-"},
                                                  {"run", "--headless", "--json", "-", "--hash"},
                                                  {"run", "--headless", "--scene", "nonsense"},
                                                  {"run", "--headless", "--pair", "nonsense"},
                                                  {"run", "--headless", "--broad", "nonsense"},
                                                  {"run", "--headless", "--parallel", "halves+"},
                                                  {"run", "--headless", "--workers", "0"},
                                                  {"run", "--headless", "--workers", "65"},
                                                  {"run", "--headless", "--exactness", "nearly"},
                                                  {"run", "--headless", "--set", "nonsense=1"},
                                                  {"run", "--headless", "--set", "x"},
                                                  {"run", "--headless", "--screenshot", "x.png"},
                                                  {"run", "--headless", "--turntable", "x.gif"},
                                                  {"run", "--headless", "--turntable-pictures", "9"},
                                                  {"run", "--headless", "--report", "x"},
                                                  {"run", "--size", "0x5"},
                                                  {"run", "--size", "12x"},
                                                  {"run", "--ui-scale", "9"},
                                                  {"replay", "absent.jsonl"},
                                                  {"--seed", "3", "run", "--headless"},
                                                  {"--log-level", "loud", "list", "pair"},
                                                  {"--vectors", "abacus", "list", "pair"},
                                                  {"run"},
                                                  {}}) {
        const Outcome outcome = run_here(words);
        std::string all;
        for (const std::string& word : words) all += word + ' ';
        EXPECT_EQ(outcome.status, 2) << all << outcome.out;
        EXPECT_EQ(lines_of(outcome.err).size(), 1u) << all << outcome.err;
        EXPECT_EQ(outcome.out, "") << all;
    }
}

TEST(CommandLine, an_unknown_id_is_an_error_that_lists_the_known_ids) {
    const Outcome scene = run_here({"run", "--headless", "--scene", "nonsense"});
    for (const app::SceneDescriptor* s : app::scenes())
        EXPECT_NE(scene.err.find(s->id), std::string::npos) << scene.err;
    const Outcome broad = run_here({"run", "--headless", "--broad", "nonsense"});
    for (const auto* b : collision::broad_phases())
        EXPECT_NE(broad.err.find(b->id), std::string::npos) << broad.err;
    const Outcome mode = run_here({"run", "--headless", "--parallel", "twins"});
    EXPECT_NE(mode.err.find("serial, or some of pairs, halves, dual, three, fine"), std::string::npos)
        << mode.err;
    const Outcome set = run_here({"run", "--headless", "--set", "nonsense=1"});
    for (const collision::Parameter& p : app::find_scene("cage")->parameters)
        EXPECT_NE(set.err.find(p.id), std::string::npos) << set.err;
}

template <class Registry>
void expect_ids(const char* kind, const Registry& registry) {
    const Outcome outcome = run_here({"list", kind, "--json"});
    ASSERT_EQ(outcome.status, 0);
    const auto entries = nlohmann::json::parse(outcome.out);
    ASSERT_EQ(entries.size(), registry.size()) << kind;
    for (std::size_t i = 0; i < registry.size(); ++i) {
        EXPECT_EQ(entries[i].at("id"), registry[i]->id);
        ASSERT_EQ(entries[i].at("parameters").size(), registry[i]->parameters.size());
        for (const auto& p : entries[i].at("parameters")) {
            for (const char* field : {"id", "default", "min", "max", "unit", "source"})
                EXPECT_TRUE(p.contains(field)) << field;
        }
    }
    EXPECT_NE(run_here({"list", kind, "--markdown"}).out.find(registry.empty() ? "" : registry[0]->id),
              std::string::npos);
}

TEST(List, contains_every_registry_entry_in_order) {
    expect_ids("pair", collision::pair_algorithms());
    expect_ids("continuous", collision::continuous_algorithms());
    expect_ids("broad", collision::broad_phases());
    expect_ids("scene", app::scenes());
}

TEST(List, pair_entries_have_all_documented_fields) {
    for (const auto& entry : nlohmann::json::parse(run_here({"list", "pair", "--json"}).out)) {
        for (const char* field :
             {"id", "title", "source", "meaning", "needs", "gives", "exact", "bias", "parameters"}) {
            EXPECT_TRUE(entry.contains(field)) << field;
        }
    }
}

TEST(List, tools_are_the_effects_of_the_potter_with_their_keys) {
    const auto entries = nlohmann::json::parse(run_here({"list", "tool", "--json"}).out);
    ASSERT_EQ(entries.size(), std::size(app::kClayEffectIds));
    for (std::size_t i = 0; i < entries.size(); ++i) {
        EXPECT_EQ(entries[i].at("id"), app::kClayEffectIds[i]);
        EXPECT_EQ(entries[i].at("scene"), "potter");
        EXPECT_EQ(entries[i].at("key").get<std::string>().rfind("keyboard.", 0), 0u) << entries[i];
        EXPECT_FALSE(entries[i].at("summary").get<std::string>().empty());
    }
}

TEST(List, devices_are_logical_devices_and_the_channels_of_every_source) {
    const auto entries = nlohmann::json::parse(run_here({"list", "device", "--json"}).out);
    std::set<std::string> logical, sources;
    for (const auto& entry : entries) {
        const auto id = entry.at("id").get<std::string>();
        if (entry.at("kind") == "logical")
            logical.insert(id);
        else
            sources.insert(id.substr(0, id.find('.')));
        EXPECT_TRUE(engine::device_class(entry.at("class").get<std::string>())) << id;
    }
    EXPECT_EQ(logical.size(), app::app_devices().size());
    EXPECT_TRUE(logical.contains("undo"));
    const std::set<std::string> all{"keyboard",   "mouse",   "gamepad", "spacemouse", "xr",
                                    "controller", "network", "track",   "HAND"};
    EXPECT_EQ(sources, all);
    EXPECT_NE(run_here({"list", "device", "--markdown"})
                  .out.find("| undo | Undo | logical | button | keyboard.ctrl+z \\| gamepad.x |"),
              std::string::npos);
    EXPECT_NE(run_here({"list", "device"}).out.find("keyboard.f1"), std::string::npos);
}

TEST(Devices, a_wrong_switch_is_an_error_of_one_line) {
    const std::pair<std::vector<std::string>, const char*> wrong[] = {
        {{"run", "--osc-any"}, "--osc"},
        {{"run", "--osc", "70000"}, "65535"},
        {{"run", "--headless", "--osc", "9000"}, "--osc needs a window"},
        {{"run", "--headless", "--devices", "x.txt"}, "--devices needs a window"},
        {{"run", "--headless", "--ui-scale", "2"}, "--ui-scale needs a window"},
        {{"run", "--headless", "--no-hint"}, "--no-hint needs a window"},
    };
    for (const auto& [arguments, words] : wrong) {
        const Outcome outcome = run_here(arguments);
        EXPECT_EQ(outcome.status, 2) << words;
        EXPECT_EQ(lines_of(outcome.err).size(), 1u);
        EXPECT_NE(outcome.err.find(words), std::string::npos) << outcome.err;
    }
}

TEST(CommandLine, an_exception_of_the_system_is_one_line_and_status_two) {
    app::Frontend frontend;
    frontend.sandbox = [](const app::SandboxOptions&) -> int {
        throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again));
    };
    std::string name = "claybox";
    char* arguments[] = {name.data(), nullptr};
    ::testing::internal::CaptureStderr();
    const int status = app::run_command_line(1, arguments, frontend);
    const std::string text = ::testing::internal::GetCapturedStderr();
    EXPECT_EQ(status, 2);
    EXPECT_EQ(lines_of(text).size(), 1u) << text;
    EXPECT_NE(text.find("temporarily unavailable"), std::string::npos) << text;
}

TEST(Log, control_characters_in_names_and_quoted_input_do_not_reach_the_terminal) {
    const std::string hostile =
        "a\nerror: b\x1b[2J\x7f\xc2\x9b"
        "1m\xc4\x9b";
    EXPECT_EQ(app::printable_line(hostile), "a error: b [2J   1m\xc4\x9b");
    ::testing::internal::CaptureStderr();
    app::log(app::LogLevel::error, hostile);
    app::print_problem(hostile);
    app::report_error(hostile);
    const std::string text = ::testing::internal::GetCapturedStderr();
    EXPECT_EQ(lines_of(text).size(), 3u) << text;
    EXPECT_EQ(text.find_first_of("\x1b\x7f"), std::string::npos);
#ifndef _WIN32  // there, no file has such a name
    const Folder folder("hostile");
    const Outcome outcome =
        run_here({"inspect", folder.write("\x1b[2J.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.out.find('\x1b'), std::string::npos);
#endif
}

TEST(Program, returns_the_same_statuses_and_streams) {
    EXPECT_EQ(run_program({"--version"}).status, 0);
    EXPECT_EQ(run_program({"list", "pair", "--json"}).out, run_here({"list", "pair", "--json"}).out);
    const Outcome bad = run_program({"--bogus"});
    EXPECT_EQ(bad.status, 2);
    EXPECT_EQ(lines_of(bad.err).size(), 1u);
    EXPECT_EQ(bad.out, "");
    EXPECT_EQ(run_program({"query", "-"}).status, 2) << "nothing on standard input";
}

}  // namespace
}  // namespace claybox::test
