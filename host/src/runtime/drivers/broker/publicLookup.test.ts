import type { LookupAddress } from 'node:dns';
import { describe, expect, it } from 'vitest';
import { HttpBroker } from './httpBroker.ts';
import { HttpGrant } from './httpGrant.ts';
import { RawServer, OK, testRequest } from './broker.test-helper.ts';
import { isPublicAddress, publicLookup } from './publicLookup.ts';

const found = (...addresses: string[]): LookupAddress[] =>
  addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

function lookedUp(addresses: readonly LookupAddress[], options: { all?: boolean; family?: number } = {}): Promise<unknown> {
  return new Promise((resolve, reject) => {
    publicLookup((_name, callback) => callback(null, addresses))('api.example.com', options, (error, address) => {
      if (error === null) resolve(address);
      else reject(error);
    });
  });
}

describe('the lookup of a fixed address', () => {
  it.each(['93.184.215.14', '8.8.8.8', '2606:4700::1111', '198.18.0.5', '::ffff:93.184.215.14'])('takes %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '127.9.9.9', '169.254.169.254', '172.16.0.1', '172.31.255.255'],
    ...['192.0.0.8', '192.168.1.1', '224.0.0.1', '255.255.255.255'],
    ...['::', '::1', '::ffff:127.0.0.1', '::ffff:10.0.0.1', '::127.0.0.1', 'fc00::1', 'fd12:3456::1', 'fe80::1', 'fe80::1%eth0'],
    ...['fec0::1', 'ff02::1', '64:ff9b::7f00:1', '64:ff9b:1::a00:1'],
  ])('refuses %s', async (address) => {
    await expect(lookedUp(found(address), { all: true })).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
      message: expect.stringContaining(`api.example.com leads to ${address}`) as string,
    });
  });

  it('refuses a name of which one address is public and another is not', async () => {
    await expect(lookedUp(found('93.184.215.14', '127.0.0.1'), { all: true })).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
    });
    await expect(lookedUp(found('93.184.215.14', '::1'), { family: 4 })).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
  });

  it('gives the addresses that it has checked', async () => {
    const both = found('93.184.215.14', '2606:4700::1111');
    expect(await lookedUp(both, { all: true })).toEqual(both);
    expect(await lookedUp(both)).toBe('93.184.215.14');
    expect(await lookedUp(both, { family: 6 })).toBe('2606:4700::1111');
    await expect(lookedUp(found('93.184.215.14'), { family: 6 })).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  it('is asked for each connection: a name that leads elsewhere by then gets no byte', async () => {
    const server = new RawServer((socket) => socket.write(OK));
    const port = await server.listen();
    const grant = (isFixed: boolean): HttpGrant =>
      new HttpGrant({
        origin: { scheme: 'http', host: 'localhost', port, pathPrefix: '' },
        isFixed,
        timeoutMilliseconds: 5_000,
        credentialHeaders: [],
        credentials: [],
      });
    const [fixed, entered] = [new HttpBroker(grant(true)), new HttpBroker(grant(false))];
    try {
      await expect(fixed.request(testRequest())).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
      expect(server.received).toEqual([]);
      expect((await entered.request(testRequest())).status).toBe(200);
    } finally {
      await Promise.all([fixed.close(), entered.close()]);
      await server.close();
    }
  });
});
