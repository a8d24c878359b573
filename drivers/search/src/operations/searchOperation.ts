import { DriverError, driverText, wholeStart } from '@tabularium/sdk';
import type {
  DescribedRequest,
  DriverTexts,
  Operation,
  OperationCall,
  OperationEvent,
  OperationForm,
  OperationPlace,
  OperationPlan,
  OperationRunOptions,
  OperationStep,
} from '@tabularium/sdk';
import type { SearchClient } from '../client.ts';
import { objectMembers } from '../objects/objectDocument.ts';
import type { ObjectMembers } from '../objects/objectDocument.ts';
import type { Schemas } from '../schemas.ts';
import { sendChange } from '../sendChange.ts';
import { collectionName } from '../tables.ts';
import { faultTexts } from '../faultTexts.ts';

/** The session that every operation works with. */
export interface OperationSource {
  readonly client: SearchClient;
  readonly schemas: Schemas;
  /** As versions.ts counts; undefined where the server hides it. */
  readonly version: number | undefined;
}

/** One operation of the driver. */
export interface SearchOperation {
  readonly on: 'server' | 'table';
  readonly operation: Operation;
  form(place: OperationPlace, signal: AbortSignal): Promise<OperationForm>;
  plan(call: OperationCall, signal: AbortSignal): Promise<OperationPlan>;
  run(call: OperationCall, options: OperationRunOptions): AsyncGenerator<OperationEvent, void>;
}

/** The result of an operation, as its last event says it. */
export type OperationResultEvent = Extract<OperationEvent, { type: 'result' }>;

/** A step, and the requests that it sends. */
export interface RequestStep extends OperationStep {
  readonly requests: readonly DescribedRequest[];
}

/** An operation whose steps are requests that are known before it begins. */
interface PreparedRequests extends Omit<OperationPlan, 'steps'> {
  readonly steps: readonly RequestStep[];
  /** @param answers - of all requests, in order */
  readonly result: (answers: readonly string[]) => OperationResultEvent;
}

/** The facts of an operation, its texts named after its id. */
export function describedOperation(
  facts: Pick<Operation, 'id' | 'label' | 'help' | 'effect'> & Partial<Pick<Operation, 'makes' | 'resumable'>>,
): Operation {
  return {
    resumable: false,
    ...facts,
    ability: { allowed: true },
    texts: { label: { id: `operation.${facts.id}.label` }, help: { id: `operation.${facts.id}.help` } },
  };
}

/** An operation that sends a few requests, one after the other. */
export function requestOperation(
  { client, schemas }: OperationSource,
  facts: Pick<SearchOperation, 'on' | 'operation' | 'form'>,
  prepare: (call: OperationCall, signal: AbortSignal) => Promise<PreparedRequests>,
): SearchOperation {
  return {
    ...facts,
    async plan(call, signal) {
      const { result: _result, steps, ...plan } = await prepare(call, signal);
      return { ...plan, steps: steps.map(({ requests: _requests, ...step }) => step) };
    },
    async *run(call, { basis, signal }) {
      const { steps, basis: now, result } = await prepare(call, signal);
      if (now !== basis) throw confirmedOtherwise();
      const answers: string[] = [];
      try {
        for (const [step, { requests }] of steps.entries()) {
          yield { type: 'progress', step };
          for (const request of requests) {
            signal.throwIfAborted();
            answers.push(await sendChange(request, client, { signal }, LONGEST_MILLISECONDS));
          }
        }
      } finally {
        schemas.clear();
      }
      yield result(answers);
    },
  };
}

/** Deleting a million documents by filter takes minutes, and the server answers when it is done. The connection's own limit counts as well. */
const LONGEST_MILLISECONDS = 600_000;

/** The plan rests on something that is no longer so. */
export function confirmedOtherwise(): DriverError {
  return new DriverError('CONFLICT', 'Nothing was changed: what you confirmed is no longer so.', {
    details: {
      advice: 'Look at the plan again, then confirm it.',
      texts: faultTexts('fault.planChanged', {}, 'fault.planChanged.advice'),
    },
  });
}

