import { logSettingsSchema } from '../../common/logs.ts';
import type { LogSettingChanges, LogSettings } from '../../common/logs.ts';
import type { Inject } from '../container/inject.ts';
import { Database } from './database.ts';
import { LOGGER } from './logger.ts';
import type { Logger } from './logger.ts';
import { storedSettings } from './storedSettings.ts';

/** A logger that settings reach while it runs. */
export interface ConfigurableLogger extends Logger {
  configure(settings: LogSettings): void;
}

/** The settings of the log, in the home's database. A changed setting holds at once. */
export class LogSettingsStore {
  static readonly inject: Inject<typeof LogSettingsStore> = [Database, LOGGER];

  readonly #database: Database;
  readonly #logger: Logger;

  constructor(database: Database, logger: Logger) {
    this.#database = database;
    this.#logger = logger;
  }

  get(): LogSettings {
    const row = this.#database.connection.prepare("SELECT value FROM preferences WHERE name = 'log'").get();
    return storedSettings(logSettingsSchema, row === undefined ? undefined : String(row['value']), {});
  }

  /** Gives the stored settings to the log. */
  apply(): void {
    if (isConfigurable(this.#logger)) this.#logger.configure(this.get());
  }

  /** @returns all of them */
  change(changes: LogSettingChanges): LogSettings {
    const settings = logSettingsSchema.parse({ ...this.get(), ...changes });
    this.#database.connection
      .prepare("INSERT INTO preferences (name, value) VALUES ('log', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value")
      .run(JSON.stringify(settings));
    this.apply();
    return settings;
  }
}

function isConfigurable(logger: Logger): logger is ConfigurableLogger {
  return 'configure' in logger && typeof logger.configure === 'function';
}
