import Client from 'pg/lib/client.js';
import type { Client as ClientType } from 'pg';

/** The client of the library `pg`. */
export const PgClient: typeof ClientType = Client;
/** The client of the library `pg`. */
export type PgClient = ClientType;
