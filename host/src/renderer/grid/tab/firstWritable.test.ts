import { expect, it } from 'vitest';
import { firstWritable } from './firstWritable.ts';

const yes = { allowed: true } as const;
const no = { allowed: false, reason: 'It is the key.' } as const;

it.each([
  [
    'a key that the database fills',
    [
      { name: 'id', isKey: true },
      { name: 'title', isKey: false },
    ],
    1,
  ],
  [
    'a key that needs a value',
    [
      { name: 'code', isKey: true, isRequired: true as const },
      { name: 'title', isKey: false },
    ],
    0,
  ],
  [
    'a column that is computed',
    [
      { name: 'id', isKey: true },
      { name: 'total', isKey: false },
      { name: 'title', isKey: false },
    ],
    2,
  ],
  ['nothing but a key', [{ name: 'id', isKey: true }], 0],
])('begins a new row behind or at %s', (_what, columns, place) => {
  const writable = columns.map(({ name, isKey }) => ({ name, isKey, editable: isKey || name === 'total' ? no : yes }));
  expect(firstWritable(columns, writable)).toBe(place);
});
