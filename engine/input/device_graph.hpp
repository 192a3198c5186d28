#pragma once
// Makes a running map of parsed lines: finds what references mean, checks classes, orders devices and refuses
// circles. Only logical_devices.cpp includes this.

#include "engine/input/logical_devices.hpp"

namespace claybox::engine {

class GraphMaker {
  public:
    explicit GraphMaker(std::span<InputSource* const> sources) : sources_(sources) {}
    /// `lines`: one for each device, by which devices and terms are numbered. False with the index of the
    /// line in `bad` and what was expected.
    bool make(const std::vector<MapLine>& lines, LogicalDevices::Graph& out, std::size_t& bad,
              std::string& error);

  private:
    using Operand = LogicalDevices::Operand;
    using Term = LogicalDevices::Term;

    bool resolve(const MapRef& ref, Operand& out, std::string& error) const;
    bool resolve_device(std::string_view text, Operand& out, std::string& error) const;
    bool resolve_channel(std::string_view text, Operand& out, std::string& error) const;
    bool join(const MapTerm& parsed, Term& out, DeviceClass& type, std::string& error) const;
    bool make_term(const MapTerm& parsed, DeviceClass wanted, Term& out, std::string& error) const;
    bool visit(std::size_t device, LogicalDevices::Graph& out, std::string& error);

    std::span<InputSource* const> sources_;
    const std::vector<MapLine>* lines_ = nullptr;
    enum class Mark : unsigned char { fresh, open, done };
    std::vector<Mark> mark_;
    std::vector<std::size_t> path_;  ///< devices that are open, in order
};

}  // namespace claybox::engine
