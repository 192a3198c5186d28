// OSC over UDP: hands by VMC from a real OSC client, free addresses, and invalid packets.

#include "engine/input/network/osc_packet.hpp"
#include "tests/engine/device_fixture.hpp"
#include "tests/pairwise/counting_new.hpp"

#if defined(CLAYBOX_LIBLO)
#include <lo/lo.h>
#endif

#include <cmath>
#include <cstring>
#include <random>

namespace claybox::engine {
namespace {

using Packet = std::vector<std::byte>;

void add_word(Packet& out, std::uint32_t word) {
    for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<std::byte>(word >> shift & 0xff));
}

void add_text(Packet& out, std::string_view text) {
    for (const char c : text) out.push_back(static_cast<std::byte>(c));
    do out.push_back(std::byte{0});
    while (out.size() % 4 != 0);
}

Packet message(std::string_view address, const std::vector<float>& numbers, std::string_view name = {}) {
    Packet out;
    add_text(out, address);
    add_text(out, (name.empty() ? "," : ",s") + std::string(numbers.size(), 'f'));
    if (!name.empty()) add_text(out, name);
    for (const float n : numbers) add_word(out, std::bit_cast<std::uint32_t>(n));
    return out;
}

Packet bundle(const std::vector<Packet>& elements) {
    Packet out;
    add_text(out, "#bundle");
    add_word(out, 0);
    add_word(out, 1);
    for (const Packet& element : elements) {
        add_word(out, static_cast<std::uint32_t>(element.size()));
        out.insert(out.end(), element.begin(), element.end());
    }
    return out;
}

Packet bone(std::string_view name, const glm::vec3& p = {0, 0, 0}, const glm::quat& q = {1, 0, 0, 0}) {
    return message("/VMC/Ext/Bone/Pos", {p.x, p.y, p.z, q.x, q.y, q.z, q.w}, name);
}

class Network : public testing::Test {
  protected:
    void SetUp() override {
        std::string error;
        ASSERT_TRUE(rig_.network.listen(0, false, error)) << error;
        rig_.load(
            "hand right = xr.right | network.right\nhand left = network.left\nvalue fader = "
            "network./fader/1\n"
            "value second = network./xy:2\nbutton fire = network./fire\nvalue curl = @right.index_curl\n");
    }
    void feed_packet(const Packet& packet) { rig_.network.read_packet(packet, rig_.now); }
    const NetworkFigures& figures() const { return rig_.network.figures(); }
    DeviceRig rig_;
};

TEST_F(Network, bones_in_unitys_frame_become_26_joints_in_our_frame) {
    for (const bool left : {false, true}) {
        const std::string side = left ? "Left" : "Right";
        const float out = left ? -1.0f : 1.0f, half = std::sqrt(0.5f);
        feed_packet(bone("Hips", {0, 1, 0}));
        feed_packet(bundle({bone(side + "UpperArm", {0.2f * out, 0.4f, 0}),
                            bone(side + "Hand", {0.5f * out, 0, 0.1f}),
                            bone(side + "IndexProximal", {}, {half, 0, 0, -half * out})}));
        rig_.frame();
        const Reading& hand = rig_.poll(left ? "left" : "right");
        ASSERT_TRUE(hand.valid);
        EXPECT_EQ(hand.hand->left, left);
        for (const HandJoint& j : hand.hand->joint)
            EXPECT_TRUE(j.valid && is_rotation(j.rotation) && is_finite(j.position));
        const HandJoint& wrist = hand.hand->joint[joint::kWrist];
        const auto x = static_cast<double>(out);
        EXPECT_LT(glm::distance(wrist.position, glm::dvec3(0.7 * x, 1.4, -0.1)), 1e-6) << "Z is flipped";
        EXPECT_LT(glm::distance(wrist.rotation * glm::dvec3(0, 0, -1), glm::dvec3(x, 0, 0)), 1e-9);
        EXPECT_LT(glm::distance(wrist.rotation * glm::dvec3(0, 1, 0), glm::dvec3(0, 1, 0)), 1e-9);
        const HandAngles angles = hand_angles(*hand.hand);
        EXPECT_NEAR(angles[4], std::acos(0.0), 0.1) << "the forefinger points down";
        EXPECT_NEAR(angles[8], 0, 0.1) << "the middle finger is straight";
        const glm::dvec3 thumb = hand.hand->joint[joint::kThumbTip].position - wrist.position;
        EXPECT_LT(thumb.z, -0.02) << "the thumb is in front";
        // -Z points along the bone towards the tip.
        const HandJoint* index = &hand.hand->joint[joint::kIndexMetacarpal];
        for (int i = 0; i < 4; ++i) {
            const glm::dvec3 ahead = glm::normalize(index[i + 1].position - index[i].position);
            EXPECT_GT(glm::dot(index[i].rotation * glm::dvec3(0, 0, -1), ahead), 0.999) << i;
        }
    }
}

TEST_F(Network, bone_lengths_of_the_sender_are_used_if_plausible) {
    feed_packet(bone("RightHand"));
    feed_packet(bone("RightIndexIntermediate", {0.05f, 0, 0}));
    feed_packet(bone("RightMiddleIntermediate", {5, 0, 0}));
    rig_.frame();
    const auto& j = rig_.poll("right").hand->joint;
    EXPECT_NEAR(
        glm::distance(j[joint::kIndexMetacarpal + 1].position, j[joint::kIndexMetacarpal + 2].position), 0.05,
        1e-6);
    EXPECT_LT(
        glm::distance(j[joint::kMiddleMetacarpal + 1].position, j[joint::kMiddleMetacarpal + 2].position),
        0.06);
}

TEST_F(Network, a_hand_without_messages_or_not_loaded_is_gone) {
    feed_packet(bone("RightHand"));
    rig_.frame();
    EXPECT_TRUE(rig_.poll("right").valid);
    for (int i = 0; i < 40; ++i) rig_.frame();
    EXPECT_FALSE(rig_.poll("right").valid);
    feed_packet(bone("RightHand"));
    feed_packet(message("/VMC/Ext/OK", {0}));
    rig_.frame();
    EXPECT_FALSE(rig_.poll("right").valid);
}

TEST_F(Network, free_addresses_are_values_and_presses) {
    feed_packet(message("/fader/1", {0.25f}));
    feed_packet(message("/xy", {1, 2}));
    feed_packet(message("/fire", {}));
    rig_.frame();
    rig_.frame();
    EXPECT_EQ(rig_.poll("fader").number, 0.25);
    EXPECT_EQ(rig_.poll("second").number, 2);
    EXPECT_FALSE(rig_.poll("fire").down);
    EXPECT_TRUE(rig_.network.open("/xy:2").has_value());
    EXPECT_FALSE(rig_.network.open("fader").has_value());
}

TEST_F(Network, an_invalid_packet_is_dropped_and_counted) {
    const Packet good = message("/fader/1", {0.5f});
    std::vector<Packet> bad{{},
                            message("fader/1", {1}),
                            message("/fad*er", {1}),
                            message("/fader/1", {std::nanf("")}),
                            message("/VMC/Ext/Bone/Pos", {1, 2, 3}, "RightHand"),
                            bone("RightHand", {0, 0, 0}, {0, 0, 0, 0}),
                            bone("RightHand", {INFINITY, 0, 0}),
                            bundle({good, message("x", {})}),
                            Packet(good.begin(), good.end() - 4),
                            Packet(good.begin(), good.end() - 1)};
    Packet deep = good;
    for (int i = 0; i < 12; ++i) deep = bundle({deep});
    bad.push_back(deep);
    Packet long_element = bundle({good});
    long_element[19] = std::byte{0xff};
    bad.push_back(long_element);
    for (const Packet& packet : bad) feed_packet(packet);
    EXPECT_EQ(figures().received, bad.size());
    EXPECT_EQ(figures().malformed, bad.size());
    rig_.frame();
    EXPECT_FALSE(rig_.poll("fader").valid);
    EXPECT_FALSE(rig_.poll("right").valid);
    feed_packet(bundle({bundle({good})}));
    EXPECT_EQ(figures().malformed, bad.size());
    rig_.frame();
    EXPECT_EQ(rig_.poll("fader").number, 0.5);
}

TEST_F(Network, one_invalid_message_rejects_the_whole_packet) {
    feed_packet(bone("RightHand"));
    feed_packet(message("/xy", {0.25f, 0.25f}));
    const Packet fire = message("/fire", {}), gone = message("/VMC/Ext/OK", {0}),
                 one = message("/xy", {1, 1});
    const Packet bad_bone = bone("RightHand", {0, 0, 0}, {0, 0, 0, 0});
    const std::vector<Packet> bad{bundle({gone, one, fire, bad_bone}),
                                  bundle({gone, message("/VMC/Ext/T", {})}),
                                  bundle({bone("RightHand", {5, 5, 5}), message("/xy", {1, std::nanf("")})}),
                                  message("/xy", {0.5f, std::nanf("")}),
                                  message("/VMC/Ext/OK", {std::nanf("")}),
                                  message("/xy", {1, 1, 1, 1, 1, 1, 1, 1, 1, INFINITY})};
    for (const Packet& packet : bad) feed_packet(packet);
    EXPECT_EQ(figures().malformed, bad.size());
    rig_.frame();
    EXPECT_FALSE(rig_.poll("fire").valid);
    ASSERT_TRUE(rig_.poll("right").valid) << "the OK 0 came in a rejected packet";
    EXPECT_LT(rig_.poll("right").hand->joint[joint::kWrist].position.x, 1);
    EXPECT_EQ(rig_.network.channels()[*rig_.network.open("/xy")].now.number, 0.25);
    EXPECT_EQ(rig_.poll("second").number, 0.25);
    feed_packet(bundle({message("/VMC/Ext/Blend/Val", {std::nanf("")}, "Joy"), one}));
    rig_.frame();
    EXPECT_EQ(figures().malformed, bad.size());
    EXPECT_EQ(rig_.poll("second").number, 1) << "face data is ignored, even if invalid";
}

TEST_F(Network, a_packet_with_too_many_messages_is_rejected) {
    const Packet fire = message("/fire", {});
    feed_packet(bundle(std::vector<Packet>(8186, fire)));
    rig_.frame();
    EXPECT_FALSE(rig_.poll("fire").valid);
    EXPECT_EQ(figures().too_many, 1u);
    EXPECT_EQ(figures().malformed, 0u) << "it is valid OSC";
    std::vector<Packet> most(1023, message("/fader/1", {0.5f}));
    most.push_back(fire);
    feed_packet(bundle(most));
    rig_.frame();
    EXPECT_EQ(figures().too_many, 1u);
    EXPECT_TRUE(rig_.poll("fire").valid);
    EXPECT_EQ(rig_.network.read_packet(Packet(65280), rig_.now), 255u)
        << "counted by size, whatever the content";
}

TEST_F(Network, a_mapped_address_always_gets_a_channel) {
    const auto unmapped = [](std::size_t i) { return "/unmapped/" + std::to_string(i); };
    for (std::size_t i = 0; i < NetworkSource::kMaxUnmappedAddresses + 10; ++i)
        feed_packet(message(unmapped(i), {1}));
    EXPECT_EQ(rig_.network.channels().size(), 5 + NetworkSource::kMaxUnmappedAddresses);
    rig_.load("value a = network./late\nvalue b = network./unmapped/3\nvalue c = network./unmapped/260\n");
    for (const std::string& address : {std::string("/late"), unmapped(3), unmapped(260)})
        feed_packet(message(address, {0.5f}));
    rig_.frame();
    for (const char* name : {"a", "b", "c"}) EXPECT_EQ(rig_.poll(name).number, 0.5) << name;
    for (std::size_t i = 0; i < 600; ++i) feed_packet(message(unmapped(i), {1, 2, 3}));
    EXPECT_EQ(rig_.network.channels().size(), 6 + 3 * (2 + NetworkSource::kMaxUnmappedAddresses))
        << "two are now mapped; the limit of unmapped ones is unchanged";
}

TEST_F(Network, an_impossible_channel_is_an_error_with_its_reason) {
    for (const std::string name :
         {"/xy:9", "/xy:0", "/xy:99999999999999999999", "/v1.0/xy:9", "/", "xy", "right:2"}) {
        const std::string error = rig_.load_error("value a = network." + name + "\n");
        EXPECT_NE(error.find("'" + name +
                             "' is not a channel of network, expected left, right or an address of "
                             "at most 128 letters like /fader/1, optionally with an argument number from 1 "
                             "to 8 like /xy:2"),
                  std::string::npos)
            << error;
    }
    rig_.load_error("value a = network./" + std::string(128, 'a') + "\n");
    rig_.load("value a = network./" + std::string(127, 'a') + "\nvalue b = network./of:a\n" +
              "value c = network./xy:8\nvalue d = network.right.index_curl\n");
    feed_packet(message("/of:a", {0.5f}));
    rig_.frame();
    EXPECT_EQ(rig_.poll("b").number, 0.5) << "an address may contain a colon";
    const std::size_t channels = rig_.network.channels().size();
    feed_packet(message("/xy:2", {0.5f}));
    EXPECT_EQ(rig_.network.channels().size(), channels) << "no map can name it";
}

TEST_F(Network, arbitrary_bytes_cause_no_invalid_values) {
    std::mt19937 random(1);
    const std::vector<Packet> seeds{
        bone("RightHand", {0, 1, 0}), bone("LeftThumbProximal"),
        message("/fader/1", {0.5f}),  bundle({bone("RightHand"), bundle({message("/xy", {1, 2})})}),
        message("/VMC/Ext/OK", {1}),  message("/VMC/Ext/Root/Pos", {0, 0, 0, 0, 0, 0, 1}, "root")};
    for (int i = 0; i < 50000; ++i) {
        Packet packet = seeds[random() % seeds.size()];
        if (i % 4 == 0) packet.assign(random() % 200, std::byte{});
        const std::size_t changes = i % 4 == 0 ? packet.size() : random() % 8;
        for (std::size_t c = 0; c < changes && !packet.empty(); ++c)
            packet[random() % packet.size()] =
                static_cast<std::byte>(random() % 3 == 0 ? "/,sfbi#\0"[random() % 8] : random());
        if (random() % 3 == 0) packet.resize(random() % (packet.size() + 5));
        feed_packet(packet);
        if (i % 100 != 0) continue;
        rig_.frame();
        for (const char* name : {"left", "right"}) {
            const Reading& hand = rig_.poll(name);
            if (!hand.valid) continue;
            for (const HandJoint& j : hand.hand->joint)
                ASSERT_TRUE(is_finite(j.position) && is_rotation(j.rotation));
        }
        ASSERT_TRUE(std::isfinite(rig_.poll("fader").number) && std::isfinite(rig_.poll("curl").number));
    }
    EXPECT_GT(figures().malformed, 20000u);
    EXPECT_LE(rig_.network.channels().size(),
              2 + (3 + NetworkSource::kMaxUnmappedAddresses) * NetworkSource::kMaxArguments);
}

TEST(NetworkSource, a_used_port_is_an_error) {
    NetworkSource first, second;
    std::string error;
    ASSERT_TRUE(first.listen(0, false, error)) << error;
    EXPECT_FALSE(second.listen(first.figures().port, false, error));
    EXPECT_NE(error.find("another program uses it"), std::string::npos) << error;
}

#if defined(CLAYBOX_LIBLO)

constexpr lo_timetag kAtOnce{0, 1};  // clang rejects the macro LO_TT_IMMEDIATE

/// A client of liblo.
class Client {
  public:
    Client(const char* host, std::uint16_t port)
        : address_(lo_address_new(host, std::to_string(port).c_str())) {}
    ~Client() { lo_address_free(address_); }
    void bone(const char* name, float x, float y, float z, float qx, float qy, float qz, float qw) const {
        lo_send(address_, "/VMC/Ext/Bone/Pos", "sfffffff", name, x, y, z, qx, qy, qz, qw);
    }
    void bundle_of(int values, int presses) const {
        lo_bundle together = lo_bundle_new(kAtOnce);
        for (int i = 0; i < values; ++i) add(together, "/fader/1", "f", 0.5);
        for (int i = 0; i < presses; ++i) add(together, "/fire", "");
        lo_send_bundle(address_, together);
        lo_bundle_free_recursive(together);
    }
    /// A whole body, as motion-capture programs send it.
    void skeleton(int bones, int faces) const {
        lo_bundle together = lo_bundle_new(kAtOnce);
        for (int i = 0; i < bones; ++i)
            add(together, "/VMC/Ext/Bone/Pos", "sfffffff", "RightHand", 0.3, 1.2, 0.0, 0.0, 0.0, 0.0, 1.0);
        for (int i = 0; i < faces; ++i) add(together, "/VMC/Ext/Blend/Val", "sf", "Joy", 0.5);
        lo_send_bundle(address_, together);
        lo_bundle_free_recursive(together);
    }
    lo_address to() const { return address_; }

