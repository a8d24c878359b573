import { token } from '../container/inject.ts';

/** Called when the window may have changed tables of a connection. */
export const ON_TABLES_CHANGED = token<(connectionId: string) => void>('ON_TABLES_CHANGED');
