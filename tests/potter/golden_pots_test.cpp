// Golden pots: the same scripted strokes give the same clay, bit for bit, with every compiler and on every
// machine. tests/data/pots.tsv holds a hash for each start shape and effect. After a deliberate change,
// CLAYBOX_UPDATE_GOLDENS=1 writes it anew; look at what changed before you commit it.

#include "collision/core/state_hash.hpp"
#include "tests/potter/probe.hpp"

#include <bit>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

namespace claybox::app {
namespace {

using Goldens = std::map<std::string, std::string>;  ///< name of a pot, hash

const char* kGoldenFile = CLAYBOX_TEST_DATA "/pots.tsv";

Goldens read_goldens() {
    std::ifstream in(kGoldenFile);
    Goldens out;
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        std::string name, hash;
        if (words >> name >> hash && name[0] != '#') out[name] = hash;
    }
    return out;
}

void write_goldens(const Goldens& goldens) {
    std::ofstream out(kGoldenFile);
    out << "# Hashes of clay after scripted strokes: start shape/effect, hash. See "
           "tests/potter/golden_pots_test.cpp.\n";
    for (const auto& [name, hash] : goldens) out << name << '\t' << hash << '\n';
    ASSERT_TRUE(out.good());
}

std::string hash_of(const Clay& clay) {
    collision::StateHash hash;
    const auto add_float = [&](float x) { hash.add(std::uint64_t{std::bit_cast<std::uint32_t>(x + 0.0f)}); };
    for (const Vec3f& p : clay.positions()) {
        add_float(p.x);
        add_float(p.y);
        add_float(p.z);
    }
    for (const float m : clay.mask()) add_float(m);
    for (const collision::Triangle& t : clay.topology().triangles)
        for (const std::uint32_t v : t.vertices) hash.add(std::uint64_t{v});
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash.value()));
    return text;
}

/// A finger goes into the side of the clay, moves up along it and out again, with symmetry and with detail
/// that follows the hand.
std::uint64_t stroke(Clay& clay, const ClayBrush& brush, const Vec3d& from, std::uint64_t frame) {
    bool touched = false;
    for (int i = 0; i < 24; ++i) {
        const double in = 0.0012 * std::min(i, 12), up = 0.001 * std::max(i - 8, 0);
        const Vec3d tip = from + Vec3d{-in, up, 0.3 * in};
        ClayProbe finger = probe(clay, tip + Vec3d{0.03, 0.005, 0.01}, tip, 0.009);
        finger.touch.fresh = !touched;
        touched = touched || !finger.polygons.empty();
        finger.touch.motion = i < 8 ? Vec3d{-0.0012, 0, 0.00036} : Vec3d{-0.0004, 0.001, 0};
        clay.push({&finger.touch, 1}, brush, ++frame);
        clay.update(frame);
    }
    for (int i = 0; i < 40; ++i) clay.update(++frame);
    return frame;
}

/// Where a ray along -X at this height meets the outside.
Vec3d side_of(const Clay& clay, double height) {
    double out = 0;
    for (const Vec3f& p : clay.positions())
        if (std::abs(static_cast<double>(p.y) - height) < 0.01 && std::abs(p.z) < 0.02f)
            out = std::max(out, static_cast<double>(p.x));
    return {out + 0.007, height, 0};
}

std::string golden_pot(ClayShape shape, ClayEffect effect) {
    Clay clay(clay_shape(shape, 1200));
    clay.use_detail({true, 0.006, 6000});
    ClayBrush brush;
    brush.effect = effect;
    brush.falloff = static_cast<Falloff>(static_cast<int>(effect) % 4);
    brush.strength = 0.8;
    std::uint64_t frame = 0;
    const double height = clay.measure().height;
    if (effect == ClayEffect::unmask) {
        brush.effect = ClayEffect::mask;
        frame = stroke(clay, brush, side_of(clay, 0.5 * height), frame);
        brush.effect = effect;
    }
    frame = stroke(clay, brush, side_of(clay, 0.45 * height), frame);
    brush.symmetry = {static_cast<int>(shape) % 2 == 0, false, 3};
    brush.keep_volume = effect == ClayEffect::push;
    stroke(clay, brush, side_of(clay, 0.6 * height), frame);
    return hash_of(clay);
}

TEST(GoldenPots, each_effect_on_each_start_shape_gives_the_same_clay_everywhere) {
    const bool updates = std::getenv("CLAYBOX_UPDATE_GOLDENS") != nullptr;
    const Goldens expected = read_goldens();
    Goldens found;
    std::map<std::string, int> count;
    for (int shape = 0; shape < kClayShapeCount; ++shape) {
        for (int effect = 0; effect < kClayEffectCount; ++effect) {
            const std::string name = std::string(kClayShapeIds[shape]) + '/' + kClayEffectIds[effect];
            const std::string hash =
                golden_pot(static_cast<ClayShape>(shape), static_cast<ClayEffect>(effect));
            found[name] = hash;
            ++count[hash];
            if (updates) continue;
            const auto it = expected.find(name);
            EXPECT_EQ(hash, it == expected.end() ? "none" : it->second) << name;
        }
    }
    for (const auto& [name, hash] : found)
        EXPECT_EQ(count[hash], 1) << name << ": the stroke changes nothing";
    if (updates) write_goldens(found);
}

}  // namespace
}  // namespace claybox::app
