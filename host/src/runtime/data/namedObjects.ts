import { DriverError, isDriverError } from '@tabularium/sdk';
import type {
  ObjectChange,
  ObjectDocument,
  ObjectKind,
  ObjectPage,
  ObjectPlace,
  ObjectsFacet,
  PlannedChange,
} from '@tabularium/sdk';
import type { SavedConnection } from '../../common/connection.ts';
import { englishOf, hostSentence } from '../../common/hostSentences.ts';
import type {
  ChangeObject,
  ChangedObject,
  ExportObjects,
  ExportedObjects,
  FiledOutcome,
  GetObject,
  ImportObjects,
  ImportObjectsEvent,
  ListObjects,
  PlaceHit,
  StoredOtherwise,
} from '../../common/objects.ts';
import { LARGEST_OBJECT_FILE, MOST_FILED_OBJECTS } from '../../common/objects.ts';
import { readOnlyReason, requireWritable } from '../connections/readOnlyMode.ts';
import type { Inject } from '../container/inject.ts';
import { HostError } from '../../common/errors.ts';
import { requireClearJson } from '../../common/requireClearJson.ts';
import { errorReport } from '../errors/errorReport.ts';
import { hostDriverError } from '../errors/hostDriverError.ts';
import { readObjectFile, writeObjectFile } from './objectFile.ts';
import { sameJson } from './sameJson.ts';
import { storedOtherwise } from './storedOtherwise.ts';
import { ON_TABLES_CHANGED } from './onTablesChanged.ts';
import { Sessions } from './sessions.ts';

/** The named objects of a database. Nothing is cached. */
export class NamedObjects {
  static readonly inject: Inject<typeof NamedObjects> = [Sessions, ON_TABLES_CHANGED];

  readonly #sessions: Pick<Sessions, 'use' | 'forgetStructures'>;
  readonly #onChange: (connectionId: string) => void;

  /** @param onChange - called when objects of a connection may have been changed: an alias is a table's name, and rules change its searches */
  constructor(sessions: Pick<Sessions, 'use' | 'forgetStructures'>, onChange: (connectionId: string) => void = () => undefined) {
    this.#sessions = sessions;
    this.#onChange = onChange;
  }

