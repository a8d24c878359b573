import { createStore } from 'zustand';
import type { StoreApi } from 'zustand';
import type { SaveDocuments, WorkspaceScope } from '../../common/workspaceState.ts';
import { LARGEST_DOCUMENT } from '../../common/workspaceState.ts';

/** Writings are sent together, so that typing does not become a request per letter. */
const DELAY_MILLISECONDS = 400;

/** A value that can be remembered. */
export type Json = NonNullable<SaveDocuments['documents'][number]['value']>;
/** By name, as they were written. */
type Documents = ReadonlyMap<string, unknown>;

/** One document that was written in another window of the same page's origin. */
export interface Written {
  readonly scope: WorkspaceScope;
  readonly name: string;
  readonly value?: Json | undefined;
}

/** Where documents come from and go to. */
export interface DocumentStorage {
  readonly load: (scope: WorkspaceScope) => Promise<Readonly<Record<string, unknown>>>;
  readonly save: (input: SaveDocuments) => Promise<unknown>;
  /** Notifies the other windows. */
  readonly announce: (written: Written) => void;
}

export interface RememberedDocuments {
  readonly scopes: ReadonlyMap<WorkspaceScope, Documents>;
  /** Fetches what a scope remembers, once. A host that does not answer leaves it empty: nothing here is worth an error. */
  readonly loadScope: (scope: WorkspaceScope) => Promise<void>;
  /** Forgets what was fetched for a connection that is gone. The host forgets its own copy. */
  readonly dropScope: (scope: WorkspaceScope) => void;
  /** The document under a name, as it was written; its reader parses it. Undefined without one. */
  readonly recall: (scope: WorkspaceScope, name: string) => unknown;
  /** The names of all documents of a scope. */
  readonly recallNames: (scope: WorkspaceScope) => readonly string[];
  /** Remembers JSON under a name; undefined forgets it. Never fails: what is too large lives as long as the window does. */
  readonly remember: (scope: WorkspaceScope, name: string, value: Json | undefined) => void;
  /** Takes over what another window wrote. */
  readonly takeOver: (written: Written) => void;
  /** Sends what has not been sent. */
  readonly flush: () => Promise<void>;
  /** Everything that the host may not have yet, each document as it is now. */
  readonly lastWords: () => SaveDocuments | undefined;
}

/** A document as the host gets it: forgotten where it is too large. */
function toSend({ scope, name, value }: Written): SaveDocuments['documents'][number] {
  const fits = value !== undefined && JSON.stringify(value).length <= LARGEST_DOCUMENT;
  return fits ? { scope, name, value } : { scope, name };
}

export function createDocumentStore(storage: DocumentStorage): StoreApi<RememberedDocuments> {
  const loading = new Map<WorkspaceScope, Promise<void>>();
  /** Documents that were forgotten while their scope was fetched: an older answer still has them. */
  const forgotten = new Map<WorkspaceScope, Set<string>>();
  const unsent = new Map<string, SaveDocuments['documents'][number]>();
  /** Documents in flight to the host. A page that goes takes its requests with it, so this is said once more then. */
  const inFlight = new Set<SaveDocuments>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function takeUnsent(): SaveDocuments | undefined {
    clearTimeout(timer);
    timer = undefined;
    const documents = [...unsent.values()].slice(0, 200);
    for (const { scope, name } of documents) unsent.delete(`${scope} ${name}`);
    return documents.length === 0 ? undefined : { documents };
  }

  return createStore((set, get) => {
    const putScope = (scope: WorkspaceScope, documents: Documents): void =>
      set(({ scopes }) => ({ scopes: new Map(scopes).set(scope, documents) }));

    function put({ scope, name, value }: Written): void {
      const documents = new Map(get().scopes.get(scope));
      if (value === undefined) {
        documents.delete(name);
        forgotten.get(scope)?.add(name);
      } else documents.set(name, value);
      putScope(scope, documents);
    }

    return {
      scopes: new Map(),
      loadScope(scope) {
        const already = loading.get(scope);
        if (already !== undefined) return already;
        const meanwhile = new Set<string>();
        forgotten.set(scope, meanwhile);
        const load = storage
          .load(scope)
          .then(
            // A document that was written or forgotten while the answer was on its way is newer than the answer.
            (documents) => {
              const loaded = Object.entries(documents).filter(([name]) => !meanwhile.has(name));
              putScope(scope, new Map([...loaded, ...(get().scopes.get(scope) ?? [])]));
            },
            () => void loading.delete(scope),
          )
          .finally(() => forgotten.delete(scope));
        loading.set(scope, load);
        return load;
      },
      dropScope(scope) {
        const scopes = new Map(get().scopes);
        scopes.delete(scope);
        set({ scopes });
        loading.delete(scope);
        for (const [key, document] of unsent) if (document.scope === scope) unsent.delete(key);
      },
      recall: (scope, name) => get().scopes.get(scope)?.get(name),
      recallNames: (scope) => [...(get().scopes.get(scope)?.keys() ?? [])],
      remember(scope, name, value) {
        put({ scope, name, value });
        storage.announce({ scope, name, value });
        unsent.set(`${scope} ${name}`, toSend({ scope, name, value }));
        timer ??= setTimeout(() => void get().flush(), DELAY_MILLISECONDS);
      },
      takeOver(written) {
        const { scope, name } = written;
        // The answer of a host that is still being asked may be older.
        if (loading.has(scope) || get().scopes.has(scope)) put(written);
        // An older value that is sent later would replace this one at the host.
        if (unsent.has(`${scope} ${name}`)) unsent.set(`${scope} ${name}`, toSend(written));
      },
      async flush() {
        for (let input = takeUnsent(); input !== undefined; input = takeUnsent()) {
          inFlight.add(input);
          await storage.save(input).catch(() => undefined);
          inFlight.delete(input);
        }
      },
      lastWords() {
        const documents = new Map<string, SaveDocuments['documents'][number]>();
        for (const input of [...inFlight, takeUnsent()]) {
          for (const document of input?.documents ?? []) documents.set(`${document.scope} ${document.name}`, document);
        }
        return documents.size === 0 ? undefined : { documents: [...documents.values()].slice(0, 200) };
      },
    };
  });
}
