#include "engine/input/network/network_source.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace claybox::engine {

namespace {

constexpr std::size_t kMaxPacketBytes = 65536;
constexpr std::size_t kMaxAddressLength = 128;
constexpr double kOnText = 0.5;  // a number above this is a pressed button

/// The digits after the last colon, "2" of "/xy:2"; empty if there is anything else.
std::string_view digits_of(std::string_view name) {
    const std::size_t colon = name.rfind(':');
    if (colon == std::string_view::npos) return {};
    const std::string_view end = name.substr(colon + 1);
    const bool all = std::all_of(end.begin(), end.end(), [](char c) { return c >= '0' && c <= '9'; });
    return all ? end : std::string_view();
}

/// Splits "/xy:2" into "/xy" and index 1; without a number the index is 0. Empty for an out-of-range number.
std::optional<std::size_t> split_number(std::string_view& name) {
    const std::string_view digits = digits_of(name);
    if (digits.empty()) return 0;
    std::size_t number = 0;
    const auto code = std::from_chars(digits.data(), digits.data() + digits.size(), number).ec;
    if (code != std::errc{} || number < 1 || number > NetworkSource::kMaxArguments) return std::nullopt;
    name.remove_suffix(digits.size() + 1);
    return number - 1;
}

}  // namespace

NetworkSource::NetworkSource() : InputSource("network") {
    add("left", DeviceClass::hand);
    add("right", DeviceClass::hand);
    for (std::size_t side = 0; side < 2; ++side) channels_[side].now.hand = &hand_[side];
}

bool NetworkSource::listen(std::uint16_t port, bool any, std::string& error) {
    close();
    socket_ = UdpSocket::open(port, any, error);
    if (!socket_) return false;
    figures_.open = true;
    figures_.any = any;
    figures_.port = socket_->port();
    buffer_.resize(kMaxPacketBytes);
    return true;
}

void NetworkSource::close() {
    socket_.reset();
    figures_.open = false;
}

void NetworkSource::update(double now) {
    now_ = now;
    for (Channel& channel : channels_) channel.now.presses = 0;
    if (!socket_) {
        invalidate_all();
        return;
    }
    drain(now);
    for (std::size_t side = 0; side < 2; ++side) {
        const HandJoints joints = vmc_.joints(side == 0, now);
        channels_[side].now.valid = joints.active;
        if (joints.active) hand_[side] = joints;
    }
}

/// Receives all waiting packets, up to a count that costs a fraction of a frame, and reads as many as the
/// rate limit allows. The limit counts messages: one packet can hold thousands.
void NetworkSource::drain(double now) {
    if (refilled_at_ >= 0) allowance_ += std::max(0.0, now - refilled_at_) * kMaxMessagesPerSecond;
    allowance_ = std::min(allowance_, static_cast<double>(kMaxMessagesPerFrame));
    refilled_at_ = now;
    for (int i = 0; i < kMaxMessagesPerFrame + kMaxDroppedPerFrame; ++i) {
        const auto size = socket_->receive(buffer_);
        if (!size) return;
        if (allowance_ < 1) {
            ++figures_.received;
            ++figures_.too_many;
            continue;
        }
        const auto packet = std::span(buffer_).first(std::min(*size, buffer_.size()));
        allowance_ -= static_cast<double>(read_packet(packet, now));
    }
}

std::size_t NetworkSource::read_packet(std::span<const std::byte> packet, double now) {
    now_ = now;
    ++figures_.received;
    messages_ = 0;
    const bool good = read_osc(packet, *this);
    if (messages_ > kMaxMessagesPerPacket)
        ++figures_.too_many;
    else if (!good)
        ++figures_.malformed;
    return std::max({std::size_t{1}, messages_, packet.size() / kBytesPerMessage});
}

/// Checks every message before any message of its packet is used.
bool NetworkSource::accept(const OscMessage& message) {
    if (++messages_ > kMaxMessagesPerPacket) return false;
    const VmcHands::Result result = VmcHands::check(message);
    if (result != VmcHands::Result::not_vmc) return result == VmcHands::Result::accepted;
    const auto end = message.argument.begin() + static_cast<std::ptrdiff_t>(message.count);
    return std::all_of(message.argument.begin(), end,
                       [](const OscArgument& argument) { return std::isfinite(argument.number); });
}

void NetworkSource::receive(const OscMessage& message) {
    if (vmc_.receive(message, now_) != VmcHands::Result::not_vmc) return;
    if (!digits_of(message.address).empty()) return;  // ambiguous: maps use ":2" for the second argument
    Address* entry = find_address(message.address, false);
    if (entry == nullptr) return;
    if (message.count == 0) {
        const std::size_t channel = channel_of(message.address, *entry, 0);
        channels_[channel].now.valid = true;
        press(channel);
    }
    std::size_t number = 0;
    for (std::size_t i = 0; i < message.count && number < kMaxArguments; ++i) {
        const OscArgument& argument = message.argument[i];
        if (argument.kind != OscArgument::Kind::number) continue;
        const std::size_t channel = channel_of(message.address, *entry, number++);
        const bool was_on = channels_[channel].now.number > kOnText;
        set_value(channel, argument.number);
        if (argument.number > kOnText && !was_on) press(channel);
    }
}

void NetworkSource::press(std::size_t channel) {
    int& presses = channels_[channel].now.presses;
    if (presses < kMaxPresses)
        ++presses;
    else
        ++figures_.too_many;
}

/// Unmapped addresses have a fixed number of places: channels are numbered, so a place cannot be reused.
NetworkSource::Address* NetworkSource::find_address(std::string_view address, bool mapped) {
    auto found = addresses_.find(address);
    if (found == addresses_.end()) {
        const bool full = !mapped && unmapped_addresses_ == kMaxUnmappedAddresses;
        if (full || address.size() > kMaxAddressLength) return nullptr;
        found = addresses_.emplace(address, Address{}).first;
        ++unmapped_addresses_;
    }
    if (mapped && !std::exchange(found->second.mapped, true)) --unmapped_addresses_;
    return &found->second;
}

std::size_t NetworkSource::channel_of(std::string_view address, Address& entry, std::size_t number) {
    std::size_t& channel = entry.channel[number];
    if (channel == 0) {  // channel 0 is a hand, so 0 means none
        std::string name(address);
        if (number > 0) name += ":" + std::to_string(number + 1);
        channel = add(std::move(name), DeviceClass::value, true);
    }
    return channel;
}

std::optional<std::size_t> NetworkSource::open(std::string_view name) {
    if (!name.starts_with('/')) return InputSource::open(name);  // a hand channel
    const auto number = split_number(name);
    if (!number || name.size() < 2) return std::nullopt;
    Address* entry = find_address(name, true);
    if (entry == nullptr) return std::nullopt;
    return channel_of(name, *entry, *number);
}

std::string NetworkSource::expected() const {
    return "left, right or an address of at most " + std::to_string(kMaxAddressLength) +
           " letters like /fader/1, optionally with an argument number from 1 to " +
           std::to_string(kMaxArguments) + " like /xy:2";
}

std::string NetworkSource::state() const {
    if (!figures_.open) return "closed; --osc PORT opens it";
    return (figures_.any ? "port " : "this machine only, port ") + std::to_string(figures_.port);
}

}  // namespace claybox::engine
