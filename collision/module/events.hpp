#pragma once

#include "collision/core/ids.hpp"
#include "collision/module/world_query.hpp"
#include "collision/pairwise/query.hpp"

#include <vector>

namespace claybox::collision {

enum class EventKind : unsigned char {
    begin,  ///< the pair collides and did not collide in the previous pass
    stay,   ///< the pair still collides and at least one of its bodies moved
    end,    ///< the pair no longer collides, or one of its bodies was removed
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
    std::uint64_t data = 0;  ///< Interest::data of the pair
};

/// Events of one or more passes: in pass order, within a pass in key order.
struct EventBatch {
    std::vector<Event> events;
    std::vector<Hit> hits;
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
    }
};

}  // namespace claybox::collision
