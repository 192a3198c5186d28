#!/usr/bin/env python3
"""Runs commands of claybox again and again, each time with another call that fails, until a run gets through.

every_fault.py PROGRAM LIBRARY [--runs N] [--first N] [--command NAME] [--call NAME] [--leaks LEAK_SANITIZER]
LIBRARY is failing_calls of the tests. --runs N tries about N of all numbers for each command and call: the first ten and an
even selection of the others. Without it, every number. --first N leaves out the numbers before N. With --leaks, memory that the
program loses is a fault too; LIBRARY is then failing_calls_and_leaks, LEAK_SANITIZER is gcc's liblsan.so. Windows are left out,
because drivers leak. Exit status 77 if LeakSanitizer cannot run here, as under a debugger.

A run with a failed call may end with status 0, 1 or 2. Status 2 needs one line on standard error. Never allowed: a signal, a
run of more than a minute, a file that is neither the old nor the new one, an old file after status 0, a file that is left
behind. A clock that is set back changes nothing. A window may end with status 0 although its settings could not be saved.
"""
import argparse
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import commands

WRITES = ['fwrite', 'fflush', 'fclose', 'fsync', 'rename']
CLOCK = ['clock']  # is set back: no failure, so the command must succeed
CALLS = WRITES + CLOCK + ['malloc', 'open', 'pthread_create']
# Of failing_graphics.cpp and failing_new.cpp. In a window only these and the writes: other calls may
# be the graphics driver's.
GRAPHICS = ['glfw', 'glload', 'shader', 'program', 'framebuffer', 'glmemory']
NEW = ['new']
# In builds with assertions, those of the JSON library are wrong about a document whose construction failed. Such runs are
# counted apart; a release build has none.
KNOWN = b'/nlohmann/json.hpp:'
LEAKS = 23  # exit status
# A constructor of the JSON library that runs out of memory loses what it has built so far.
LEAKS_OF_LIBRARIES = pathlib.Path(__file__).with_name('leaks_of_libraries.txt')
CANNOT_RUN = 77


class Run:
    """One command with one failing call."""

    def __init__(self, program, library, command, call, number):
        self.command, self.targets = command, commands.COMMANDS[command][1]
        self.name = f'{command}, {call} {number}'
        self.program, self.library, self.order = program, library, f'{call}:{number}'
        self.faults, self.got_through, self.asserted = [], False, False

    def __call__(self):
        folder = pathlib.Path(tempfile.mkdtemp(prefix='claybox-fault-'))
        try:
            self.run_in(folder)
        finally:
            shutil.rmtree(folder)
        return self

    def run_in(self, folder):
        commands.prepare(folder, self.command)
        report = folder / 'report'
        environment = {'LD_PRELOAD': self.library, 'CLAYBOX_FAIL': self.order, 'CLAYBOX_FAIL_REPORT': str(report)}
        try:
            run = commands.run(self.program, self.command, folder, environment, timeout=60)
        except subprocess.TimeoutExpired:
            self.faults.append('still running after a minute')
            return
        self.got_through = report.exists() and 'passed' in report.read_text()
        self.judge(run, folder)

    def judge(self, run, folder):
        lines = run.stderr.decode(errors='replace').splitlines()
        if run.returncode == LEAKS:
            self.faults.append(f'loses memory: {lines[-1:]}')
            return
        if KNOWN in run.stderr:
            self.asserted = True
            return
        if run.returncode not in (0, 1, 2):
            self.faults.append(f'ends with {run.returncode}: {lines[-1:] or "no message"}')
        if run.returncode == 2 and len(lines) != 1:
            self.faults.append(f'status 2 with {len(lines)} lines: {lines[:3]}')
        if self.order.startswith('clock:') and run.returncode != 0:
            self.faults.append(f'status {run.returncode} because the clock is set back: {lines[:3]}')
        if self.got_through and run.returncode != 0:
            self.faults.append(f'status {run.returncode} although no call failed: {lines[:3]}')
        for target in self.targets:
            old = commands.is_old(folder / target)
            if not old and not commands.is_complete(folder / target):
                self.faults.append(f'{target} is neither old nor complete')
            if old and run.returncode == 0:
                self.faults.append(f'{target} is old, with status 0: {lines[:3]}')
        settings = folder / 'config/claybox/settings.json'
        if settings.exists() and not commands.is_complete(settings):
            self.faults.append('the settings are not complete')
        left = [str(f.relative_to(folder)) for f in folder.rglob('*') if '.new' in f.name]
        if left:
            self.faults.append(f'left behind: {", ".join(left)}')


