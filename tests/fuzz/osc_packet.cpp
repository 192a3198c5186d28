// Sends arbitrary bytes as network packets. Afterwards each hand must be finite or absent, and no value may
// be NaN.

#include "engine/input/hand_features.hpp"
#include "engine/input/network/network_source.hpp"
#include "tests/fuzz/fuzz.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::fuzz {

namespace {

void check(const engine::Channel& channel) {
    if (channel.type == engine::DeviceClass::value)
        require(std::isfinite(channel.now.number), "a value that is not finite");
    if (channel.type != engine::DeviceClass::hand || !channel.now.valid) return;
    for (const engine::HandJoint& j : channel.now.hand->joint)
        require(j.valid && engine::is_finite(j.position) && engine::is_rotation(j.rotation),
                "an invalid joint");
    for (std::size_t f = 0; f < engine::hand_feature_names().size(); ++f)
        require(engine::read_hand_feature(*channel.now.hand, f).valid, "an invalid hand feature");
}

}  // namespace

}  // namespace claybox::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace claybox;
    engine::NetworkSource source;
    std::string error;
    fuzz::require(source.listen(0, false, error), "no port", error.c_str());
    std::span<const std::byte> rest(reinterpret_cast<const std::byte*>(data), size);
    while (!rest.empty()) {  // each packet begins with its length
        const std::size_t length = std::min(rest.size() - 1, static_cast<std::size_t>(rest[0]) * 4);
        source.read_packet(rest.subspan(1, length), 0);
        rest = rest.subspan(1 + length);
    }
    source.update(0.01);
    for (const engine::Channel& channel : source.channels()) fuzz::check(channel);
    return 0;
}
