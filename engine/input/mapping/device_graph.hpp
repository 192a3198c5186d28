#pragma once
// Builds an executable map from parsed lines: resolves references, checks classes, orders devices and rejects
// cycles. Included by logical_devices.cpp only.

#include "engine/input/mapping/logical_devices.hpp"

namespace claybox::engine {

class GraphBuilder {
  public:
    explicit GraphBuilder(std::span<InputSource* const> sources) : sources_(sources) {}
    /// `lines`: one per device; the index numbers devices and terms. Returns false with the line's index in
    /// `bad` and an error that names what was expected.
    bool build(const std::vector<MapLine>& lines, LogicalDevices::Graph& out, std::size_t& bad,
               std::string& error);

  private:
    using Operand = LogicalDevices::Operand;
    using Term = LogicalDevices::Term;

    bool resolve(const MapRef& ref, Operand& out, std::string& error) const;
    bool resolve_device(std::string_view text, Operand& out, std::string& error) const;
    bool resolve_channel(std::string_view text, Operand& out, std::string& error) const;
    bool join(const MapTerm& parsed, Term& out, DeviceClass& type, std::string& error) const;
    bool build_term(const MapTerm& parsed, DeviceClass wanted, Term& out, std::string& error) const;
    bool visit(std::size_t device, LogicalDevices::Graph& out, std::string& error);

    std::span<InputSource* const> sources_;
    const std::vector<MapLine>* lines_ = nullptr;
    enum class Mark : unsigned char { unvisited, visiting, done };
    std::vector<Mark> mark_;
    std::vector<std::size_t> path_;  ///< devices being visited, in order
};

}  // namespace claybox::engine
