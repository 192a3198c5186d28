#include "tests/xr_runtime/log.hpp"

#include <cstdio>

namespace claybox::xr_runtime {

void Log::open(const std::string& path) {
    file_ = std::ofstream();
    if (path.empty()) return;
    file_.open(path, std::ios::trunc);
    if (!file_) std::fprintf(stderr, "claybox_xr_runtime: cannot write the log '%s'\n", path.c_str());
}

void Log::write(const Json& line) {
    if (file_.is_open()) file_ << line.dump() << std::endl;
}

}  // namespace claybox::xr_runtime
