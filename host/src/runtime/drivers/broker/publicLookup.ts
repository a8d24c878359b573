import { lookup } from 'node:dns';
import type { LookupAddress } from 'node:dns';
import { BlockList, isIPv6 } from 'node:net';
import type { LookupFunction } from 'node:net';
import { DriverError } from '@tabularium/sdk';

/** Looks a name up: every address of it. */
export type ResolveAll = (name: string, callback: (error: Error | null, addresses: readonly LookupAddress[]) => void) => void;

/** Networks that mean another place for each computer: this one, its neighbours, private ones, and those of many hosts at once. */
const NOT_PUBLIC: readonly (readonly [network: string, prefix: number, family: 'ipv4' | 'ipv6'])[] = [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['224.0.0.0', 3, 'ipv4'],
  ['::', 96, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 9, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
];

const notPublic = new BlockList();
for (const [network, prefix, family] of NOT_PUBLIC) notPublic.addSubnet(network, prefix, family);

/** Prefixes of IPv6 addresses whose last 32 bits are an IPv4 address: a router takes a packet to that one (RFC 6052). */
const TRANSLATED = /^64:ff9b:(?:1:|:)/i;

/** Whether an address is the same place for every computer. */
export function isPublicAddress(address: string): boolean {
  if (!isIPv6(address)) return !notPublic.check(address);
  return !address.includes('%') && !TRANSLATED.test(address) && !notPublic.check(address, 'ipv6');
}

const everyAddress: ResolveAll = (name, callback) => lookup(name, { all: true }, callback);

/**
 * Node's name lookup for a fixed address of a manifest: a person has agreed to a public service of that name. A name that leads to this computer or into a
 * private network, today or later, is connected to in no case: the addresses that are checked are the very ones that are used.
 */
export function publicLookup(resolveAll: ResolveAll = everyAddress): LookupFunction {
  return (name, options, callback) => {
    resolveAll(name, (error, addresses) => {
      const fault = error ?? faultOf(name, addresses);
      const fitting = addresses?.filter(({ family }) => fits(family, options.family)) ?? [];
      const [first] = fitting;
      if (fault !== null) callback(fault, [], 0);
      else if (options.all === true) callback(null, fitting);
      else if (first === undefined) callback(notFound(name), [], 0);
      else callback(null, first.address, first.family);
    });
  };
}

/** The addresses of a name, under the same rule. @throws DriverError `PERMISSION_DENIED` */
export function publicAddressesOf(name: string): Promise<readonly LookupAddress[]> {
  return new Promise((resolve, reject) => {
    everyAddress(name, (error, addresses) => {
      const fault = error ?? faultOf(name, addresses);
      if (fault === null) resolve(addresses);
      else reject(fault);
    });
  });
}

/** One that isn't public is enough: which of them is connected to is up to the system. */
function faultOf(name: string, addresses: readonly LookupAddress[]): Error | null {
  const found = addresses.find(({ address }) => !isPublicAddress(address));
  if (found === undefined) return null;
  return new DriverError(
    'PERMISSION_DENIED',
    `${name} leads to ${found.address}, which is an address of this computer or of a private network. The driver may reach a public service of that name only, so nothing was sent.`,
    { details: { advice: 'Check the DNS settings of this computer. If they are right, ask the author of the driver.' } },
  );
}

function fits(family: number, wanted: number | string | undefined): boolean {
  return wanted === undefined || wanted === 0 || wanted === family || wanted === `IPv${family}`;
}

function notFound(name: string): Error {
  return Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' });
}
