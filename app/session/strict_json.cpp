#include "app/session/strict_json.hpp"

#include <set>
#include <stdexcept>

namespace claybox::app {

namespace {

constexpr int kMaxDepth = 32;

/// Watches the parser's events and throws at the first thing that plain JSON would let through.
class Watch {
  public:
    bool operator()(int depth, nlohmann::json::parse_event_t event, nlohmann::json& value) {
        using Event = nlohmann::json::parse_event_t;
        const bool opens = event == Event::object_start || event == Event::array_start;
        if (opens && depth >= kMaxDepth) {
            throw std::runtime_error("nested more than " + std::to_string(kMaxDepth) + " levels deep");
        }
        if (event == Event::object_start) keys_.emplace_back();
        if (event == Event::object_end) keys_.pop_back();
        if (event == Event::key && !keys_.back().insert(value.get<std::string>()).second) {
            throw std::runtime_error("the key \"" + value.get<std::string>().substr(0, 40) +
                                     "\" stands twice");
        }
        return true;
    }

  private:
    std::vector<std::set<std::string>> keys_;
};

/// The library's message without its own prefix, cut to a readable length.
std::string plain_message(const std::string& text) {
    constexpr std::size_t kLimit = 200;
    const std::size_t end = text.find("] ");
    const std::string message = end == std::string::npos ? text : text.substr(end + 2);
    return message.size() > kLimit ? message.substr(0, kLimit) + "..." : message;
}

}  // namespace

collision::Result<nlohmann::json> parse_strict_json(std::string_view text) {
    Watch watch;
    try {
        return nlohmann::json::parse(text.begin(), text.end(), std::ref(watch));
    } catch (const nlohmann::json::exception& e) {
        return collision::Error{plain_message(e.what()), {}, 0};
    } catch (const std::runtime_error& e) {
        return collision::Error{e.what(), {}, 0};
    }
}

std::string to_line(const nlohmann::ordered_json& value) {
    return value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

}  // namespace claybox::app
