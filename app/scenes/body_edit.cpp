#include "app/scenes/body_edit.hpp"

#include "app/scenes/shared/body_shapes.hpp"

#include <charconv>
#include <cmath>

namespace claybox::app {

using collision::Error;
using collision::Pose;
using collision::Result;
using collision::Vec3d;

namespace {

constexpr std::size_t kRestingNumbers = 8, kMovingNumbers = 14;

void append(std::string& out, double value) {
    char buffer[32];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value);
    out += ' ';
    out.append(buffer, end.ptr);
}

bool in_range(const Vec3d& v, double limit) {
    return std::abs(v.x) <= limit && std::abs(v.y) <= limit && std::abs(v.z) <= limit;
}

/// The words of a text without its blanks.
std::vector<std::string_view> words_of(std::string_view text) {
    constexpr std::string_view kBlanks = " \t\r";
    std::vector<std::string_view> out;
    for (std::size_t at = text.find_first_not_of(kBlanks); at != std::string_view::npos;) {
        const std::size_t end = std::min(text.find_first_of(kBlanks, at), text.size());
        out.push_back(text.substr(at, end - at));
        at = text.find_first_not_of(kBlanks, end);
    }
    return out;
}

Error bad(std::string message) {
    return Error{std::move(message), {}, 0};
}

}  // namespace

const char* to_string(BodyEdit::Kind kind) {
    switch (kind) {
        case BodyEdit::Kind::hold:
            return "hold";
        case BodyEdit::Kind::let_go:
            return "let_go";
        case BodyEdit::Kind::put_down:
            return "put_down";
        case BodyEdit::Kind::add:
            return "add";
        case BodyEdit::Kind::copy:
            return "copy";
        case BodyEdit::Kind::remove:
            return "remove";
    }
    return "";
}

bool is_place(const Pose& pose) {
    const collision::Quat& q = pose.rotation;
    const double norm = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    return in_range(pose.translation, kMaxPlace) && norm >= 0.01 && norm <= 100;
}

std::string to_text(const PlacedBody& body) {
    std::string out = body.shape;
    const Vec3d& p = body.pose.translation;
    const collision::Quat& q = body.pose.rotation;
    for (const double value : {body.size, p.x, p.y, p.z, q.w, q.x, q.y, q.z}) append(out, value);
    const Vec3d &v = body.velocity, &s = body.spin;
    if (v == Vec3d{} && s == Vec3d{}) return out;
    for (const double value : {v.x, v.y, v.z, s.x, s.y, s.z}) append(out, value);
    return out;
}

Result<PlacedBody> read_placed_body(std::string_view text) {
    const std::vector<std::string_view> words = words_of(text);
    if (!words.empty() && !is_body_shape(words[0]))
        return bad("unknown shape '" + std::string(words[0]) + "', expected one of " + body_shape_list());
    if (words.size() != 1 + kRestingNumbers && words.size() != 1 + kMovingNumbers)
        return bad("expected SHAPE SIZE X Y Z and a rotation W X Y Z, or six more numbers of a motion");
    double n[kMovingNumbers] = {};
    for (std::size_t i = 1; i < words.size(); ++i) {
        const char* const end = words[i].data() + words[i].size();
        const auto read = std::from_chars(words[i].data(), end, n[i - 1]);
        if (read.ec != std::errc{} || read.ptr != end || !std::isfinite(n[i - 1]))
            return bad("'" + std::string(words[i]) + "' is not a number");
    }
    PlacedBody out;
    out.shape = words[0];
    out.size = n[0];
    out.pose = {{n[4], n[5], n[6], n[7]}, {n[1], n[2], n[3]}};
    out.velocity = {n[8], n[9], n[10]};
    out.spin = {n[11], n[12], n[13]};
    if (!(out.size >= kMinBodySize && out.size <= kMaxBodySize))
        return bad("size " + std::string(words[1]) + ": expected 10 to 400 mm");
    if (!in_range(out.pose.translation, kMaxPlace)) return bad("the place is farther away than 1000 m");
    if (!is_place(out.pose)) return bad("the rotation is not a quaternion of about unit length");
    if (!in_range(out.velocity, kMaxMotion) || !in_range(out.spin, kMaxMotion))
        return bad("the motion is faster than 10 m or radians per frame");
    return out;
}

}  // namespace claybox::app
