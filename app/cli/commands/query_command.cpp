#include "app/cli/commands/query_answers.hpp"
#include "app/cli/output.hpp"
#include "app/session/line_source.hpp"

namespace claybox::app {

using namespace collision;

namespace {

int run(QueryAnswers& answers, const std::string& file) {
    LineSource lines;
    if (const Status opened = lines.open(file); !opened) return report_error(opened.error());
    std::string text, out;
    bool good = true;
    std::uint64_t queries = 0;
    for (;;) {
        const LineSource::Kind kind = lines.next(text);
        if (kind == LineSource::Kind::end) break;
        if (kind == LineSource::Kind::failed)
            return report_error(Error{"cannot read further", file, lines.number()});
        if (kind == LineSource::Kind::too_long) {
            QueryAnswers::refuse(lines.number(),
                                 "expected at most " + std::to_string(LineSource::kMaxLineBytes) + " bytes",
                                 out);
            good = false;
        } else if (text.find_first_not_of(" \t") == std::string::npos) {
            continue;
        } else {
            good = answers.answer(text, lines.number(), out) && good;
        }
        print(out);
        out.clear();
        ++queries;
    }
    if (queries == 0)
        return report_error(Error{"contains no queries, expected one JSON object per line", file, 0});
    return finish_output(good ? kExitDone : kExitBadInput);
}

}  // namespace

int query_command(const QueryArguments& arguments) {
    const std::filesystem::path file = arguments.file;
    QueryAnswers answers(arguments, arguments.file == "-" ? "." : file.parent_path());
    if (const Status configured = answers.configure(); !configured) return report_error(configured.error());
    return run(answers, arguments.file);
}

}  // namespace claybox::app
