import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

const GIBIBYTE = 2 ** 30;
/** The tests hold about 1 GiB at a time; the rest is for the programs that run beside them. */
const SMALLEST_SPACE = 4 * GIBIBYTE;
const SMALLEST_MEMORY = 8 * GIBIBYTE;

/**
 * An empty folder in memory, for the homes, packages and profiles that tests write: waiting for the disk took a package test 29 s instead of
 * 12 s, and a third of its processor time. `undefined` where the system has no such place, too little of it, or starts no programs from it;
 * tests then use the folder for temporary files. A test file that runs alone always uses that one.
 *
 * @param parent - what Linux keeps in memory
 */
export function memoryFolder(parent = '/dev/shm'): string | undefined {
  let folder: string | undefined;
  try {
    removeAbandoned(parent);
    const { bavail, bsize } = statfsSync(parent);
    if (bavail * bsize < SMALLEST_SPACE || freemem() < SMALLEST_MEMORY) return undefined;
    folder = mkdtempSync(join(parent, `tabularium-tests-${process.pid}-`));
    // A database server of a test runs as another user, in a folder below that is its own. The names of the others can't be listed.
    chmodSync(folder, 0o711);
    if (startsPrograms(folder)) return folder;
  } catch {
    // The place doesn't exist, or this process must not write there.
  }
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  return undefined;
}

/** Some systems start no program from memory; tests put programs among their files. */
function startsPrograms(folder: string): boolean {
  const program = join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 });
  const { status } = spawnSync(program);
  rmSync(program);
  return status === 0;
}

/** A folder in memory stays until the system restarts: a run that was killed could not remove its own. */
function removeAbandoned(parent: string): void {
  for (const name of readdirSync(parent)) {
    const [, id] = /^tabularium-tests-(\d+)-/.exec(name) ?? [];
    if (id !== undefined && !runs(Number(id))) rmSync(join(parent, name), { recursive: true, force: true });
  }
}

function runs(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
