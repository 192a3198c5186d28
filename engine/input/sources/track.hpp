#pragma once
// Recorded devices as JSON lines, one per time at which something changed. The first line is
// {"claybox_track":1}; each other line holds "t", seconds from the start, and the changes by name:
//   {"t":0.5,"right":{"hand":[[x,y,z, w,x,y,z, radius], ... 26, or null for a joint that is not valid]},
//    "head":{"space":[x,y,z, w,x,y,z]},"tip":{"location":[x,y,z]},"turn":{"orientation":[w,x,y,z]},
//    "fader":{"value":0.5},"mode":{"choice":2},"fire":{"button":true},"left":null}
// A button pressed within the frame has a count: {"button":false,"presses":2} is two presses, now up. null:
// the device is not available. Metres, right-handed, +Y up. A left hand also has "left":true.

#include "engine/input/input_source.hpp"

namespace claybox::engine {

/// Plays a track: at each time all channels have exactly the values of the last line up to then, and presses
/// of all lines since the previous frame count. The hands "left" and "right" always exist as channels;
/// nothing is available after the end or when no track is loaded.
class TrackSource final : public InputSource {
  public:
    TrackSource();
    /// Loads a track; call before loading a map that reads it. On error returns false and changes nothing;
    /// `error` has file, line and what was expected.
    bool load(std::string_view text, std::string_view file, std::string& error);
    /// The next update() is time 0 of the track.
    void rewind() { start_ = -1; }
    void update(double now) override;
    std::string state() const override;
    double seconds() const { return lines_.empty() ? 0 : lines_.back().time; }

  private:
    friend class TrackReader;
    friend class TrackRecorder;  // keeps the limits of TrackReader
    struct Change {
        std::size_t channel = 0;
        Reading reading;       ///< its hand pointer is null
        std::size_t hand = 0;  ///< index into hands_, for an available hand
    };
    struct Line {
        double time = 0;
        std::vector<Change> changes;
    };
    void apply(const Change& change);

    std::vector<Line> lines_;
    std::vector<HandJoints> hands_;
    std::size_t next_ = 0;
    double start_ = -1;
    bool ended_ = false;
};

/// Records a track. Call begin(), add() per device, and end() each frame.
class TrackRecorder {
  public:
    static constexpr std::size_t kMaxBytes = std::size_t{1} << 28;

    TrackRecorder() : text_("{\"claybox_track\":1}\n") {}
    /// Starts a line. `now`: seconds, always of the same clock.
    void begin(double now);
    /// Adds a device's reading; only changes are written. Places and joints that load() would refuse are
    /// written as not available.
    void add(const std::string& name, DeviceClass type, const Reading& reading);
    /// Ends the line. Returns false when the track has reached its maximum size or time, or another limit of
    /// load(); recording ends here.
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
    std::size_t lines_ = 0, memory_ = 0;  ///< as TrackReader counts them
};

}  // namespace claybox::engine
