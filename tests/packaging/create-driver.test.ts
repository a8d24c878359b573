import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { NO_FILTER, decodeBatch } from '@tabularium/sdk';
import type { Cell } from '@tabularium/sdk';
import { startVerdaccio } from '@tabularium/registry';
import type { VerdaccioServer } from '@tabularium/registry';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PAGE_PATH } from '../../host/src/common/api.ts';
import { Runtime } from '../../host/src/runtime/runtime.ts';
import { openHome } from '../../host/src/runtime/storage/home.ts';
import { silentLogger } from '../../host/src/runtime/storage/logger.ts';
import { buildStale } from '../../scripts/build/buildStale.ts';
import { allTargets } from '../../scripts/build/targets.ts';
import { root, workFolder } from '../../scripts/paths.ts';
import { Machine } from './machine.test-helper.ts';
import type { Ended } from './machine.test-helper.ts';
import { toolAnswer } from '../support/toolAnswer.ts';

// A driver author's steps, in an empty folder with the machine's own Node: npm create, test, build, check, sign, publish to a registry, and then the
// host of somebody else, which has that registry and nothing of the author.

const machine = new Machine();
const project = join(machine.folder, 'shelf');
const home = join(machine.folder, 'host-home');
const PASSPHRASE = { DRIVER_PASSPHRASE: 'correct horse battery' };
/** Downloads what a new project installs, where nothing is cached. */
const installMilliseconds = 300_000;

let registry: VerdaccioServer;

beforeAll(async () => {
  const targets = allTargets(root).filter(
    ({ group, name }) => group === 'sdk' || ['main', 'driver-process', 'catalogue'].includes(name),
  );
  await buildStale({ root, workFolder, targets, log: () => undefined });
  registry = await startVerdaccio({ catalogueFile: () => undefined, stateFolder: join(machine.folder, 'verdaccio'), port: 0 });
  // The author's npm settings: where packages of a scope are, and the permission to publish there.
  const { host } = new URL(registry.url);
  machine.npmSettings([`@tabularium:registry=${registry.url}`, `//${host}/:_authToken=${registry.token}`]);
  await machine.lockPackages([join(import.meta.dirname, 'newDriver.lock.json')]);
  for (const folder of ['sdk', 'create-driver']) {
    const { tarball } = await machine.pack(join(root, folder));
    await machine.npm(['publish', tarball]);
  }
}, installMilliseconds);

afterAll(async () => {
  await machine.remove();
  await registry?.close();
});

/** The command that a project installed. Started as a script of the project starts it: npx takes longer than the command. */
const commandOf = (folder: string): string =>
  join(folder, 'node_modules/.bin', process.platform === 'win32' ? 'tabularium-driver.cmd' : 'tabularium-driver');

async function driver(...words: readonly string[]): Promise<Ended> {
  return machine.run(commandOf(project), words, { cwd: project, env: PASSPHRASE });
}

async function driverJson(...words: readonly string[]): Promise<Record<string, unknown>> {
  const { stdout, stderr } = await driver(...words, '--json');
  if (stdout === '') throw new Error(`tabularium-driver ${words.join(' ')} said: ${stderr}`);
  return JSON.parse(stdout) as Record<string, unknown>;
}

const hostEnv = (): NodeJS.ProcessEnv => ({
  TABULARIUM_HOME: home,
  TABULARIUM_REGISTRIES: registry.url,
  TABULARIUM_REGISTER_URL: 'never',
});

/** The `tabularium` command of the other person. */
async function host(...words: readonly string[]): Promise<Record<string, unknown>> {
  const { stdout, stderr } = await machine.run(process.execPath, [join(root, 'host/dist/main.js'), ...words, '--json'], {
    env: hostEnv(),
  });
  if (stdout === '') throw new Error(`tabularium ${words.join(' ')} said: ${stderr}`);
  return JSON.parse(stdout) as Record<string, unknown>;
}