  private:
    template <class... Arguments>
    static void add(lo_bundle to, const char* address, const char* types, Arguments... arguments) {
        lo_message one = lo_message_new();
        lo_message_add(one, types, arguments...);
        lo_bundle_add_message(to, address, one);
    }
    lo_address address_;
};

TEST_F(Network, Z_9_server_a_real_OSC_client_drives_the_hand_over_UDP) {
    const Client client("127.0.0.1", figures().port);
    double before = -1;
    for (const double bend : {0.0, 0.4, 0.8, 1.2}) {
        const auto s = static_cast<float>(std::sin(-0.5 * bend)),
                   c = static_cast<float>(std::cos(0.5 * bend));
        client.bone("RightHand", 0.3f, 1.2f, static_cast<float>(bend), 0, 0, 0, 1);
        for (const char* name : {"RightIndexProximal", "RightIndexIntermediate", "RightIndexDistal"})
            client.bone(name, 0, 0, 0, 0, 0, s, c);
        lo_bundle together = lo_bundle_new(kAtOnce);
        lo_message value = lo_message_new();
        lo_message_add_float(value, static_cast<float>(bend));
        lo_bundle_add_message(together, "/fader/1", value);
        lo_send_bundle(client.to(), together);
        lo_bundle_free_recursive(together);
        lo_send(client.to(), "/VMC/Ext/OK", "i", 1);
        rig_.frame();
        ASSERT_TRUE(rig_.poll("right").valid);
        EXPECT_EQ(rig_.events("right").size(), 1u);
        EXPECT_NEAR(rig_.poll("right").hand->joint[joint::kWrist].position.z, -bend, 1e-6);
        EXPECT_NEAR(rig_.poll("fader").number, bend, 1e-6);
        EXPECT_GT(rig_.poll("curl").number, before);
        before = rig_.poll("curl").number;
    }
    EXPECT_GT(before, 0.75);
    EXPECT_EQ(figures().received, 4u * 6u);
    EXPECT_EQ(figures().malformed, 0u);
    lo_send(client.to(), "/fire", "");
    rig_.frame();
    ASSERT_EQ(rig_.events("fire").size(), 2u) << "a press is down, then up";
    EXPECT_TRUE(rig_.events("fire")[0].down);
}

TEST_F(Network, Z_9_server_receives_from_this_machine_only_by_default) {
    // Also a loopback address, but not the one that the source listens on.
    const auto packets_from_elsewhere = [&] {
        const Client client("127.0.0.2", figures().port);
        lo_send(client.to(), "/fader/1", "f", 0.5);
        rig_.frame();
        return figures().received;
    };
    EXPECT_EQ(packets_from_elsewhere(), 0u);
    std::string error;
    ASSERT_TRUE(rig_.network.listen(0, true, error)) << error;
    EXPECT_EQ(packets_from_elsewhere(), 1u);
}

TEST_F(Network, Z_9_server_a_flood_is_limited_per_frame_and_per_second) {
    const Client client("127.0.0.1", figures().port);
    const auto send = [&](int count) {
        for (int i = 0; i < count; ++i) client.bundle_of(100, 0);
    };
    send(15);
    rig_.devices.update(5);
    EXPECT_EQ(figures().received, 15u);
    EXPECT_EQ(figures().too_many, 0u);
    send(15);
    rig_.devices.update(5);  // no time has passed: 548 of 2048 messages are left
    EXPECT_EQ(figures().received, 30u);
    EXPECT_EQ(figures().too_many, 9u);
    send(10);
    rig_.devices.update(5.00505);  // 5 ms allow 303, of which 52 are spent
    EXPECT_EQ(figures().received, 40u);
    EXPECT_EQ(figures().too_many, 16u);
    EXPECT_EQ(rig_.poll("fader").number, 0.5);
}

TEST_F(Network, excess_presses_are_dropped_counted_and_allocate_nothing) {
    rig_.load("button a = network./fire\nbutton b = @a\nbutton c = network./fire | network./fire\n");
    const Client client("127.0.0.1", figures().port);
    for (int i = 0; i < 3; ++i) {
        client.bundle_of(0, 500);
        const auto before = test::allocations_of_this_thread();
        rig_.frame();
        EXPECT_EQ(test::allocations_of_this_thread(), before);
        for (const char* name : {"a", "b", "c"})
            EXPECT_EQ(rig_.events(name).size(), 16u) << name << ": down and up 8 times";
    }
    EXPECT_EQ(figures().too_many, 3u * 492u);
    rig_.frame();
    EXPECT_TRUE(rig_.devices.events().empty());
}

TEST_F(Network, a_network_press_is_recorded_and_plays_back) {
    const Client client("127.0.0.1", figures().port);
    TrackRecorder recorder;
    for (int i = 0; i < 10; ++i) {
        client.bundle_of(0, i == 3 ? 1 : i == 7 ? 2 : 0);
        rig_.frame();
        recorder.begin(rig_.now);
        recorder.add("fire", DeviceClass::button, rig_.poll("fire"));
        ASSERT_TRUE(recorder.end());
    }
    EXPECT_NE(recorder.text().find("\"fire\":{\"button\":false,\"presses\":2}"), std::string::npos)
        << recorder.text();
    DeviceRig played({}, recorder.text());
    played.load("button fire = track.fire\n");
    std::size_t events = 0;
    for (int i = 0; i < 10; ++i) {
        played.frame();
        events += played.events("fire").size();
    }
    EXPECT_EQ(events, 6u) << "three presses, each down and up";
}

TEST_F(Network, Z_9_server_whole_skeletons_120_times_a_second_are_within_the_limits) {
    const Client client("127.0.0.1", figures().port);
    for (int i = 0; i < 240; ++i) {
        for (int twice = 0; twice < 2; ++twice) client.skeleton(60, 140);
        rig_.frame();
        ASSERT_TRUE(rig_.poll("right").valid);
    }
    EXPECT_EQ(figures().received, 480u);
    EXPECT_EQ(figures().too_many, 0u);
    EXPECT_EQ(figures().malformed, 0u);
}

#endif

}  // namespace
}  // namespace claybox::engine
