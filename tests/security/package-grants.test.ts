import { mkdtemp, rm, writeFile, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { WiderGrant } from '@tabularium/sdk/manifest';
import { packPackage, signPackage } from '@tabularium/registry';
import type { RunningRegistry } from '@tabularium/registry';
import { createSigningKey } from '@tabularium/sdk/package';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Policy } from '../../host/src/runtime/drivers/policy/driverPolicy.ts';
import { policySchema } from '../../host/src/runtime/drivers/policy/driverPolicy.ts';
import { GrantNeededError } from '../../host/src/runtime/drivers/policy/widerGrants.ts';
import { errorReport } from '../../host/src/runtime/errors/errorReport.ts';
import { tinyDriver } from '../../registry/src/tinyDriver.test-helper.ts';
import { createPackageHost, createRegistry } from './packageHost.ts';
import type { PackageHost } from './packageHost.ts';
import { signUnchecked } from './packageSigner.ts';

let registry: RunningRegistry;
let host: PackageHost;
let policy: Policy | undefined;

const signal = new AbortController().signal;
const wide = (version: string, grants?: readonly WiderGrant[], id = 'wide') =>
  tinyDriver({
    id,
    version,
    manifest: grants === undefined ? {} : { permissions: { unconfined: { reason: 'It needs them.', grants } } },
  });
const caught = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

beforeAll(async () => {
  registry = await createRegistry();
  await registry.publish(wide('1.0.0', ['sqlite']));
  await registry.publish(wide('2.0.0', ['sqlite']));
  await registry.publish(wide('3.0.0', ['sqlite', 'network']));
  await registry.publish(wide('1.0.0', undefined, 'narrow'));
  await registry.publish(wide('2.0.0', ['sqlite'], 'narrow'));
});
afterAll(() => registry.close());
beforeEach(async () => {
  policy = undefined;
  host = await createPackageHost({ registryFile: registry.registryJsonPath, policy: async () => policy });
});
afterEach(() => host.close());

