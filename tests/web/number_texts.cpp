// Prints the texts of many numbers and what is read from many texts. third_party/libcxx_gaps.hpp must print
// the same as a complete standard library: ./scripts/web test compiles this program with both and compares.
#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string_view>
#include <system_error>

namespace {

template <class T>
void show(T value) {
    std::array<char, 64> text{};
    const char* const end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
    T back = 0;
    const auto read = std::from_chars(text.data(), end, back);
    std::printf("%.*s %d\n", static_cast<int>(end - text.data()), text.data(),
                read.ec == std::errc() && read.ptr == end && back == value ? 1 : 0);
}

/// The numbers of errors differ between systems.
const char* name_of(std::errc code) {
    return code == std::errc()                      ? "read"
           : code == std::errc::invalid_argument    ? "no number"
           : code == std::errc::result_out_of_range ? "out of range"
                                                    : "other error";
}

void read(std::string_view text) {
    double value = -1;
    const auto found = std::from_chars(text.data(), text.data() + text.size(), value);
    std::printf("'%s' %s %d %.17g\n", text.data(), name_of(found.ec),
                static_cast<int>(found.ptr - text.data()), value);
}

void show_fixed(double value, int decimals) {
    std::array<char, 64> text{};
    const auto end =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, decimals);
    std::printf("%.*s\n", static_cast<int>(end.ptr - text.data()), text.data());
}

}  // namespace

int main() {
    for (const double v : {0.0, -0.0, 1.0, 0.1, 1e5, 123456.0, 1e21, 1e22, 1e23, 5e-324,
                           1.7976931348623157e308, 1.5e-3, 1e-5, 1.0 / 3}) {
        show(v);
        if (v < 1e30) show(static_cast<float>(v));
        if (v < 1e20) show_fixed(v, 3);
    }
    for (const char* text : {"",       "-",      ".",      "-.",    "+1",    " 1",    "1 ",   "1.",
                             ".5",     "-.5e1",  "1e",     "1e+",   "1e5",   "1E-3x", "0x10", "1e999",
                             "-1e999", "1e-999", "0e-999", "0.0e5", "00012", "1.5.2", "e5",   "1_0"})
        read(text);
    std::mt19937_64 random(1);
    for (int i = 0; i < 10000; ++i) {
        const double any = std::bit_cast<double>(random()),
                     usual = static_cast<double>(static_cast<std::int64_t>(random())) / 1e15;
        const float small = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
        if (any - any == 0) show(any);
        if (small - small == 0) show(small);
        show(usual);
    }
}
