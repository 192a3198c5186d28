#include "app/session/strict_json.hpp"

#include <utility>
#include <vector>

namespace claybox::app {

namespace {

constexpr std::size_t kMaxDepth = 32;

using nlohmann::json;

/// Builds the value of a text in one pass, and refuses what the library accepts but this project does not.
class StrictBuilder : public nlohmann::json_sax<json> {
  public:
    const std::string& fault() const { return fault_; }
    json& value() { return value_; }

    bool null() override { return add(nullptr); }
    bool boolean(bool value) override { return add(value); }
    bool number_integer(number_integer_t value) override { return add(value); }
    bool number_unsigned(number_unsigned_t value) override { return add(value); }
    bool number_float(number_float_t value, const string_t&) override { return add(value); }
    bool string(string_t& value) override { return add(std::move(value)); }
    bool binary(binary_t&) override { return fail("binary data are not JSON"); }
    bool start_object(std::size_t) override { return open(json::object()); }
    bool start_array(std::size_t) override { return open(json::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool key(string_t& key) override {
        const auto [member, is_new] = open_.back()->get_ref<json::object_t&>().try_emplace(key);
        member_ = &member->second;
        return is_new || fail("the key \"" + key.substr(0, 40) + "\" appears twice");
    }
    bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& e) override;

  private:
    bool fail(std::string fault) {
        fault_ = std::move(fault);
        return false;
    }
    /// Puts a value where it belongs. Pointers to open values stay valid: only a closed one has siblings.
    json* place(json value) {
        if (open_.empty()) return &(value_ = std::move(value));
        if (open_.back()->is_object()) return &(*member_ = std::move(value));
        return &open_.back()->emplace_back(std::move(value));
    }
    template <class T>
    bool add(T&& value) {
        place(json(std::forward<T>(value)));
        return true;
    }
    bool open(json value) {
        open_.push_back(place(std::move(value)));
        return open_.size() <= kMaxDepth ||
               fail("nested more than " + std::to_string(kMaxDepth) + " levels deep");
    }
    bool close() {
        open_.pop_back();
        return true;
    }

    json value_;
    std::vector<json*> open_;  ///< objects and arrays that have not ended, outermost first
    json* member_ = nullptr;   ///< the value of the last key
    std::string fault_;
};

/// The message of the library without its prefix, cut to a readable length.
std::string plain_message(const std::string& text) {
    constexpr std::size_t kLimit = 200;
    const std::size_t end = text.find("] ");
    const std::string message = end == std::string::npos ? text : text.substr(end + 2);
    return message.size() > kLimit ? message.substr(0, kLimit) + "..." : message;
}

bool StrictBuilder::parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& e) {
    return fail(plain_message(e.what()));
}

}  // namespace

collision::Result<nlohmann::json> parse_strict_json(std::string_view text) {
    StrictBuilder builder;
    if (!json::sax_parse(text.begin(), text.end(), &builder)) return collision::Error{builder.fault(), {}, 0};
    return std::move(builder.value());
}

std::string to_line(const nlohmann::ordered_json& value) {
    return value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

}  // namespace claybox::app
