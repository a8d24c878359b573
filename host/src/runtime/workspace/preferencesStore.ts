import type { Preferences } from '../../common/api.ts';
import { preferencesSchema } from '../../common/api.ts';
import { Database } from '../storage/database.ts';
import { storedSettings } from '../storage/storedSettings.ts';
import type { Inject } from '../container/inject.ts';

/** How the window looks and what it looks for, in the home's database. What cannot be read any more falls back to the default. */
export class PreferencesStore {
  static readonly inject: Inject<typeof PreferencesStore> = [Database];

  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  get(): Preferences {
    const row = this.#database.connection.prepare("SELECT value FROM preferences WHERE name = 'window'").get();
    return storedSettings(preferencesSchema, row === undefined ? undefined : String(row['value']), {});
  }

  set(preferences: Preferences): Preferences {
    this.#database.connection
      .prepare(
        "INSERT INTO preferences (name, value) VALUES ('window', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
      )
      .run(JSON.stringify(preferences));
    return preferences;
  }
}
