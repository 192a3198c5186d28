#pragma once
// Recorded devices: a text of JSON lines, one for each time at which something changed. The first line is
// {"claybox_track":1}; every other holds "t", seconds from the start, and by name what changed:
//   {"t":0.5,"right":{"hand":[[x,y,z, w,x,y,z, radius], ... 26, or null for a joint that is not valid]},
//    "head":{"space":[x,y,z, w,x,y,z]},"tip":{"location":[x,y,z]},"turn":{"orientation":[w,x,y,z]},
//    "fader":{"value":0.5},"mode":{"choice":2},"fire":{"button":true},"left":null}
// A button that went down within the frame says how often, {"button":false,"presses":2}: twice, and it is up
// again. null: the device is not there. Metres, right-handed, +Y up. A hand is a left one when it says
// "left":true beside.

#include "engine/input/input_source.hpp"

namespace claybox::engine {

/// Plays a track: at each time everything is as the last line until then says, to the last bit, and presses
/// of all lines since the frame before count. The hands "left" and "right" can always be asked for; after the
/// track's end, and where none was loaded, nothing is there.
class TrackSource final : public InputSource {
  public:
    TrackSource();
    /// Takes the channels and lines of a track, before a map is loaded that reads them. False, changing
    /// nothing, with file, line and what was expected in `error`.
    bool load(std::string_view text, std::string_view file, std::string& error);
    /// The next update() is time 0 of the track.
    void rewind() { start_ = -1; }
    void update(double now) override;
    std::string state() const override;
    double seconds() const { return lines_.empty() ? 0 : lines_.back().time; }

  private:
    friend class TrackReader;
    struct Change {
        std::size_t channel = 0;
        Reading reading;       ///< its hand is null
        std::size_t hand = 0;  ///< into hands_, for a hand that is there
    };
    struct Line {
        double time = 0;
        std::vector<Change> changes;
    };
    void take(const Change& change);

    std::vector<Line> lines_;
    std::vector<HandJoints> hands_;
    std::size_t next_ = 0;
    double start_ = -1;
    bool ended_ = false;
};

/// Writes a track: give it every frame what is to be recorded.
class TrackRecorder {
  public:
    static constexpr std::size_t kMostBytes = std::size_t{1} << 28;

    TrackRecorder() : text_("{\"claybox_track\":1}\n") {}
    /// Starts a line. `now`: seconds, of the same clock in every frame.
    void begin(double now);
    /// What a device says; only what differs from the line before is written.
    void add(const std::string& name, DeviceClass type, const Reading& reading);
    /// Ends the line. False when the track is as long as it may be: it ends here.
    bool end();
    const std::string& text() const { return text_; }

  private:
    struct Last {
        std::string name, value;
    };
    std::string text_, line_;
    std::vector<Last> last_;  ///< in the order of add()
    double start_ = -1, time_ = 0;
    std::size_t at_ = 0;
};

}  // namespace claybox::engine
