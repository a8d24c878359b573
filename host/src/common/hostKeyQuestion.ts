import { z } from 'zod';
import { confirmationCodeSchema } from './secretQuestion.ts';
import type { Shape } from './shape.ts';

/** The question before Tabularium signs in at an SSH server for the first time. */
export const hostKeyQuestionSchema = z.strictObject({
  host: z.string(),
  port: z.number(),
  /** Such as `ED25519`. */
  keyType: z.string(),
  /** `SHA256:…`, as OpenSSH shows it. */
  fingerprint: z.string(),
  /** Names exactly this server with this key: an answer that carries it never covers another one. */
  code: confirmationCodeSchema,
});
export type HostKeyQuestion = Shape<typeof hostKeyQuestionSchema>;

/** An answer to a {@link HostKeyQuestion}: a person has compared the fingerprint. */
export const acceptHostKeySchema = z.object({ code: confirmationCodeSchema });

/** The SSH server of a connection whose accepted key was forgotten. */
export const forgottenHostKeySchema = z.object({
  /** Host and port. */
  server: z.string(),
  /** False where Tabularium had accepted none: then it is in known_hosts. */
  forgotten: z.boolean(),
});
