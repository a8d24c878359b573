import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SPOOL = /^tabularium-(?:import|export)-(\d+)-[A-Za-z0-9]{6}$/;
/** Processes of other containers may share the folder for temporary files, and can't be seen. */
const CERTAINLY_LEFT_MILLISECONDS = 3_600_000;

/** A folder for the rows that go through standard input or output. Those of commands that were killed go: they hold rows that nothing reads any more. */
export async function createSpoolFolder(work: 'import' | 'export', parent = tmpdir()): Promise<string> {
  for (const name of await readdir(parent).catch(() => [])) {
    if (await isLeft(parent, name)) await rm(join(parent, name), { recursive: true, force: true }).catch(() => undefined);
  }
  return mkdtemp(join(parent, `tabularium-${work}-${process.pid}-`));
}

async function isLeft(parent: string, name: string): Promise<boolean> {
  const pid = SPOOL.exec(name)?.[1];
  if (pid === undefined || isRunning(Number(pid))) return false;
  const found = await lstat(join(parent, name)).catch(() => undefined);
  const isOurs = process.getuid === undefined || found?.uid === process.getuid();
  return found?.isDirectory() === true && isOurs && found.mtimeMs < Date.now() - CERTAINLY_LEFT_MILLISECONDS;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user is one, too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
