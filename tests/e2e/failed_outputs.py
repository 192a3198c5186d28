"""An output that cannot be written is one line and status 2, and the other outputs are still finished."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile


def run(folder, *arguments):
    environment = dict(os.environ, XDG_CONFIG_HOME=str(folder), XDG_STATE_HOME=str(folder), LIBGL_ALWAYS_SOFTWARE='1')
    done = subprocess.run([sys.argv[1], 'run', '--scene', 'cage', '--size', '400x300', *map(str, arguments)],
                          env=environment, capture_output=True, text=True, timeout=120)
    if done.returncode != 2:
        sys.exit(f'{arguments}: expected status 2, got {done.returncode}: {done.stderr}')
    return done.stderr


def expect_recording(file):
    last = file.read_text().splitlines()[-1] if file.exists() else ''
    if not last.startswith('{"end":true'):
        sys.exit(f'expected a complete recording, got {last!r}')


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    recording, track = folder / 'run.jsonl', folder / 'run.track'

    text = run(folder, '--frames', 3, '--screenshot', folder / 'missing/a.png', '--record', recording)
    if 'a.png' not in text:
        sys.exit(f'expected the name of the picture: {text}')
    expect_recording(recording)
    recording.unlink()

    text = run(folder, '--frames', 60, '--report', folder / 'missing/report.json', '--record', recording,
               '--record-track', track)
    if text.count('report.json') != 1:
        sys.exit(f'expected one line about the report: {text}')
    expect_recording(recording)
    if not track.read_text().startswith('{"claybox_track":1}'):
        sys.exit('expected a track')
    if json.loads((folder / 'claybox/settings.json').read_text())['width'] != 400:
        sys.exit('expected saved settings')
print('passed')
