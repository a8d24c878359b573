import { z } from 'zod';
import { downgradeQuestionSchema, grantQuestionSchema, trustQuestionSchema } from './drivers.ts';
import { hostKeyQuestionSchema } from './hostKeyQuestion.ts';
import { secretQuestionSchema } from './secretQuestion.ts';
import type { Shape } from './shape.ts';

/** Questions that a person can answer so that a rejected request succeeds. */
export const errorQuestionsSchema = z.object({
  /** The question to answer before this can be done; with `PACKAGE_KEY_UNKNOWN`. */
  question: trustQuestionSchema.optional(),
  /** The permission to grant first; with `GRANT_NEEDED`. */
  grantQuestion: grantQuestionSchema.optional(),
  /** The change to confirm first; with `DRIVER_DOWNGRADE`. */
  downgradeQuestion: downgradeQuestionSchema.optional(),
  /** The change to confirm first; with `SECRET_NOT_CONFIRMED`. */
  secretQuestion: secretQuestionSchema.optional(),
  /** The key of an SSH server to accept first; with `SSH_KEY_UNKNOWN`. */
  hostKeyQuestion: hostKeyQuestionSchema.optional(),
});
export type ErrorQuestions = Shape<typeof errorQuestionsSchema>;
