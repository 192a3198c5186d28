#include "app/session/strict_json.hpp"

#include <set>
#include <utility>
#include <vector>

namespace claybox::app {

namespace {

constexpr int kMaxDepth = 32;

/// Finds the first fault of a text, including inputs that the library accepts but this project does not. A
/// parser callback of the library would do the same in quadratic time.
class StrictCheck : public nlohmann::json_sax<nlohmann::json> {
  public:
    const std::string& fault() const { return fault_; }

    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(number_integer_t) override { return true; }
    bool number_unsigned(number_unsigned_t) override { return true; }
    bool number_float(number_float_t, const string_t&) override { return true; }
    bool string(string_t&) override { return true; }
    bool binary(binary_t&) override { return true; }
    bool start_object(std::size_t) override {
        keys_.emplace_back();
        return open();
    }
    bool start_array(std::size_t) override { return open(); }
    bool end_object() override {
        keys_.pop_back();
        return close();
    }
    bool end_array() override { return close(); }
    bool key(string_t& key) override {
        return keys_.back().insert(key).second || fail("the key \"" + key.substr(0, 40) + "\" appears twice");
    }
    bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& e) override;

  private:
    bool fail(std::string fault) {
        fault_ = std::move(fault);
        return false;
    }
    bool open() {
        return ++depth_ <= kMaxDepth ||
               fail("nested more than " + std::to_string(kMaxDepth) + " levels deep");
    }
    bool close() {
        --depth_;
        return true;
    }

    std::vector<std::set<std::string>> keys_;  ///< of each open object
    int depth_ = 0;
    std::string fault_;
};

/// The message of the library without its prefix, cut to a readable length.
std::string plain_message(const std::string& text) {
    constexpr std::size_t kLimit = 200;
    const std::size_t end = text.find("] ");
    const std::string message = end == std::string::npos ? text : text.substr(end + 2);
    return message.size() > kLimit ? message.substr(0, kLimit) + "..." : message;
}

bool StrictCheck::parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& e) {
    return fail(plain_message(e.what()));
}

}  // namespace

collision::Result<nlohmann::json> parse_strict_json(std::string_view text) {
    StrictCheck check;
    if (!nlohmann::json::sax_parse(text.begin(), text.end(), &check))
        return collision::Error{check.fault(), {}, 0};
    return nlohmann::json::parse(text.begin(), text.end());
}

std::string to_line(const nlohmann::ordered_json& value) {
    return value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

}  // namespace claybox::app
