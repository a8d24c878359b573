import type { DatabaseSync } from 'node:sqlite';
import { integrationSettingsSchema } from '../../../common/integrations.ts';
import type { IntegrationSettings } from '../../../common/integrations.ts';
import { DATABASE_CONNECTION } from '../../storage/database.ts';
import type { Inject } from '../../container/inject.ts';

/** The owner's choices for programs outside, in the home's database. Read for every request, so they are kept in memory too. */
export class IntegrationSettingsStore {
  static readonly inject: Inject<typeof IntegrationSettingsStore> = [DATABASE_CONNECTION];

  readonly #database: DatabaseSync;
  #settings: IntegrationSettings;

  /** @param database - with the tables of `activityMigration` */
  constructor(database: DatabaseSync) {
    this.#database = database;
    const row = database.prepare('SELECT value FROM integration_settings WHERE id = 1').get();
    const parsed = integrationSettingsSchema.safeParse(row === undefined ? {} : JSON.parse(String(row['value'])));
    this.#settings = parsed.success ? parsed.data : integrationSettingsSchema.parse({});
  }

  get(): IntegrationSettings {
    return this.#settings;
  }

  set(settings: IntegrationSettings): IntegrationSettings {
    this.#database
      .prepare('INSERT INTO integration_settings (id, value) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET value = excluded.value')
      .run(JSON.stringify(settings));
    this.#settings = settings;
    return settings;
  }
}
