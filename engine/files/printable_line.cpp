#include "engine/files/printable_line.hpp"

namespace claybox::engine {

std::string printable_line(std::string_view text) {
    std::string line(text);
    for (std::size_t i = 0; i < line.size(); ++i) {
        const auto byte = static_cast<unsigned char>(line[i]);
        if (byte < 0x20 || byte == 0x7f) line[i] = ' ';
        // U+0080 to U+009F in UTF-8: U+009B starts an escape sequence.
        const auto next = static_cast<unsigned char>(i + 1 < line.size() ? line[i + 1] : 0);
        if (byte == 0xc2 && next >= 0x80 && next <= 0x9f) line[i] = line[i + 1] = ' ';
    }
    return line;
}

}  // namespace claybox::engine
