"""A headset shows frames for as long as it is on: the program, which sleeps while nothing happens, does not sleep then."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

from driver import PATIENCE, Failure, expect, main


def last_frame(log):
    """The newest frame of the runtime's log; the last line may be incomplete."""
    frames = [0]
    if log.exists():
        for line in log.read_text(encoding='utf-8').splitlines():
            try:
                frames.append(json.loads(line).get('frame', 0))
            except ValueError:
                pass
    return max(frames)


def body(program, folder):
    log, script, recording = (pathlib.Path(folder, name) for name in ('log.jsonl', 'script.jsonl', 'run.jsonl'))
    script.write_text('{"runtime": "Test", "size": [64, 64]}\n{"head": [0, 1.6, 0, 0, 0, 0, 1]}\n', encoding='utf-8')
    variables = dict(os.environ, XDG_CONFIG_HOME=folder, XDG_STATE_HOME=folder, LIBGL_ALWAYS_SOFTWARE='1', XR_RUNTIME_JSON=sys.argv[2],
                     CLAYBOX_XR_SCRIPT=str(script), CLAYBOX_XR_LOG=str(log))
    # Without --report and --frames, for which the program stays awake.
    process = subprocess.Popen([program, 'run', '--scene', 'buttons', '--size', '320x240', '--xr', '--record', str(recording)],
                               env=variables)
    try:
        end = time.time() + 60 * PATIENCE
        while last_frame(log) < 300:  # more than three seconds of the headset's time
            if time.time() > end or process.poll() is not None:
                raise Failure(f'the headset stands still at frame {last_frame(log)}, status {process.poll()}')
            time.sleep(0.1)
        process.send_signal(signal.SIGTERM)
        expect(process.wait(30 * PATIENCE) == 0, f'expected status 0, found {process.returncode}')
    finally:
        process.kill()
    replay = subprocess.run([program, 'replay', str(recording), '--headless'], capture_output=True, text=True, timeout=60 * PATIENCE)
    expect(replay.returncode == 0, f'the recording is not complete: {replay.stdout}{replay.stderr}')


main(body)
