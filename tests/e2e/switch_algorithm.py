"""A click in the panel switches the algorithm, the window is resized and closed, and the next start uses the saved choice."""
from driver import Sandbox, expect, main, tool


def body(program, folder):
    sandbox = Sandbox(program, folder, '--scene', 'cage', '--set', 'bodies=8', '--no-hint')
    before = sandbox.read()
    sandbox.click(sandbox.labelled('Pair algorithm', 'combo'))
    other = sandbox.widget(lambda w: w['kind'] == 'item' and w['value'] == 'off', 'the list of algorithms')
    sandbox.click(other)
    after = sandbox.state(lambda s: s['pair'] != before['pair'], 'another algorithm')
    expect(after['bodies'] == before['bodies'] == 8, f'{after["bodies"]} bodies after the switch, expected 8')
    expect(after['frame'] >= before['frame'], 'the frame number decreased')
    sandbox.widget(lambda w: w['kind'] == 'combo' and w['value'] == other['label'], 'the new name in the panel')

    tool('windowsize', sandbox.window, 800, 560)
    sandbox.state(lambda s: s['window'] == [800, 560], 'the new size of the window')
    sandbox.frames(2)
    expect(sandbox.close() == 0, 'closing returned an error status')

    again = Sandbox(program, folder, '--no-hint')
    expect(again.read()['pair'] == after['pair'], 'the algorithm was not saved')
    expect(again.close() == 0, 'closing returned an error status')


main(body)
