import { DriverError } from '@tabularium/sdk';
import { countOf, isObject, textOfField } from '../guards.ts';
import type { CopyState } from './copyDocuments.ts';
import { faultTexts } from '../faultTexts.ts';

/** Where a copy is: each phase is done again from its beginning, except that documents continue behind the last one. */
export type CopyPhase = 'create' | 'settings' | 'copy' | 'swap';

const PHASES: readonly CopyPhase[] = ['create', 'settings', 'copy', 'swap'];

/** The facts that an interrupted copy continues from. */
export interface CopyCheckpoint {
  readonly phase: CopyPhase;
  /** When the server made the new collection; absent before it was made. */
  readonly madeAt?: string;
  /**
   * This operation's own request made the collection with that time of creation, so it may delete it. Absent where the collection was found, and in a checkpoint of an
   * older driver.
   */
  readonly madeHere?: true;
  /** Its schema, as {@link ReadSchema.shape} has it; absent in a checkpoint of an older driver. */
  readonly shape?: string;
  /** When the server made the old collection, where that is another time than the plan's. */
  readonly fromMadeAt?: string;
  readonly state: CopyState;
  /** Documents that were sent before everything was copied once more; absent where nothing was. */
  readonly sent?: number;
  /** The counts differed: the new collection is made again, and everything is copied again. */
  readonly again?: true;
  /** Documents of the new collection when the counts differed; absent in a checkpoint of an older driver. */
  readonly compared?: number;
}

export function checkpointText(checkpoint: CopyCheckpoint): string {
  return JSON.stringify(checkpoint);
}

/** @throws DriverError `INVALID_INPUT` for a checkpoint that isn't one of this operation */
export function readCheckpoint(text: string): CopyCheckpoint {
  const value = parsed(text);
  const phase = isObject(value) ? PHASES.find((one) => one === value['phase']) : undefined;
  const state = isObject(value) ? value['state'] : undefined;
  const done = isObject(state) ? countOf(state, 'done') : undefined;
  const rejected = isObject(state) ? countOf(state, 'rejected') : undefined;
  if (!isObject(value) || phase === undefined || !isObject(state) || done === undefined || rejected === undefined) {
    throw new DriverError('INVALID_INPUT', 'This isn’t a checkpoint of this operation.', {
      details: {
        advice: 'Leave the operation, and begin it again.',
        cannotResume: true,
        texts: faultTexts('fault.notCheckpoint', {}, 'fault.beginAgain'),
      },
    });
  }
  const madeAt = textOfField(value, 'madeAt');
  const shape = textOfField(value, 'shape');
  const fromMadeAt = textOfField(value, 'fromMadeAt');
  const sent = countOf(value, 'sent');
  const compared = countOf(value, 'compared');
  const lastId = textOfField(state, 'lastId');
  return {
    phase,
    ...(madeAt === undefined ? {} : { madeAt }),
    ...(value['madeHere'] === true ? { madeHere: true } : {}),
    ...(shape === undefined ? {} : { shape }),
    ...(fromMadeAt === undefined ? {} : { fromMadeAt }),
    state: { done, rejected, ...(lastId === undefined ? {} : { lastId }) },
    ...(sent === undefined ? {} : { sent }),
    ...(value['again'] === true ? { again: true } : {}),
    ...(compared === undefined ? {} : { compared }),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
