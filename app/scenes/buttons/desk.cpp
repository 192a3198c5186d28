#include "app/scenes/buttons/desk.hpp"

#include "app/potter/shapes/lathe.hpp"
#include "app/scenes/shared/decor.hpp"
#include "collision/core/elementary.hpp"
#include "collision/core/trig.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>

namespace claybox::app {

using collision::Parameter;
using collision::ParameterKind;
using collision::Pose;
using collision::Vec3d;
using collision::Vec3f;

namespace {

constexpr double kSlant = 17 * std::numbers::pi / 180;
constexpr double kWheelX[3] = {-0.166, -0.064, 0.038}, kWheelY = 0.0735;
constexpr double kKeyX = -0.190, kKeyPitch = 0.0505, kKeyY = 0.0085;
constexpr double kSliderX[2] = {-0.152, 0.010}, kSliderY = -0.0480, kSliderPitch = 0.0250;
constexpr double kToggleX = 0.1225, kTogglePitchX = 0.036, kToggleY = 0.100, kTogglePitchY = 0.052;
constexpr double kLookX[2] = {0.0505, 0.0810};  // of the toggles next to the keys
// Far enough from the sliders: a finger on a slider leans to the right and must not touch these keys.
constexpr double kPageX[2] = {-0.0655, 0.0985}, kPageY = -0.0600, kGroupY = -0.1080;
constexpr double kDialX = 0.1585, kDialY = -0.083;
// Area of the plate that belongs to the caption below a toggle.
constexpr double kCaptionHalfX = 0.0165, kCaptionLow = -0.0285, kCaptionZ = 0.004;

/// In the order of ParallelMode; the card Performance has the long titles.
constexpr std::array<const char*, collision::kParallelModes> kModeTitles{
    "All pairs", "Half pairs", "Gap race", "Point race", "Pair parts"};

void add_keys(std::vector<DeskControl>& out) {
    const auto key = [&](int column, DeskRole role, const char* title, const char* first,
                         const char* second = "") {
        out.push_back({DeskKind::key, role, title, {first, second}, kKeyX + kKeyPitch * column, kKeyY, 0});
    };
    key(0, DeskRole::open, "Open scene", "Open", "scene");
    key(1, DeskRole::pause, "Pause", "Pause");
    key(2, DeskRole::step, "Step", "Step");
    key(3, DeskRole::restart, "Restart", "Restart");
    key(4, DeskRole::next_algorithm, "Next algorithm", "Next", "algorithm");
    const auto small = [&](DeskRole role, const char* title, const char* line, double x, double y) {
        out.push_back({DeskKind::small_key, role, title, {line, ""}, x, y, 0});
    };
    small(DeskRole::scene_page, "Next page of the scene", "Page", kPageX[0], kPageY);
    small(DeskRole::page, "Next page", "Page", kPageX[1], kPageY);
    small(DeskRole::group, "Next group", "Group", kPageX[1], kGroupY);
}

void add_toggles(std::vector<DeskControl>& out) {
    const auto toggle_at = [&](double x, double y, DeskRole role, const std::string& title, unsigned index) {
        out.push_back({DeskKind::toggle, role, title, {title, ""}, x, y, index});
    };
    toggle_at(kLookX[0], kKeyY, DeskRole::theme, "Dark", 0);
    toggle_at(kLookX[1], kKeyY, DeskRole::sound, "Sound", 0);
    int place = 0;
    const auto toggle = [&](DeskRole role, const std::string& title, unsigned index = 0) {
        toggle_at(kToggleX + kTogglePitchX * (place % 3), kToggleY - kTogglePitchY * (place / 3), role, title,
                  index);
        ++place;
    };
    toggle(DeskRole::concurrent, "Concurrent");
    toggle(DeskRole::exact, "Exact");
    toggle(DeskRole::all_fingers, "All fingers");
    for (unsigned i = 0; i < collision::kParallelModes; ++i) toggle(DeskRole::parallel, kModeTitles[i], i);
}

void add_sliders(std::vector<DeskControl>& out) {
    for (unsigned column = 0; column < 2; ++column)
        for (unsigned i = 0; i < kDeskSliders; ++i)
            out.push_back({DeskKind::slider,
                           column == 0 ? DeskRole::scene_parameter : DeskRole::setting,
                           column == 0 ? "Scene setting" : "Setting",
                           {},
                           kSliderX[column],
                           kSliderY - kSliderPitch * i,
                           i});
}

std::vector<DeskControl> make_controls() {
    std::vector<DeskControl> out;
    add_keys(out);
    const auto turned = [&](DeskKind kind, DeskRole role, const char* title, double x, double y) {
        out.push_back({kind, role, title, {}, x, y, 0});
    };
    turned(DeskKind::wheel, DeskRole::scene, "Scene", kWheelX[0], kWheelY);
    turned(DeskKind::wheel, DeskRole::algorithm, "Pair algorithm", kWheelX[1], kWheelY);
    turned(DeskKind::wheel, DeskRole::broad_phase, "Broad phase", kWheelX[2], kWheelY);
    add_sliders(out);
    add_toggles(out);
    turned(DeskKind::dial, DeskRole::workers, "Workers", kDialX, kDialY);
    return out;
}

/// Ray parameter at which the ray enters the box; 1e30 for a miss.
double box_entry(const DeskRay& ray, const Vec3d& low, const Vec3d& high) {
    double enter = 0, leave = 1e30;
    for (std::size_t i = 0; i < 3; ++i) {
        const double to_low = low[i] - ray.origin[i], to_high = high[i] - ray.origin[i];
        if (ray.direction[i] == 0) {
            if (to_low > 0 || to_high < 0) return 1e30;
            continue;
        }
        const double a = to_low / ray.direction[i], b = to_high / ray.direction[i];
        enter = std::max(enter, std::min(a, b));
        leave = std::min(leave, std::max(a, b));
    }
    return enter <= leave ? enter : 1e30;
}

/// The number with 0 to 2 decimals, depending on its size.
std::string number_text(double value) {
    std::array<char, 32> text;
    const double magnitude = std::abs(value);
    const int decimals = value == std::round(value) || magnitude >= 100 ? 0 : magnitude >= 10 ? 1 : 2;
    const auto end =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, decimals);
    return {text.data(), end.ptr};
}

}  // namespace

