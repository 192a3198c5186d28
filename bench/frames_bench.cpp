// Frames of the whole program, drawn into a texture: scenes, sizes, and panels with everything open. Each row
// tells the medians of the frame, with and without waiting for the graphics card, and of the processor time
// of its parts.
//
//   frames_bench --frames=300 --row=crowd     300 frames a row (default 200), rows whose names contain
//   "crowd"

#include "app/bridge/sandbox/sandbox.hpp"
#include "engine/platform/gl_context.hpp"
#include "engine/ui/offscreen_target.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace claybox::app {
namespace {

struct Row {
    const char* scene;
    const char* parameter = nullptr;  ///< null: all as in the scene's table
    double value = 0;
    int width = 1920, height = 1080;
    bool everything_open = false;  ///< all cards and folds, with a selected body

    std::string name() const {
        return std::string(scene) +
               (parameter == nullptr ? "" : std::string(" ") + parameter + "=" + engine::fixed(value, 0)) +
               (everything_open ? " everything open" : "");
    }
};

/// Shows the whole column of cards.
constexpr int kHigh = 9000;

constexpr Row kRows[] = {
    {"cage"},
    {"cage", nullptr, 0, 3840, 2160},
    {"cage", nullptr, 0, 1920, 1080, true},
    {"cage", nullptr, 0, 1920, kHigh, true},
    {"potter"},
    {"potter", "polygons", 1000000},
    {"buttons"},
    {"workbench"},
    {"solids"},
    {"bullets", "bullets", 10000},
    {"cage", "bodies", 10000},
    {"crowd", "bodies", 10000},
    {"crowd", "bodies", 100000},
};

std::unique_ptr<Session> session_of(const Row& row) {
    SessionOptions options;
    options.scene = row.scene;
    const auto table = find_scene(row.scene)->parameters;
    options.scene_parameters = collision::default_values(table);
    if (row.parameter != nullptr)
        options.scene_parameters[collision::find_parameter(table, row.parameter)] = row.value;
    auto made = Session::create(options);
    if (made.ok()) return std::move(made).value();
    std::fprintf(stderr, "%s: %s\n", row.name().c_str(), made.error().text().c_str());
    std::exit(2);
}

/// A sandbox without a window.
class Frames {
  public:
    Frames(engine::Renderer& renderer, engine::Ui& ui, const Row& row)
        : ui_(ui),
          sandbox_(renderer, ui, session_of(row), Settings{}),
          target_(row.width, row.height),
          width_(row.width),
          height_(row.height) {
        sandbox_.state().hint = false;
    }

    void frame() {
        sandbox_.frame(width_, height_, 1.0 / 60, target_.framebuffer());
        target_.wait();
        sandbox_.finish_frame();
    }

    /// Returns the name of the first card or fold that stays folded, or an empty text.
    std::string open_everything() {
        sandbox_.select(0, false);
        ui_.log().enabled = true;
        const int height = std::exchange(height_, kHigh);
        frame();
        std::string folded;
        for (int step = 0; step < 100; ++step) {
            const auto& all = ui_.log().records;
            const auto next =
                std::find_if(all.begin(), all.end(), [](const auto& r) { return r.value == "folded"; });
            folded = next == all.end() ? "" : next->label;
            if (folded.empty()) break;
            click(0.5f * (next->x0 + next->x1), 0.5f * (next->y0 + next->y1));
        }
        height_ = height;
        ui_.inject_mouse(-1, -1, false);
        ui_.log().enabled = false;
        return folded;
    }

    const FrameHistory& history() const { return sandbox_.history(); }

  private:
    void click(float x, float y) {
        for (const bool down : {false, true, false}) {
            ui_.inject_mouse(x, y, down);
            frame();
        }
        for (int i = 0; i < 30; ++i) frame();  // no double click, and what opens gets its height
    }

    engine::Ui& ui_;
    Sandbox sandbox_;
    engine::OffscreenTarget target_;
    int width_, height_;
};

/// The median of the last `frames` frames, milliseconds.
template <class Value>
double median(const FrameHistory& history, std::size_t frames, Value value) {
    std::vector<double> all;
    for (std::size_t i = history.stored() - frames; i < history.stored(); ++i)
        all.push_back(value(history.stored_at(i).times));
    std::nth_element(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2), all.end());
    return 1e3 * all[all.size() / 2];
}

void measure(engine::Renderer& renderer, engine::Ui& ui, const Row& row, std::size_t count) {
    Frames frames(renderer, ui, row);
    if (row.everything_open) {
        const std::string folded = frames.open_everything();
        if (!folded.empty()) {
            std::printf("| %s | not measured: '%s' stays folded |\n", row.name().c_str(), folded.c_str());
            return;
        }
    }
    for (std::size_t i = 0; i < count + 20; ++i) frames.frame();
    const auto of_stage = [&](Stage stage) {
        return median(frames.history(), count, [stage](const FrameTimes& t) { return t[stage]; });
    };
    const double all = median(frames.history(), count, [](const FrameTimes& t) { return t.total; });
    std::printf("| %s | %dx%d | %.2f | %.0f | %.2f | %.2f | %.2f | %.2f | %.2f |\n", row.name().c_str(),
                row.width, row.height, all, 1e3 / all, all - of_stage(Stage::wait), of_stage(Stage::view),
                of_stage(Stage::draw), of_stage(Stage::panels), of_stage(Stage::collide));
    std::fflush(stdout);
}

int run(std::size_t count, std::string_view wanted) {
    std::string error;
    const auto context = engine::OffscreenContext::create(error);
    const auto renderer = context ? engine::Renderer::create(error) : nullptr;
    const auto ui = renderer ? engine::Ui::create(nullptr, error) : nullptr;
    if (!ui) {
        std::fprintf(stderr, "%s\n", error.c_str());
        return 2;
    }
    std::printf("%s\n\n", engine::Renderer::device_name().c_str());
    std::puts(
        "| scene | size | frame ms | frames a second | without waiting ms | view | draw | panels | collide "
        "|");
    std::puts("|---|---|---|---|---|---|---|---|---|");
    for (const Row& row : kRows)
        if (row.name().find(wanted) != std::string::npos) measure(*renderer, *ui, row, count);
    return 0;
}

}  // namespace
}  // namespace claybox::app

int main(int count, char** arguments) {
    std::size_t frames = 200;
    std::string_view row;
    for (int i = 1; i < count; ++i) {
        const std::string_view argument = arguments[i];
        if (argument.starts_with("--frames=")) {
            frames = static_cast<std::size_t>(std::max(1, std::atoi(arguments[i] + 9)));
        } else if (argument.starts_with("--row=")) {
            row = argument.substr(6);
        } else {
            std::fprintf(stderr, "unknown argument '%s', expected --frames=N or --row=TEXT\n", arguments[i]);
            return 2;
        }
    }
    return claybox::app::run(frames, row);
}
