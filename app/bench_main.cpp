// The program behind `claybox bench`: it takes the same command line.

#include "app/bench/bench_command.hpp"
#include "engine/files/process/program.hpp"

int main(int argc, char** argv) {
    claybox::engine::prepare_streams();
    claybox::app::Frontend frontend;
    frontend.bench = claybox::app::bench_command;
    const claybox::engine::ProgramArguments arguments = claybox::engine::program_arguments(argc, argv);
    return claybox::app::run_command_line(arguments.count, arguments.list, frontend);
}
