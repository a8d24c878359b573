import { DriverError } from '@tabularium/sdk';
import type { DescribedRequest } from '@tabularium/sdk';
import { isObject, textOfField } from '../guards.ts';
import { collectionPath } from '../paths.ts';
import { exportRequestPath, importRequestPath } from './copyDocuments.ts';
import type { CopyJob } from './copyJob.ts';
import { moveRequest } from './moveAliases.ts';
import type { AliasMove } from './moveAliases.ts';
import { step } from './searchOperation.ts';
import type { RequestStep } from './searchOperation.ts';
import { faultTexts } from '../faultTexts.ts';

/** Statements of one step that a plan has room for. */
const MOST_STATEMENTS = 50;

/** The facts that a plan of a copy rests on. */
export interface CopyBasis {
  readonly from: string;
  /** When the server made it. */
  readonly madeAt: string;
  /** Its schema, as {@link ReadSchema.shape} has it; absent in a plan of an older driver. */
  readonly shape?: string;
  /** The aliases to move, and where each leads before. */
  readonly aliases: readonly AliasMove[];
  /** Whether there are synonyms or rules to copy. */
  readonly settings: boolean;
}

/** A job with the places of its steps. */
export function copyJob({
  madeAt,
  shape,
  ...rest
}: CopyBasis & Pick<CopyJob, 'converts' | 'create' | 'stopsOnRejected' | 'to'>): CopyJob {
  const copy = rest.settings ? 2 : 1;
  const fromShape = shape === undefined ? {} : { fromShape: shape };
  return { ...rest, fromMadeAt: madeAt, ...fromShape, steps: { create: 0, settings: 1, copy, check: copy + 1, swap: copy + 2 } };
}

/** The steps of a job for its plan. */
export function copySteps(job: CopyJob, owned: readonly DescribedRequest[]): readonly RequestStep[] {
  const { from, to } = job;
  const reads: readonly DescribedRequest[] = [from, to].map((name) => ({ method: 'GET', path: collectionPath(name) }));
  return [
    step('create', `Create ${to}`, [job.create], { name: to }),
    ...(job.settings
      ? [step('settings', `Copy synonyms and rules (${owned.length})`, owned.slice(0, MOST_STATEMENTS), { count: owned.length })]
      : []),
    step('copy', 'Copy the documents, 1,000 at a time', [
      { method: 'GET', path: exportRequestPath(from) },
      { method: 'POST', path: importRequestPath(to, job.converts) },
    ]),
    step('check', 'Compare the counts', reads),
    ...(job.aliases.length > 0
      ? [
          step(
            'aliases',
            'Move the aliases',
            job.aliases.map(({ alias }) => moveRequest({ alias, collection: to })),
          ),
        ]
      : []),
  ];
}

/** The basis of a plan. */
export function basisText({ from, fromMadeAt, fromShape, aliases, settings }: CopyJob): string {
  const shape = fromShape === undefined ? {} : { shape: fromShape };
  const basis: CopyBasis = { from, madeAt: fromMadeAt, ...shape, aliases, settings };
  return JSON.stringify(basis);
}

/** @throws DriverError `INVALID_INPUT` for a basis that isn't one of a copy */
export function readBasis(text: string): CopyBasis {
  const value = parsed(text);
  const from = isObject(value) ? textOfField(value, 'from') : undefined;
  const madeAt = isObject(value) ? textOfField(value, 'madeAt') : undefined;
  const aliases = isObject(value) ? value['aliases'] : undefined;
  if (!isObject(value) || from === undefined || madeAt === undefined || !Array.isArray(aliases)) {
    throw new DriverError('INVALID_INPUT', 'This isn’t the plan of this operation.', {
      details: {
        advice: 'Leave the operation, and begin it again.',
        cannotResume: true,
        texts: faultTexts('fault.notPlan', {}, 'fault.beginAgain'),
      },
    });
  }
  const shape = textOfField(value, 'shape');
  return {
    from,
    madeAt,
    ...(shape === undefined ? {} : { shape }),
    aliases: aliases.flatMap((one: unknown): AliasMove[] => {
      const alias = isObject(one) ? textOfField(one, 'alias') : undefined;
      const collection = isObject(one) ? textOfField(one, 'collection') : undefined;
      return alias === undefined ? [] : [{ alias, ...(collection === undefined ? {} : { collection }) }];
    }),
    settings: value['settings'] === true,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
