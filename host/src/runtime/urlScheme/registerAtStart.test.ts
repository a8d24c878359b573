import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { registerAtStart } from './registerAtStart.ts';
import { registerUrlScheme } from './registerUrlScheme.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'tabularium-start-')));
  writeFileSync(join(folder, 'xdg-mime'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const env = (more: Record<string, string> = {}) => ({
  ...{ PATH: `${folder}:/usr/bin:/bin`, XDG_DATA_HOME: join(folder, 'data'), XDG_CONFIG_HOME: join(folder, 'config') },
  ...more,
});
const entry = () => join(folder, 'data/applications/tabularium-url-handler.desktop');
const written = (): string => (existsSync(entry()) ? readFileSync(entry(), 'utf8') : '');
const optionsOf = (home: string, more: Record<string, string> = {}, launcher = '/opt/tabularium.mjs') =>
  ({
    env: env({ TABULARIUM_HOME: home, ...more }),
    platform: 'linux',
    handler: { node: '/usr/bin/node', launcher, home },
  }) as const;

it('a host in the usual data directory is registered, also where a link leads there', async () => {
  const usual = join(folder, 'data/tabularium');
  await registerAtStart(optionsOf(usual));
  expect(written()).toContain(`--home ${usual} %u`);
  rmSync(entry());
  mkdirSync(join(folder, 'elsewhere'));
  symlinkSync(join(folder, 'elsewhere'), usual);
  await registerAtStart(optionsOf(join(folder, 'elsewhere')));
  expect(written()).toContain(`--home ${join(folder, 'elsewhere')} %u`);
  rmSync(entry());
  await registerAtStart(optionsOf(usual, { TABULARIUM_REGISTER_URL: 'never' }));
  expect(written()).toBe('');
});

it('a host in another data directory takes nothing over, unless it is asked to', async () => {
  const trial = join(folder, "a person's trial");
  await registerAtStart(optionsOf(trial));
  expect(written()).toBe('');
  const usual = join(folder, 'data/tabularium');
  await registerAtStart(optionsOf(usual));
  const before = written();
  for (const home of [trial, join(folder, 'data'), `${usual}-2`]) await registerAtStart(optionsOf(home));
  expect(written()).toBe(before);
  await registerAtStart(optionsOf(trial, { TABULARIUM_REGISTER_URL: 'always' }));
  expect(written()).toContain("a person's trial");
});

it('one that was registered stays it, when its program has another place after an update', async () => {
  const trial = join(folder, "a person's trial");
  await registerUrlScheme(optionsOf(trial));
  await registerAtStart(optionsOf(trial, {}, '/opt/newer.mjs'));
  expect(written()).toContain('/opt/newer.mjs');
});
