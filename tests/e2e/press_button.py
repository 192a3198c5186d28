"""A poke on the engraved label of a button fires once, releases once, and really switches the algorithm."""
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
    expect(pressed['figures']['presses'] == released['figures']['presses'] == 1, 'one poke gave more than one press')
    expect(released['figures']['releases'] == 1, 'one poke gave more than one release')
    expect(released['pair'] != before['pair'], 'the button did not switch the algorithm')
    expect(released['bodies'] == before['bodies'], 'the switch lost a body')
    expect(sandbox.close() == 0, 'closing gave an error status')


main(body)
