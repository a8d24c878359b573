import { lookup } from 'node:dns';
import type { LookupAddress } from 'node:dns';
import { BlockList, isIPv6 } from 'node:net';
import type { LookupFunction } from 'node:net';
import { DriverError } from '@tabularium/sdk';

/** Looks a name up: every address of it. */
export type ResolveAll = (name: string, callback: (error: Error | null, addresses: readonly LookupAddress[]) => void) => void;

type Network = readonly [network: string, prefix: number, family: 'ipv4' | 'ipv6'];

/**
 * Networks that aren't a public service's: this computer, its neighbours, private ones, those of many hosts at once, and those through which a router
 * takes a packet to an IPv4 address (6to4, Teredo, NAT64). All of the special-purpose registries of IANA (RFC 6890), which a test goes through, and what
 * clouds have made of public addresses.
 */
const NOT_PUBLIC: readonly Network[] = [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  // The host of a virtual machine in Azure.
  ['168.63.129.16', 32, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['192.0.2.0', 24, 'ipv4'],
  ['192.31.196.0', 24, 'ipv4'],
  ['192.52.193.0', 24, 'ipv4'],
  ['192.88.99.0', 24, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['192.175.48.0', 24, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['198.51.100.0', 24, 'ipv4'],
  ['203.0.113.0', 24, 'ipv4'],
  ['224.0.0.0', 3, 'ipv4'],
  ['2001::', 23, 'ipv6'],
  ['2001:db8::', 32, 'ipv6'],
  ['2002::', 16, 'ipv6'],
  ['2620:4f:8000::', 48, 'ipv6'],
  ['3ffe::', 16, 'ipv6'],
  ['3fff::', 20, 'ipv6'],
];

/** All that IANA gives out to networks of the public internet, and IPv4 addresses in the spelling of IPv6. Any other IPv6 address is something else. */
const PUBLIC_IPV6: readonly Network[] = [
  ['2000::', 3, 'ipv6'],
  ['::ffff:0:0', 96, 'ipv6'],
];

const notPublic = listOf(NOT_PUBLIC);
const publicIpv6 = listOf(PUBLIC_IPV6);

function listOf(networks: readonly Network[]): BlockList {
  const list = new BlockList();
  for (const [network, prefix, family] of networks) list.addSubnet(network, prefix, family);
  return list;
}

/** Whether an address is the same place for every computer. */
export function isPublicAddress(address: string): boolean {
  if (!isIPv6(address)) return !notPublic.check(address);
  return !address.includes('%') && publicIpv6.check(address, 'ipv6') && !notPublic.check(address, 'ipv6');
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
