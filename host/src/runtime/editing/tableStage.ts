import type {
  Edit,
  EditState,
  Meanwhile,
  SaveProblem,
  Settlement,
  StageChange,
  StageEvent,
  StagedRow,
  StagedTable,
} from '../../common/editing.ts';
import { MOST_STAGED_ROWS } from '../../common/editing.ts';
import { HostError } from '../../common/errors.ts';
import type { EditStore, EditedTableRef, JournalEntry } from './editStore.ts';
import { newRowId } from './newRowId.ts';
import { comparedProblem, settled } from './meanwhile.ts';
import type { SettleContext } from './meanwhile.ts';
import { mergeEdit } from './mergeEdit.ts';
import type { MergeContext } from './mergeEdit.ts';
import type { RowContent, Step, StepChange, StoredRow } from './stagedContent.ts';

/** Steps of undo that are kept for one table. */
const MOST_STEPS = 500;

/** How long after the journal could not be written it is tried again. */
const RETRY_MILLISECONDS = 5_000;

/**
 * The staged changes of one table. What a person changes is in the journal before anybody sees it. What became of a change that was sent is true
 * also where the journal cannot be written, on a full disk: it is seen at once, and written later.
 */
export class TableStage {
  readonly #ref: EditedTableRef;
  readonly #store: EditStore;
  readonly #rows = new Map<string, StoredRow>();
  readonly #listeners = new Set<(rowIds: readonly string[]) => void>();
  /** Saved, and still named by steps. Removing each separately would write a step of ten thousand rows ten thousand times. */
  readonly #saved = new Set<string>();
  /** Entries that the journal does not have yet, oldest first. A host that ends before calls these rows of unknown outcome when it starts again. */
  #owed: JournalEntry[] = [];
  #retry: NodeJS.Timeout | undefined;
  #steps: readonly Step[];
  #revision = 0;
  #savedRows = 0;
  #saving = false;

  constructor(ref: EditedTableRef, store: EditStore) {
    this.#ref = ref;
    this.#store = store;
    const { rows, saved, steps } = store.load(ref);
    for (const row of rows) this.#rows.set(row.content.id, row);
    this.#steps = steps;
    for (const rowId of saved) this.#saved.add(rowId);
    this.#forgetSaved();
  }

  get saving(): boolean {
    return this.#saving;
  }

  get isEmpty(): boolean {
    return this.#rows.size === 0;
  }

  get state(): EditState {
    const state = { inserts: 0, updates: 0, deletes: 0, failed: 0, unknown: 0, meanwhile: 0 };
    for (const { content, problem } of this.#rows.values()) {
      state[`${content.kind}s`] += 1;
      if (problem?.meanwhile !== undefined) state.meanwhile += 1;
      if (problem !== undefined && (problem.meanwhile === undefined || problem.outcome === 'unknown'))
        state[problem.outcome] += 1;
    }
    return {
      revision: this.#revision,
      ...state,
      canUndo: this.#steps.some(({ undone }) => !undone),
      canRedo: this.#steps.some(({ undone }) => undone),
      savedRows: this.#savedRows,
      saving: this.#saving,
    };
  }

  all(): StagedTable {
    return { state: this.state, rows: this.ordered().map(stagedRow) };
  }