  /** The kinds of a connection; none where its driver has no named objects. In read-only mode each says why it can't be changed. */
  async kinds(connectionId: string, signal: AbortSignal): Promise<readonly ObjectKind[]> {
    return this.#sessions.use(
      connectionId,
      async ({ session, connection }) => {
        const kinds = (await session.objects?.kinds({ signal })) ?? [];
        const reason = readOnlyReason(connection);
        if (reason === undefined) return kinds;
        const ability = { allowed: false, reason: englishOf(reason) } as const;
        return kinds.map((kind) => ({ ...kind, save: ability, remove: ability }));
      },
      { signal },
    );
  }

  async list({ connectionId, place, next }: ListObjects, signal: AbortSignal): Promise<ObjectPage> {
    return this.#use(connectionId, signal, (facet) => facet.list(place, next, { signal }));
  }

  async get({ connectionId, object }: GetObject, signal: AbortSignal): Promise<ObjectDocument> {
    return this.#use(connectionId, signal, (facet) => facet.get(object, { signal }));
  }

  async plan({ connectionId, change }: ChangeObject, signal: AbortSignal): Promise<PlannedChange> {
    if (change.action === 'save') requireClearJson(change.document, 'The document');
    return this.#use(connectionId, signal, (facet) => facet.plan(change, { signal }));
  }

  /**
   * Makes a change. One object is removed only as it was seen, whatever the driver compares: contracts before 1.2 had no word for it.
   *
   * @throws HostError `CONNECTION_READ_ONLY` in read-only mode; DriverError `CONFLICT`, and what {@link ObjectsFacet.apply} throws
   */
  async apply({ connectionId, change }: ChangeObject, signal: AbortSignal): Promise<ChangedObject> {
    return this.#use(connectionId, signal, async (facet, connection) => {
      requireWritable(connection, change.action === 'remove' ? 'destructive' : 'write');
      if (change.action === 'remove' && change.was !== undefined) {
        const { name } = change.object;
        const { document } = await facet.get(change.object, { signal });
        if (!sameJson(change.was, document)) throw hostDriverError('CONFLICT', hostSentence('objectChanged', { name }));
      }
      await this.#changing(connectionId, () => facet.apply(change, { signal }));
      return { otherwise: await readBack(facet, change, signal) };
    });
  }

  /** Whether the connection has objects that place hits of a search; in read-only mode none may be changed. */
  async placesHits(connectionId: string, signal: AbortSignal): Promise<boolean> {
    return this.#sessions.use(
      connectionId,
      async ({ session, connection }) => session.objects?.placeHit !== undefined && readOnlyReason(connection) === undefined,
      { signal },
    );
  }

  /** The change that would give a hit its place; nothing is changed. @throws what {@link ObjectsFacet.placeHit} throws */
  async placeHit({ connectionId, hit }: PlaceHit, signal: AbortSignal): Promise<ObjectChange> {
    return this.#use(connectionId, signal, async (facet) => {
      if (facet.placeHit !== undefined) return facet.placeHit(hit, { signal });
      throw new DriverError('UNSUPPORTED', 'This driver has no objects that place hits of a search.');
    });
  }

  /** All objects of a place as a file. @throws HostError `LIMIT_EXCEEDED` for more than a file may have */
  async export({ connectionId, place }: ExportObjects, signal: AbortSignal): Promise<ExportedObjects> {
    return this.#use(connectionId, signal, async (facet) => {
      const documents: ObjectDocument[] = [];
      let characters = 0;
      for (const name of await namesOf(facet, place, signal)) {
        const object = await facet.get({ ...place, name }, { signal });
        characters += object.name.length + object.document.length;
        if (characters > LARGEST_OBJECT_FILE || documents.length >= MOST_FILED_OBJECTS) {
          throw new HostError('INVALID_REQUEST', 'There are more objects than a file may have. No file was written.', {
            details: { advice: 'Export them with the console.' },
          });
        }
        documents.push(object);
      }
      return { objects: documents.length, text: writeObjectFile(place.kind, documents) };
    });
  }

  /**
   * Takes the objects of a file: adds those that are missing and changes those that are others. Nothing is removed. One that fails leaves the others.
   *
   * @throws HostError `INVALID_REQUEST` for a file that can't be read, before anything is changed; `CONNECTION_READ_ONLY`
   */
  async *import(
    { connectionId, place, content, onlyPlan }: ImportObjects,
    signal: AbortSignal,
  ): AsyncGenerator<ImportObjectsEvent, void, undefined> {
    const filed = readObjectFile(place.kind, content);
    const outcomes: FiledOutcome[] = [];
    for (const object of filed) {
      signal.throwIfAborted();
      outcomes.push(
        await this.#use(connectionId, signal, async (facet, connection) => {
          if (!onlyPlan) requireWritable(connection);
          return this.#take(connectionId, facet, place, object, onlyPlan, signal);
        }),
      );
      yield { type: 'progress', done: outcomes.length, of: filed.length };
    }
    yield { type: 'outcomes', outcomes };
  }

  async #take(
    connectionId: string,
    facet: ObjectsFacet,
    place: ObjectPlace,
    { name, document }: ObjectDocument,
    onlyPlan: boolean,
    signal: AbortSignal,
  ): Promise<FiledOutcome> {
    const object = { ...place, name };
    try {
      const was = await documentNow(facet, object, signal);
      if (was !== null && sameJson(was, document)) return { name, outcome: 'same' };
      const change = { action: 'save', object, document, was } as const;
      if (onlyPlan) await facet.plan(change, { signal });
      else await this.#changing(connectionId, () => facet.apply(change, { signal }));
      const otherwise = onlyPlan ? [] : await readBack(facet, change, signal);
      return { name, outcome: was === null ? 'add' : 'change', ...(otherwise.length === 0 ? {} : { otherwise: [...otherwise] }) };
    } catch (error) {
      // A lost connection ends the import: the rest would fail alike, one by one.
      if (!isDriverError(error) || ENDS_IMPORT.has(error.code)) throw error;
      return { name, outcome: 'failed', message: error.message, report: errorReport(error) };
    }
  }

  async #changing(connectionId: string, change: () => Promise<void>): Promise<void> {
    try {
      await change();
    } finally {
      // Also where it failed: it may have been done before the answer was lost.
      this.#sessions.forgetStructures(connectionId);
      this.#onChange(connectionId);
    }
  }

  async #use<T>(
    connectionId: string,
    signal: AbortSignal,
    work: (facet: ObjectsFacet, connection: SavedConnection) => Promise<T>,
  ): Promise<T> {
    return this.#sessions.use(
      connectionId,
      async ({ session, manifest, connection }) => {
        if (session.objects !== undefined) return work(session.objects, connection);
        throw new DriverError('UNSUPPORTED', `${manifest.title}: this driver has no named objects.`);
      },
      { signal },
    );
  }
}

const ENDS_IMPORT: ReadonlySet<string> = new Set(['CANCELLED', 'CONNECTION_LOST', 'TIMEOUT', 'ACCESS_REFUSED']);

async function namesOf(facet: ObjectsFacet, place: ObjectPlace, signal: AbortSignal): Promise<readonly string[]> {
  const names: string[] = [];
  let next: string | undefined;
  do {
    const page = await facet.list(place, next, { signal });
    names.push(...page.objects.map(({ name }) => name));
    next = page.objects.length === 0 || names.length > MOST_FILED_OBJECTS ? undefined : page.next;
  } while (next !== undefined);
  return names;
}

/** The document as it is now; null: there is none. */
async function documentNow(facet: ObjectsFacet, object: GetObject['object'], signal: AbortSignal): Promise<string | null> {
  try {
    return (await facet.get(object, { signal })).document;
  } catch (error) {
    if (isDriverError(error) && error.code === 'NOT_FOUND') return null;
    throw error;
  }
}

/** The differences of a saved object from the one that was sent. The change is made: where it can't be read, nothing is said. */
async function readBack(facet: ObjectsFacet, change: ObjectChange, signal: AbortSignal): Promise<StoredOtherwise[]> {
  if (change.action === 'remove') return [];
  try {
    const { document } = await facet.get(change.object, { signal });
    return [...storedOtherwise(change.document, document)];
  } catch {
    return [];
  }
}
