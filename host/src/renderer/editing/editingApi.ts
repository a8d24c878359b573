import type { TableRef } from '@tabularium/sdk';
import type { z } from 'zod';
import type {
  settleSchema,
  Edit,
  EditAbility,
  ReviewedChange,
  SaveEvent,
  Settlement,
  StageChange,
} from '../../common/editing.ts';
import { api } from '../api/client.ts';
import { textInWindowLanguage } from '../api/inWindowLanguage.ts';

type SettleInput = z.output<typeof settleSchema>;

/** A table of a connection, as every call of editing names it. */
export interface EditedTarget {
  readonly connectionId: string;
  readonly table: TableRef;
}

/**
 * The calls of editing with the types that the host declares. The router's inference turns the read-only pairs of tagged cells into plain
 * arrays; what travels is the same JSON.
 */
interface EditingApi {
  ability(target: EditedTarget, signal: AbortSignal): Promise<EditAbility>;
  stage(target: EditedTarget, edits: readonly Edit[]): Promise<StageChange>;
  undo(target: EditedTarget): Promise<StageChange>;
  redo(target: EditedTarget): Promise<StageChange>;
  discard(target: EditedTarget, rowIds: readonly string[] | undefined): Promise<StageChange>;
  settle(target: EditedTarget, rows: readonly Settlement[]): Promise<StageChange>;
  review(target: EditedTarget, signal: AbortSignal): Promise<readonly ReviewedChange[]>;
  save(target: EditedTarget): Promise<AsyncIterable<SaveEvent>>;
  /** The save's events continue to its end. */
  cancelSave(target: EditedTarget): Promise<void>;
}

export const editingApi: EditingApi = {
  ability: async (target, signal) => {
    const ability = await api.editing.ability.query(target, { signal });
    return ability.allowed ? ability : { ...ability, reason: textInWindowLanguage(ability.reason, ability.origin) };
  },
  stage: (target, edits) =>
    api.editing.stage.mutate({ ...target, edits: [...edits] }) as Promise<unknown> as Promise<StageChange>,
  undo: (target) => api.editing.undo.mutate(target) as Promise<unknown> as Promise<StageChange>,
  redo: (target) => api.editing.redo.mutate(target) as Promise<unknown> as Promise<StageChange>,
  discard: (target, rowIds) =>
    api.editing.discard.mutate(
      rowIds === undefined ? target : { ...target, rowIds: [...rowIds] },
    ) as Promise<unknown> as Promise<StageChange>,
  settle: (target, rows) =>
    api.editing.settle.mutate({ ...target, rows: rows as SettleInput['rows'] }) as Promise<unknown> as Promise<StageChange>,
  review: (target, signal) =>
    api.editing.review.mutate(target, { signal }) as Promise<unknown> as Promise<readonly ReviewedChange[]>,
  save: (target) => api.editing.save.mutate(target) as Promise<unknown> as Promise<AsyncIterable<SaveEvent>>,
  cancelSave: async (target) => void (await api.editing.cancelSave.mutate(target)),
};