def calls_of(command):
    if command not in commands.WINDOWS:
        return CALLS
    return NEW + {'window': GRAPHICS, 'window-files': WRITES + CLOCK}.get(command, [])  # the graphics are the same in every scene


def numbers(total, runs):
    """Which of the calls 1 .. total fail."""
    if runs is None or total <= runs:
        return range(1, total + 1)
    first = min(10, runs)
    step = (total - first) / max(1, runs - first)
    return sorted(set(range(1, first + 1)) | {int(first + 1 + i * step) for i in range(runs - first)})


def count_calls(program, library, command, call):
    """The number of calls of a run in which none fails, with a few more for the threads."""
    with tempfile.TemporaryDirectory(prefix='claybox-fault-') as name:
        folder = pathlib.Path(name)
        commands.prepare(folder, command)
        environment = {'LD_PRELOAD': library, 'CLAYBOX_FAIL': f'{call}:{1 << 40}', 'CLAYBOX_FAIL_REPORT': str(folder / 'report')}
        run = commands.run(program, command, folder, environment, timeout=60)
        if run.returncode != 0:
            sys.exit(f'{command}: status {run.returncode} although no call failed: {run.stderr.decode(errors="replace")}')
        return int((folder / 'report').read_text().split()[1])


def look_for_leaks(sanitizer, program):
    """Makes every run look for leaks when it ends; the environment is that of this process."""
    os.environ['LSAN_OPTIONS'] = (f'exitcode={LEAKS}:fast_unwind_on_malloc=0:print_suppressions=0:suppressions={LEAKS_OF_LIBRARIES}')
    run = subprocess.run([program, '--version'], env={**os.environ, 'LD_PRELOAD': sanitizer}, capture_output=True, check=False)
    if run.returncode != 0:
        print(f'LeakSanitizer cannot run here: {run.stderr.decode(errors="replace")}')
        sys.exit(CANNOT_RUN)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('program')
    parser.add_argument('library')
    parser.add_argument('--runs', type=int)
    parser.add_argument('--first', type=int, default=1)
    parser.add_argument('--command', choices=commands.COMMANDS)
    parser.add_argument('--call', choices=CALLS + GRAPHICS + NEW)
    parser.add_argument('--leaks')
    a = parser.parse_args()
    if a.leaks:
        look_for_leaks(a.leaks, a.program)
        a.library = f'{a.library}:{a.leaks}'
    faults = tried = asserted = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for command in [a.command] if a.command else commands.SHORT:
            if command in commands.WINDOWS and (a.leaks or 'DISPLAY' not in os.environ):
                print(f'{command}: left out, because ' + ('drivers leak' if a.leaks else 'there is no display'))
                continue
            for call in [a.call] if a.call else calls_of(command):
                total = count_calls(a.program, a.library, command, call)
                runs = [Run(a.program, a.library, command, call, n) for n in numbers(total, a.runs) if n >= a.first]
                tried += len(runs)
                print(f'{command}: {total} x {call}, {len(runs)} runs', flush=True)
                for run in pool.map(lambda run: run(), runs):
                    asserted += run.asserted
                    for fault in run.faults:
                        faults += 1
                        print(f'  {run.name}: {fault}', flush=True)
    print(f'{tried} runs, {faults} faults, {asserted} ended by an assertion of the JSON library')
    return 1 if faults or not tried else 0


if __name__ == '__main__':
    sys.exit(main())
