#pragma once
// Conversion between parts of a recording and JSON. Doubles keep every bit.

#include "app/session/recording.hpp"

#include <nlohmann/json.hpp>

namespace claybox::app {

nlohmann::ordered_json settings_to_json(const collision::WorldSettings& settings);
collision::Result<collision::WorldSettings> settings_from_json(const nlohmann::json& value);

nlohmann::ordered_json values_to_json(std::span<const collision::Parameter> table,
                                      const collision::ParameterValues& values);
/// A missing parameter gets its default: it is newer than the recording.
collision::Result<collision::ParameterValues> values_from_json(std::span<const collision::Parameter> table,
                                                               const nlohmann::json& value);

nlohmann::ordered_json input_to_json(const StepInput& input);
/// `previous`: input of the line before, null if there is none.
collision::Status input_from_json(const nlohmann::json& value, const SceneDescriptor& scene, StepInput& input,
                                  const StepInput* previous = nullptr);
/// Bodies to start with, as in a scene file.
nlohmann::ordered_json bodies_to_json(const std::vector<PlacedBody>& bodies);
collision::Result<std::vector<PlacedBody>> bodies_from_json(const nlohmann::json& value);
/// In place of hands that equal those of the line before, as a mouse that rests gives them.
inline constexpr const char* kSameHands = "same";

std::string hash_text(std::uint64_t hash);  ///< 16 hex digits
bool hash_from_text(const std::string& text, std::uint64_t& hash);

/// Read a field of an object; false if it is missing or has the wrong type.
bool get_count(const nlohmann::json& object, const char* field, std::uint64_t& out);
bool get_text(const nlohmann::json& object, const char* field, std::string& out);
bool get_bool(const nlohmann::json& object, const char* field, bool& out);

}  // namespace claybox::app
