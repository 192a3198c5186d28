// Loads the modules of the libraries that Claybox is compared with.

#include "bench/contestants/contestant.hpp"

#ifdef CLAYBOX_COMPARISON_MODULES
#include <dlfcn.h>
#endif

#include <array>
#include <filesystem>

namespace claybox::bench {

namespace {

#ifdef CLAYBOX_COMPARISON_MODULES
/// Returns a function of the library's module, or null with the reason. A loaded module is never unloaded.
void* load(const char* module_name, const char* function, const Library& library, std::string& reason) {
    const std::string file = std::string("compare_") + module_name + ".so";
    const std::string path = std::string(CLAYBOX_COMPARISON_MODULES) + '/' + file;
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) {
        reason = "not built; ./scripts/bench installs " + library.package + " and builds " + file;
        return nullptr;
    }
    void* const module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    void* const found = module == nullptr ? nullptr : dlsym(module, function);
    if (found != nullptr) return found;
    const char* const problem = dlerror();
    reason = problem == nullptr ? path + " cannot be loaded" : problem;
    return nullptr;
}
#else
void* load(const char*, const char*, const Library&, std::string& reason) {
    reason = "this system cannot load comparison modules";
    return nullptr;
}
#endif

using Entries = void(Library&);

/// Loads libraries, given as {name, package, module}, and calls `function` of each module.
std::vector<Library> load_all(const std::vector<std::array<const char*, 3>>& names, const char* function) {
    std::vector<Library> out;
    for (const auto& [name, package, module_name] : names) {
        out.push_back({name, package, {}, {}, {}, {}, {}});
        if (void* const found = load(module_name, function, out.back(), out.back().missing_reason))
            reinterpret_cast<Entries*>(found)(out.back());
    }
    return out;
}

}  // namespace

const std::vector<Library>& convex_libraries() {
    static const std::vector<Library> all = [] {
        std::vector<Library> out{{"Bullet", "libbullet-dev", {}, {}, {}, {}, {}},
                                 {"libccd", "libccd-dev", {}, {}, {}, {}, {}},
                                 {"FCL", "libfcl-dev", {}, {}, {}, {}, {}}};
        const char* const modules[] = {"bullet", "libccd", "fcl"};
        using ConvexEntries = void(std::vector<Entry>&);
        for (std::size_t i = 0; i < out.size(); ++i)
            if (void* const found = load(modules[i], "claybox_entries", out[i], out[i].missing_reason))
                reinterpret_cast<ConvexEntries*>(found)(out[i].entries);
        return out;
    }();
    return all;
}

const std::vector<Library>& mesh_libraries() {
    static const std::vector<Library> all = load_all({{"FCL", "libfcl-dev", "fcl"},
                                                      {"Bullet", "libbullet-dev", "bullet"},
                                                      {"CGAL", "libcgal-dev", "cgal"},
                                                      {"ODE", "libode-dev", "ode"},
                                                      {"Embree", "libembree-dev", "embree"}},
                                                     "claybox_mesh_entries");
    return all;
}

const std::vector<Library>& broad_libraries() {
    static const std::vector<Library> all = load_all({{"Bullet", "libbullet-dev", "bullet"},
                                                      {"FCL", "libfcl-dev", "fcl"},
                                                      {"ODE", "libode-dev", "ode"},
                                                      {"CGAL", "libcgal-dev", "cgal"}},
                                                     "claybox_broad_entries");
    return all;
}

const std::vector<Library>& continuous_libraries() {
    static const std::vector<Library> all = load_all(
        {{"Bullet", "libbullet-dev", "bullet"}, {"FCL", "libfcl-dev", "fcl"}}, "claybox_continuous_entries");
    return all;
}

const std::vector<Library>& surface_libraries() {
    static const std::vector<Library> all =
        load_all({{"CGAL", "libcgal-dev", "cgal"}}, "claybox_surface_entries");
    return all;
}

}  // namespace claybox::bench
