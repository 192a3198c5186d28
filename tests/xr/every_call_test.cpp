// Every call of a short session fails, at each of its times. A first session counts the calls; engine/xr
// names the functions that it must call.

#include "tests/xr/headset.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string_view>

namespace claybox::test {
namespace {

using namespace engine;

using Counts = std::map<std::string, int>;

/// All calls of a short session.
struct Calls {
    Counts session;     ///< a lost session fails them
    Counts other;       ///< of the instance, and before there is one
    Counts destroying;  ///< their results are ignored
    Counts all() const {
        Counts out = session;
        out.insert(other.begin(), other.end());
        out.insert(destroying.begin(), destroying.end());
        return out;
    }
};

/// A fault of one call: its script line, and how a failed test names it.
struct Fault {
    std::string call;
    int number = 1;
    std::string what;
    std::string line() const {
        Json line{{"fault", what}, {"call", call}, {"after", number - 1}};
        if (what.starts_with("XR_")) line["fault"] = "fails", line["result"] = what;
        return line.dump();
    }
    std::string name() const { return what + " at call " + std::to_string(number) + " of " + call; }
};

/// The first, the second, the middle and the last of so many calls.
std::set<int> some_of(int count) {
    return {1, std::min(2, count), (count + 1) / 2, count};
}

bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// The words like xrCreateSession of a source that calls or loads them: one of (">, follows.
void add_functions(const std::string& text, std::set<std::string>& out) {
    for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end + 1) {
        end = begin;
        while (end < text.size() && is_word(text[end])) ++end;
        const std::string word = text.substr(begin, end - begin);
        const bool is_function = word.size() > 3 && word.starts_with("xr") &&
                                 std::isupper(static_cast<unsigned char>(word[2])) != 0;
        if (is_function && end < text.size() &&
            std::string_view("(\">,").find(text[end]) != std::string_view::npos)
            out.insert(word);
    }
}

/// The OpenXR functions that the sources of engine/xr call or load; a browser has none of them.
std::set<std::string> functions_of_the_engine() {
    std::set<std::string> out;
    const std::filesystem::path folder = std::filesystem::path(CLAYBOX_SOURCE_DIR) / "engine" / "xr";
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (!entry.is_regular_file() || entry.path().parent_path().filename() == "web") continue;
        std::ifstream file(entry.path());
        const std::string text{std::istreambuf_iterator<char>(file), {}};
        add_functions(text, out);
    }
    return out;
}