std::span<const DeskControl> desk_controls() {
    static const std::vector<DeskControl> controls = make_controls();
    return controls;
}

std::uint32_t desk_control(DeskRole role, unsigned index) {
    const auto all = desk_controls();
    const auto found = std::find_if(all.begin(), all.end(), [&](const DeskControl& control) {
        return control.role == role && control.index == index;
    });
    CLAYBOX_ASSERT(found != all.end());
    return static_cast<std::uint32_t>(found - all.begin());
}

Vec3f desk_cap_half(DeskKind kind) {
    switch (kind) {
        case DeskKind::key:
            return {0.0205f, 0.0160f, 0.009f};
        case DeskKind::small_key:
            return {0.0105f, 0.0125f, 0.009f};
        case DeskKind::toggle:
            return {0.0110f, 0.0145f, 0.009f};
        case DeskKind::slider:
            return {static_cast<float>(kRailHalf + kKnobHalf), 0.0085f, 0.002f};
        case DeskKind::dial:
            return {0.026f, 0.026f, 0.009f};
        case DeskKind::wheel:
            return {0.0460f, 0.0270f, 0.006f};
    }
    return {};
}

PressPad desk_pad(DeskKind kind) {
    const Vec3f half = desk_cap_half(kind);
    // A round face counts as a square of equal area.
    const double share = kind == DeskKind::dial ? std::sqrt(std::numbers::pi) / 2 : 1;
    return {share * static_cast<double>(half.x), share * static_cast<double>(half.y),
            kind == DeskKind::key || kind == DeskKind::small_key || kind == DeskKind::toggle};
}

double desk_height(DeskKind kind) {
    switch (kind) {
        case DeskKind::slider:
            return 0.0072;
        case DeskKind::wheel:
            return 0.0135;
        default:
            return 0.0165;  // a fully pressed cap is 2 mm above its well
    }
}

collision::Result<collision::ShapePtr> desk_cap_shape(DeskKind kind) {
    const Vec3f half = desk_cap_half(kind);
    if (kind != DeskKind::dial)
        return collision::Shape::from_hull(box_mesh(half, {0, 0, -half.z}).positions, "cap");
    collision::PolygonList disc =
        rounded_disc(static_cast<double>(half.x), 2 * static_cast<double>(half.z), 0.002, 2, 24);
    for (Vec3f& p : disc.positions) p = {p.x, -p.z, p.y};
    return collision::Shape::from_hull(disc.positions, "cap");
}

Pose world_from_desk() {
    // The lower edge rests on the table; the plate leans back.
    const auto [sine, cosine] = collision::sin_cos(kSlant);
    const double rise = kDeskHalfY * sine + kDeskCase * cosine;
    return {collision::axis_angle({1, 0, 0}, kSlant - std::numbers::pi / 2), {0, rise, 0}};
}

