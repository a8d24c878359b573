import type { StatementEffect } from '@tabularium/sdk';
import type { SavedConnection } from '../../common/connection.ts';
import { HostError } from '../../common/errors.ts';
import type { HostSentence } from '../../common/hostSentences.ts';
import { hostSentence } from '../../common/hostSentences.ts';

type Moded = Pick<SavedConnection, 'name' | 'access'>;

/** Why nothing is changed through a connection; undefined where it isn't in read-only mode. */
export function readOnlyReason({ name, access }: Moded): HostSentence | undefined {
  return access.readOnly === true ? hostSentence('connectionReadOnly', { connection: name }) : undefined;
}

/**
 * Read-only mode holds for everybody: the window, the command line and external clients.
 *
 * @throws HostError `CONNECTION_READ_ONLY` for anything but reading while the connection is in that mode
 */
export function requireWritable(connection: Moded, effect: StatementEffect = 'write'): void {
  const reason = effect === 'read' ? undefined : readOnlyReason(connection);
  if (reason !== undefined) throw new HostError('CONNECTION_READ_ONLY', reason);
}
