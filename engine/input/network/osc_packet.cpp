#include "engine/input/network/osc_packet.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace claybox::engine {

namespace {

constexpr int kMaxBundleDepth = 8;  // nested bundles

/// Reads a packet from its start; after an error every further read fails.
class Bytes {
  public:
    explicit Bytes(std::span<const std::byte> data) : data_(data) {}
    bool good() const { return good_; }
    bool at_end() const { return data_.empty(); }

    std::span<const std::byte> read(std::size_t count) {
        good_ = good_ && count <= data_.size();
        if (!good_) return {};
        const auto out = data_.first(count);
        data_ = data_.subspan(count);
        return out;
    }
    /// A zero-terminated string, padded with zeros to a multiple of four.
    std::string_view text() {
        std::size_t length = 0;
        while (length < data_.size() && data_[length] != std::byte{0}) ++length;
        if (length == data_.size()) good_ = false;
        const auto all = read((length / 4 + 1) * 4);
        for (std::size_t i = length; i < all.size(); ++i) good_ = good_ && all[i] == std::byte{0};
        return good_ ? std::string_view(reinterpret_cast<const char*>(all.data()), length)
                     : std::string_view();
    }
    template <class Word>
    Word word() {
        Word out = 0;
        for (const std::byte b : read(sizeof(Word))) out = static_cast<Word>(out << 8 | static_cast<Word>(b));
        return out;
    }
    void blob() {
        const auto size = static_cast<std::int32_t>(word<std::uint32_t>());
        good_ = good_ && size >= 0;
        if (good_) read((static_cast<std::size_t>(size) + 3) / 4 * 4);
    }
    void fail() { good_ = false; }

  private:
    std::span<const std::byte> data_;
    bool good_ = true;
};

OscArgument read_argument(char type, Bytes& in) {
    using Kind = OscArgument::Kind;
    switch (type) {
        case 'i':
            return {
                Kind::number, static_cast<double>(static_cast<std::int32_t>(in.word<std::uint32_t>())), {}};
        case 'c':
        case 'r':
            return {Kind::number, static_cast<double>(in.word<std::uint32_t>()), {}};
        case 'f':
            return {Kind::number, static_cast<double>(std::bit_cast<float>(in.word<std::uint32_t>())), {}};
        case 'h':
            return {
                Kind::number, static_cast<double>(static_cast<std::int64_t>(in.word<std::uint64_t>())), {}};
        case 't':
            return {Kind::number, static_cast<double>(in.word<std::uint64_t>()) / 4294967296.0, {}};
        case 'd':
            return {Kind::number, std::bit_cast<double>(in.word<std::uint64_t>()), {}};
        case 's':
        case 'S':
            return {Kind::text, 0, in.text()};
        case 'T':
            return {Kind::number, 1, {}};
        case 'F':
            return {Kind::number, 0, {}};
        case 'b':
            in.blob();
            return {};
        case 'm':
            in.read(4);
            return {};
        case 'N':
        case 'I':
            return {};
        default:
            in.fail();
            return {};
    }
}

/// Accepts plain names only; address patterns are not supported.
bool is_address(std::string_view text) {
    constexpr std::string_view kForbidden = "#*,?[]{}|";
    const auto good = [&](char c) {
        return c > ' ' && c < '\x7f' && kForbidden.find(c) == std::string_view::npos;
    };
    return text.starts_with('/') && std::all_of(text.begin(), text.end(), good);
}

/// Two passes over a packet: the first checks all messages, the second delivers them.
enum class Pass : unsigned char { check, deliver };

bool read_message(std::span<const std::byte> packet, OscReceiver& receiver, Pass pass) {
    Bytes in(packet);
    OscMessage message;
    message.address = in.text();
    if (!in.good() || !is_address(message.address)) return false;
    // Old senders omit the type string when there are no arguments.
    const std::string_view types = in.at_end() ? std::string_view(",") : in.text();
    if (!in.good() || !types.starts_with(',')) return false;
    for (const char type : types.substr(1)) {
        if (type == '[' || type == ']') continue;  // arrays are flattened
        if (message.count == kMaxOscArguments) return false;
        message.argument[message.count++] = read_argument(type, in);
        if (!in.good()) return false;
    }
    if (!in.at_end()) return false;
    if (pass == Pass::check) return receiver.accept(message);
    receiver.receive(message);
    return true;
}

bool read_element(std::span<const std::byte> packet, OscReceiver& receiver, Pass pass, int depth) {
    Bytes in(packet);
    if (packet.empty() || packet.size() % 4 != 0) return false;
    if (packet[0] != std::byte{'#'}) return read_message(packet, receiver, pass);
    if (depth == kMaxBundleDepth || in.text() != "#bundle") return false;
    in.read(8);  // the time tag
    while (in.good() && !in.at_end()) {
        const auto element = in.read(in.word<std::uint32_t>());
        if (!in.good() || !read_element(element, receiver, pass, depth + 1)) return false;
    }
    return in.good();
}

}  // namespace

bool read_osc(std::span<const std::byte> packet, OscReceiver& receiver) {
    return read_element(packet, receiver, Pass::check, 0) && read_element(packet, receiver, Pass::deliver, 0);
}

}  // namespace claybox::engine
