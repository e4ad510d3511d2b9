import { closeUnnamedStatement } from '@/src/database/embedded/wire-protocol';
import { createUnnamedStatement } from '@/src/database/embedded/wire-unnamed';
import { message } from './frontend-messages';

const parse = message('P', '', 'SELECT 1', 0);

/** What a client's turn begins with that sends these, each list a turn, after it has prepared the statement. */
function remadeFor(...turns: Buffer[][]): (Buffer | undefined)[] {
  const unnamed = createUnnamedStatement();
  return [[parse], ...turns].map((turn) => {
    for (const bytes of turn) unnamed.note({ type: bytes.toString('latin1', 0, 1), bytes });
    return unnamed.takeRemake()?.message;
  });
}

const bind = message('B', '', '', 0, 0, 0);

test.each([
  ['bound', bind],
  ['bound to a portal with a name', message('B', 'portal', '', 0, 0, 0)],
  ['described', message('D', 'S')],
])('the statement is made anew where it is %s in a later turn', (_, bytes) => {
  expect(remadeFor([bytes], [bytes])).toEqual([undefined, parse, parse]);
});

test.each([
  ['a statement that has a name', message('B', '', 'named', 0, 0, 0)],
  ['one that has a name described', message('D', 'Snamed')],
  ['a portal', message('D', 'P')],
  ['another of its own', message('P', '', 'SELECT 2', 0)],
])('nothing is made anew for %s', (_, bytes) => {
  expect(remadeFor([bytes])).toEqual([undefined, undefined]);
});

test('to close a portal leaves the statement', () => {
  expect(remadeFor([message('C', 'P')], [bind])).toEqual([undefined, undefined, parse]);
});

test('closed, or overtaken by a simple query, it is gone, whatever others have made', () => {
  const gone = [undefined, undefined, closeUnnamedStatement];
  expect(remadeFor([message('C', 'S')], [bind])).toEqual(gone);
  expect(remadeFor([message('Q', 'SELECT 1')], [bind])).toEqual(gone);
});
