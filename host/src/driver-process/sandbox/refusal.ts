import { defineProperty, OwnError } from './intrinsics.ts';

/** A refusal that a driver's author reads. */
export function refusal(message: string, code = 'ERR_ACCESS_DENIED'): Error {
  return defineProperty(new OwnError(message), 'code', { value: code, enumerable: true });
}
