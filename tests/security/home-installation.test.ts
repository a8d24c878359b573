import { spawnSync } from 'node:child_process';
import type { SpawnSyncReturns } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { checkupSchema } from '../../host/src/common/checkup.ts';
import type { CheckupFact } from '../../host/src/runtime/checkup/checked.ts';
import { INSTALLED_FILES, INSTALLED_FOLDERS, installationFinding } from '../../host/src/runtime/checkup/installationFinding.ts';
import { root } from '../../scripts/paths.ts';

// An installation that lacks a part: an update that was interrupted, a clean-up that went too far. Every chunk that the command loads is removed, cut
// off, and replaced by a folder, one at a time. A chunk that a whole installation doesn't load changes nothing: the command reads chunks only to
// load them.

const answerSchema = z.union([
  z.strictObject({ connections: z.array(z.unknown()) }),
  z.object({
    error: z.object({ code: z.literal('INSTALLATION_DAMAGED'), message: z.string().min(1), advice: z.string().min(1) }),
  }),
]);

let folder: string;
/** Of the chunks that the command loads. */
let chunks: readonly string[];

function listConnections(...nodeOptions: string[]): SpawnSyncReturns<string> {
  return spawnSync(
    process.execPath,
    ['--disable-sigusr1', ...nodeOptions, join(folder, 'host/dist/main.js'), 'connections', 'list', '--json'],
    { env: { ...process.env, TABULARIUM_HOME: join(folder, 'home') }, encoding: 'utf8' },
  );
}

/** The files below `dist/chunks` that the command loads while the installation is whole. */
function loadedChunks(): string[] {
  const log = join(folder, 'loaded');
  const hooks = join(folder, 'hooks.mjs');
  writeFileSync(
    hooks,
    `import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
registerHooks({
  load(url, context, next) {
    appendFileSync(${JSON.stringify(log)}, url + '\\n');
    return next(url, context);
  },
});`,
  );
  const { stdout } = listConnections('--import', pathToFileURL(hooks).href);
  expect(answerSchema.parse(JSON.parse(stdout))).toEqual({ connections: [] });
  const names = readFileSync(log, 'utf8')
    .split('\n')
    .filter((url) => url.includes('/dist/chunks/'))
    .map((url) => basename(new URL(url).pathname));
  return [...new Set(names)];
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tabularium-installation-'));
  cpSync(join(root, 'host/dist'), join(folder, 'host/dist'), { recursive: true });
  cpSync(join(root, 'host/catalogue'), join(folder, 'host/catalogue'), { recursive: true });
  cpSync(join(root, 'host/bin'), join(folder, 'host/bin'), { recursive: true });
  cpSync(join(root, 'host/package.json'), join(folder, 'host/package.json'));
  symlinkSync(join(root, 'host/node_modules'), join(folder, 'host/node_modules'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  chunks = loadedChunks().map((name) => join(folder, 'host/dist/chunks', name));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const DAMAGES: Readonly<Record<string, (file: string) => void>> = {
  missing: () => undefined,
  'cut off': (file) => writeFileSync(file, 'import { a'),
  'a folder': (file) => mkdirSync(file),
};

it.each(Object.keys(DAMAGES))('a chunk that is %s: the command works or says to install again', (damage) => {
  const codes = chunks.map((file) => {
    const whole = join(folder, 'whole-chunk');
    renameSync(file, whole);
    DAMAGES[damage]?.(file);
    const { status, stdout, stderr } = listConnections();
    rmSync(file, { recursive: true, force: true });
    renameSync(whole, file);
    const answer = answerSchema.safeParse(JSON.parse(stdout === '' ? 'null' : stdout));
    expect(answer.success, `${basename(file)}, ${damage}: ${status} ${stdout} ${stderr}`).toBe(true);
    return answer.data !== undefined && 'error' in answer.data ? answer.data.error.code : 'works';
  });
  expect(codes).toContain('INSTALLATION_DAMAGED');
});

describe('doctor', () => {
  const never = new AbortController().signal;
  const filesOf = (part: string): string[] =>
    readdirSync(join(folder, 'host', part), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(join(folder, 'host'), join(parentPath, name)));

  /** Replaces one part of the installation, looks, and puts it back. */
  async function findingOf(part: string, damage: (path: string) => void): Promise<CheckupFact> {
    const path = join(folder, 'host', part);
    const whole = join(folder, 'whole-part');
    renameSync(path, whole);
    damage(path);
    const found = await installationFinding(join(folder, 'host'), never);
    rmSync(path, { recursive: true, force: true });
    renameSync(whole, path);
    return found;
  }

  it('has a check for every file of the package that is read while it runs', async () => {
    expect(await installationFinding(join(folder, 'host'), never)).not.toHaveProperty('advice');
    const listed = INSTALLED_FOLDERS.flatMap((name) =>
      Object.keys(JSON.parse(readFileSync(join(folder, 'host', name, 'files.json'), 'utf8')) as object)
        .concat('files.json')
        .map((file) => `${name}/${file}`),
    );
    const onlyForPeople = ['dist/THIRD-PARTY-NOTICES.txt', 'dist/sbom.cdx.json'];
    expect([...listed, ...INSTALLED_FILES, ...onlyForPeople].toSorted()).toEqual(
      ['bin', 'dist', 'catalogue'].flatMap(filesOf).toSorted(),
    );
  });

  it('names each part that is missing, empty, a folder or something else', async () => {
    const damages: Readonly<Record<string, (path: string) => void>> = {
      missing: () => undefined,
      empty: (path) => writeFileSync(path, ''),
      'something else': (path) => writeFileSync(path, 'import { a'),
      'a folder': (path) => mkdirSync(path),
    };
    const samples = INSTALLED_FOLDERS.flatMap((name) => [
      name,
      `${name}/files.json`,
      filesOf(name).find((file) => !file.endsWith('files.json')) ?? '',
    ]);
    for (const part of [...INSTALLED_FILES, ...samples]) {
      for (const [kind, damage] of Object.entries(damages)) {
        // Scripts that start the program, which has no list of them.
        if (kind === 'something else' && /\.m?js$/.test(part) && !part.includes('/chunks/') && !part.includes('/assets/'))
          continue;
        const { finding, advice } = await findingOf(part, damage);
        expect(finding, `${part}, ${kind}`).toContain(part);
        expect(advice, `${part}, ${kind}`).toMatch(/^Install Tabularium again\./);
      }
    }
  });

  it('says in JSON that the window and the documentation are missing', () => {
    for (const name of ['renderer', 'documentation']) rmSync(join(folder, 'host/dist', name), { recursive: true });
    const { status, stdout } = spawnSync(process.execPath, [join(folder, 'host/dist/main.js'), 'doctor', '--json'], {
      env: { ...process.env, TABULARIUM_HOME: join(folder, 'home') },
      encoding: 'utf8',
    });
    expect(status).toBe(1);
    const { checks } = checkupSchema.parse(JSON.parse(stdout));
    expect(checks.find(({ name }) => name === 'installation')).toEqual({
      name: 'installation',
      ok: false,
      finding: expect.stringMatching(/missing or were changed: dist\/renderer, dist\/documentation\.$/) as string,
      advice: 'Install Tabularium again. Your data directory stays as it is.',
    });
  });
});
