import { HostError } from './errors.ts';

/** A port that a person named can't be used. @param what - the beginning of the sentence, such as "The window" */
export function portRefusal(what: string, port: number, cause: unknown): HostError {
  const sentence = `${what} cannot be served on port ${port}`;
  switch (cause instanceof Error && 'code' in cause ? cause.code : undefined) {
    case 'EACCES':
      return refusal(
        `${sentence}: this user has no permission for it.`,
        'Choose one above 1023, or 0 for any that is free.',
        cause,
      );
    case 'EADDRINUSE':
      return refusal(`${sentence}: another program uses it.`, 'Choose another port, or 0 for any that is free.', cause);
    default:
      return refusal(`${sentence}.`, 'Choose another port, or 0 for any that is free.', cause);
  }
}

function refusal(message: string, advice: string, cause: unknown): HostError {
  return new HostError('INVALID_REQUEST', message, { cause, details: { advice } });
}
