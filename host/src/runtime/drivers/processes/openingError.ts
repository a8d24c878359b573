import { DriverError, isDriverError } from '@tabularium/sdk';
import type { RepeatedSecret } from '../broker/repeatedSecret.ts';

/**
 * An error of opening a session, when a driver may quote a credential that it was given. One that holds such a credential keeps its code alone.
 *
 * Errors of later calls aren't compared with credentials. A statement, a value or a name of a client can be in their texts, and an answer that
 * differs because of one would confirm a guess.
 *
 * @param secrets - given to this session, and not those of others in the same process
 */
export function openingError(
  error: unknown,
  { driverId, secrets }: { readonly driverId: string; readonly secrets: readonly RepeatedSecret[] },
): unknown {
  if (!isDriverError(error)) return error;
  const text = `${error.message} ${JSON.stringify(error.details)}`;
  if (!secrets.some((secret) => secret.isIn(text))) return error;
  return new DriverError(error.code, `The driver "${driverId}" gave an error with a credential in it, so its text was left out.`);
}