  /** In the order in which they were first changed. */
  ordered(): readonly StoredRow[] {
    return [...this.#rows.values()].toSorted((one, other) => one.content.position - other.content.position);
  }

  /** Rows by id, in order. @throws HostError `INVALID_REQUEST` for one that is not staged */
  named(rowIds: readonly string[]): readonly StoredRow[] {
    const missing = rowIds.find((id) => !this.#rows.has(id));
    if (missing !== undefined) throw new HostError('INVALID_REQUEST', 'The row is no longer staged.');
    const wanted = new Set(rowIds);
    return this.ordered().filter(({ content }) => wanted.has(content.id));
  }

  /** One step: all edits are staged, or none. */
  stage(edits: readonly Edit[], table: Pick<MergeContext, 'kindOf' | 'tableIdentity'>): StageChange {
    const draft = new Map<string, RowContent | null>();
    let position = this.#lastPosition();
    for (const edit of edits) {
      const merged = mergeEdit(edit, {
        staged: (rowId) => (draft.has(rowId) ? draft.get(rowId) : this.#rows.get(rowId)?.content) ?? undefined,
        ...table,
        nextPosition: () => (position += 1),
      });
      draft.set(merged.rowId, merged.after);
    }
    return this.#step(draft);
  }

  /** Takes rows off the stage, as one step that can be undone; where that leaves nothing staged, until the next change. */
  discard(rowIds: readonly string[] | undefined): StageChange {
    const rows = rowIds === undefined ? this.ordered() : this.named(rowIds);
    return this.#step(new Map(rows.map(({ content }) => [content.id, null])), rows.length === this.#rows.size);
  }

  /**
   * Decides about rows that somebody else changed, as one step that can be undone.
   *
   * @throws HostError `INVALID_REQUEST` where a row is not as it was shown
   */
  settle(settlements: readonly Settlement[], context: Omit<SettleContext, 'newRow'>): StageChange {
    let position = this.#lastPosition();
    const newRow = () => ({ id: newRowId(), position: (position += 1) });
    const draft = new Map<string, RowContent | null>();
    for (const settlement of settlements) {
      const [row] = this.named([settlement.rowId]);
      if (row === undefined) continue;
      for (const [rowId, after] of settled(row, settlement, { ...context, newRow })) draft.set(rowId, after);
    }
    return this.#step(draft);
  }

  /** Marks rows that differ from what was seen, and unmarks those that do no more. Rows whose change is another by now are left alone. */
  noteMeanwhile(rows: readonly StoredRow[], found: ReadonlyMap<string, Meanwhile>): void {
    if (this.#saving) return;
    const marked = rows.flatMap(({ content }) => {
      const row = this.#rows.get(content.id);
      if (row === undefined || row.content !== content) return [];
      const problem = comparedProblem(row.problem, found.get(content.id));
      return problem === row.problem ? [] : [{ content, sending: row.sending, ...(problem === undefined ? {} : { problem }) }];
    });
    if (marked.length > 0) this.#write({ rows: marked }, false);
  }

  /** @throws HostError `INVALID_REQUEST` when there is nothing to undo */
  undo(): StageChange {
    const step = this.#steps.findLast(({ undone }) => !undone);
    if (step === undefined) throw new HostError('INVALID_REQUEST', 'There is nothing to undo.');
    return this.#turn({ ...step, undone: true }, ({ before }) => before);
  }

  /** @throws HostError `INVALID_REQUEST` when there is nothing to redo */
  redo(): StageChange {
    const step = this.#steps.find(({ undone }) => undone);
    if (step === undefined) throw new HostError('INVALID_REQUEST', 'There is nothing to redo.');
    return this.#turn({ ...step, undone: false }, ({ after }) => after);
  }

  /** Until {@link endSave} nothing can be staged. @throws HostError `SAVE_RUNNING` */
  beginSave(): void {
    this.#requireQuiet();
    this.#saving = true;
    this.#notify([]);
  }

  endSave(): void {
    this.#saving = false;
    this.#forgetSaved();
    this.#notify([]);
  }

  /** Journaled before anything is sent, so that after a crash the journal has the changes that may have been sent. */
  markSending(rowIds: readonly string[]): void {
    this.#write({ rows: this.#changed(rowIds, ({ content }) => ({ content, sending: true })) }, true);
  }

  /** Was not sent after all; its previous problem is kept. */
  unmarkSending(rows: readonly StoredRow[]): void {
    this.#note({ rows: rows.filter(({ content }) => this.#rows.has(content.id)).map((row) => ({ ...row, sending: false })) });
  }

  /** A saved row leaves the stage, and at the end of the save undo forgets it, see {@link stepsAfterSave}. */
  saved(rowId: string): void {
    this.#saved.add(rowId);
    this.#savedRows += 1;
    this.#note({ savedRows: [rowId] });
  }

  /** Stays on the stage, marked. */
  notSaved(rowIds: readonly string[], problem: SaveProblem): void {
    this.#note({ rows: this.#changed(rowIds, ({ content }) => ({ content, problem, sending: false })) });
  }

  /** Calls back after every change. */
  onChange(listener: () => void): void {
    this.#listeners.add(() => listener());
  }

  /** All staged rows, then changes: changes that come faster than they are taken are merged into one. */
  async *watch(signal: AbortSignal): AsyncGenerator<StageEvent> {
    const pending = new Set<string>();
    let changed = Promise.withResolvers<void>();
    const listener = (rowIds: readonly string[]): void => {
      for (const id of rowIds) pending.add(id);
      changed.resolve();
    };
    const wake = (): void => changed.resolve();
    this.#listeners.add(listener);
    signal.addEventListener('abort', wake);
    try {
      yield { type: 'all', ...this.all() };
      for (;;) {
        if (signal.aborted) return;
        await changed.promise;
        if (signal.aborted) return;
        changed = Promise.withResolvers();
        const rowIds = [...pending];
        pending.clear();
        yield { type: 'change', ...this.#change(rowIds) };
      }
    } finally {
      this.#listeners.delete(listener);
      signal.removeEventListener('abort', wake);
    }
  }

  /** The host ends: what the journal does not have yet is written now, where there is space again. */
  end(): void {
    this.#tryToWriteOwed();
    clearTimeout(this.#retry);
  }

  /** The connection is gone, and the journal with it. */
  forget(): void {
    clearTimeout(this.#retry);
    this.#owed = [];
    const rowIds = [...this.#rows.keys()];
    this.#rows.clear();
    this.#saved.clear();
    this.#steps = [];
    this.#notify(rowIds);
  }

  /** @param discardsAll - what was staged before it doesn't come back once something else is staged */
  #step(draft: ReadonlyMap<string, RowContent | null>, discardsAll = false): StageChange {
    this.#requireQuiet();
    const changes = [...draft].flatMap(([rowId, after]): StepChange[] => {
      const before = this.#rows.get(rowId)?.content ?? null;
      if (JSON.stringify(before) === JSON.stringify(after)) return [];
      return [{ rowId, before, after, ...(discardsAll ? { discardsAll } : {}) }];
    });
    if (changes.length === 0) return this.#change([]);
    this.#requireRoom(changes.map(({ rowId, after }) => [rowId, after]));
    const former = this.#steps.filter(({ undone }) => !undone);
    const done = former.at(-1)?.changes.some((change) => change.discardsAll === true) === true ? [] : former;
    const number = (this.#steps.at(-1)?.number ?? 0) + 1;
    const stays = done.slice(-(MOST_STEPS - 1));
    const dropped = this.#steps.filter((old) => !stays.includes(old));
    const step = { number, undone: false, changes };
    this.#put(
      changes.map(({ rowId, after }) => [rowId, after]),
      { steps: [step], goneSteps: dropped.map((old) => old.number) },
    );
    this.#steps = [...stays, step];
    return this.#change(changes.map(({ rowId }) => rowId));
  }

  #turn(step: Step, side: (change: StepChange) => RowContent | null): StageChange {
    this.#requireQuiet();
    const turned = step.changes.map((change): [string, RowContent | null] => [change.rowId, side(change)]);
    this.#requireRoom(turned);
    this.#put(turned, { steps: [step] });
    this.#steps = this.#steps.map((old) => (old.number === step.number ? step : old));
    return this.#change(step.changes.map(({ rowId }) => rowId));
  }

  /** A row whose content changes is no longer what failed. */
  #put(contents: readonly (readonly [string, RowContent | null])[], steps: Pick<JournalEntry, 'steps' | 'goneSteps'>): void {
    const rows = contents.flatMap(([, content]) => (content === null ? [] : [{ content, sending: false }]));
    const goneRows = contents.flatMap(([rowId, content]) => (content === null ? [rowId] : []));
    this.#write({ rows, goneRows, ...steps }, true);
  }

  #write(entry: JournalEntry, durably: boolean): void {
    this.#writeOwed();
    this.#store.write(this.#ref, entry, durably);
    this.#apply(entry);
  }

  /** Takes note of what has happened, which is so whether the journal can be written or not. */
  #note(entry: JournalEntry): void {
    this.#owed.push(entry);
    this.#tryToWriteOwed();
    this.#apply(entry);
  }

  /** Writes what the journal does not have yet, in its order. @throws what writing throws; the rest is still owed */
  #writeOwed(): void {
    for (let [entry] = this.#owed; entry !== undefined; [entry] = this.#owed) {
      this.#store.write(this.#ref, entry, false);
      this.#owed.shift();
    }
  }

  #tryToWriteOwed(): void {
    clearTimeout(this.#retry);
    try {
      this.#writeOwed();
    } catch (error) {
      if (!(error instanceof HostError)) throw error;
      // The next change that a person makes fails with the reason, and the window's bar has it already.
      this.#retry = setTimeout(() => this.#tryToWriteOwed(), RETRY_MILLISECONDS).unref();
    }
  }

  #apply(entry: JournalEntry): void {
    const gone = [...(entry.goneRows ?? []), ...(entry.savedRows ?? [])];
    for (const rowId of gone) this.#rows.delete(rowId);
    for (const row of entry.rows ?? []) this.#rows.set(row.content.id, row);
    this.#notify([...gone, ...(entry.rows ?? []).map(({ content }) => content.id)]);
  }

  #forgetSaved(): void {
    if (this.#saved.size === 0) return;
    const saved = [...this.#saved];
    const left = stepsAfterSave(this.#steps, this.#rows);
    const lengths = new Map(this.#steps.map(({ number, changes }) => [number, changes.length]));
    const steps = left.filter(({ number, changes }) => changes.length !== lengths.get(number));
    for (const { number } of left) lengths.delete(number);
    this.#note({ goneRows: saved, steps, goneSteps: [...lengths.keys()] });
    this.#steps = left;
    this.#saved.clear();
  }

  #notify(rowIds: readonly string[]): void {
    this.#revision += 1;
    for (const listener of this.#listeners) listener(rowIds);
  }

  #change(rowIds: readonly string[]): StageChange {
    const rows = rowIds.flatMap((id) => this.#rows.get(id) ?? []).map(stagedRow);
    return { state: this.state, rows, gone: rowIds.filter((id) => !this.#rows.has(id)) };
  }

  #changed(rowIds: readonly string[], change: (row: StoredRow) => StoredRow): StoredRow[] {
    return rowIds.flatMap((id) => this.#rows.get(id) ?? []).map(change);
  }

  #lastPosition(): number {
    let last = 0;
    for (const { content } of this.#rows.values()) last = Math.max(last, content.position);
    return last;
  }

  #requireQuiet(): void {
    if (this.#saving) throw new HostError('SAVE_RUNNING');
  }

  #requireRoom(changes: readonly (readonly [string, RowContent | null])[]): void {
    let size = this.#rows.size;
    for (const [rowId, after] of changes) size += Number(after !== null) - Number(this.#rows.has(rowId));
    if (size <= MOST_STAGED_ROWS) return;
    throw new HostError('NOT_EDITABLE', `More than ${MOST_STAGED_ROWS} rows of one table cannot be staged at a time.`, {
      details: { advice: 'Save or discard the staged changes first.' },
    });
  }
}

/**
 * The steps that can be undone after a save: those that led to the rows which are still staged. Those of saved rows led to what the server has now, and what
 * was discarded or undone before the save never comes back after it.
 */
function stepsAfterSave(steps: readonly Step[], staged: ReadonlyMap<string, StoredRow>): readonly Step[] {
  const ended = new Set<string>();
  const left: Step[] = [];
  for (const step of steps.toReversed()) {
    if (step.undone) continue;
    const changes = step.changes.filter(({ rowId, after }) => {
      if (after === null) ended.add(rowId);
      return staged.has(rowId) && !ended.has(rowId);
    });
    if (changes.length > 0) left.unshift({ ...step, changes });
  }
  return left;
}

function stagedRow({ content, problem, sending }: StoredRow): StagedRow {
  const { position: _position, tableIdentity: _identity, key, ...rest } = content;
  return { ...rest, ...(key === undefined ? {} : { key }), ...(problem === undefined ? {} : { problem }), sending };
}
