#!/usr/bin/env python3
"""Runs every scene as a program of this machine and as WebAssembly under node, and compares the hashes.

hashes.py PROGRAM CLAYBOX_NODE_JS [SCENE...]     exit status 1 when a hash differs or a run fails
"""
import json
import subprocess
import sys

FRAMES = 150  # 2 s: hands of all scenes with a scripted hand have touched something


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f'{" ".join(command)}\nfailed with status {done.returncode}: {done.stderr.strip()}')
    return done.stdout


def scene_hash(program, scene):
    out = run([*program, 'run', '--headless', '--scene', scene, '--frames', str(FRAMES), '--hash'])
    return out.split()[-1]


def main():
    native, web = [sys.argv[1]], ['node', '--no-experimental-fetch', sys.argv[2]]
    scenes = sys.argv[3:] or [entry['id'] for entry in json.loads(run([*native, 'list', 'scene', '--json']))]
    different = 0
    for scene in scenes:
        expected, found = scene_hash(native, scene), scene_hash(web, scene)
        different += expected != found
        print(f'{scene:12} {expected} {found} {"equal" if expected == found else "DIFFERENT"}', flush=True)
    print(f'{len(scenes)} scenes, {FRAMES} frames each: {different or "no"} different')
    sys.exit(1 if different else 0)


main()
