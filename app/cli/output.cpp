#include "app/cli/output.hpp"

#include "app/cli/log.hpp"
#include "engine/files/write_file.hpp"

#include <cstdio>

namespace claybox::app {

int report_error(const collision::Error& error) {
    return report_error(error.text());
}

int report_error(const std::string& message) {
    std::fprintf(stderr, "%s\n", printable_line(message).c_str());
    return kExitBadInput;
}

int report_exhausted_memory() noexcept {
    std::fputs("the memory is exhausted, expected a smaller input or more memory\n", stderr);
    return kExitBadInput;
}

void print(const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
}

int finish_output(int status) {
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
    return report_error("cannot write to standard output");
}

collision::Status write_json(const std::filesystem::path& target, const nlohmann::ordered_json& value) {
    const std::string text =
        value.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
    if (target == "-") {
        print(text);
        return collision::Done{};
    }
    std::string problem;
    if (!engine::write_file_atomically(target, text, problem)) return collision::Error{problem, {}, 0};
    return collision::Done{};
}

}  // namespace claybox::app
