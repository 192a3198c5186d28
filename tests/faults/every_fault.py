#!/usr/bin/env python3
"""Runs commands of claybox again and again, each time with another call that fails, until a run gets through.

every_fault.py PROGRAM LIBRARY [--runs N] [--command NAME] [--call NAME]
LIBRARY is the one of failing_calls.cpp. --runs N tries about N of all numbers for each command and call: the first ten and an
even selection of the others. Without it, every number.

A run with a failed call may end with status 0, 1 or 2. Status 2 needs one line on standard error. Never allowed: a signal, a
run of more than a minute, a file that is neither the old nor the new one, a file that is left behind.
"""
import argparse
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

CALLS = ['malloc', 'fwrite', 'fflush', 'fclose', 'fsync', 'rename', 'open', 'pthread_create']
# In builds with assertions, those of the JSON library are wrong about a document whose construction failed.
KNOWN = b'/nlohmann/json.hpp:'
OLD = b'old content\n'
MATRIX = '[1,0,0,0,0,1,0,0,0,0,1,0]'
QUERY = '{"id":1,"a":{"kind":"vertices","points":[[0,0,0],[1,0,0],[0,1,0],[0,0,1]]},"b":{"kind":"vertices",' \
        '"points":[[0,0,0],[2,0,0],[0,2,0],[0,0,2]]},"matrix_a":%s,"matrix_b":%s}\n' % (MATRIX, MATRIX)

# Name: arguments, and the files that the command writes. {0} is the folder of the run.
COMMANDS = {
    'version': (['--version'], []),
    'inspect': (['inspect', 'assets/meshes/gear.stl', '--json'], []),
    'list': (['list', 'pair', '--markdown'], []),
    'query': (['query', '{0}/query.jsonl', '--pair', 'all'], []),
    'cage': (['run', '--headless', '--frames', '3', '--set', 'bodies=10', '--json', '{0}/out.json', '--record', '{0}/out.rec'],
             ['out.json', 'out.rec']),
    'workers': (['run', '--headless', '--frames', '3', '--set', 'bodies=40', '--workers', '3', '--parallel', 'pairs', '--concurrent',
                 '--hash'], []),
    'potter': (['run', '--headless', '--scene', 'potter', '--frames', '3', '--set', 'polygons=500', '--autosave', '{0}/saves', '--record',
                '{0}/out.rec'], ['out.rec']),
    'mesh': (['run', '--headless', '--frames', '2', '--mesh', 'assets/meshes/ring.obj', '--pair', 'mesh_bvh', '--hash'], []),
    'replay': (['replay', 'assets/recordings/cage.rec', '--frames', '3'], []),
}


class Run:
    """One command with one failing call."""

    def __init__(self, program, library, command, call, number):
        self.arguments, self.targets = COMMANDS[command]
        self.name = f'{command}, {call} {number}'
        self.program, self.library, self.order = program, library, f'{call}:{number}'
        self.faults, self.got_through = [], False

    def __call__(self):
        folder = pathlib.Path(tempfile.mkdtemp(prefix='claybox-fault-'))
        try:
            self.run_in(folder)
        finally:
            shutil.rmtree(folder)
        return self

    def run_in(self, folder):
        (folder / 'query.jsonl').write_text(QUERY)
        (folder / 'saves').mkdir()
        for target in self.targets:
            (folder / target).write_bytes(OLD)
        environment = {**os.environ, 'LD_PRELOAD': self.library, 'CLAYBOX_FAIL': self.order,
                       'CLAYBOX_FAIL_REPORT': str(folder / 'report'), 'XDG_CONFIG_HOME': str(folder / 'config'),
                       'XDG_STATE_HOME': str(folder / 'state')}
        arguments = [self.program] + [a.format(folder) for a in self.arguments]
        try:
            run = subprocess.run(arguments, env=environment, capture_output=True, timeout=60, check=False)
        except subprocess.TimeoutExpired:
            self.faults.append('still running after a minute')
            return
        report = folder / 'report'
        self.got_through = report.exists() and 'passed' in report.read_text()
        self.judge(run, folder)

    def judge(self, run, folder):
        lines = run.stderr.decode(errors='replace').splitlines()
        if KNOWN in run.stderr:
            return
        if run.returncode not in (0, 1, 2):
            self.faults.append(f'ends with {run.returncode}: {lines[-1:] or "no message"}')
        if run.returncode == 2 and len(lines) != 1:
            self.faults.append(f'status 2 with {len(lines)} lines: {lines[:3]}')
        if self.got_through and run.returncode != 0:
            self.faults.append(f'status {run.returncode} although no call failed: {lines[:3]}')
        for target in self.targets:
            content = (folder / target).read_bytes() if (folder / target).exists() else b''
            if content != OLD and not content.rstrip().endswith(b'}'):
                self.faults.append(f'{target} is neither old nor complete')
        left = [str(f.relative_to(folder)) for f in folder.rglob('*') if '.new' in f.name]
        if left:
            self.faults.append(f'left behind: {", ".join(left)}')


def numbers(total, runs):
    """Which of the calls 1 .. total fail."""
    if runs is None or total <= runs:
        return range(1, total + 1)
    first = min(10, runs)
    step = (total - first) / max(1, runs - first)
    return sorted(set(range(1, first + 1)) | {int(first + 1 + i * step) for i in range(runs - first)})


def count_calls(program, library, command, call):
    """The number of calls of a run in which none fails, with a few more for the threads."""
    with tempfile.TemporaryDirectory(prefix='claybox-fault-') as folder:
        report = pathlib.Path(folder) / 'report'
        (pathlib.Path(folder) / 'query.jsonl').write_text(QUERY)
        (pathlib.Path(folder) / 'saves').mkdir()
        environment = {**os.environ, 'LD_PRELOAD': library, 'CLAYBOX_FAIL': f'{call}:{1 << 40}', 'CLAYBOX_FAIL_REPORT': str(report),
                       'XDG_CONFIG_HOME': folder, 'XDG_STATE_HOME': folder}
        subprocess.run([program] + [a.format(folder) for a in COMMANDS[command][0]], env=environment, check=True, capture_output=True,
                       timeout=60)
        return int(report.read_text().split()[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('program')
    parser.add_argument('library')
    parser.add_argument('--runs', type=int)
    parser.add_argument('--command', choices=COMMANDS)
    parser.add_argument('--call', choices=CALLS)
    a = parser.parse_args()
    faults = tried = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for command in [a.command] if a.command else COMMANDS:
            for call in [a.call] if a.call else CALLS:
                total = count_calls(a.program, a.library, command, call)
                runs = [Run(a.program, a.library, command, call, n) for n in numbers(total, a.runs)]
                tried += len(runs)
                print(f'{command}: {total} x {call}, {len(runs)} runs', flush=True)
                for run in pool.map(lambda run: run(), runs):
                    for fault in run.faults:
                        faults += 1
                        print(f'  {run.name}: {fault}', flush=True)
    print(f'{tried} runs, {faults} faults')
    return 1 if faults or not tried else 0


sys.exit(main())
