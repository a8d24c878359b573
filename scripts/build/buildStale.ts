import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { allExist, Fingerprinter } from './fingerprint.ts';
import { whileLocked } from './lock.ts';
import type { Target } from './targets.ts';

export interface BuildOptions {
  readonly root: string;
  /** Where fingerprints and the lock are kept. */
  readonly workFolder: string;
  readonly targets: readonly Target[];
  /** Builds every target, stale or not. */
  readonly force?: boolean;
  readonly log: (line: string) => void;
}

function fingerprintFile(workFolder: string, target: Target): string {
  return join(workFolder, 'build', `${target.name}.fingerprint`);
}

function staleTargets({ root, workFolder, targets, force = false }: BuildOptions): { target: Target; fingerprint: string }[] {
  const fingerprinter = new Fingerprinter(root);
  const stale = [];
  for (const target of targets) {
    const fingerprint = fingerprinter.of(target.inputs);
    const file = fingerprintFile(workFolder, target);
    const fresh =
      existsSync(file) &&
      readFileSync(file, 'utf8') === fingerprint &&
      allExist(
        root,
        target.outputs.map((output) => join(target.folder, output)),
      );
    if (force || !fresh) stale.push({ target, fingerprint });
  }
  return stale;
}

/** Replaces each output as a whole: files that no build produces any more are deleted, and a reader sees the old file or the new one. */
function moveIntoPlace(root: string, target: Target, staging: string): void {
  for (const output of target.outputs) {
    const from = join(staging, output);
    const to = join(root, target.folder, output);
    mkdirSync(dirname(to), { recursive: true });
    if (!existsSync(from)) {
      // A folder that may stay empty, such as the chunks of a program without any.
      mkdirSync(from, { recursive: true });
    }
    rmSync(`${to}.old`, { recursive: true, force: true });
    if (existsSync(to)) renameSync(to, `${to}.old`);
    renameSync(from, to);
    rmSync(`${to}.old`, { recursive: true, force: true });
  }
}

/** Builds what is stale, one target after the other, and returns the names of what it built. */
export async function buildStale(options: BuildOptions): Promise<string[]> {
  if (staleTargets(options).length === 0) return [];
  return whileLocked(join(options.workFolder, 'build.lock'), async () => {
    const built: string[] = [];
    // Looked at again: while this process waited, another one may have built everything.
    for (const { target, fingerprint } of staleTargets(options)) {
      const started = performance.now();
      const staging = join(options.workFolder, 'build', `${target.name}.staging-${process.pid}`);
      rmSync(staging, { recursive: true, force: true });
      mkdirSync(staging, { recursive: true });
      try {
        await target.build(staging);
        moveIntoPlace(options.root, target, staging);
      } catch (error) {
        throw new Error(`Building ${target.name} failed. ${error instanceof Error ? error.message : String(error)}`, {
          cause: error,
        });
      } finally {
        rmSync(staging, { recursive: true, force: true });
      }
      writeFileSync(fingerprintFile(options.workFolder, target), fingerprint);
      options.log(`built ${target.name} in ${Math.round(performance.now() - started)} ms`);
      built.push(target.name);
    }
    return built;
  });
}
