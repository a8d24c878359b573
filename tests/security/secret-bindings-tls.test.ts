import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SecretConfirmationError } from '../../host/src/runtime/connections/secretConfirmation.ts';
import { FIELDS, HTTP, SECRET, SecretBench, driverFiles } from './secretBench.ts';
import { caught, drained, expectNothingSent, savedConnection } from './sendingPaths.ts';

// The server stays the same; only how far its certificate is checked changes. A process between the two reads the secret then.

const { signal } = new AbortController();

let bench: SecretBench;
beforeEach(async () => {
  bench = await SecretBench.open();
  await bench.connectSecurely();
});
afterEach(() => bench[Symbol.asyncDispose]());

const ping = (): Promise<unknown> =>
  bench.runtime.sessions.use(bench.connectionId, ({ session }) => session.ping({ signal }), { signal });

/** The effect of each change on the settings, as the form and as a row of the database would have them. */
const CHANGES: Readonly<Record<string, () => Readonly<Record<string, string | number | boolean>>>> = {
  'verification is skipped': () => ({ skip: true }),
  'the host name is no longer checked': () => ({ mode: 'chain' }),
  'another authority is trusted': () => ({ authority: bench.authorities[1] }),
  'the authorities of the computer are trusted': () => ({ authority: '' }),
};

/** The same by an update of the driver, which leaves the settings as they are. */
const UPDATES: Readonly<Record<string, () => ReturnType<typeof driverFiles>>> = {
  'an update that skips verification by a default': () =>
    driverFiles({ version: '2.0.0', fields: FIELDS.map((field) => (field.id === 'skip' ? { ...field, default: true } : field)) }),
  'an update that reads the level of verification otherwise': () =>
    driverFiles({
      version: '2.0.0',
      http: { tls: { ...HTTP.tls, mode: { field: 'mode', verifyChain: ['chain', 'identity'] } } },
    }),
  'an update that only encrypts at the strictest level': () =>
    driverFiles({
      version: '2.0.0',
      http: { tls: { ...HTTP.tls, mode: { field: 'mode', encryptOnly: ['identity'], verifyChain: ['chain'] } } },
    }),
  'an update that no longer reads the authority': () => {
    const { certificateAuthorityFile: _authority, ...tls } = HTTP.tls;
    return driverFiles({ version: '2.0.0', http: { tls } });
  },
};

const SOURCES: Readonly<Record<string, () => Promise<void>>> = {
  ...Object.fromEntries(
    Object.entries(CHANGES).map(([name, change]) => [
      `a row of the database in which ${name}`,
      () =>
        bench.offline((database) => {
          const settings = { ...savedSettings(database, bench.connectionId), ...change() };
          database.prepare('UPDATE connections SET settings = ? WHERE id = ?').run(JSON.stringify(settings), bench.connectionId);
        }),
    ]),
  ),
  ...Object.fromEntries(Object.entries(UPDATES).map(([name, files]) => [name, () => bench.install(files())])),
};

function savedSettings(database: { prepare(sql: string): { get(id: string): unknown } }, id: string): object {
  const row = database.prepare('SELECT settings FROM connections WHERE id = ?').get(id) as { settings: string };
  return JSON.parse(row.settings) as object;
}

describe.each(Object.keys(SOURCES))('%s', (source) => {
  it('sends nothing by any path before a person has confirmed it, and counts afterwards', async () => {
    await ping();
    expect(bench.secure?.received).toContain(SECRET);
    await SOURCES[source]?.();
    await expectNothingSent(bench);

    const question = await bench.runtime.connections.secretQuestion(bench.connectionId);
    const [change, ...more] = question?.changes ?? [];
    expect(more).toEqual([]);
    const protection = (side: typeof change extends undefined ? never : NonNullable<typeof change>['now'] | undefined) =>
      `${side?.verification} ${side?.authorityFile}`;
    expect(protection(change?.before)).not.toBe(protection(change?.now));
    expect(change?.now.origins).toEqual(change?.before?.origins);

    await bench.runtime.connections.confirmSecrets(bench.connectionId, String(question?.code));
    await caught(ping());
    expect(bench.secure?.connections).toBeGreaterThan(0);
  });
});

describe.each(Object.keys(CHANGES))('in the form, %s', (name) => {
  it('asks in Test and in Save, and nothing is sent', async () => {
    await ping();
    const { name: connection, driver, settings, access, color } = savedConnection(bench, bench.connectionId);
    const input = { name: connection, driver, settings: { ...settings, ...CHANGES[name]?.() }, access, color, secrets: {} };
    bench.secure?.forget();
    const { connections, services } = bench.runtime;
    expect(await caught(drained(services.connectionTest.run(input, bench.connectionId, signal)))).toBeInstanceOf(
      SecretConfirmationError,
    );
    const asked = await caught(connections.update(bench.connectionId, input));
    expect(asked).toBeInstanceOf(SecretConfirmationError);
    expect(bench.secure?.connections).toBe(0);
    expect(savedConnection(bench, bench.connectionId).settings).toEqual(settings);
    await connections.update(bench.connectionId, input, (asked as SecretConfirmationError).question.code);
    expect(savedConnection(bench, bench.connectionId).settings).toMatchObject(CHANGES[name]?.() ?? {});
  });
});
