#include "collision/module/pass.hpp"

#include <algorithm>

namespace claybox::collision {

/// Calls visit(kind, name, bytes) for all but shapes.
template <class Visit>
void Pass::each_memory(Visit&& visit) const {
    using Kind = MemoryPart::Kind;
    visit(Kind::structure, "bodies",
          bodies_.capacity() * sizeof(BodyRecord) + placed_.capacity() * sizeof(PairBody) +
              (creation_.capacity() + hash_of_body_.capacity()) * sizeof(std::uint64_t) +
              bounds_.memory_bytes() + kept_.capacity() + moved_.memory_bytes() + touched_.memory_bytes());
    std::size_t own = 0, prepared = 0;
    for (const BodyRecord& body : bodies_) {
        if (!body.own) continue;
        own += sizeof(Geometry) + collision::memory_bytes(*body.own);
        for (const auto& made : body.prepared) prepared += made ? made->memory_bytes() : 0;
    }
    visit(Kind::structure, "geometry of deformable bodies", own);
    visit(Kind::structure, "prepared for deformable bodies", prepared);
    visit(Kind::structure, settings_.broad_phase->id, broad_phase_->memory_bytes());
    visit(Kind::structure, "moved list", list_.memory_bytes() + group_list_.memory_bytes());
    visit(Kind::structure, "scene groups", groups_.memory_bytes());
    visit(Kind::structure, "pairs and their caches", pairs_.memory_bytes());
    visit(Kind::structure, "interest", interest_.memory_bytes());
    visit(Kind::structure, "callbacks of pairs", pair_callbacks_.memory_bytes());
    std::size_t work = tests_.capacity() * sizeof(Test) + candidates_.capacity() * sizeof(PairKey) +
                       shared_.memory_bytes() + work_.capacity() * sizeof(std::uint32_t);
    for (const auto& worker : workers_)
        work += sizeof(Worker) + worker->contacts.capacity() * sizeof(Contact) +
                (worker->hits.capacity() + worker->room.capacity()) * sizeof(Hit);
    visit(Kind::structure, "tests and workers", work);
    for (const PairAlgorithm* algorithm : pair_algorithms())
        if (const std::size_t bytes = prepared_store_.memory_bytes(*algorithm); bytes > 0)
            visit(Kind::algorithm, algorithm->id, bytes);
}

std::size_t Pass::memory_bytes() const {
    std::size_t sum = 0;
    each_memory([&](MemoryPart::Kind, const char*, std::size_t bytes) { sum += bytes; });
    return sum;
}

void Pass::list_memory(std::vector<MemoryPart>& parts) const {
    each_memory([&](MemoryPart::Kind kind, const char* name, std::size_t bytes) {
        parts.push_back({kind, name, bytes});
    });
    std::vector<const Shape*> shapes;
    for (const BodyRecord& body : bodies_)
        if (body.alive) shapes.push_back(body.shape.get());
    std::sort(shapes.begin(), shapes.end());
    shapes.erase(std::unique(shapes.begin(), shapes.end()), shapes.end());
    const std::size_t first = parts.size();
    for (const Shape* shape : shapes)
        parts.push_back({MemoryPart::Kind::shape, shape->name(), shape->memory_bytes()});
    std::sort(parts.begin() + static_cast<std::ptrdiff_t>(first), parts.end(),
              [](const MemoryPart& x, const MemoryPart& y) {
                  return x.bytes != y.bytes ? x.bytes > y.bytes : x.name < y.name;
              });
}

}  // namespace claybox::collision
