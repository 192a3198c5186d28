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
        def is_everywhere(s):  # a narrow bar leaves items out
            shown = [(w['kind'], w['value']) for w in s['widgets'] if w['label'] == 'Seed' and w['kind'] in ('field', 'value')]
            return ('field', seed) in shown and set(shown) <= {('field', seed), ('value', f'Seed {seed}')}
        # Dear ImGui 1.87 and newer take one key per frame, so the text arrives late.
        after = sandbox.state(is_everywhere, f'the seed {seed} after typing {text!r}', 15)
        expect(after['bodies'] == 10, f'{after["bodies"]} bodies after another seed')
    expect(sandbox.close() == 0, 'closing returned an error status')


main(body)
