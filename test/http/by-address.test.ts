import { placesByAddress } from '@/src/http/by-address';

const [peer, another] = ['192.0.2.1', '192.0.2.2'];

test('who gives a place back may take one again, and no more', () => {
  const places = placesByAddress(3);
  const [leave] = [places.take(peer), places.take(peer), places.take(peer)];
  expect(places.take(peer)).toBeUndefined();
  for (let time = 0; time < 3; time++) {
    leave?.();
    expect(places.take(peer)).toBeDefined();
    expect(places.take(peer)).toBeUndefined();
  }
});

test('of an address that has no place any more, nothing is remembered', () => {
  const noted = jest.spyOn(Map.prototype, 'set');
  const places = placesByAddress(2);
  const leaving = [peer, peer, another].map((address) => places.take(address));
  const [taken] = noted.mock.contexts;
  for (const size of [2, 1, 0]) {
    leaving.shift()?.();
    expect(taken).toHaveProperty('size', size);
  }
});
