import { z } from 'zod';
import { Database } from '../../storage/database.ts';
import type { Inject } from '../../container/inject.ts';
import type { HostKey } from './knownHosts.ts';

const storedSchema = z.object({ type: z.string(), key: z.string(), accepted: z.string() });

/** The keys of SSH servers that a person accepted, one for each server, in the database of this home. */
export class AcceptedHostKeys {
  static readonly inject: Inject<typeof AcceptedHostKeys> = [Database];

  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  get(host: string, port: number): HostKey | undefined {
    const row = this.#database.connection.prepare('SELECT value FROM preferences WHERE name = ?').get(nameOf(host, port));
    if (row === undefined) return undefined;
    const parsed = storedSchema.safeParse(JSON.parse(String(row['value'])));
    return parsed.success ? { type: parsed.data.type, key: parsed.data.key } : undefined;
  }

  set(host: string, port: number, { type, key }: HostKey): void {
    const value = JSON.stringify({ type, key, accepted: new Date().toISOString() });
    this.#database.connection
      .prepare('INSERT OR REPLACE INTO preferences (name, value) VALUES (?, ?)')
      .run(nameOf(host, port), value);
  }

  /** @returns whether there was one */
  remove(host: string, port: number): boolean {
    const { changes } = this.#database.connection.prepare('DELETE FROM preferences WHERE name = ?').run(nameOf(host, port));
    return Number(changes) > 0;
  }
}

function nameOf(host: string, port: number): string {
  return `sshHostKey:[${host.toLowerCase()}]:${port}`;
}
