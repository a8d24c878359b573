import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { root } from '../../scripts/paths.ts';

// An installation that lacks a part: an update that was interrupted, a clean-up that went too far. Every chunk is removed, cut off, and replaced by
// a folder, one at a time.

const answerSchema = z.union([
  z.strictObject({ connections: z.array(z.unknown()) }),
  z.object({
    error: z.object({ code: z.literal('INSTALLATION_DAMAGED'), message: z.string().min(1), advice: z.string().min(1) }),
  }),
]);

let folder: string;
let chunks: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tabularium-installation-'));
  cpSync(join(root, 'host/dist'), join(folder, 'host/dist'), { recursive: true });
  cpSync(join(root, 'host/catalogue'), join(folder, 'host/catalogue'), { recursive: true });
  cpSync(join(root, 'host/package.json'), join(folder, 'host/package.json'));
  symlinkSync(join(root, 'host/node_modules'), join(folder, 'host/node_modules'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  chunks = join(folder, 'host/dist/chunks');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const DAMAGES: Readonly<Record<string, (file: string) => void>> = {
  missing: () => undefined,
  'cut off': (file) => writeFileSync(file, 'import { a'),
  'a folder': (file) => mkdirSync(file),
};

it.each(Object.keys(DAMAGES))(
  'a chunk that is %s: the command works or says to install again',
  { timeout: 240_000 },
  (damage) => {
    const codes = readdirSync(chunks).map((name) => {
      const file = join(chunks, name);
      rmSync(file);
      DAMAGES[damage]?.(file);
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        ['--disable-sigusr1', join(folder, 'host/dist/main.js'), 'connections', 'list', '--json'],
        { env: { ...process.env, TABULARIUM_HOME: join(folder, 'home') }, encoding: 'utf8' },
      );
      rmSync(file, { recursive: true, force: true });
      cpSync(join(root, 'host/dist/chunks', name), file);
      const answer = answerSchema.safeParse(JSON.parse(stdout === '' ? 'null' : stdout));
      expect(answer.success, `${name}, ${damage}: ${status} ${stdout} ${stderr}`).toBe(true);
      return answer.data !== undefined && 'error' in answer.data ? answer.data.error.code : 'works';
    });
    expect(codes).toContain('INSTALLATION_DAMAGED');
  },
);
