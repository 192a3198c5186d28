#pragma once
// The parts of the running window.

#include "app/bridge/headset/headset.hpp"
#include "app/bridge/sandbox/sandbox.hpp"
#include "collision/pairwise/raster/raster_device.hpp"
#include "engine/platform/window.hpp"

#include <memory>
#include <optional>
#include <string>

namespace claybox::app {

/// Created in this order. Main thread.
struct Desktop {
    std::unique_ptr<engine::Window> window;
    std::unique_ptr<engine::Renderer> renderer;
    std::unique_ptr<engine::Ui> ui;
    std::unique_ptr<collision::RasterDevice> raster;  ///< for queries on this thread; null without one
    std::optional<collision::RasterDeviceScope> raster_scope;
    std::unique_ptr<Sandbox> sandbox;
    std::unique_ptr<Headset> headset;

    /// Opens the window. False with a sentence in `error`.
    bool open_window(const SandboxOptions& options, const Settings& settings, std::string& error);
    /// Creates all parts but the window. False with a sentence in `error`: a bad scene or device, or a file
    /// that cannot be written.
    bool open_contents(const SandboxOptions& options, const Settings& settings, std::string& error);
    /// Destroys all parts but the window, in any state. The autosaved pot stays; recordings are dropped.
    void close_contents();
};

}  // namespace claybox::app
