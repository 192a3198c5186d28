// Loads the modules of the libraries that are compared with.

#include "bench/contestants/contestant.hpp"

#ifdef CLAYBOX_RIVALS
#include <dlfcn.h>
#endif

#include <filesystem>

namespace claybox::bench {

namespace {

#ifdef CLAYBOX_RIVALS
/// The module's entries; or none, and the reason. What is loaded stays.
std::vector<Entry> load(const std::string& file, const Library& library, std::string& reason) {
    const std::string path = std::string(CLAYBOX_RIVALS) + '/' + file;
    std::error_code ignored;
    std::vector<Entry> out;
    if (!std::filesystem::exists(path, ignored)) {
        reason = "there is no " + file + " where this program was built, install " + library.package +
                 " and build again";
        return out;
    }
    using Entries = void(std::vector<Entry>&);
    void* const module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    auto* const entries =
        module == nullptr ? nullptr : reinterpret_cast<Entries*>(dlsym(module, "claybox_entries"));
    if (entries != nullptr) {
        entries(out);
    } else {
        const char* const problem = dlerror();
        reason = problem == nullptr ? path + " cannot be loaded" : problem;
    }
    return out;
}
#else
std::vector<Entry> load(const std::string&, const Library&, std::string& reason) {
    reason = "this system's modules cannot be loaded";
    return {};
}
#endif

}  // namespace

const std::vector<Library>& libraries() {
    static const std::vector<Library> all = [] {
        std::vector<Library> out{{"Bullet", "libbullet-dev", {}, {}},
                                 {"libccd", "libccd-dev", {}, {}},
                                 {"FCL", "libfcl-dev", {}, {}}};
        const char* const files[] = {"rival_bullet.so", "rival_libccd.so", "rival_fcl.so"};
        for (std::size_t i = 0; i < out.size(); ++i) out[i].entries = load(files[i], out[i], out[i].left_out);
        return out;
    }();
    return all;
}

}  // namespace claybox::bench
