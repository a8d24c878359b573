import type { AddressInfo } from 'node:net';
import { createTestHttp } from '@tabularium/sdk/testing';
import type { OpenedTarget } from '@tabularium/sdk/testing';
import { SAMPLE_KEY, startSampleServer } from '../sample-server.mjs';

let last = '';

/** The server that was opened last, for what the kit needs done there behind the driver's back. */
export async function request(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`${last}${path}`, { ...init, headers: { Authorization: `Bearer ${SAMPLE_KEY}` } });
}

/** A server of its own, with the sample's rows. @param key - the one to sign in with */
export async function openServer(key: string = SAMPLE_KEY): Promise<OpenedTarget> {
  const server = await startSampleServer(0);
  last = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const http = createTestHttp(last, { credentials: { Authorization: `Bearer ${key}` } });
  return {
    settings: {},
    context: { http },
    close: () => {
      http.close();
      server.closeAllConnections();
      server.close();
    },
  };
}
