// Installs a driver in a process of its own and stops for ever at a given point, so that a test can kill it there.
import fs from 'node:fs/promises';
import { flushCompileCache, syncBuiltinESMExports } from 'node:module';
import { sep } from 'node:path';

const [home = '', registryFile = '', at = ''] = process.argv.slice(2);

/** The message leaves before the thread stops: the channel is a pipe, written at once. */
function stopAt(point: string): void {
  if (point !== at) return;
  process.send?.(point);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

const inPlace = (path: unknown): boolean => typeof path === 'string' && /[\\/]drivers[\\/]tiny[\\/][^\\/]+$/.test(path);
const { rename, rm, writeFile } = fs;
fs.writeFile = (async (path: string, ...rest: [string]) => {
  await writeFile(path, ...rest);
  // One file of the package is there, the others are not.
  if (path.includes(`${sep}.staging${sep}`)) stopAt('writing');
}) as typeof writeFile;
fs.rename = async (from, to) => {
  if (inPlace(to)) stopAt('moving');
  await rename(from, to);
  if (inPlace(from)) stopAt('movedAside');
};
fs.rm = async (path, options) => {
  if (inPlace(path)) stopAt('pruning');
  await rm(path, options);
};
syncBuiltinESMExports();

// Imported now, so that it sees the functions above.
const { createPackageHost } = await import('./packageHost.ts');
// A killed process passes nothing on at its end: the next one is to load what this one compiled.
flushCompileCache();
const host = await createPackageHost({ home, registryFile });
host.trialLoader.behaviour = async () => stopAt('tryingOut');
const { activate } = host.installed;
host.installed.activate = (...all) => {
  stopAt('renamed');
  activate.apply(host.installed, all);
  stopAt('recorded');
};
await host.installer.install('tiny', {
  signal: new AbortController().signal,
  onProgress: ({ step }) => stopAt(step === 'tryingOut' ? 'told' : step),
});
process.send?.('the end');
