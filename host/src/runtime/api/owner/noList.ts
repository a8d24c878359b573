import type { TableSummary } from '@tabularium/sdk';
import { isDriverError } from '@tabularium/sdk';

/** Credentials that may use tables and not list them: no list, and no error. @throws every other error */
export function noList(error: unknown): readonly TableSummary[] {
  if (isDriverError(error) && error.code === 'ACCESS_REFUSED') return [];
  throw error;
}
