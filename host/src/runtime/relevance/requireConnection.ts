import { HostError } from '../../common/errors.ts';
import type { Database } from '../storage/database.ts';

/** @throws HostError `CONNECTION_UNKNOWN` */
export function requireConnection({ connection }: Pick<Database, 'connection'>, connectionId: string): void {
  if (connection.prepare('SELECT 1 FROM connections WHERE id = ?').get(connectionId) === undefined) {
    throw new HostError('CONNECTION_UNKNOWN');
  }
}