/** A step of a plan. @param id - of its title's translation */
export function step(
  id: string,
  title: string,
  requests: readonly DescribedRequest[],
  values: Readonly<Record<string, string | number>> = {},
): RequestStep {
  return {
    title: title.slice(0, 200),
    texts: { title: { id: `operationStep.${id}`, values } },
    statements: requests.map(statementOf),
    requests,
  };
}

/** A request as the console takes it. */
function statementOf({ method, path, body }: DescribedRequest): string {
  return body === undefined ? `${method} ${path}` : `${method} ${path}\n${body}`;
}

/** Characters of the names in a label, and of those in a sentence about a change. */
export const MOST_OF_LABEL = 150;
export const MOST_OF_LIST = 3_000;

/** Texts of a plan or a result. */
export function said(
  member: 'consequence' | 'label' | 'message',
  id: string,
  values: NonNullable<Parameters<typeof driverText>[1]>,
): DriverTexts {
  return { [member]: driverText(id, values) };
}

/** The collection of a place, by the name that a person used. @throws DriverError `INVALID_INPUT` elsewhere */
export function placedCollection(place: OperationPlace): string {
  if (place.on === 'table') return collectionName(place.table);
  throw new DriverError('INVALID_INPUT', 'This is done to one collection: name it.', {
    details: { field: 'table', texts: faultTexts('fault.whichCollection') },
  });
}

/**
 * The members of an input.
 *
 * @param known - those that mean something, where not all are the server's: one that was misspelled must not be passed over
 * @throws DriverError `INVALID_INPUT`
 */
export function inputMembers({ input }: OperationCall, known?: readonly string[]): ObjectMembers {
  const members = objectMembers(input);
  const unknown = known === undefined ? undefined : Object.keys(members).find((name) => !known.includes(name));
  if (known === undefined || unknown === undefined) return members;
  const names = known.map((name) => `“${name}”`).join(', ');
  throw new DriverError('INVALID_INPUT', `“${shownName(unknown)}” means nothing here. This takes ${names}.`, {
    details: { field: unknown, texts: faultTexts('fault.unknownMember', { name: shownName(unknown), names }) },
  });
}

function shownName(name: string): string {
  return name.length <= MOST_OF_LABEL ? name : `${wholeStart(name, MOST_OF_LABEL)}…`;
}

/** The text of a member. @throws DriverError `INVALID_INPUT` for one that is missing or isn't a text */
export function requiredText(members: ObjectMembers, field: string, label: string): string {
  const value = Object.hasOwn(members, field) ? members[field] : undefined;
  if (typeof value === 'string' && value.trim() !== '') return value.trim();
  throw new DriverError('INVALID_INPUT', `${label} is missing.`, {
    details: { field, texts: faultTexts('fault.missing', { field }) },
  });
}

/** A switch; what it is where it is missing is given. */
export function switchOf(members: ObjectMembers, field: string, otherwise: boolean): boolean {
  const value = Object.hasOwn(members, field) ? members[field] : undefined;
  if (value === undefined) return otherwise;
  if (typeof value === 'boolean') return value;
  throw new DriverError('INVALID_INPUT', `“${field}” must be true or false.`, {
    details: { field, texts: faultTexts('fault.notSwitch', { field }) },
  });
}

/** Texts of a list. @throws DriverError `INVALID_INPUT` for something else */
export function textList(members: ObjectMembers, field: string): readonly string[] {
  const value = Object.hasOwn(members, field) ? members[field] : undefined;
  if (value === undefined) return [];
  if (Array.isArray(value) && value.every((one) => typeof one === 'string' && one.trim() !== '')) {
    return [...new Set(value.map((one: string) => one.trim()))];
  }
  throw new DriverError('INVALID_INPUT', `“${field}” must be a list of names.`, {
    details: { field, texts: faultTexts('fault.notNames', { field }) },
  });
}

export function documentsText(count: number): string {
  return count === 1 ? '1 document' : `${count.toLocaleString('en')} documents`;
}
