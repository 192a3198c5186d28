// The program behind `claybox bench`: it takes the same command line.

#include "app/bench/bench_command.hpp"

int main(int argc, char** argv) {
    claybox::app::Frontend frontend;
    frontend.bench = claybox::app::bench_command;
    return claybox::app::run_command_line(argc, argv, frontend);
}
