import { token } from '../container/inject.ts';

/** Told when tables of a connection may have been changed by the window. */
export const ON_TABLES_CHANGED = token<(connectionId: string) => void>('ON_TABLES_CHANGED');
