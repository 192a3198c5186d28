#include "app/cli/commands/query_answers.hpp"
#include "app/cli/output.hpp"
#include "app/session/line_source.hpp"
#include "collision/jobs/exclusive.hpp"
#include "collision/jobs/executor.hpp"
#include "engine/files/path_text.hpp"

namespace claybox::app {

using namespace collision;

namespace {

/// Neighbouring lines, which one worker answers.
class Block {
  public:
    /// Reads lines until the block is full or the source ends.
    void read(LineSource& source) {
        count_ = bytes_ = 0;
        for (Line& line : lines_)
            if (line.text.capacity() > kFullBytes)
                line.text = std::string();  // keeps no memory of long lines
        while (count_ < kMostLines && bytes_ < kFullBytes) {
            if (count_ == lines_.size()) lines_.emplace_back();
            Line& line = lines_[count_];
            line.kind = source.next(line.text);
            if (line.kind == LineSource::Kind::end || line.kind == LineSource::Kind::failed) break;
            if (line.text.find_first_not_of(" \t") == std::string::npos &&
                line.kind == LineSource::Kind::line)
                continue;
            line.number = source.number();
            bytes_ += line.text.size();
            ++count_;
        }
    }
    void answer(QueryAnswers& answers) {
        out_.clear();
        good_ = true;
        for (std::size_t i = 0; i < count_; ++i) good_ = answer(answers, lines_[i]) && good_;
    }
    std::size_t count() const { return count_; }
    const std::string& out() const { return out_; }
    bool good() const { return good_; }

  private:
    // Enough for a worker to be busy for a while; few enough for long lines to stay within the memory.
    static constexpr std::size_t kMostLines = 64, kFullBytes = 1 << 20;
    struct Line {
        std::string text;
        LineSource::Kind kind = LineSource::Kind::line;
        std::uint64_t number = 0;
    };

    bool answer(QueryAnswers& answers, const Line& line) {
        if (line.kind == LineSource::Kind::line) return answers.answer(line.text, line.number, out_);
        QueryAnswers::refuse(
            line.number, "expected at most " + std::to_string(LineSource::kMaxLineBytes) + " bytes", out_);
        return false;
    }

    std::vector<Line> lines_;  ///< the first `count_` are in use
    std::size_t count_ = 0, bytes_ = 0;
    std::string out_;
    bool good_ = true;
};

/// Answers all lines of a file, several blocks at once, and prints the answers in the order of the lines.
class QueryRun {
  public:
    Status configure(const QueryArguments& arguments) {
        const std::filesystem::path file = engine::path_of(arguments.file);
        executor_ = arguments.workers > 1 ? make_thread_executor(arguments.workers) : make_serial_executor();
        for (unsigned worker = 0; worker < executor_->worker_count(); ++worker) {
            answers_.push_back(
                std::make_unique<QueryAnswers>(arguments, arguments.file == "-" ? "." : file.parent_path()));
            if (const Status configured = answers_.back()->configure(); !configured) return configured;
        }
        // Several for each worker: some blocks take longer than others.
        blocks_.resize(answers_.size() == 1 ? 1 : 8 * answers_.size());
        return Done{};
    }

    int run(const std::string& file) {
        LineSource lines;
        if (const Status opened = lines.open(file); !opened) return report_error(opened.error());
        const Burst burst(*executor_);
        bool good = true;
        std::uint64_t queries = 0;
        while (!lines.ended()) {
            read_and_answer(lines);
            for (const Block& block : blocks_) {
                print(block.out());
                good = good && block.good();
                queries += block.count();
            }
        }
        if (lines.failed()) return report_error(Error{"cannot read further", file, lines.number()});
        if (queries == 0)
            return report_error(Error{"contains no queries, expected one JSON object per line", file, 0});
        return finish_output(good ? kExitDone : kExitBadInput);
    }

  private:
    /// One worker reads the next block while the others answer theirs. Blocks are read in their order,
    /// whoever reads them.
    void read_and_answer(LineSource& lines) {
        Exclusive reading;
        std::size_t next = 0;
        const auto read_next = [&]() -> Block& {
            Block& block = blocks_[next++];
            block.read(lines);
            return block;
        };
        executor_->parallel_for(
            blocks_.size(), 1,
            [&](std::size_t begin, std::size_t end, unsigned worker) {
                for (std::size_t i = begin; i < end; ++i) reading.run(read_next).answer(*answers_[worker]);
            },
            blocks_.size());
    }

    std::unique_ptr<Executor> executor_;
    std::vector<std::unique_ptr<QueryAnswers>> answers_;  ///< one for each worker
    std::vector<Block> blocks_;
};

}  // namespace

int query_command(const QueryArguments& arguments) {
    QueryRun run;
    if (const Status configured = run.configure(arguments); !configured)
        return report_error(configured.error());
    return run.run(arguments.file);
}

}  // namespace claybox::app
