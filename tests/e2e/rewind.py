"""Keys and the time strip show the past, and the space bar continues from there."""
from driver import Sandbox, centre, expect, main, tool


def body(program, folder):
    sandbox = Sandbox(program, folder, '--scene', 'cage', '--set', 'bodies=8', '--no-hint')
    sandbox.state(lambda s: s['frame'] > 40, 'forty frames')
    sandbox.key('comma')
    first = sandbox.state(lambda s: s['past']['shown'], 'the past')
    expect(first['paused'], 'the program is not paused in the past')
    for _ in range(3):
        sandbox.key('shift+o')
    sandbox.state(lambda s: s['past']['shown'] == first['past']['shown'] - 3, 'three more steps back')
    sandbox.key('period')
    sandbox.state(lambda s: s['past']['shown'] == first['past']['shown'] - 2, 'a step on')
    sandbox.key('End')
    sandbox.state(lambda s: s['past']['shown'] is None, 'the return to now')

    strip = sandbox.widget(lambda w: w['kind'] == 'strip', 'the time strip')
    x, y = centre(strip)
    right = strip['rect'][2]
    sandbox.move(right - 4, y)
    tool('mousedown', 1)
    sandbox.move(right - 0.05 * (right - strip['rect'][0]), y)
    back = sandbox.state(lambda s: s['past']['shown'], 'the past under the handle')
    tool('mouseup', 1)
    expect(back['frame'] - back['past']['shown'] > 10, f'the handle shows {back["past"]}')
    shown = sandbox.state(lambda s: s['past']['shown'], 'the past after the release')['past']['shown']
    sandbox.key('space')
    gone_on = sandbox.state(lambda s: s['past']['shown'] is None and not s['paused'], 'the branch')
    expect(gone_on['past']['newest'] < back['past']['newest'] + 60 and gone_on['frame'] >= shown, f'{gone_on["past"]}')
    sandbox.frames(5)
    expect(sandbox.close() == 0, 'closing returned an error status')


main(body)
