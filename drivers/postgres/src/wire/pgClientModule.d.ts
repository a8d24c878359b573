/** The client alone: the whole package would bring a pool, which this driver has no use for. */
declare module 'pg/lib/client.js' {
  import { Client } from 'pg';

  export = Client;
}
