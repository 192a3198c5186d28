#pragma once

#include <nlohmann/json.hpp>

#include <fstream>
#include <string>

namespace claybox::xr_runtime {

using Json = nlohmann::ordered_json;

/// One JSON object per line, flushed at once, so the log is complete even if the client crashes.
class Log {
  public:
    /// With an empty path nothing is written.
    void open(const std::string& path);
    void write(const Json& line);

  private:
    std::ofstream file_;
};

}  // namespace claybox::xr_runtime
