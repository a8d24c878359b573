import type { Cell, DriverError, OperationEvent } from '@tabularium/sdk';
import { ByteQueue, DRIVER_METHODS } from '@tabularium/sdk/protocol';
import type { EventMethod } from '@tabularium/sdk/protocol';
import { EventOrder } from './eventOrder.ts';
import type { SentEvent } from './eventOrder.ts';
import { MOST_ELEMENTS, hasMoreElements } from './hasMoreElements.ts';
import { OperationOrder } from './operationOrder.ts';
import { OutcomeOrder } from './outcomeOrder.ts';

/** The event of one line of a method's answer. */
export type EventOf<M extends EventMethod> = ReturnType<(typeof DRIVER_METHODS)[M]['event']['parse']>;

/** How much was asked for. */
export interface EventBounds {
  /** Rows of one result; Infinity where the whole table was asked for. */
  readonly rows: number;
  /** Changes to apply, or rows to import. */
  readonly changes: number;
}

const LINE_FEED = 0x0a;
const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * The events in a body of JSON lines.
 *
 * @param bounds - the request of the driver, and so the most that it may send
 * @param fault - makes the error for a line that isn't an event
 */
export async function* eventsOf<M extends EventMethod>(
  method: M,
  body: AsyncIterable<Uint8Array>,
  longestLine: number,
  bounds: EventBounds,
  fault: (reason: string) => DriverError,
): AsyncGenerator<EventOf<M>, void, undefined> {
  const problemWith = checkOf(method, bounds);
  // The beginning of a line whose end has not come.
  const begun = new ByteQueue();
  for await (const chunk of body) {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(LINE_FEED, start);
      const part = chunk.subarray(start, end < 0 ? undefined : end);
      if (begun.length + part.length > longestLine) throw fault(`an event is longer than ${longestLine} bytes`);
      const isWhole = begun.length === 0 && end >= 0;
      if (!isWhole) begun.push(part);
      if (end < 0) break;
      const event = parseEvent(method, isWhole ? part : begun.takeAll(), fault);
      const problem = problemWith(event);
      if (problem !== undefined) throw fault(problem);
      yield event;
      start = end + 1;
    }
  }
  if (begun.length > 0) throw fault('the last event is not complete');
}

/** Checks beyond a schema: how the events of one answer follow one another, and how many there are. */
function checkOf(
  method: EventMethod,
  { rows, changes }: EventBounds,
): (event: SentEvent | OperationEvent | { index: number } | { outcome: string; rows?: number }) => string | undefined {
  if (method === 'operations.run') {
    const run = new OperationOrder();
    return (event) => run.problem(event as OperationEvent);
  }
  const order = new EventOrder(rows);
  const outcomes = new OutcomeOrder(changes);
  let imported = 0;
  return (event) => {
    if ('index' in event) return outcomes.problem(event.index);
    if ('type' in event) return order.problem(event);
    imported += ('outcome' in event ? event.rows : undefined) ?? 1;
    return imported > changes ? `it reported row ${imported}, and was given ${changes}` : undefined;
  };
}

function parseEvent<M extends EventMethod>(method: M, line: Uint8Array, fault: (reason: string) => DriverError): EventOf<M> {
  // Nearly all lines of an import, a million of them.
  if (method === 'import.write' && WRITTEN_LINE.equals(line)) return WRITTEN as EventOf<M>;
  if (hasMoreElements(line)) throw fault(`an event has more than ${MOST_ELEMENTS} values`);
  let value: unknown;
  try {
    value = JSON.parse(decoder.decode(line));
  } catch {
    throw fault("an event isn't valid JSON");
  }
  if (ROWS.has(method) && isRows(value)) return { type: 'rows', rows: value.rows } as EventOf<M>;
  const result = DRIVER_METHODS[method].event.safeParse(value);
  if (result.success) return result.data as EventOf<M>;
  throw fault(`an event is not valid: ${result.error.issues[0]?.message ?? ''}`);
}

const WRITTEN = { outcome: 'written' } as const;
const WRITTEN_LINE = Buffer.from(JSON.stringify(WRITTEN));

/** Methods whose events may be rows. */
const ROWS: ReadonlySet<EventMethod> = new Set(['console.run', 'console.sessionRun', 'export.rows']);

/** Rows are most of what arrives; the schema costs a microsecond a cell, this about a tenth of it. */
function isRows(value: unknown): value is { rows: Cell[][] } {
  if (typeof value !== 'object' || value === null || !('type' in value) || value.type !== 'rows' || !('rows' in value))
    return false;
  const { rows } = value;
  return Array.isArray(rows) && rows.every((row: unknown) => Array.isArray(row) && row.every(isCell));
}

function isCell(cell: unknown): cell is Cell {
  if (cell === null || typeof cell !== 'object') return cell !== undefined;
  if (!Array.isArray(cell) || cell.length < 1 || cell.length > 2) return false;
  const [tag, text] = cell as unknown[];
  switch (tag) {
    case 'absent':
      return cell.length === 1;
    case 'boolean':
      return text === 'true' || text === 'false';
    case 'number':
    case 'text':
    case 'json':
    case 'bytes':
      return typeof text === 'string';
    default:
      return false;
  }
}
