import { resultEventSchema, rowCountSchema, tableRefSchema } from '@tabularium/sdk/protocol';
import { z } from 'zod';
import { statementEffectSchema } from '../../common/console.ts';
import { exportFormatSchema } from '../../common/transfer.ts';
import { installProgressSchema } from './drivers.ts';

// What hosts answer about connections and their data, as this version understands it.

export const testStepSchema = z.object({
  id: z.string(),
  label: z.string(),
  outcome: z.enum(['running', 'ok', 'warning', 'failed', 'skipped']),
  message: z.string(),
  milliseconds: z.number().optional(),
});

/** How opening a connection goes on; `open` is the last step. */
export const openProgressSchema = z.discriminatedUnion('step', [
  z.object({ step: z.literal('installing'), install: installProgressSchema }),
  z.object({ step: z.literal('connecting') }),
  z.object({
    step: z.literal('open'),
    connection: z.object({
      findings: z.array(z.object({ label: z.string(), outcome: z.enum(['ok', 'warning', 'failed']), message: z.string() })),
    }),
  }),
]);

export const tablesSchema = z.array(z.object({ ref: tableRefSchema, count: rowCountSchema.optional() }));

const opening = [
  z.object({ type: z.literal('install'), progress: installProgressSchema }),
  z.object({ type: z.literal('connecting') }),
] as const;

export const queryEventSchema = z.discriminatedUnion('type', [
  ...opening,
  z.object({ type: z.literal('result'), event: resultEventSchema }),
  z.object({ type: z.literal('refused'), effect: statementEffectSchema, summaries: z.array(z.string()) }),
]);

const exportProgressSchema = z.object({
  rows: z.number(),
  bytes: z.number(),
  bytesPerSecond: z.number(),
  milliseconds: z.number(),
  expected: rowCountSchema.optional(),
});

export const exportStepSchema = z.discriminatedUnion('type', [
  ...opening,
  z.object({ type: z.literal('export'), progress: exportProgressSchema }),
  z.object({
    type: z.literal('exported'),
    result: exportProgressSchema.extend({ file: z.string(), format: exportFormatSchema, table: z.string() }),
  }),
]);
