"""Without a display the program prints one line with a remedy and ends with status 2."""
import os
import subprocess
import sys

environment = {k: v for k, v in os.environ.items() if k not in ('DISPLAY', 'WAYLAND_DISPLAY')}
run = subprocess.run([sys.argv[1], 'run', '--scene', 'cage'], env=environment, capture_output=True, text=True, timeout=30)
lines = run.stderr.strip().splitlines()
if run.returncode != 2 or len(lines) != 1 or 'display' not in lines[0]:
    sys.exit(f'expected status 2 and one line about the display, got {run.returncode}: {run.stderr!r}')
print('passed')
