"""Numbers that are typed: what is a number is taken within the range of the slider, anything else leaves it as it is."""
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
    expect(sandbox.close() == 0, 'closing gave an error status')


main(body)
