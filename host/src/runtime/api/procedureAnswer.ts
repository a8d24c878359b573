import type { AnyRouter } from '@trpc/server';
import { z } from 'zod';
import type { Shape } from '../../common/shape.ts';
import { isStrict, requireNamedFields } from './strictAnswers.ts';

/** The output of a procedure, as its `.output()` takes it. */
export interface ProcedureAnswer<Value> {
  (value: unknown): Value;
  /** The shape of the answer, or of each event of a stream. */
  readonly schema: z.ZodType;
  readonly stream?: true;
}

function answer<Value>(schema: z.ZodType, read: (value: unknown) => Value): ProcedureAnswer<Value> {
  return Object.assign(read, { schema });
}

function read<Schema extends z.ZodType>(schema: Schema, value: unknown): Shape<Schema> {
  const parsed = schema.parse(value);
  if (isStrict) requireNamedFields(value, parsed);
  return parsed as Shape<Schema>;
}

/** An answer that the host has made. Its caller gets what the schema documents and nothing else. */
export function answersWith<Schema extends z.ZodType>(schema: Schema): ProcedureAnswer<Shape<Schema>> {
  return answer(schema, (value) => read(schema, value));
}

/**
 * An answer that was checked when it reached the host: by the same schema on the wire of a driver's process, or as the manifest of a package.
 * The types hold a procedure to the schema. The answer isn't walked again: it can have as many parts as a table has rows or columns.
 */
export function passesOn<Schema extends z.ZodType>(schema: Schema): ProcedureAnswer<Shape<Schema>> {
  return answer(schema, (value) => value as Shape<Schema>);
}

/** No answer, whatever the service returns. */
export const nothing: ProcedureAnswer<void> = answer(z.void(), () => undefined);

type Stream<Value> = AsyncIterable<Value, void, undefined>;

/** A stream of events that the host has made, each as the schema documents it. */
export function streams<Schema extends z.ZodType>(schema: Schema): ProcedureAnswer<Stream<Shape<Schema>>> {
  async function* checked(events: AsyncIterable<unknown>): AsyncGenerator<Shape<Schema>, void, undefined> {
    for await (const event of events) yield read(schema, event);
  }
  return Object.assign(
    answer(schema, (value) => checked(value as AsyncIterable<unknown>) as Stream<Shape<Schema>>),
    {
      stream: true as const,
    },
  );
}

/** A stream of events that were checked when they reached the host, such as rows (see {@link passesOn}). */
export function streamsOn<Schema extends z.ZodType>(schema: Schema): ProcedureAnswer<Stream<Shape<Schema>>> {
  return Object.assign(
    answer(schema, (value) => value as Stream<Shape<Schema>>),
    { stream: true as const },
  );
}

/** The answers of every procedure of a router, by its path, such as `connections.open`. A procedure without one is left out. */
export function outputsOf(router: AnyRouter): ReadonlyMap<string, ProcedureAnswer<unknown>> {
  const procedures = router._def.procedures as Readonly<Record<string, { readonly _def: { readonly output?: unknown } }>>;
  return new Map(
    Object.entries(procedures).flatMap(([path, { _def }]) => (isAnswer(_def.output) ? [[path, _def.output] as const] : [])),
  );
}

function isAnswer(value: unknown): value is ProcedureAnswer<unknown> {
  return typeof value === 'function' && 'schema' in value && value.schema instanceof z.ZodType;
}
