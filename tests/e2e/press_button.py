"""A poke on the engraved label of a button fires once, releases once, and switches the algorithm. The same holds for the
labels of toggles and other keys."""
from driver import Sandbox, centre, expect, main, tool


def body(program, folder):
    sandbox = Sandbox(program, folder, '--scene', 'buttons')
    label = sandbox.labelled('algorithm', 'label')  # the second line of "Next algorithm"
    before = sandbox.read()
    sandbox.move(*centre(label))
    sandbox.frames(6)
    tool('mousedown', 1)
    pressed = sandbox.state(lambda s: s['figures']['presses'] > 0, 'a press')
    tool('mouseup', 1)
    released = sandbox.state(lambda s: s['figures']['releases'] > 0, 'the release')
    expect(pressed['figures']['presses'] == released['figures']['presses'] == 1, 'one poke caused more than one press')
    expect(released['figures']['releases'] == 1, 'one poke caused more than one release')
    expect(released['pair'] != before['pair'], 'the button did not switch the algorithm')
    expect(released['bodies'] == before['bodies'], 'the switch lost a body')
    for number, (words, title) in enumerate([('Exact', 'Exact'), ('Dark', 'Dark'), ('Pause', 'Pause')], 2):
        sandbox.click(sandbox.labelled(words, 'label'))  # the click ends before the finger arrives
        fired = sandbox.state(lambda s: s['figures']['presses'] >= number, f'a press of {title}')
        expect(fired['figures']['presses'] == number, f'one poke of {title} caused more than one press')
        expect(any(e['text'] == title for e in fired['events']), f'another key than {title} was pressed')
        if title != 'Pause':
            sandbox.state(lambda s: s['figures']['releases'] >= number, f'the release of {title}')
    paused = sandbox.state(lambda s: s['paused'], 'the pause')
    expect(sandbox.close() == 0, 'closing returned an error status')


main(body)
