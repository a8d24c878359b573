import { expect, it } from 'vitest';
import type { SavedConnection } from '../../../common/connection.ts';
import { savedRequestReader } from './savedRequestReader.ts';

const connection = { id: 'one' } as SavedConnection;
const connections = { list: () => [connection, { id: 'two' } as SavedConnection] };
const secrets = { valuesToHide: async ({ id }: SavedConnection) => [`the-key-of-${id}`] };
const saved = (text: string, name = 'Saved') => ({
  list: () => [{ id: '1', connectionId: null, name, text, createdAt: '', updatedAt: '' }],
});

it.each([
  ['a plain text', 'GET /collections', true],
  ['a secret of the connection', 'GET /collections # the-key-of-one', false],
  ['a secret of another connection', 'GET /collections # the-key-of-two', false],
  ['a secret in base64', `GET /collections # ${Buffer.from('to the-key-of-one').toString('base64')}`, false],
  ['a secret with percent signs', 'GET /collections?key=the%2Dkey%2Dof%2Done', false],
  ['a secret with escapes of JSON', String.raw`{"key": "the\u002dkey\u002dof\u002dtwo"}`, false],
  ['a value where statements have secrets', '{"api_key": "abcdefgh"}', false],
])('gives a client %s: %#', async (_, text, isGiven) => {
  expect(await savedRequestReader(saved(text), secrets, connections).list(connection)).toEqual([
    { id: '1', name: 'Saved', isForAll: true, ...(isGiven ? { text } : {}) },
  ]);
});

it('says that a text is too long to be searched, and hides a secret in a name', async () => {
  const reader = savedRequestReader(saved('x'.repeat(30_000), 'With the-key-of-two'), secrets, connections);
  expect(await reader.list(connection)).toEqual([{ id: '1', name: 'With •••', isForAll: true, isTooLong: true }]);
});

it('gives a client no text while the secrets of a connection cannot be read', async () => {
  const locked = {
    valuesToHide: async ({ id }: SavedConnection) => {
      if (id === 'two') throw new Error('The store is locked.');
      return [];
    },
  };
  expect(await savedRequestReader(saved('GET /collections'), locked, connections).list(connection)).toEqual([
    { id: '1', name: 'Saved', isForAll: true },
  ]);
});
