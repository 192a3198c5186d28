#!/usr/bin/env python3
"""Kills commands that write files: at random moments, and at every call that writes. Each file must be the old or the new one.

killed_while_writing.py PROGRAM LIBRARY [--kills N] [--seed N] [--window]
LIBRARY is the one of failing_calls.cpp. After N random kills (default 200) come kills at the calls of open, fwrite, fflush,
fsync, fclose and rename; with --window also in a window, which writes other files. After each kill the same command must work in
the same folder, beside the temporary file that was left there, and every saved pot must be readable.
"""
import argparse
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

import commands
import every_fault

WRITERS = ['cage', 'autosave']
CALLS = ['open', 'fwrite', 'fflush', 'fsync', 'fclose', 'rename']


def start(program, command, folder, extra=None):
    environment = commands.environment(folder, extra)
    return subprocess.Popen(commands.arguments(program, command, folder), env=environment, stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL)


def faults_of(program, command, folder):
    """After a kill: what is wrong in the folder, and with the next run."""
    found = [f'{target} is neither old nor complete' for target in commands.COMMANDS[command][1]
             if not commands.is_old(folder / target) and not commands.is_complete(folder / target)]
    for pot in (folder / 'saves').glob('*.ply'):
        if subprocess.run([program, 'inspect', str(pot)], capture_output=True, check=False).returncode not in (0, 1):
            found.append(f'{pot.name} cannot be read')
    again = commands.run(program, command, folder, frames=3, timeout=60)
    if again.returncode != 0:
        found.append(f'the next run ends with {again.returncode}: {again.stderr.decode(errors="replace")}')
    found += [f'the next run leaves {target} old' for target in commands.COMMANDS[command][1]
              if commands.is_old(folder / target)]
    return found


class Killer:
    """Counts what happened."""

    def __init__(self, program, library, window):
        self.program, self.library = program, library
        self.writers = WRITERS + (['window-files'] if window else [])
        self.killed = self.old = self.new = self.pots = self.faults = 0

    def kill(self, command, what, extra=None, seconds=None):
        """Ends the command after `seconds`, or lets the library do it. Does nothing if the command ends before."""
        with tempfile.TemporaryDirectory(prefix='claybox-kill-') as name:
            folder = pathlib.Path(name)
            commands.prepare(folder, command)
            process = start(self.program, command, folder, extra)
            if seconds is not None:
                time.sleep(seconds)
                process.kill()
            if process.wait(timeout=60) != -signal.SIGKILL:
                return
            self.killed += 1
            self.pots += len(list((folder / 'saves').glob('*.ply')))
            for target in commands.COMMANDS[command][1]:
                self.old += commands.is_old(folder / target)
                self.new += not commands.is_old(folder / target)
            for fault in faults_of(self.program, command, folder):
                self.faults += 1
                print(f'{command}, {what}: {fault}', flush=True)

    def at_random_moments(self, kills, seed):
        moments = random.Random(seed)
        for command in WRITERS:
            with tempfile.TemporaryDirectory(prefix='claybox-kill-') as name:
                commands.prepare(pathlib.Path(name), command)
                begin = time.monotonic()
                start(self.program, command, pathlib.Path(name)).wait(timeout=60)
                whole = time.monotonic() - begin
            for _ in range(kills // len(WRITERS)):
                seconds = moments.uniform(0, whole)
                self.kill(command, f'killed after {seconds:.4f} s', seconds=seconds)

    def at_calls(self, most):
        """At most about `most` kills for each command and call."""
        for command in self.writers:
            for call in CALLS:
                total = every_fault.count_calls(self.program, self.library, command, call)
                for number in every_fault.numbers(total, most):
                    self.kill(command, f'killed at {call} {number}',
                              {'LD_PRELOAD': self.library, 'CLAYBOX_FAIL': f'{call}:{number}', 'CLAYBOX_FAIL_HOW': 'kill'})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('program')
    parser.add_argument('library')
    parser.add_argument('--kills', type=int, default=200)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--window', action='store_true')
    a = parser.parse_args()
    killer = Killer(os.path.abspath(a.program), os.path.abspath(a.library), a.window)
    killer.at_random_moments(a.kills, a.seed)
    killer.at_calls(max(3, a.kills // 16))
    print(f'{killer.killed} kills: {killer.old} files old, {killer.new} new, {killer.pots} saved pots; {killer.faults} faults')
    # Without both kinds nothing was tested: the kills came too early or too late.
    return 1 if killer.faults or not (killer.old and killer.new and killer.pots) else 0


if __name__ == '__main__':
    sys.exit(main())
