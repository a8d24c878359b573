import type { TableRef } from '@tabularium/sdk';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Edit, EditAbility, EditState, Settlement, StageChange, StagedRow } from '../../common/editing.ts';
import { whenHostIsUp } from '../api/hostLink/hostLink.ts';
import { persistently } from '../api/hostLink/persistently.ts';
import { problemOf, wasAborted } from '../api/problem.ts';
import { watch } from '../api/watches/watch.ts';
import { strings } from '../i18n/index.ts';
import { notify, withdraw } from '../state/notify.ts';
import { noteSignedOut, whenSignedIn } from '../state/signedOut.ts';
import { stageSubject } from '../state/stagedTables.ts';
import { useUnsaved } from '../state/useUnsaved.ts';
import { editingApi } from './editingApi.ts';
import { changedRows } from './stagedRows.ts';
import { withWaitingEdits } from './waitingRows.ts';

export interface Staged {
  readonly state: EditState | undefined;
  readonly rows: ReadonlyMap<string, StagedRow>;
}

/** The staged changes of one table, as the host keeps them. */
export interface Stage extends Staged {
  /** Absent until it is known. */
  readonly ability: EditAbility | undefined;
  readonly count: number;
  /** Steps that wait for the host or for a sign-in, in their order; `rows` shows those of them that change rows which are there. */
  readonly waiting: number;
  /** Stages edits as one step of undo. Undefined when that was rejected or cancelled; the status bar has the reason of a rejection then, unless the caller shows it. */
  readonly stage: (edits: readonly Edit[], options?: StagingOptions) => Promise<StageChange | undefined>;
  readonly undo: () => void;
  readonly redo: () => void;
  /** Takes back the changes of some rows, or of all. */
  readonly discard: (rowIds?: readonly string[]) => Promise<StageChange | undefined>;
  /** Decides about rows that somebody else changed, as one step of undo. Undefined when that was refused. */
  readonly settle: (rows: readonly Settlement[]) => Promise<StageChange | undefined>;
}

/** How a caller follows the staging of many edits. */
export interface StagingOptions {
  /** Once it is aborted, what was staged is taken back. */
  readonly signal?: AbortSignal;
  /** Shows why nothing was staged; absent: the status bar does. */
  readonly onRejected?: (reason: string) => void;
}

/** Milliseconds that a step may take before the window says that it waits. */
const MOMENT = 300;

/** A step that the host has not answered yet. */
interface Step {
  readonly edits: readonly Edit[];
  /** Whether it takes longer than a moment. */
  readonly isShown?: true;
}

const NOTHING: Staged = { state: undefined, rows: new Map() };

function countOf(state: EditState | undefined): number {
  return state === undefined ? 0 : state.inserts + state.updates + state.deletes;
}

/**
 * An edit that was typed while the host is gone is staged when it is there again, and one that was typed while the connection is signed out when that is
 * signed in: the host may need the structure of the table, which it can't read before.
 *
 * @returns undefined where it was cancelled meanwhile. @throws what the call throws otherwise
 */
async function whenTaken(
  connectionId: string,
  call: () => Promise<StageChange>,
  isCancelled: () => boolean,
): Promise<StageChange | undefined> {
  for (;;) {
    await whenHostIsUp();
    await whenSignedIn(connectionId);
    if (isCancelled()) return undefined;
    try {
      return await call();
    } catch (error) {
      if (problemOf(error).code !== 'SECRET_MISSING') throw error;
      noteSignedOut(connectionId);
    }
  }
}

/**
 * @param isShown - whether the table's tab is in front. Only then is the stage followed: the other tabs are hidden, and a tab that comes back gets
 *   the whole stage again.
 */
export function useStage(connectionId: string, table: TableRef, isShown: boolean): Stage {
  const [staged, setStaged] = useState<Staged>(NOTHING);
  const [ability, setAbility] = useState<EditAbility>();
  /** Steps that are not answered yet, the oldest first; those that take a moment only are not shown. */
  const [steps, setSteps] = useState<readonly Step[]>([]);
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const target = useMemo(() => ({ connectionId, table }), [connectionId, table]);

  const take = useCallback((change: StageChange): void => {
    setStaged((before) =>
      // An answer may come after the news of a later change.
      before.state !== undefined && change.state.revision < before.state.revision
        ? before
        : { state: change.state, rows: changedRows(before.rows, change) },
    );
  }, []);

  useEffect(() => {
    if (!isShown) return undefined;
    return watch<'stage'>(
      { is: 'stage', ...target },
      {
        onValue: (event) => {
          if (event.type === 'change') take(event);
          else setStaged({ state: event.state, rows: new Map(event.rows.map((row) => [row.id, row])) });
        },
        onLost: () => notify({ tone: 'warning', text: strings.editing.watchLost }),
      },
    );
  }, [target, take, isShown]);

  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    persistently(() => editingApi.ability(target, signal))
      .then(setAbility)
      .catch((error: unknown) => {
        if (!wasAborted(error, signal)) setAbility({ allowed: false, reason: problemOf(error).message });
      });
    return () => controller.abort();
  }, [target]);

  const attempt = useCallback(
    async (
      call: () => Promise<StageChange>,
      { signal, onRejected }: StagingOptions = {},
      edits: readonly Edit[] = [],
    ): Promise<StageChange | undefined> => {
      const isCancelled = (): boolean => signal?.aborted === true;
      const step: Step = { edits };
      setSteps((all) => [...all, step]);
      const shown: Step = { edits, isShown: true };
      const timer = setTimeout(() => setSteps((all) => all.map((one) => (one === step ? shown : one))), MOMENT);
      const before = last.current;
      try {
        // In the order of the person: an undo must not reach the host before what it takes back.
        const taken = before.then(() => whenTaken(connectionId, call, isCancelled));
        last.current = taken.catch(() => undefined);
        const change = await taken;
        if (change === undefined) return undefined;
        if (!isCancelled()) {
          take(change);
          // “Saved 5 changes; 1 stays staged” or “Staged 900 cells” are no longer so.
          withdraw(stageSubject(connectionId, table));
          return change;
        }
        // The host stages all edits or none, in one go: a cancelled step is taken back as soon as it is there.
        take(await editingApi.undo(target));
        return undefined;
      } catch (error) {
        (onRejected ?? ((text) => notify({ tone: 'warning', text })))(problemOf(error).message);
        return undefined;
      } finally {
        clearTimeout(timer);
        setSteps((all) => all.filter((one) => one !== step && one !== shown));
      }
    },
    [take, target, connectionId, table],
  );

  useUnsaved(countOf(staged.state) > 0 ? { is: 'staged' } : undefined);
  // Edits that wait for the host are nowhere else.
  useUnsaved(steps.length > 0 ? { is: 'typed', tab: table.name } : undefined);
  const late = useMemo(() => steps.filter(({ isShown: isLate }) => isLate), [steps]);
  const rows = useMemo(
    () =>
      withWaitingEdits(
        staged.rows,
        late.flatMap(({ edits }) => edits),
      ),
    [staged.rows, late],
  );

  return {
    state: staged.state,
    rows,
    ability,
    count: countOf(staged.state),
    waiting: late.length,
    stage: (edits, options) => attempt(() => editingApi.stage(target, edits), options, edits),
    undo: () => void attempt(() => editingApi.undo(target)),
    redo: () => void attempt(() => editingApi.redo(target)),
    settle: (rows) => attempt(() => editingApi.settle(target, rows)),
    discard: (rowIds) => attempt(() => editingApi.discard(target, rowIds)),
  };
}
