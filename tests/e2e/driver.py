"""Drives the real program from outside with synthetic mouse and keys. It knows only the rectangles of visible labels that
the program reports. Needs an X display (ctest provides one with xvfb-run) and xdotool."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time


PATIENCE = float(os.environ.get('CLAYBOX_PATIENCE', 1))  # factor for all waits; larger with ThreadSanitizer


class Failure(Exception):
    pass


def tool(*arguments):
    return subprocess.run(['xdotool', *map(str, arguments)], check=True, capture_output=True, text=True).stdout.strip()


class Sandbox:
    """The program in a small window, with its own configuration folder. `environment`: more variables; `stderr`: a file."""

    def __init__(self, program, folder, *arguments, size=(1024, 640), environment=None, stderr=None):
        self.report_file = pathlib.Path(folder) / 'report.json'
        self.report_file.unlink(missing_ok=True)
        variables = dict(os.environ, XDG_CONFIG_HOME=str(folder), XDG_STATE_HOME=str(folder), LIBGL_ALWAYS_SOFTWARE='1',
                         **(environment or {}))
        command = [program, 'run', '--size', f'{size[0]}x{size[1]}', '--ui-scale', '1', '--report', str(self.report_file),
                   *arguments]
        self.process = subprocess.Popen(command, env=variables, stderr=stderr)
        self.state(lambda s: s['frame'] > 2 and s['widgets'], 'the first frames')
        self.window = tool('search', '--pid', self.process.pid, '--name', 'Claybox').split()[-1]
        tool('windowmove', self.window, 0, 0)
        tool('windowfocus', self.window)

    def read(self):
        if self.process.poll() is not None:
            raise Failure(f'the program ended with status {self.process.returncode}')
        try:
            return json.loads(self.report_file.read_text())
        except (OSError, ValueError):
            return None

    def state(self, wanted, what, seconds=40):
        """Waits for a report that satisfies `wanted` and returns it."""
        end, last = time.time() + seconds * PATIENCE, None
        while time.time() < end:
            last = self.read()
            if last is not None and wanted(last):
                return last
            time.sleep(0.05)
        brief = {k: v for k, v in (last or {}).items() if k not in ('widgets', 'events')}
        raise Failure(f'waited {seconds * PATIENCE:g} s for {what}; last report: {brief}')

    def widget(self, wanted, what, seconds=40):
        """Waits for a visible widget that satisfies `wanted` and returns it."""
        def find(s):
            return next((w for w in s['widgets'] if w['visible'] and wanted(w)), None)
        return find(self.state(find, what, seconds))

    def labelled(self, label, kind=None):
        return self.widget(lambda w: w['label'] == label and kind in (None, w['kind']), f'the label "{label}"')

    def scrolled_to(self, label, kind):
        """A widget of the right column, scrolled into view with the wheel if necessary."""
        def find(s):
            return next((w for w in s['widgets'] if w['visible'] and (w['label'], w['kind']) == (label, kind)), None)
        self.move(*centre(self.widget(lambda w: w['kind'] == 'card', 'a card to scroll over')))
        for button in [4] * 12 + [5] * 24:  # to the top first
            if find(self.read()):
                break
            tool('click', button)
            self.frames(2)
        self.frames(4)  # wait until opening and scrolling end
        return self.labelled(label, kind)

    def frames(self, count):
        seen = {'from': self.read()['frame']}

        def passed(s):
            seen['from'] = min(seen['from'], s['frame'])  # a rebuilt scene counts from 0 again
            return s['frame'] >= seen['from'] + count
        self.state(passed, f'{count} frames')

    def move(self, x, y):
        tool('mousemove', '--window', self.window, int(x), int(y))

    def click(self, widget):
        self.move(*centre(widget))
        self.drawn()  # a slow renderer must see the pointer there before it sees the button
        tool('mousedown', 1)
        self.drawn()
        tool('mouseup', 1)

    def drawn(self, reports=2):
        """Waits until the program has written as many reports. It writes one after a frame, several times a second."""
        for _ in range(reports):
            before, end = self.report_file.stat().st_mtime_ns, time.time() + 40 * PATIENCE
            while self.report_file.stat().st_mtime_ns == before:
                if time.time() > end or self.process.poll() is not None:
                    raise Failure('the program has stopped writing reports')
                time.sleep(0.02)

    def drag_until(self, x, y, steps, wanted, what):
        """Presses at (x, y), drags down to the left, and releases when a report satisfies `wanted`. Returns that report."""
        self.move(x, y)
        self.frames(4)
        tool('mousedown', 1)
        for i in range(steps):
            self.move(x - 4 * i, y + 3 * i)
            time.sleep(0.25)
        reached = self.state(wanted, what)
        tool('mouseup', 1)
        return reached

    def type_into(self, label, kind, text, end='Return'):
        """Types a new value into a slider (after Ctrl+click) or a field."""
        self.move(*centre(self.scrolled_to(label, kind)))
        self.frames(2)
        if kind == 'slider':
            tool('keydown', 'Control_L')
            self.frames(2)
        tool('mousedown', 1)
        self.frames(2)
        tool('mouseup', 1)
        if kind == 'slider':
            tool('keyup', 'Control_L')
        self.frames(2)
        self.key('ctrl+a')
        tool('type', '--window', self.window, '--delay', '40', '--', text)
        self.frames(2)
        self.key(end)
        self.frames(2)

    def key(self, *names):
        tool('key', '--window', self.window, *names)

    def close(self):
        """Closes the program with Ctrl+Q and returns the exit status."""
        self.key('ctrl+q')
        return self.wait()

    def wait(self, seconds=20):
        try:
            return self.process.wait(seconds * PATIENCE)
        except subprocess.TimeoutExpired:
            raise Failure('the program did not close')

    def stop(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


def centre(widget):
    x0, y0, x1, y1 = widget['rect']
    return (x0 + x1) / 2, (y0 + y1) / 2


def expect(condition, what):
    if not condition:
        raise Failure(what)


def main(body):
    """Runs body(program, folder) and prints a failure in one line."""
    with tempfile.TemporaryDirectory() as folder:
        started = []
        original = Sandbox.__init__

        def remembering(self, *arguments, **named):
            started.append(self)
            original(self, *arguments, **named)
        Sandbox.__init__ = remembering
        try:
            body(sys.argv[1], folder)
        except Failure as failure:
            print(f'FAILED: {failure}', file=sys.stderr)
            sys.exit(1)
        finally:
            for sandbox in started:
                if hasattr(sandbox, 'process'):
                    sandbox.stop()
    print('passed')
