"""Typed numbers: a number is clamped to the slider's range, anything else changes nothing. The same holds for the seed,
whose row is in a fold."""
from driver import Sandbox, expect, main


def body(program, folder):
    sandbox = Sandbox(program, folder, '--scene', 'cage', '--set', 'bodies=8', '--no-hint')
    if sandbox.labelled('Scene', 'card')['value'] == 'folded':
        sandbox.click(sandbox.labelled('Scene', 'card'))
    for text, end, bodies in (('12', 'Return', 12), ('1', 'Return', 2), ('abc', 'Return', 2), ('30', 'Escape', 2),
                              ('1/2', 'Return', 2), ('1e1', 'Return', 10)):
        sandbox.type_into('Bodies', 'slider', text, end)
        after = sandbox.state(lambda s: s['bodies'] == bodies, f'{bodies} bodies after typing {text!r}', 15)
        shown = next(w['value'] for w in after['widgets'] if (w['kind'], w['label']) == ('slider', 'Bodies'))
        expect(shown == str(bodies), f'the slider shows {shown} and not {bodies}')
    sandbox.click(sandbox.scrolled_to('Seed, time, film and sharing', 'fold'))
    sandbox.widget(lambda w: (w['kind'], w['label']) == ('field', 'Seed'), 'the row of the seed')
    most = str(2**64 - 1)
    for text, end, seed in (('7', 'Return', '7'), ('-5', 'Return', '7'), ('1.5', 'Return', '7'),
                            (most + '9', 'Return', '7'), ('8', 'Escape', '7'), (most, 'Return', most)):
        sandbox.type_into('Seed', 'field', text, end)
        shown = sandbox.scrolled_to('Seed', 'field')['value']
        expect(shown == seed, f'after typing {text!r} the seed is {shown} and not {seed}')
        after = sandbox.read()
        expect(after['bodies'] == 10, f'{after["bodies"]} bodies after another seed')
        for w in after['widgets']:  # a narrow bar leaves items out
            if (w['kind'], w['label']) == ('value', 'Seed'):
                expect(w['value'] == f'Seed {seed}', f'the bar shows {w["value"]}')
    expect(sandbox.close() == 0, 'closing returned an error status')


main(body)
