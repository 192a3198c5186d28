#include "collision/module/state/body_sweeps.hpp"

namespace claybox::collision {

void BodySweeps::set_groups(std::uint64_t groups) {
    groups_ = groups;
    if (groups != 0) return;
    records_.clear();
    swept_slots_.clear();
}

void BodySweeps::restart(std::uint32_t slot, const Pose& pose) {
    if (slot >= records_.size()) return;
    records_[slot].start = pose;
    records_[slot].is_restarted = true;
}

bool BodySweeps::begin(std::uint32_t slot, unsigned group, const Way& way) {
    Record& record = records_[slot];
    const bool goes_on = way.start == nullptr && record.is_known;
    record.start = way.start != nullptr ? *way.start : record.is_known ? record.end : way.to;
    record.is_restarted = false;
    record.end = way.to;
    record.is_known = true;
    record.motion.kind = Motion::Kind::fixed;
    if ((groups_ >> group & 1u) == 0) return false;
    record.matrix = goes_on ? way.last : to_matrix(record.start);
    if (record.matrix == way.matrix) return false;
    record.motion = motion_between(record.start, way.to);
    return sweeps(slot);
}

void BodySweeps::finish(std::span<const std::uint32_t> moved) {
    swept_slots_.clear();
    for (const std::uint32_t slot : moved)
        if (sweeps(slot)) swept_slots_.push_back(slot);
}

std::size_t BodySweeps::memory_bytes() const {
    return records_.capacity() * sizeof(Record) + swept_slots_.capacity() * sizeof(std::uint32_t);
}

}  // namespace claybox::collision
