import { spawnSync } from 'node:child_process';
import type { SpawnSyncReturns } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
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
