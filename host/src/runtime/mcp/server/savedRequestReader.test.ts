import { expect, it } from 'vitest';
import type { SavedConnection } from '../../../common/connection.ts';
import { savedRequestReader } from './savedRequestReader.ts';

const connection = { id: 'one' } as SavedConnection;
const saved = (text: string) => ({
  list: () => [{ id: '1', connectionId: null, name: 'Saved', text, createdAt: '', updatedAt: '' }],
});

it.each([
  ['a plain text', 'GET /collections', true],
  ['a secret of the connection', 'GET /collections # the-key-of-it', false],
  ['a value where statements have secrets', '{"api_key": "abcdefgh"}', false],
  ['a text too long to be searched', 'x'.repeat(30_000), false],
])('gives a client %s: %#', async (_, text, isGiven) => {
  const reader = savedRequestReader(saved(text), { valuesToHide: async () => ['the-key-of-it'] });
  expect(await reader.list(connection)).toEqual([{ id: '1', name: 'Saved', isForAll: true, ...(isGiven ? { text } : {}) }]);
});

it('gives a client no text while the secrets of the connection cannot be read', async () => {
  const reader = savedRequestReader(saved('GET /collections'), {
    valuesToHide: async () => {
      throw new Error('The store is locked.');
    },
  });
  expect(await reader.list(connection)).toEqual([{ id: '1', name: 'Saved', isForAll: true }]);
});
