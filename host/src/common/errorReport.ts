import { DRIVER_ERRORS } from '@tabularium/sdk';
import type { DriverErrorCode } from '@tabularium/sdk';
import { errorDetailsSchema } from '@tabularium/sdk/protocol';
import { z } from 'zod';
import { errorQuestionsSchema } from './errorQuestions.ts';
import { HOST_ERRORS } from './errors.ts';
import type { HostErrorCode } from './errors.ts';
import { hostSentenceSchema } from './hostSentences.ts';
import type { Shape } from './shape.ts';

/** A code of either table. */
export type ReportCode = HostErrorCode | DriverErrorCode;

/** An error as the window, the command line and clients get it. */
export const errorReportSchema = errorQuestionsSchema.extend({
  code: z.enum([...Object.keys(HOST_ERRORS), ...Object.keys(DRIVER_ERRORS)] as ReportCode[]),
  message: z.string(),
  /** The message as a window of another language finds it. */
  sentence: hostSentenceSchema.optional(),
  advice: z.string(),
  retryable: z.boolean(),
  details: errorDetailsSchema,
  /** Where the fault is in the statement or the text of statements, both from 1. Only beside `details.offset`. */
  place: z.object({ line: z.number().int().min(1), column: z.number().int().min(1) }).optional(),
});
export type ErrorReport = Shape<typeof errorReportSchema>;