describe('the packages', () => {
  it('hold what they need and no sources of this repository', async () => {
    const { files } = await machine.pack(join(root, 'create-driver'));
    expect(files).toEqual(
      expect.arrayContaining(['LICENSE', 'bin/create-driver.mjs', 'dist/main.js', 'template/common/_gitignore']),
    );
    for (const folder of ['sdk', 'create-driver']) {
      // The repository isn't there where the package is read.
      const links = [...readFileSync(join(root, folder, 'README.md'), 'utf8').matchAll(/\]\(([^)]+)\)/g)].map(([, to]) => to);
      expect(links.filter((to) => to?.startsWith('https://') !== true)).toEqual([]);
    }
    expect(files.filter((file) => file.startsWith('src/') || file.includes('.test-helper'))).toEqual([]);
  });
});

describe('a new driver', { timeout: installMilliseconds }, () => {
  it('is made by npm create, and tests and builds as it is', async () => {
    await machine.npm(
      ['create', '--yes', '@tabularium/driver', 'shelf', '--', '--yes', '--title', 'Fixture', '--author', 'Ada'],
      machine.folder,
    );
    await machine.npm(['install'], project);
    await machine.npm(['test'], project);
    await machine.npm(['run', 'check'], project);
    const checks = (await driverJson('check'))['checks'] as { id: string; outcome: string }[];
    expect(checks.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
  });

  it.each([
    ['http', '--kind', 'http'],
    ['file', '--kind', 'file'],
    ['facets', '--facets', 'search,objects,import,activity,explain,console'],
  ])('of the kind "%s" tests and builds as well', async (kind, option, value) => {
    const other = join(machine.folder, kind);
    await machine.npm(
      ['create', '--yes', '@tabularium/driver', kind, '--', '--yes', '--id', `my-${kind}`, option, value],
      machine.folder,
    );
    // They install the same.
    symlinkSync(join(project, 'node_modules'), join(other, 'node_modules'), 'junction');
    await machine.npm(['test'], other);
    await machine.npm(['run', 'check'], other);
    // The schema that its package.json names is in the SDK that it installs.
    const { $schema } = JSON.parse(readFileSync(join(other, 'package.json'), 'utf8')) as { $schema: string };
    expect(JSON.parse(readFileSync(join(other, $schema), 'utf8'))).toMatchObject({ required: ['name', 'version', 'tabularium'] });
  });

  it('is signed, packed and published, once for each version', async () => {
    const key = await driverJson('keys', 'create', '--name', 'Acme Databases', '--passphrase-env', 'DRIVER_PASSPHRASE');
    const packed = await driverJson('pack', '--passphrase-env', 'DRIVER_PASSPHRASE');
    expect(packed).toMatchObject({
      name: 'tabularium-driver-shelf',
      version: '0.1.0',
      signed: true,
      fingerprint: key['fingerprint'],
    });
    const publish = ['publish', '--registry', registry.url, '--passphrase-env', 'DRIVER_PASSPHRASE'];
    expect(await driverJson(...publish, '--dry-run')).toMatchObject({ published: false });
    expect(await driverJson(...publish)).toMatchObject({ published: true, integrity: packed['integrity'] });
    expect(await driverJson(...publish)).toMatchObject({ error: { code: 'VERSION_EXISTS' } });
    const document = (await (await fetch(new URL('tabularium-driver-shelf', registry.url))).json()) as Record<string, unknown>;
    expect(document).toMatchObject({
      versions: { '0.1.0': { tabularium: { id: 'shelf' }, dist: { integrity: packed['integrity'] } } },
      readme: expect.stringContaining('# Fixture for Tabularium') as string,
    });
  });

  it('is not published when a check fails', async () => {
    const file = join(project, 'package.json');
    const good = readFileSync(file, 'utf8');
    writeFileSync(file, good.replace('"devDependencies"', '"dependencies"'));
    const refused = await driver('publish', '--registry', registry.url, '--passphrase-env', 'DRIVER_PASSPHRASE');
    writeFileSync(file, good);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('Nothing was published') as string });
  });

  it('is installed by a host with the registry, after its publisher is trusted, and lists its tables', async () => {
    const [key] = (await driverJson('keys', 'list'))['keys'] as { fingerprint: string }[];
    expect(await host('drivers', 'search', 'shelf')).toMatchObject({ drivers: [{ id: 'shelf' }] });
    expect(await host('drivers', 'install', 'shelf')).toMatchObject({ error: { code: 'PACKAGE_KEY_UNKNOWN' } });
    expect(await host('drivers', 'trust', ...(key?.fingerprint ?? '').split(' '))).toMatchObject({ name: 'Acme Databases' });
    expect(await host('drivers', 'install', 'shelf')).toMatchObject({ id: 'shelf', version: '0.1.0' });
    await host('connections', 'add', '--driver', 'shelf', '--name', 'Sample');
    expect(await host('tables', 'Sample')).toMatchObject({ tables: [{ name: 'planets' }, { name: 'numbers' }] });
  });
});

