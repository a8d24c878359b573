import { searchAnswerSchema } from '@tabularium/sdk/protocol';
import { z } from 'zod';
import { openingEvents } from './opening.ts';
import type { Shape } from './shape.ts';

/** Hits that the command line asks for at most. */
export const MOST_SEARCHED_HITS = 250;

const name = z.string().min(1).max(1_000);

/** The ranked search that the command line asks for. */
export const searchTableRequestSchema = z.object({
  connectionId: z.uuid(),
  /** Its name with what contains it, joined by dots. */
  table: z.string().min(1),
  text: z.string().max(4_000),
  /** Where to look; none: the driver's own choice. */
  fields: z.array(z.object({ name, weight: z.number().int().min(0).optional() })).max(1_000),
  facets: z.array(name).max(100),
  /** In the database's own language. */
  filter: z.string().optional(),
  sorts: z.array(z.object({ column: name, direction: z.enum(['ascending', 'descending']) })).max(100),
  /** As texts: the form of the table says of which type they are. */
  options: z.array(z.object({ id: name, value: z.string().max(20_000) })).max(100),
  offset: z.number().int().min(0),
  limit: z.number().int().min(1).max(MOST_SEARCHED_HITS),
  /** Other tables to look in, named as the first. */
  alsoIn: z.array(z.string().min(1).max(1_000)).max(99).default([]),
});

/** The events of a ranked search for the command line: its answer is the last. */
export const searchTableEventSchema = z.discriminatedUnion('type', [
  ...openingEvents,
  z.object({ type: z.literal('answer'), answer: searchAnswerSchema }),
]);
export type SearchTableEvent = Shape<typeof searchTableEventSchema>;
