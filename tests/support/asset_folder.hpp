#pragma once
// A temporary assets folder that CLAYBOX_ASSETS names while the object lives.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <unistd.h>

namespace claybox::test {

/// An empty value removes the variable.
inline void set_variable(const char* name, const std::string& value) {
#if defined(_WIN32)
    _putenv_s(name, value.c_str());
#else
    if (value.empty())
        unsetenv(name);
    else
        setenv(name, value.c_str(), 1);
#endif
}

/// Sets an environment variable and restores it at the end.
class Variable {
  public:
    Variable(const char* name, const std::string& value) : name_(name) {
        if (const char* old = std::getenv(name)) old_ = old;
        set_variable(name, value);
    }
    ~Variable() { set_variable(name_, old_.value_or("")); }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;

  private:
    const char* name_;
    std::optional<std::string> old_;
};

class AssetFolder {
  public:
    AssetFolder()
        : path_(std::filesystem::temp_directory_path() / ("claybox_assets_" + std::to_string(getpid()))),
          variable_("CLAYBOX_ASSETS", path_.string()) {
        std::filesystem::remove_all(path_);
        std::filesystem::create_directories(path_);
    }
    ~AssetFolder() { std::filesystem::remove_all(path_); }
    const std::filesystem::path& path() const { return path_; }
    void write(const std::string& name, const std::string& content) const {
        std::filesystem::create_directories((path_ / name).parent_path());
        std::ofstream(path_ / name, std::ios::binary) << content;
    }
    /// Fills the folder with the project's assets.
    void fill() const {
        std::filesystem::copy(std::filesystem::path(CLAYBOX_SOURCE_DIR) / "assets", path_,
                              std::filesystem::copy_options::recursive);
    }

  private:
    std::filesystem::path path_;
    Variable variable_;
};

/// Bytes that are no text of any format.
inline std::string garbage() {
    std::string out;
    for (unsigned i = 0, x = 1; i < 3000; ++i, x = x * 1103515245u + 12345u)
        out += static_cast<char>(x >> 16);
    return out;
}

}  // namespace claybox::test
