import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FIELDS, HTTP, SecretBench, driverFiles } from './secretBench.ts';
import { NOT_CONFIRMED, expectNothingSent, savedConnection, sendingPaths } from './sendingPaths.ts';

const { signal } = new AbortController();

let bench: SecretBench;
let document: string;
beforeEach(async () => {
  bench = await SecretBench.open();
  document = join(bench.folder, 'document.txt');
  await writeFile(document, 'text');
  await writeFile(join(bench.folder, 'other.txt'), 'text');
});
afterEach(() => bench[Symbol.asyncDispose]());

type Access = 'read' | 'readWrite';
/** A version of the driver that gets a file, in this way; or whose file the host alone reads. */
const install = (version: string, access?: Access): Promise<unknown> => {
  const file = { id: 'document', label: 'Document', type: 'file', readBy: access === undefined ? 'host' : 'driver' };
  const files = access === undefined ? [] : [{ field: 'document', access, reason: 'It counts words.' }];
  return bench.install(
    driverFiles({
      version,
      manifest: { connection: { fields: [...FIELDS, file] }, permissions: { http: HTTP, files } },
    }),
  );
};
const connect = (): Promise<string> => bench.connect('store', 'Updated', { document });
const ping = (): Promise<unknown> =>
  bench.runtime.sessions.use(bench.connectionId, ({ session }) => session.ping({ signal }), { signal });
const question = () => bench.runtime.connections.secretQuestion(bench.connectionId);
const expectRefused = (): Promise<void> =>
  expectNothingSent(bench, NOT_CONFIRMED, { 'a ping': sendingPaths(bench)['a ping'] ?? (async () => undefined) });
const save = async (change: { readonly color?: 'red'; readonly document?: string }): Promise<void> => {
  const { name, driver, settings, access, color } = savedConnection(bench, bench.connectionId);
  await bench.runtime.connections.update(bench.connectionId, {
    ...{ name, driver, access, secrets: {}, color: change.color ?? color },
    settings: change.document === undefined ? settings : { ...settings, document: change.document },
  });
};

describe('an update of a driver', () => {
  it.each<[string, Access | undefined, Access]>([
    ['changes a file that it has read', 'read', 'readWrite'],
    ['reads a file that only the host has read', undefined, 'read'],
    ['changes a file that only the host has read', undefined, 'readWrite'],
  ])('that %s gets none before a person has confirmed it', async (_what, before, after) => {
    await install('1.1.0', before);
    await connect();
    await ping();
    await install('2.0.0', after);
    const asked = await question();
    expect(asked).toMatchObject({ changes: [] });
    expect(asked?.newFiles).toEqual([
      {
        ...{ field: 'document', label: 'Document', path: document, reason: 'It counts words.', now: after },
        ...(before === undefined ? {} : { before }),
      },
    ]);
    await expectRefused();
    await bench.runtime.connections.confirmSecrets(bench.connectionId, asked?.code ?? '');
    await ping();
    expect(await question()).toBeUndefined();
  });

  it('that asks for no more is not asked about, nor is one that asks for less and for the same again', async () => {
    await install('1.1.0', 'readWrite');
    await connect();
    for (const [version, access] of [
      ['2.0.0', 'readWrite'],
      ['3.0.0', 'read'],
      ['4.0.0', 'readWrite'],
    ] as const) {
      await install(version, access);
      await ping();
    }
  });

  it('is not confirmed by an answer to another question', async () => {
    await install('1.1.0');
    await connect();
    await install('2.0.0', 'read');
    const { code = '' } = (await question()) ?? {};
    await install('3.0.0', 'readWrite');
    await expect(bench.runtime.connections.confirmSecrets(bench.connectionId, code)).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    });
    await expectRefused();
  });

  it('is confirmed by choosing another file, and not by saving the form with the same one', async () => {
    await install('1.1.0', 'read');
    await connect();
    await install('2.0.0', 'readWrite');
    await save({ color: 'red' });
    await expectRefused();
    await save({ document: join(bench.folder, 'other.txt') });
    await ping();
  });

  it('is asked about in a copy of the connection, too', async () => {
    await install('1.1.0', 'read');
    await connect();
    await install('2.0.0', 'readWrite');
    bench.connectionId = (await bench.runtime.connections.duplicate(bench.connectionId, 'Copy', true)).id;
    await expectRefused();
  });

  it('is compared with the use of the file before, where an older version of the host has recorded none', async () => {
    await install('1.1.0', 'read');
    await connect();
    await bench.offline((database) => database.exec('DELETE FROM confirmed_origins'));
    await ping();
    await install('2.0.0', 'readWrite');
    await expectRefused();
  });
});
