#pragma once
/// \file
/// What a pass reports.

#include "collision/continuous/query.hpp"
#include "collision/core/ids.hpp"
#include "collision/module/world_query.hpp"
#include "collision/pairwise/query.hpp"

#include <vector>

namespace claybox::collision {

/// What happened to a pair in a pass.
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
    double time_low = 0;
    double time_high = 1;   ///< see time_low
    bool at_start = false;  ///< the bodies touch at t = 0 already
    Vec3d point_w;          ///< place of the contact
    Vec3d normal_w;         ///< unit, from A to B; zero if the contact has none
    Feature feature_a;      ///< the part of A that touches first
    Feature feature_b;      ///< the part of B that touches first
    Pose pose_a;            ///< world pose of A at `time_low`: the last one without contact, rounded
    Pose pose_b;            ///< world pose of B at `time_low`
    /// Start of a range in EventBatch::motion_hits: all contacts in order of time, if the pair's interest
    /// contains kWantAllHits and the algorithm finds them all.
    std::uint32_t first_hit = 0;
    std::uint32_t hit_count = 0;  ///< length of that range
};

/// A contact begins, continues or ends, at the poses that the pass used.
struct Event {
    EventKind kind = EventKind::begin;  ///< what happened
    BodyId a;                           ///< the body with the smaller slot
    BodyId b;                           ///< the body with the larger slot
    std::uint64_t frame_a = 0;          ///< the application's frame of A's pose that the test used
    std::uint64_t frame_b = 0;          ///< the same of B
    std::uint64_t version_a = 0;        ///< Geometry::version of A
    std::uint64_t version_b = 0;        ///< Geometry::version of B
    std::uint64_t frame = 0;            ///< the published frame that the pass processed
    Certificate witness;                ///< proof of the contact
    Vec3f point_w;                      ///< a point of the contact, for drawing
    /// Start of a range in EventBatch::hits; empty unless the pair's interest contains kWantAllHits.
    std::uint32_t first_hit = 0;
    std::uint32_t hit_count = 0;  ///< length of that range
    /// Index in EventBatch::impacts; kNoIndex unless the contact was found along motions. Then `witness` is
    /// empty and there are no hits: they belong to the end poses.
    std::uint32_t impact = kNoIndex;
    std::uint64_t data = 0;  ///< Interest::data of the pair
};

/// Events of one or more passes: in pass order, within a pass in key order.
struct EventBatch {
    std::vector<Event> events;           ///< begin, stay and end of contacts
    std::vector<Hit> hits;               ///< of all events, one after the other
    std::vector<Impact> impacts;         ///< of continuous pairs
    std::vector<MotionHit> motion_hits;  ///< of all impacts, one after the other
    std::vector<Answer> answers;         ///< to World::submit_query, ordered by ticket
    std::vector<QueryHit> answer_hits;   ///< of all answers, one after the other
    /// Whether there is neither an event nor an answer.
    bool empty() const { return events.empty() && answers.empty(); }
    /// Forgets everything and keeps the memory.
    void clear() {
        clear_events();
        answers.clear();
        answer_hits.clear();
    }
    /// Forgets the events and keeps the answers.
    void clear_events() {
        events.clear();
        hits.clear();
        impacts.clear();
        motion_hits.clear();
    }
    /// The impact of an event of this batch; null unless the contact was found along motions.
    const Impact* impact_of(const Event& event) const {
        return event.impact == kNoIndex ? nullptr : &impacts[event.impact];
    }
    /// The contacts of an impact of this batch, in order of time.
    std::span<const MotionHit> hits_of(const Impact& impact) const {
        return std::span(motion_hits).subspan(impact.first_hit, impact.hit_count);
    }
};

}  // namespace claybox::collision
