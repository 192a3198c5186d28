// Every measurement of the checklist is an experiment with a name.

#include "tests/papers/quick_row.hpp"

#include <fstream>
#include <set>
#include <sstream>

namespace claybox::bench {
namespace {

/// Ids of the measurements in docs/checklist-rows.tsv: those of status R.
std::set<std::string> measurements() {
    std::ifstream file(std::string(CLAYBOX_SOURCE_DIR) + "/docs/checklist-rows.tsv");
    std::set<std::string> out;
    for (std::string line; std::getline(file, line);) {
        std::stringstream cells(line);
        std::string id, status;
        std::getline(cells, id, '\t');
        std::getline(cells, status, '\t');
        if (status == "R") out.insert(id);
    }
    return out;
}

TEST(PaperRows, APP_bench_every_measurement_of_the_checklist_is_an_experiment) {
    const std::set<std::string> ids = measurements();
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