Pose desk_face(const DeskControl& control) {
    return world_from_desk() * Pose{{}, {control.x, control.y, desk_height(control.kind)}};
}

std::uint32_t desk_control_at(const DeskRay& ray) {
    std::uint32_t nearest = collision::kNoIndex;
    double nearest_t = 1e30;
    const auto all = desk_controls();
    for (std::uint32_t i = 0; i < all.size(); ++i) {
        const DeskControl& control = all[i];
        const Vec3d half = collision::cast<double>(desk_cap_half(control.kind));
        const Vec3d at{control.x, control.y, 0};
        double t = box_entry(ray, at - Vec3d{half.x, half.y, 0},
                             at + Vec3d{half.x, half.y, desk_height(control.kind)});
        if (control.kind == DeskKind::toggle)
            t = std::min(t, box_entry(ray, at + Vec3d{-kCaptionHalfX, kCaptionLow, 0},
                                      at + Vec3d{kCaptionHalfX, -half.y, kCaptionZ}));
        if (t < nearest_t) {
            nearest_t = t;
            nearest = i;
        }
    }
    return nearest;
}

ViewCamera desk_camera() {
    ViewCamera camera;
    camera.position = {0.018f, 0.580f, 0.590f};
    camera.target = {0.004f, 0.034f, 0.010f};
    camera.vertical_fov = static_cast<float>(28 * std::numbers::pi / 180);
    camera.far_plane = 20;
    return camera;
}

ViewLight desk_light() {
    ViewLight light;
    light.towards = {-0.58f, 0.70f, 0.40f};
    light.shadow_half_width = 0.36f;
    light.shadow_centre = {0, 0.04f, 0};
    light.fade_start = 0.9f;
    light.fade_end = 2.0f;
    light.occlusion = 0.95f;
    return light;
}

namespace {

struct Ends {
    double low, high;
};
Ends ends_of(const Parameter& p) {
    if (p.kind == ParameterKind::choice) return {0, std::max(1.0, static_cast<double>(p.choices.size()) - 1)};
    if (p.kind == ParameterKind::toggle) return {0, 1};
    return {p.min, p.max};
}
bool is_logarithmic(const Parameter& p) {
    return p.logarithmic && p.min > 0 && p.max > p.min;
}

}  // namespace

double share_of(const Parameter& p, double value) {
    const Ends ends = ends_of(p);
    const double share = is_logarithmic(p) ? collision::logarithm(value / ends.low) /
                                                 collision::logarithm(ends.high / ends.low)
                                           : (value - ends.low) / (ends.high - ends.low);
    return std::isfinite(share) ? std::clamp(share, 0.0, 1.0) : 0;
}

double value_at(const Parameter& p, double share) {
    const Ends ends = ends_of(p);
    const double value = is_logarithmic(p) ? ends.low * collision::power(ends.high / ends.low, share)
                                           : ends.low + (ends.high - ends.low) * share;
    const double whole = p.kind == ParameterKind::real ? value : std::round(value);
    return std::clamp(whole, ends.low, ends.high);
}

double workers_share(unsigned workers) {
    return collision::logarithm(std::clamp(workers, 1u, kMaxWorkers)) / collision::logarithm(kMaxWorkers);
}

unsigned workers_at(double share) {
    return static_cast<unsigned>(std::lround(collision::power(kMaxWorkers, std::clamp(share, 0.0, 1.0))));
}

int detents_of(const Parameter& p) {
    if (p.kind == ParameterKind::toggle) return 2;
    return p.kind == ParameterKind::choice ? static_cast<int>(p.choices.size()) : 0;
}

std::string parameter_words(const Parameter& p, double value) {
    const std::string title = p.title;
    if (p.kind == ParameterKind::toggle) return title + (value != 0 ? ": on" : ": off");
    if (p.kind == ParameterKind::choice) {
        const auto index = static_cast<std::size_t>(value);
        return title + ": " + (index < p.choices.size() ? p.choices[index] : "");
    }
    return title + ": " + number_text(value) + (*p.unit ? " " : "") + p.unit;
}

std::string parameter_text(const Parameter& p, double value) {
    if (p.kind == ParameterKind::toggle) return std::string(p.id) + (value != 0 ? "=on" : "=off");
    if (p.kind == ParameterKind::choice)
        return std::string(p.id) + "=" +
               p.choices[std::min(static_cast<std::size_t>(value), p.choices.size() - 1)];
    std::array<char, 32> text;
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value);
    return std::string(p.id) + "=" + std::string(text.data(), end.ptr);
}

}  // namespace claybox::app
