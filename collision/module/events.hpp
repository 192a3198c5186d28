#pragma once

#include "collision/core/ids.hpp"
#include "collision/module/world_query.hpp"
#include "collision/pairwise/query.hpp"

#include <vector>

namespace claybox::collision {

enum class EventKind : unsigned char {
    begin,  ///< the pair was not colliding in the pass before
    stay,   ///< colliding again; sent when one of the two moved
    end,    ///< no longer colliding, or one of the two was removed
};

/// One change or continuation of a contact, as of the frames whose poses the pass used.
struct Event {
    EventKind kind = EventKind::begin;
    BodyId a, b;                ///< a.slot < b.slot
    std::uint64_t frame_a = 0;  ///< the application's frame of each body's pose in this test
    std::uint64_t frame_b = 0;
    std::uint64_t version_a = 0, version_b = 0;  ///< geometry versions
    std::uint64_t frame = 0;                     ///< the published frame that the pass took
    Certificate witness;
    Vec3f point_w;  ///< a point of the contact, for drawing
    std::uint32_t first_hit = 0,
                  hit_count = 0;  ///< in EventBatch::hits, when the pair's interest asks for all hits
    std::uint64_t data = 0;       ///< Interest::data of the pair
};

/// What one or more passes reported, in pass order and within a pass in key order.
struct EventBatch {
    std::vector<Event> events;
    std::vector<Hit> hits;
    std::vector<Answer> answers;  ///< to World::ask, in the order of tickets
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
