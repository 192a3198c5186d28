#include "app/potter/cell_tree.hpp"

namespace claybox::app {

void CellTree::resize(std::size_t cells) {
    levels_.clear();
    levels_.emplace_back(cells);
    while (levels_.back().size() > 1) levels_.emplace_back((levels_.back().size() + kFan - 1) / kFan);
}

void CellTree::sum_up(std::size_t level, std::uint32_t node) {
    const std::vector<CellSum>& below = levels_[level - 1];
    const std::uint32_t first = node * kFan,
                        end = std::min(first + kFan, static_cast<std::uint32_t>(below.size()));
    CellSum sum = below[first];
    for (std::uint32_t i = first + 1; i < end; ++i) {
        sum.box.add(below[i].box);
        sum.widest = std::max(sum.widest, below[i].widest);
        sum.polygons_moved += below[i].polygons_moved;
        sum.six_volumes += below[i].six_volumes;
    }
    levels_[level][node] = sum;
}

void CellTree::update(std::vector<std::uint32_t>& cells) {
    std::sort(cells.begin(), cells.end());
    changed_ = cells;
    for (std::size_t level = 1; level < levels_.size(); ++level) {
        for (std::uint32_t& node : changed_) node /= kFan;
        changed_.erase(std::unique(changed_.begin(), changed_.end()), changed_.end());
        for (const std::uint32_t node : changed_) sum_up(level, node);
    }
}

void CellTree::update_all() {
    for (std::size_t level = 1; level < levels_.size(); ++level)
        for (std::uint32_t node = 0; node < levels_[level].size(); ++node) sum_up(level, node);
}

std::size_t CellTree::memory_bytes() const {
    std::size_t out = changed_.capacity() * sizeof(std::uint32_t);
    for (const std::vector<CellSum>& level : levels_) out += level.capacity() * sizeof(CellSum);
    return out;
}

}  // namespace claybox::app