const guide = readFileSync(join(root, 'docs/guide/write-a-driver.md'), 'utf8');

/** The file content that the guide gives: the code below the line that names the file. */
function written(file: string): string {
  const lines = guide.split('\n');
  const named = lines.findIndex((line) => line.startsWith(`\`${file}\``) && line.endsWith(':'));
  const begin = named + 3;
  const end = lines.indexOf('```', begin);
  if (named < 0 || !(lines[begin - 1] ?? '').startsWith('```') || end < 0) throw new Error(`The guide shows no ${file}.`);
  return `${lines.slice(begin, end).join('\n')}\n`;
}

describe('the driver of the guide', { timeout: installMilliseconds }, () => {
  const notes = join(machine.folder, 'notes');

  it('is written as the guide says, and passes', async () => {
    const [, create = ''] = /^npm (create .*)$/m.exec(guide) ?? [];
    await machine.npm(create.replace('create', 'create --yes').split(' '), machine.folder);
    symlinkSync(join(project, 'node_modules'), join(notes, 'node_modules'), 'junction');
    await machine.npm(['test'], notes);
    const [, gone = ''] = /Delete ([^;]+);/.exec(guide) ?? [];
    for (const [, file = ''] of gone.matchAll(/`([^`]+)`/g)) rmSync(join(notes, file));
    for (const file of ['src/index.ts', 'test/notes.json', 'test/plan.ts']) writeFileSync(join(notes, file), written(file));
    expect(readdirSync(join(notes, 'src'))).toEqual(['index.ts']);
    const packageJson = join(notes, 'package.json');
    const members = { ...JSON.parse(readFileSync(packageJson, 'utf8')), ...JSON.parse(written('package.json')) } as object;
    writeFileSync(packageJson, JSON.stringify(members, null, 2));
    await machine.npm(['test'], notes);
    await machine.npm(['run', 'check'], notes);
  });

  it('is published, installed, and browsed by the command, the API of the window and MCP', async () => {
    const published = await machine.run(
      commandOf(notes),
      ['publish', '--registry', registry.url, '--passphrase-env', 'DRIVER_PASSPHRASE'],
      { cwd: notes, env: PASSPHRASE },
    );
    expect(published).toMatchObject({ code: 0 });
    // Its publisher is trusted already, for the driver before.
    expect(await host('drivers', 'install', 'notes')).toMatchObject({ id: 'notes', version: '1.0.0' });
    const file = join(notes, 'test/notes.json');
    const access = ['--external-clients', 'readOnly', '--ai-policy', 'alwaysAllow'];
    const { id } = await host('connections', 'add', '--driver', 'notes', '--name', 'Notes', '--set', `file=${file}`, ...access);
    expect(await host('tables', 'Notes')).toEqual({ tables: [{ name: 'shopping', rows: 3 }] });
    expect(await pageOfNotes(String(id))).toEqual([
      [1, 'bread', ['absent']],
      [2, null, 5],
      [3, 'milk', 2],
    ]);
    const { token } = await host('tokens', 'create', '--name', 'reader', '--scope', 'readOnly');
    const client = new Client({ name: 'author', version: '1.0.0' });
    const served = spawn(process.execPath, [join(root, 'host/dist/main.js'), 'serve', '--mcp-port', '0'], {
      env: { ...machine.env, ...hostEnv() },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const [line] = (await once(createInterface({ input: served.stdout }), 'line')) as [string];
      const { mcp } = JSON.parse(line) as { mcp: string };
      const headers = { authorization: `Bearer ${String(token)}` };
      await client.connect(new StreamableHTTPClientTransport(new URL(mcp), { requestInit: { headers } }));
      const browsed = await client.callTool({ name: 'browse_table', arguments: { connection: 'Notes', table: 'shopping' } });
      expect(toolAnswer(browsed)).toMatchObject({
        columns: ['id', 'text', 'stars'],
        rows: expect.arrayContaining([[3, 'milk', 2]]) as unknown,
      });
    } finally {
      await client.close();
      served.kill('SIGTERM');
      if (served.exitCode === null) await once(served, 'exit');
    }
  });
});

/** The rows of the guide's file as the window reads them. */
async function pageOfNotes(connectionId: string): Promise<readonly (readonly Cell[])[]> {
  await using runtime = await Runtime.start({ home: await openHome(home), env: hostEnv(), logger: silentLogger });
  const request = {
    table: { namespace: [], name: 'shopping' },
    filter: NO_FILTER,
    sorts: [{ column: 'id', direction: 'ascending' }],
    position: { from: 'start' },
    limit: 10,
  };
  const body = JSON.stringify({ connectionId, request });
  const answer = await runtime.handler(new Request(`http://host${PAGE_PATH}`, { method: 'POST', body }));
  const bytes = new Uint8Array(await answer.arrayBuffer());
  return decodeBatch(bytes.subarray(bytes.indexOf(10) + 1)).rows;
}

const startDev = () =>
  spawn(commandOf(project), ['dev', '--json'], {
    cwd: project,
    env: { ...machine.env, ...hostEnv() },
    stdio: ['ignore', 'pipe', 'inherit'],
  });

describe('a driver that is being developed', () => {
  it('is loaded by a running host with every build, and an open connection continues with it', async () => {
    const served = spawn(process.execPath, [join(root, 'host/dist/main.js'), 'serve', '--mcp-port', '0'], {
      env: { ...machine.env, ...hostEnv() },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let dev: ReturnType<typeof startDev> | undefined;
    try {
      await once(createInterface({ input: served.stdout }), 'line');
      dev = startDev();
      const lines = createInterface({ input: dev.stdout })[Symbol.asyncIterator]();
      const next = async (event: string): Promise<Record<string, unknown>> => {
        for (;;) {
          const { value, done } = await lines.next();
          if (done === true) throw new Error(`tabularium-driver dev ended before it said "${event}"`);
          const line = JSON.parse(value) as Record<string, unknown>;
          if (line['event'] === event) return line;
        }
      };
      expect(await next('loaded')).toMatchObject({
        driver: 'shelf',
        version: expect.stringMatching(/^0\.1\.0\+folder\./) as string,
      });
      expect(await host('tables', 'Sample')).toMatchObject({ tables: [{ name: 'planets' }, { name: 'numbers' }] });

      const file = join(project, 'src/source.ts');
      const source = readFileSync(file, 'utf8');
      writeFileSync(file, source.replace("['planets', PLANETS]", "['worlds', PLANETS]"));
      expect(await next('loaded')).toMatchObject({ sessions: [{ connection: 'Sample' }] });
      expect(await host('tables', 'Sample')).toMatchObject({ tables: [{ name: 'worlds' }, { name: 'numbers' }] });
      expect(await host('drivers', 'list')).toMatchObject({
        drivers: expect.arrayContaining([
          expect.objectContaining({ id: 'shelf', current: true, developerFolder: project }),
        ]) as unknown,
      });

      writeFileSync(
        file,
        source.replace('tables: async () => [...tables.keys()],', 'tables: async () => { throw new RangeError("no luck"); },'),
      );
      await next('loaded');
      const at = /source\.ts:\d+:\d+/;
      expect(await host('tables', 'Sample')).toMatchObject({
        error: { code: 'DRIVER_FAULT', message: expect.stringMatching(at) as string },
      });
      const said = [await next('log'), await next('log')].map(({ message }) => String(message)).join('\n');
      expect(said).toContain('RangeError: no luck');
      expect(said).toMatch(at);
    } finally {
      for (const child of [dev, served]) {
        if (child === undefined || child.exitCode !== null || child.signalCode !== null) continue;
        const exit = once(child, 'exit');
        child.kill('SIGTERM');
        await exit;
      }
    }
  });
});
