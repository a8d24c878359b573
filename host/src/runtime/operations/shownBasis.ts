import { createHash } from 'node:crypto';
import type { OperationPlan } from '@tabularium/sdk';
import type { SavedConnection } from '../../common/connection.ts';
import { connectionTarget } from '../connections/connectionTarget.ts';

/**
 * The basis of a plan as windows and commands get it: where the connection leads, and a hash of the driver's own basis. A plan that was shown for one server
 * confirms nothing on another one.
 */
export function shownBasis(connection: SavedConnection, { basis }: Pick<OperationPlan, 'basis'>): string {
  return `${connectionTarget(connection)}.${createHash('sha256').update(basis).digest('hex')}`;
}

/** The connection's part of it; undefined for a text of another form. */
export function targetOfBasis(shown: string): string | undefined {
  return /^[0-9a-f]{64}(?=\.)/.exec(shown)?.[0];
}
