#pragma once
// Plays the script to the scene Potter and measures the stages of its frames.

#include "app/session/session.hpp"
#include "bench/scenes/potter/potter_rows.hpp"
#include "bench/scenes/potter/potter_script.hpp"
#include "bench/streams/dent_stream.hpp"

#include <vector>

namespace claybox::bench {

/// What the pot and the world do in a run.
struct PotterSetting {
    double wheel = 0.4;        ///< speed of the wheel as a share of its fastest; 0: the pot stands still
    bool tight_boxes = false;  ///< the world box of the clay follows from its vertices, as in the thesis
    bool hand_turns = false;   ///< the hand goes around the pot
};

/// Nanoseconds of one frame, by stage.
struct PotterTimes {
    double hand = 0;       ///< bodies of the hand, and the shift of the clay
    double normals = 0;    ///< normals, cavity and measures of the changed clay
    double structure = 0;  ///< geometry, boxes and tree of the module
    double collision = 0;  ///< the rest of the pass: broad phase, tests, events
    double picture = 0;    ///< description of the picture
    double upload = 0;     ///< changed vertices, copied as for the graphics card
    double wall = 0;       ///< the whole frame
    double whole = 0;      ///< the same in processor time: other programs do not disturb it
};

struct PotterFrame {
    PotterTimes ns;
    std::size_t vertices = 0, polygons = 0;  ///< moved, and around moved vertices
    std::size_t parts = 0;                   ///< hand parts that touch the clay
    std::size_t upload_bytes = 0;
    std::uint64_t state_hash = 0;
};

collision::Result<std::unique_ptr<app::Session>> make_potter(const PotterRow& row,
                                                             const PotterSetting& setting);

/// One run of a row, frame by frame.
class PotterPlayer {
  public:
    static collision::Result<std::unique_ptr<PotterPlayer>> create(const PotterRow& row,
                                                                   const PotterSetting& setting,
                                                                   std::uint64_t seed, std::uint64_t frames);
    void play(std::uint64_t frames);

    const PotterRow& row() const { return row_; }
    const std::vector<PotterFrame>& frames() const { return frames_; }
    std::vector<PotterFrame>& frames() { return frames_; }
    const app::Session& session() const { return *session_; }
    const PotterScript& script() const { return script_; }
    /// Memory that the process has taken since this run was created, bytes; 0 where the system cannot tell.
    std::size_t memory_bytes() const;
    std::size_t bytes_all_told = 0;  ///< of a repeated run, set by explain_frames()

  private:
    PotterPlayer(const PotterRow& row, PotterScript script) : row_(row), script_(std::move(script)) {}
    void upload(PotterFrame& frame);

    PotterRow row_;
    PotterScript script_;
    std::unique_ptr<app::Session> session_;
    std::size_t memory_before_ = 0;
    std::vector<app::ViewMesh> meshes_;
    app::SceneView view_;
    struct Vertex {
        collision::Vec3f position, normal;
        float cavity;
    };
    std::vector<Vertex> vertices_;  ///< what the graphics card would receive
    std::uint64_t uploaded_ = 0;    ///< version of the clay
    std::vector<PotterFrame> frames_;
};

/// Repeats a run outside the clock to find what each frame changed. Fills in the counts of the frames, and
/// splits the time of the normals from the rest. An error if the repeated run differs. With `stream`, records
/// the frames for contestants.
collision::Status explain_frames(PotterPlayer& player, const PotterSetting& setting, std::uint64_t seed,
                                 streams::DentStream* stream);

/// Frames in which clay moved, without the first ones, in which memory grows.
std::vector<PotterFrame> touching_frames(const PotterPlayer& player);

}  // namespace claybox::bench
