import type { DatabaseSync } from 'node:sqlite';
import { integrationSettingsSchema } from '../../../common/integrations.ts';
import type { IntegrationSettings } from '../../../common/integrations.ts';
import { HostError } from '../../../common/errors.ts';
import { DATABASE_CONNECTION } from '../../storage/database.ts';
import { storedSettings } from '../../storage/storedSettings.ts';
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
    this.#settings = storedSettings(integrationSettingsSchema, row === undefined ? undefined : String(row['value']), {
      enabled: false,
      approvals: 'window',
    });
  }

  get(): IntegrationSettings {
    return this.#settings;
  }

  /** @throws HostError `INVALID_REQUEST` for an origin that no page can have */
  set(settings: IntegrationSettings): IntegrationSettings {
    for (const origin of settings.allowedOrigins) checkOrigin(origin);
    this.#database
      .prepare('INSERT INTO integration_settings (id, value) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET value = excluded.value')
      .run(JSON.stringify(settings));
    this.#settings = settings;
    return settings;
  }
}

/** A browser sends a page's own origin, so a pattern would let nothing in. Stored ones from earlier versions do no harm. */
function checkOrigin(origin: string): void {
  if (URL.canParse(origin) && !origin.includes('*')) return;
  throw new HostError('INVALID_REQUEST', `No page has the origin "${origin}".`, {
    details: {
      advice: 'Write each origin in full, such as https://client.example or http://localhost:3000. A * stands for nothing here.',
    },
  });
}
