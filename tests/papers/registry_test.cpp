// Every experiment of the checklist is a row with a name.

#include "tests/papers/quick_row.hpp"

#include <fstream>
#include <set>
#include <sstream>

namespace claybox::bench {
namespace {

/// Ids of the experiments in docs/checklist-rows.tsv: LP-X1, Z-3.2.2-X ...
std::set<std::string> experiment_ids() {
    std::ifstream file(std::string(CLAYBOX_SOURCE_DIR) + "/docs/checklist-rows.tsv");
    std::set<std::string> out;
    for (std::string line; std::getline(file, line);) {
        std::stringstream cells(line);
        std::string id;
        std::getline(cells, id, '\t');
        if (id.find("-X") != std::string::npos) out.insert(id);
    }
    return out;
}

TEST(PaperRows, APP_bench_every_experiment_of_the_checklist_is_a_row) {
    const std::set<std::string> ids = experiment_ids();
    EXPECT_GT(ids.size(), 40u);
    for (const std::string& id : ids) EXPECT_NE(find_paper_row(id), nullptr) << id;
    std::set<std::string> seen;
    for (const PaperRow* row : paper_rows()) {
        EXPECT_TRUE(seen.insert(row->id).second) << row->id;
        EXPECT_TRUE(*row->source != '\0' && *row->title != '\0' && *row->setup != '\0') << row->id;
    }
}

TEST(PaperRows, names_ignore_case_and_punctuation) {
    EXPECT_EQ(find_paper_row("z_3_4_2_x1"), find_paper_row("Z-3.4.2-X1"));
    EXPECT_NE(find_paper_row("cw-x1"), nullptr);
    EXPECT_EQ(find_paper_row("CW-X"), nullptr);
    EXPECT_EQ(find_paper_row(""), nullptr);
}

}  // namespace
}  // namespace claybox::bench
