#include "bench/papers/paper_row.hpp"

#include <cctype>

namespace claybox::bench {

#define PAPER_ROW(id) const PaperRow& describe_##id();
#include "bench/papers/list.def"
#undef PAPER_ROW

std::span<const PaperRow* const> paper_rows() {
    static const PaperRow* const table[] = {
#define PAPER_ROW(id) &describe_##id(),
#include "bench/papers/list.def"
#undef PAPER_ROW
    };
    return table;
}

namespace {

/// Letters and digits, in lower case.
std::string plain(std::string_view id) {
    std::string out;
    for (const char c : id)
        if (std::isalnum(static_cast<unsigned char>(c)) != 0)
            out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return out;
}

}  // namespace

const PaperRow* find_paper_row(std::string_view id) {
    const std::string wanted = plain(id);
    for (const PaperRow* row : paper_rows())
        if (plain(row->id) == wanted) return row;
    return nullptr;
}

}  // namespace claybox::bench
