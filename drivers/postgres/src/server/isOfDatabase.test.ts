import { DriverError } from '@tabularium/sdk';
import { expect, it } from 'vitest';
import { isOfDatabase } from './isOfDatabase.ts';

const of = (
  code: 'TIMEOUT' | 'CONNECTION_LOST' | 'SERVER_ERROR' | 'SERVER_NOT_READY',
  status?: string,
  serverMessage = '',
): boolean =>
  isOfDatabase(new DriverError(code, '', { details: status === undefined ? {} : { status, serverMessage } }), 'sales');

it.each([
  ['a statement_timeout', of('TIMEOUT', '57014')],
  ['a database that is dropped while it is used', of('SERVER_ERROR', '57P04')],
  ['a sign-in that takes too long', of('TIMEOUT')],
  ['a limit of the database', of('SERVER_NOT_READY', '53300', 'too many connections for database "sales"')],
])('%s is of one database', (_what, isAlone) => expect(isAlone).toBe(true));

it.each([
  ['a shutdown', of('CONNECTION_LOST', '57P01')],
  ['a crash', of('CONNECTION_LOST', '57P02')],
  ['a start', of('SERVER_NOT_READY', '57P03')],
  ['a server without a free connection', of('SERVER_NOT_READY', '53300', 'sorry, too many clients already')],
  ['a lost connection', of('CONNECTION_LOST')],
])('%s is of the server', (_what, isAlone) => expect(isAlone).toBe(false));
