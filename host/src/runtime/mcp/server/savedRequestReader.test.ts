import { expect, it } from 'vitest';
import type { SavedConnection } from '../../../common/connection.ts';
import { savedRequestReader } from './savedRequestReader.ts';

const connection = { id: 'one' } as SavedConnection;
const all = [connection, { id: 'two' } as SavedConnection];
const connections = { list: () => all, unreadable: () => [] };
const secrets = { revision: 0, valuesToHide: async ({ id }: Pick<SavedConnection, 'id'>) => [`the-key-of-${id}`] };
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

it('shows a hidden character in a name as a mark', async () => {
  const reader = savedRequestReader(saved('GET /collections', 'in\u202evoice'), secrets, connections);
  expect(await reader.list(connection)).toMatchObject([{ name: 'in⟨U+202E⟩voice' }]);
});

it('gives a client no text while the secrets of a connection cannot be read', async () => {
  const locked = {
    revision: 0,
    valuesToHide: async ({ id }: Pick<SavedConnection, 'id'>) => {
      if (id === 'two') throw new Error('The store is locked.');
      return [];
    },
  };
  expect(await savedRequestReader(saved('GET /collections'), locked, connections).list(connection)).toEqual([
    { id: '1', name: 'Saved', isForAll: true },
  ]);
});

const plain = [{ id: '1', name: 'Saved', isForAll: true, text: 'GET /collections' }];
const withheld = [{ id: '1', name: 'Saved', isForAll: true }];

it('gives a client no text while it is unknown which secrets a damaged connection has', async () => {
  const damaged = { id: 'three', name: 'Damaged', fields: ['settings'] };
  const text = saved('GET /collections');
  const withUnknown = { ...connections, unreadable: () => [{ ...damaged, secrets: undefined }] };
  expect(await savedRequestReader(text, secrets, withUnknown).list(connection)).toEqual(withheld);
  const withKnown = { ...connections, unreadable: () => [{ ...damaged, secrets: {} }] };
  expect(await savedRequestReader(text, secrets, withKnown).list(connection)).toEqual(plain);
  const keyed = saved('GET /collections # the-key-of-three');
  expect(await savedRequestReader(keyed, secrets, withKnown).list(connection)).toEqual(withheld);
});

it('reads the secrets once for many listings, and again after a change of a value, of a connection, or a while', async () => {
  let reads = 0;
  let listed = all;
  let now = 0;
  const counted = {
    revision: 0,
    valuesToHide: async () => {
      reads += 1;
      return [];
    },
  };
  const reader = savedRequestReader(saved('GET /collections'), counted, { ...connections, list: () => listed }, () => now);
  for (let round = 0; round < 10; round += 1) expect(await reader.list(connection)).toEqual(plain);
  expect(reads).toBe(2);
  counted.revision += 1;
  await reader.list(connection);
  expect(reads).toBe(4);
  listed = [...all];
  await reader.list(connection);
  expect(reads).toBe(6);
  now += 30_000;
  await reader.list(connection);
  expect(reads).toBe(8);
});
