#pragma once

#include <nlohmann/json.hpp>

#include <fstream>
#include <string>

namespace claybox::xr_runtime {

using Json = nlohmann::ordered_json;

/// One JSON object a line, flushed at once, so that a client that dies has said everything before it.
class Log {
  public:
    /// An empty path: nothing is written.
    void open(const std::string& path);
    void write(const Json& line);

  private:
    std::ofstream file_;
};

}  // namespace claybox::xr_runtime
