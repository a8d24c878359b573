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

/** The special-purpose registries of IANA, by their names there: the first and the last address of each block. */
const SPECIAL_PURPOSE: readonly (readonly [string, string, string])[] = [
  ['This network', '0.0.0.0', '0.255.255.255'],
  ['Private-Use', '10.0.0.0', '10.255.255.255'],
  ['Shared Address Space', '100.64.0.0', '100.127.255.255'],
  ['Loopback', '127.0.0.0', '127.255.255.255'],
  ['Link Local', '169.254.0.0', '169.254.255.255'],
  ['Private-Use', '172.16.0.0', '172.31.255.255'],
  ['IETF Protocol Assignments', '192.0.0.0', '192.0.0.255'],
  ['IPv4 Service Continuity Prefix', '192.0.0.0', '192.0.0.7'],
  ['IPv4 dummy address', '192.0.0.8', '192.0.0.8'],
  ['Port Control Protocol Anycast', '192.0.0.9', '192.0.0.9'],
  ['Traversal Using Relays around NAT Anycast', '192.0.0.10', '192.0.0.10'],
  ['NAT64/DNS64 Discovery', '192.0.0.170', '192.0.0.171'],
  ['Documentation (TEST-NET-1)', '192.0.2.0', '192.0.2.255'],
  ['AS112-v4', '192.31.196.0', '192.31.196.255'],
  ['AMT', '192.52.193.0', '192.52.193.255'],
  ['Deprecated (6to4 Relay Anycast)', '192.88.99.0', '192.88.99.255'],
  ['Private-Use', '192.168.0.0', '192.168.255.255'],
  ['Direct Delegation AS112 Service', '192.175.48.0', '192.175.48.255'],
  ['Benchmarking', '198.18.0.0', '198.19.255.255'],
  ['Documentation (TEST-NET-2)', '198.51.100.0', '198.51.100.255'],
  ['Documentation (TEST-NET-3)', '203.0.113.0', '203.0.113.255'],
  ['Multicast', '224.0.0.0', '239.255.255.255'],
  ['Reserved', '240.0.0.0', '255.255.255.254'],
  ['Limited Broadcast', '255.255.255.255', '255.255.255.255'],
  ['Loopback Address', '::1', '::1'],
  ['Unspecified Address', '::', '::'],
  ['IPv4-compatible Address', '::1.0.0.0', '::ffff:ffff'],
  ['IPv4-IPv6 Translation', '64:ff9b::', '64:ff9b::ffff:ffff'],
  ['IPv4-IPv6 Translation', '64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  ['Discard-Only Address Block', '100::', '100::ffff:ffff:ffff:ffff'],
  ['Dummy IPv6 Prefix', '100:0:0:1::', '100:0:0:1:ffff:ffff:ffff:ffff'],
  ['IETF Protocol Assignments', '2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['TEREDO', '2001::', '2001:0:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['Port Control Protocol Anycast', '2001:1::1', '2001:1::1'],
  ['Traversal Using Relays around NAT Anycast', '2001:1::2', '2001:1::2'],
  ['DNS-SD Service Registration Protocol Anycast', '2001:1::3', '2001:1::3'],
  ['Benchmarking', '2001:2::', '2001:2:0:ffff:ffff:ffff:ffff:ffff'],
  ['AMT', '2001:3::', '2001:3:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['AS112-v6', '2001:4:112::', '2001:4:112:ffff:ffff:ffff:ffff:ffff'],
  ['Deprecated (previously ORCHID)', '2001:10::', '2001:1f:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['ORCHIDv2', '2001:20::', '2001:2f:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['Drone Remote ID', '2001:30::', '2001:3f:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['Documentation', '2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['6to4', '2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['Direct Delegation AS112 Service', '2620:4f:8000::', '2620:4f:8000:ffff:ffff:ffff:ffff:ffff'],
  ['Documentation', '3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['Segment Routing (SRv6) SIDs', '5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['Unique-Local', 'fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['Link-Local Unicast', 'fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['Site-Local (deprecated)', 'fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['Multicast', 'ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
];

describe('the lookup of a fixed address', () => {
  it.each([
    '93.184.215.14',
    '8.8.8.8',
    '100.63.255.255',
    '172.32.0.1',
    '198.20.0.1',
    '2606:4700::1111',
    '2a00:1450::1',
    '::ffff:93.184.215.14',
  ])('takes %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each(SPECIAL_PURPOSE)('refuses all of the special-purpose block %s: %s to %s', (_name, first, last) => {
    expect([first, last].map(isPublicAddress)).toEqual([false, false]);
    // As IPv6 spells it, and through routers that translate.
    if (first.includes(':')) return;
    const [a = 0, b = 0, c = 0, d = 0] = last.split('.').map(Number);
    const hex = [(a << 8) | b, (c << 8) | d].map((part) => part.toString(16)).join(':');
    for (const spelled of [`::ffff:${last}`, `::ffff:${hex}`, `::${hex}`, `64:ff9b::${hex}`, `2002:${hex}::1`])
      expect([spelled, isPublicAddress(spelled)]).toEqual([spelled, false]);
  });

  it.each([
    ...[
      '127.0.0.1',
      '168.63.129.16',
      '169.254.169.254',
      '100.100.100.200',
      '2002:7f00:1::1',
      '2002:a9fe:a9fe::',
      '2001:0:7f00:1::',
    ],
    ...['::', '::1', '::ffff:127.0.0.1', '::ffff:10.0.0.1', '::127.0.0.1', 'fc00::1', 'fd00:ec2::254', 'fe80::1', 'fe80::1%eth0'],
    ...['2606:4700::1111%eth0', '64:ff9b::7f00:1', '64:ff9b:1::a00:1', '4000::1'],
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