describe('a driver that asks to leave the sandbox', () => {
  it('is neither run nor installed before a person has allowed it, whatever its signature', async () => {
    const error = await caught(host.install('wide', '1.0.0'));
    expect(error).toBeInstanceOf(GrantNeededError);
    expect((error as GrantNeededError).question).toMatchObject({
      driver: { id: 'wide', version: '1.0.0' },
      publisher: { origin: 'localRegistry' },
      grants: ['sqlite'],
      missing: ['sqlite'],
    });
    expect(errorReport(error)).toMatchObject({
      code: 'GRANT_NEEDED',
      message: expect.stringMatching(
        /could then open and change any file that you can\. The driver gives this reason: "It needs them\."$/,
      ) as string,
      advice: expect.stringContaining('tabularium drivers allow wide sqlite') as string,
      grantQuestion: { missing: ['sqlite'] },
    });
    expect(host.trialLoader.tried).toEqual([]);
    expect(await host.files()).toEqual([]);

    host.management.allowGrants('wide', ['sqlite']);
    expect(await host.install('wide', '1.0.0')).toMatchObject({ version: '1.0.0', allowedGrants: ['sqlite'] });
    expect(host.trialLoader.tried).toMatchObject([{ allowedGrants: ['sqlite'] }]);
    expect(await host.installed.current('wide')).toMatchObject({ allowedGrants: ['sqlite'] });
  });

  it('cannot write lines of its own into the question', async () => {
    const reason = 'Fine.\n\u001b[2J\u202eAnswer yes.';
    const asking = tinyDriver({
      id: 'wide',
      version: '1.0.0',
      manifest: { permissions: { unconfined: { reason, grants: ['sqlite'] } } },
    });
    const key = await createSigningKey();
    const other = { id: 'other', name: 'Other' };
    await host.trust.trust({ ...other, publicKey: key.publicKey });
    await expect(signPackage(asking, other, key)).rejects.toThrow(/permissions\.unconfined\.reason/);
    // Somebody who signs with a tool of their own gets no further.
    const { tarball } = await packPackage(await signUnchecked(asking, other, key));
    const error = await caught(host.installer.installFile(new Uint8Array(tarball), 'wide.tgz', { signal }));
    expect(error).toMatchObject({
      code: 'PACKAGE_INVALID',
      message: expect.stringContaining('permissions.unconfined.reason: The text holds the character U+000A') as string,
    });
  });

  it('quotes its reason in the question, so that it cannot pass for advice of the host', async () => {
    const reason = 'It needs them." Tabularium has checked this driver. "';
    const asking = tinyDriver({
      id: 'wide',
      version: '1.0.0',
      manifest: { permissions: { unconfined: { reason, grants: ['network', 'files'] } } },
    });
    const key = await createSigningKey();
    const other = { id: 'other', name: 'Other' };
    await host.trust.trust({ ...other, publicKey: key.publicKey });
    const { tarball } = await packPackage(await signPackage(asking, other, key));
    const error = await caught(host.installer.installFile(new Uint8Array(tarball), 'wide.tgz', { signal }));
    const { message } = errorReport(error);
    expect(message.endsWith(`The driver gives this reason: ${JSON.stringify(reason)}`)).toBe(true);
    // The grants that a person decides about: programs of this computer, connections from outside, and targets of files.
    expect(message).toContain('programs on it, and accept connections');
    expect(message).toContain('those of Tabularium included');
  });

  it('is allowed nothing that it did not ask for, and no old answer covers a newer question', async () => {
    expect(() => host.management.allowGrants('wide', ['sqlite'])).toThrow(/hasn't requested this permission/);
    await caught(host.install('wide', '1.0.0'));
    expect(() => host.management.allowGrants('wide', ['sqlite', 'network'])).toThrow(/\(?network\)?/);
    expect(() => host.management.allowGrants('wide', ['sqlite'], 'another publisher')).toThrow(/hasn't requested/);
    host.management.allowGrants('wide', ['sqlite']);
    await host.install('wide', '1.0.0');
    expect(await caught(host.install('wide', '3.0.0'))).toMatchObject({ code: 'GRANT_NEEDED' });
  });

  it('stays at the version that was allowed when a later one asks for more, and is updated once that is allowed', async () => {
    await caught(host.install('wide', '1.0.0'));
    host.management.allowGrants('wide', ['sqlite']);
    await host.install('wide', '1.0.0');
    // The same as before needs no new answer.
    await host.install('wide', '2.0.0');

    const update = async (): Promise<void> => {
      for await (const progress of host.management.update('wide', signal)) void progress;
    };
    const error = await caught(update());
    expect(error).toBeInstanceOf(GrantNeededError);
    expect((error as GrantNeededError).question).toMatchObject({ grants: ['sqlite', 'network'], missing: ['network'] });
    expect(await host.installed.current('wide')).toMatchObject({ version: '2.0.0' });
    expect(host.trialLoader.tried.map(({ version }) => version)).toEqual(['1.0.0', '2.0.0']);

    host.management.allowGrants('wide', ['sqlite', 'network'], (error as GrantNeededError).question.askedBy);
    await update();
    expect(await host.installed.current('wide')).toMatchObject({ version: '3.0.0', allowedGrants: ['sqlite', 'network'] });
  });

  it('is asked about also where the version before asked for nothing', async () => {
    await host.install('narrow', '1.0.0');
    expect(await caught(host.install('narrow', '2.0.0'))).toMatchObject({ code: 'GRANT_NEEDED' });
    expect(await host.installed.current('narrow')).toMatchObject({ version: '1.0.0' });
  });

  it('is not loaded any more once a person has taken it back, also in a later run', async () => {
    await caught(host.install('wide', '1.0.0'));
    host.management.allowGrants('wide', ['sqlite']);
    await host.install('wide', '1.0.0');
    await host.stop();
    host = await createPackageHost({ registryFile: registry.registryJsonPath, home: host.home, policy: async () => policy });
    await host.installed.current('wide');
    await host.management.withdrawGrants('wide');
    await expect(host.installed.current('wide')).rejects.toMatchObject({ code: 'GRANT_NEEDED' });
    // It can still be chosen: each person who opens a connection is asked.
    expect(await host.catalogue.entry('wide')).toMatchObject({ state: 'installed', installedVersion: '1.0.0' });
  });

  it('has to be allowed again when another key signs it', async () => {
    await caught(host.install('wide', '1.0.0'));
    host.management.allowGrants('wide', ['sqlite']);
    await host.install('wide', '1.0.0');
    const key = await createSigningKey();
    const other = { id: 'other', name: 'Other' };
    await host.trust.trust({ ...other, publicKey: key.publicKey });
    const { tarball } = await packPackage(await signPackage(wide('4.0.0', ['sqlite']), other, key));
    const installing = host.installer.installFile(new Uint8Array(tarball), 'wide.tgz', { signal });
    expect(await caught(installing)).toMatchObject({ code: 'GRANT_NEEDED', question: { publisher: other } });
    expect(await host.installed.current('wide')).toMatchObject({ version: '1.0.0' });
  });

  it('is asked about when it is loaded from a folder, too', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'wide-driver-'));
    for (const [path, bytes] of wide('1.0.0', ['sqlite'])) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), bytes);
    }
    expect(await caught(host.management.loadFolder(folder, signal))).toMatchObject({ code: 'GRANT_NEEDED' });
    expect(host.trialLoader.tried).toEqual([]);
    host.management.allowGrants('wide', ['sqlite']);
    await host.management.loadFolder(folder, signal);
    expect(await host.installed.current('wide')).toMatchObject({ allowedGrants: ['sqlite'] });
    await rm(folder, { recursive: true });
  });
});

describe("the administrator's policy", () => {
  const with_ = (widerGrants: Policy['widerGrants']): Policy => policySchema.parse({ formatVersion: 1, widerGrants });

  it("rejects permissions that it doesn't list, without a question", async () => {
    policy = with_(false);
    expect(await caught(host.install('wide', '1.0.0'))).toMatchObject({ code: 'POLICY_FORBIDS' });
    expect(() => host.management.allowGrants('wide', ['sqlite'])).toThrow(/hasn't requested/);
    policy = with_(['sqlite']);
    expect(await caught(host.install('wide', '3.0.0'))).toMatchObject({ code: 'POLICY_FORBIDS' });
    expect(await caught(host.install('wide', '1.0.0'))).toMatchObject({ code: 'GRANT_NEEDED' });
    expect((await host.management.overview()).policy).toEqual(['You can grant drivers outside the sandbox: sqlite.']);
  });

  it('counts at once for what is installed and allowed', async () => {
    await caught(host.install('wide', '1.0.0'));
    host.management.allowGrants('wide', ['sqlite']);
    await host.install('wide', '1.0.0');
    policy = with_(false);
    await expect(host.installed.current('wide')).rejects.toMatchObject({ code: 'POLICY_FORBIDS' });
  });
});
