import type { FirstRunState, TourEvent } from '../../common/firstRun.ts';
import type { Inject } from '../container/inject.ts';
import { Database } from '../storage/database.ts';
import { SavedChanges } from '../storage/savedChanges.ts';

/** The first steps of a person in a data directory: whether the tour of the window is offered, and which connections are samples. */
export class FirstRun {
  static readonly inject: Inject<typeof FirstRun> = [Database, SavedChanges];

  readonly #database: Database;
  readonly #changes: SavedChanges;
  /** A tour that was started and has no end is offered again by the next host, and by no other window of this one. */
  #wasStarted = false;

  constructor(database: Database, changes: SavedChanges) {
    this.#database = database;
    this.#changes = changes;
  }

  get(): FirstRunState {
    return { offersTour: !this.#wasStarted && !this.#wasAnswered(), samples: this.#samples() };
  }

  /** Remembers what a person did with the tour; every window reads the state again. A tour that was answered stays answered. */
  noteTour(event: TourEvent): FirstRunState {
    if (event === 'started') this.#wasStarted = true;
    else
      this.#database.connection
        .prepare(
          "INSERT INTO preferences (name, value) VALUES ('tour', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        )
        .run(JSON.stringify({ answer: event }));
    this.#changes.note('application');
    return this.get();
  }

  /** Whatever the answer was, also one that can't be read: the offer is never made twice. */
  #wasAnswered(): boolean {
    return this.#database.connection.prepare("SELECT 1 FROM preferences WHERE name = 'tour'").get() !== undefined;
  }

  #samples(): readonly string[] {
    return this.#database.connection
      .prepare(
        `SELECT preferences.value AS id FROM preferences JOIN connections ON connections.id = preferences.value
         WHERE preferences.name GLOB 'sample:*' ORDER BY preferences.rowid`,
      )
      .all()
      .map((row) => String(row['id']));
  }
}