class EveryCall : public Headset {
  protected:
    /// Opens and runs a session with a controller, a vibration and an exit. False when it does not open.
    bool short_session() {
        phase_ = XrPhase::waiting;
        if (!open()) return false;
        for (int i = 0; i < 16 && phase_ != XrPhase::lost && phase_ != XrPhase::ended; ++i) {
            phase_ = step();
            if (i <= 4) phase_before_exit_ = phase_;
            if (i == 2) session_->buzz(0, 0.05, 0.5f);
            if (i == 4) session_->request_exit();
        }
        return true;
    }
    void script_with(const std::vector<std::string>& faults) {
        std::vector<std::string> lines = faults;
        lines.push_back(R"({"controller": "left", "grip": [0,1,0, 0,0,0,1],)"
                        R"( "profile": "/interaction_profiles/oculus/touch_controller"})");
        script(lines);
    }
    Calls count_calls() {
        script_with({});
        EXPECT_TRUE(short_session()) << error_;
        EXPECT_EQ(phase_, XrPhase::ended);
        const std::vector<Json> counted = runtime_->log("calls");
        EXPECT_EQ(counted.size(), 1u);
        if (counted.empty()) return {};
        return {counted[0]["session"], counted[0]["other"], counted[0]["destroying"]};
    }
    /// Runs a session with the fault, checks what every fault requires, and opens another session. False when
    /// the first one did not open.
    bool survives(const Fault& fault) {
        const ::testing::ScopedTrace trace(__FILE__, __LINE__, fault.name());
        expected_misuse_ =
            fault.call == "xrEndFrame" ? "XR_FRAME_DISCARDED" : "";  // of the next xrBeginFrame
        script_with({fault.line()});
        const bool opened = short_session();
        EXPECT_FALSE(runtime_->log("fault").empty()) << "never called";
        EXPECT_NE(opened, !error_.empty()) << error_;
        EXPECT_EQ(error_.find('\n'), std::string::npos) << error_;
        if (opened) {
            EXPECT_NE(phase_before_exit_, XrPhase::waiting) << "it neither runs nor is lost";
            EXPECT_TRUE(phase_ == XrPhase::lost || phase_ == XrPhase::ended) << static_cast<int>(phase_);
            EXPECT_EQ(session_->sentence().find("was lost") != std::string::npos, phase_ == XrPhase::lost)
                << session_->sentence();
        }
        const std::size_t created = runtime_->log("create").size();
        EXPECT_EQ(created, runtime_->log("destroy").size()) << "before the session object is destroyed";
        close_and_check();
        EXPECT_TRUE(open()) << "the next attempt: " << error_;
        EXPECT_EQ(run_frames(1), XrPhase::running);
        close_and_check();
        return opened;
    }
    /// A loss stops the opening or ends the session as lost, except after its end.
    void ends_as_lost(const Fault& fault) {
        if (!survives(fault)) return;
        const std::vector<std::string> states = runtime_->states();
        const bool over = std::find(states.begin(), states.end(), "EXITING") != states.end();
        EXPECT_TRUE(phase_ == XrPhase::lost || (over && fault.call == "xrPollEvent")) << fault.name();
    }

    XrPhase phase_ = XrPhase::waiting, phase_before_exit_ = XrPhase::waiting;
};

TEST_F(EveryCall, APP_vr_a_short_session_calls_every_function_of_the_engine) {
    const Counts called = count_calls().all();
    const std::set<std::string> wanted = functions_of_the_engine();
    EXPECT_GT(wanted.size(), 45u);
    for (const std::string& name : wanted)
        EXPECT_TRUE(called.contains(name)) << name << " is never called, so no test lets it fail";
}

TEST_F(EveryCall, APP_vr_one_failed_call_costs_a_feature_or_a_frame_or_ends_the_session) {
    for (const auto& [call, count] : count_calls().all())
        for (int n = 1; n <= count; ++n) survives({call, n, "XR_ERROR_RUNTIME_FAILURE"});
}

TEST_F(EveryCall, APP_vr_a_loss_that_one_call_reports_ends_the_session) {
    const Calls calls = count_calls();
    // These report nothing that the session needs; the next call would report the loss.
    const std::set<std::string> unwatched{"xrGetInstanceProperties", "xrGetSystemProperties",
                                          "xrGetInstanceProcAddr", "xrEnumerateInstanceExtensionProperties"};
    for (const char* result : {"XR_ERROR_INSTANCE_LOST", "XR_ERROR_SESSION_LOST"})
        for (const auto& [call, count] : calls.all())
            for (const int n : some_of(count)) {
                const Fault fault{call, n, result};
                if (unwatched.contains(call) || calls.destroying.contains(call))
                    survives(fault);
                else
                    ends_as_lost(fault);
            }
}

/// A crashed runtime sends no event: whichever call fails first, and all after it.
TEST_F(EveryCall, APP_vr_a_loss_without_an_event_ends_the_session) {
    const Calls calls = count_calls();
    for (const auto& [call, count] : calls.session)
        for (const char* fault : {"session_lost", "instance_lost"})
            for (const int n : some_of(count)) ends_as_lost({call, n, fault});
    for (const auto& [call, count] : calls.other)
        for (const int n : some_of(count))
            if (call != "xrCreateInstance" && call != "xrEnumerateInstanceExtensionProperties")
                ends_as_lost({call, n, "instance_lost"});
}

}  // namespace
}  // namespace claybox::test
