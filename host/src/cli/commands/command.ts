import { boundedSchema, resultEventSchema, rowCountSchema } from '@tabularium/sdk/protocol';
import { z } from 'zod';
import type { HostServices } from '../hostServices.ts';
import { invalidValues } from './invalidValues.ts';

const publisherSchema = z.object({
  id: z.string(),
  name: z.string(),
  fingerprint: z.string(),
  origin: z.enum(['firstParty', 'localRegistry', 'thirdParty', 'developerFolder']),
});
export { publisherSchema };

const installProgressSchema = z.discriminatedUnion('step', [
  z.object({ step: z.literal('resolving') }),
  z.object({
    step: z.literal('downloading'),
    version: z.string(),
    receivedBytes: z.number(),
    totalBytes: z.number().optional(),
  }),
  z.object({ step: z.literal('verifying'), version: z.string() }),
  z.object({ step: z.literal('tryingOut'), version: z.string() }),
  z.object({ step: z.literal('installed'), version: z.string(), milliseconds: z.number(), publisher: publisherSchema }),
]);

export const testStepSchema = z.object({
  id: z.string(),
  label: z.string(),
  outcome: z.enum(['running', 'ok', 'warning', 'failed', 'skipped']),
  message: z.string(),
  milliseconds: z.number().optional(),
});

/** Names in a command. Each is looked for among all there are, so the time grows with their number. */
export const namesSchema = z.array(z.string().max(2_000)).max(1_000);

/** How far an export is. */
export const exportProgressSchema = z.object({
  rows: z.number(),
  bytes: z.number(),
  bytesPerSecond: z.number(),
  milliseconds: z.number(),
  expected: rowCountSchema.optional(),
});

/** What a command tells while it runs. */
export const commandEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('install'), progress: installProgressSchema }),
  z.object({ type: z.literal('connecting') }),
  z.object({ type: z.literal('developing') }),
  z.object({
    type: z.literal('driverLog'),
    line: z.object({ level: z.enum(['debug', 'info', 'warn', 'error']), message: z.string() }),
  }),
  z.object({ type: z.literal('testStep'), step: testStepSchema }),
  z.object({ type: z.literal('result'), event: resultEventSchema }),
  z.object({ type: z.literal('export'), progress: exportProgressSchema }),
]);
export type CommandEvent = z.output<typeof commandEventSchema>;

export interface CommandContext {
  readonly signal: AbortSignal;
  /** Resolves when the event has been taken. */
  readonly emit: (event: CommandEvent) => Promise<void>;
}

/** A command as it runs inside the host, wherever the person who asked for it is. */
export interface Command<Input extends z.ZodType, Output extends z.ZodType> {
  readonly input: Input;
  readonly output: Output;
  /** Checks the arguments and does it. */
  execute(services: HostServices, input: unknown, context: CommandContext): Promise<z.output<Output>>;
}

export function defineCommand<Input extends z.ZodType, Output extends z.ZodType>(definition: {
  readonly input: Input;
  readonly output: Output;
  readonly run: (services: HostServices, input: z.output<Input>, context: CommandContext) => Promise<z.output<Output>>;
}): Command<Input, Output> {
  const { input, output, run } = definition;
  const execute = async (services: HostServices, value: unknown, context: CommandContext): Promise<z.output<Output>> => {
    try {
      return await run(services, boundedSchema(input).parse(value), context);
    } catch (error) {
      if (error instanceof z.ZodError) throw invalidValues(error);
      throw error;
    }
  };
  return { input, output, execute };
}
