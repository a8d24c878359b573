import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { parseBackupName } from './backupName.ts';
import { writeDurably } from './durableFile.ts';

const FILE = 'restore.json';
const pendingSchema = z.strictObject({
  version: z.literal(1),
  /** In the folder of the backups. */
  name: z.string().refine((name) => parseBackupName(name) !== undefined),
});

/** `backups/restore.json`: the backup that takes the database's place at the next start, when nothing has it open. */
export class PendingRestore {
  readonly #folder: string;

  /** @param folder - of the backups */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The name of the backup. A file that is not understood counts as none. */
  get(): string | undefined {
    try {
      return pendingSchema.parse(JSON.parse(readFileSync(join(this.#folder, FILE), 'utf8'))).name;
    } catch {
      return undefined;
    }
  }

  /** Why the next start restores nothing although it was asked to: an unreadable wish, or one for a backup that is missing. */
  fault(): string | undefined {
    const file = join(this.#folder, FILE);
    if (!existsSync(file)) return undefined;
    const name = this.get();
    if (name === undefined) return `${file} doesn't say which backup is to be restored at the next start.`;
    const backup = join(this.#folder, name);
    return existsSync(backup) ? undefined : `The backup that is to be restored at the next start is missing: ${backup}.`;
  }

  async set(name: string): Promise<void> {
    await writeDurably(join(this.#folder, FILE), `${JSON.stringify({ version: 1, name })}\n`);
  }

  clear(): void {
    rmSync(join(this.#folder, FILE), { force: true });
  }
}
