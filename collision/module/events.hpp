#pragma once

#include "collision/continuous/query.hpp"
#include "collision/core/ids.hpp"
#include "collision/module/world_query.hpp"
#include "collision/pairwise/query.hpp"

#include <vector>

namespace claybox::collision {

enum class EventKind : unsigned char {
    begin,  ///< the pair collides and did not collide in the previous pass
    /// the pair still collides, and one of its bodies moved or the pair collided along motions before
    stay,
    end,  ///< the pair no longer collides, or one of its bodies was removed
};

/// The first contact of a continuous pair during the motions of one pass, from t = 0 (the poses of the pass
/// before) to t = 1 (the poses of this pass). World frame, metres.
struct Impact {
    /// No contact before `time_low`; contact, up to WorldSettings::continuous_tolerance, at `time_high`.
    double time_low = 0, time_high = 1;
    bool at_start = false;  ///< the bodies touch at t = 0 already
    Vec3d point_w;          ///< place of the contact
    Vec3d normal_w;         ///< unit, from A to B; zero if the contact has none
    Feature feature_a, feature_b;
    Pose pose_a, pose_b;  ///< world poses of the bodies at `time_low`: the last ones without contact, rounded
    /// Range in EventBatch::motion_hits: all contacts in order of time, if the pair's interest contains
    /// kWantAllHits and the algorithm finds them all.
    std::uint32_t first_hit = 0, hit_count = 0;
};

/// A contact begins, continues or ends, at the poses that the pass used.
struct Event {
    EventKind kind = EventKind::begin;
    BodyId a, b;                ///< a.slot < b.slot
    std::uint64_t frame_a = 0;  ///< the application's frame of the pose that the test used
    std::uint64_t frame_b = 0;
    std::uint64_t version_a = 0, version_b = 0;  ///< geometry versions
    std::uint64_t frame = 0;                     ///< the published frame that the pass processed
    Certificate witness;
    Vec3f point_w;  ///< a point of the contact, for drawing
    /// Range in EventBatch::hits; empty unless the pair's interest contains kWantAllHits.
    std::uint32_t first_hit = 0, hit_count = 0;
    /// Index in EventBatch::impacts; kNoIndex unless the contact was found along motions. Then `witness` is
    /// empty and there are no hits: they belong to the end poses.
    std::uint32_t impact = kNoIndex;
    std::uint64_t data = 0;  ///< Interest::data of the pair
};

/// Events of one or more passes: in pass order, within a pass in key order.
struct EventBatch {
    std::vector<Event> events;
    std::vector<Hit> hits;
    std::vector<Impact> impacts;
    std::vector<MotionHit> motion_hits;
    std::vector<Answer> answers;  ///< to World::submit_query, ordered by ticket
    std::vector<QueryHit> answer_hits;
    bool empty() const { return events.empty() && answers.empty(); }
    void clear() {
        clear_events();
        answers.clear();
        answer_hits.clear();
    }
    void clear_events() {
        events.clear();
        hits.clear();
        impacts.clear();
        motion_hits.clear();
    }
    /// Null unless the contact was found along motions.
    const Impact* impact_of(const Event& event) const {
        return event.impact == kNoIndex ? nullptr : &impacts[event.impact];
    }
    std::span<const MotionHit> hits_of(const Impact& impact) const {
        return std::span(motion_hits).subspan(impact.first_hit, impact.hit_count);
    }
};

}  // namespace claybox::collision
