import { BlockList, isIP } from 'node:net';

/** Where an IP address is, seen from this computer. `unusable` isn't an address of a server: multicast, broadcast, reserved ranges. */
export type AddressPlace = 'public' | 'private' | 'linkLocal' | 'thisComputer' | 'unusable';

function blockList(ipv4: readonly (readonly [string, number])[], ipv6: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [net, prefix] of ipv4) list.addSubnet(net, prefix, 'ipv4');
  for (const [net, prefix] of ipv6) list.addSubnet(net, prefix, 'ipv6');
  return list;
}

// Ranges of the IANA special-purpose address registries.
const RANGES: readonly (readonly [AddressPlace, BlockList])[] = [
  [
    'thisComputer',
    blockList(
      [
        ['127.0.0.0', 8],
        ['0.0.0.0', 8],
      ],
      [
        ['::1', 128],
        ['::', 128],
      ],
    ),
  ],
  // Cloud metadata services answer at 169.254.169.254.
  ['linkLocal', blockList([['169.254.0.0', 16]], [['fe80::', 10]])],
  [
    'private',
    blockList(
      [
        ['10.0.0.0', 8],
        ['172.16.0.0', 12],
        ['192.168.0.0', 16],
        ['100.64.0.0', 10],
        ['198.18.0.0', 15],
      ],
      [
        ['fc00::', 7],
        ['fec0::', 10],
      ],
    ),
  ],
  [
    'unusable',
    blockList(
      [
        ['192.0.0.0', 24],
        ['224.0.0.0', 4],
        ['240.0.0.0', 4],
      ],
      [
        ['ff00::', 8],
        ['100::', 64],
        ['5f00::', 16],
        // IETF protocol assignments. Teredo among them hides the address that it leads to.
        ['2001::', 23],
      ],
    ),
  ],
];

/** The sixteen bytes of an IPv6 address. */
function bytesOf(address: string): number[] {
  const [withoutZone = ''] = address.split('%', 1);
  // An IPv4 tail, as in ::ffff:127.0.0.1, becomes two groups.
  const text = withoutZone.replace(/(?<!\d)(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/, (_tail, a, b, c, d) => {
    const group = (high: unknown, low: unknown): string => (Number(high) * 256 + Number(low)).toString(16);
    return `${group(a, b)}:${group(c, d)}`;
  });
  const [head = '', tail] = text.split('::');
  const groups = (part: string): number[] => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)));
  const leading = groups(head);
  const trailing = tail === undefined ? [] : groups(tail);
  const filled = [...leading, ...Array.from({ length: 8 - leading.length - trailing.length }, () => 0), ...trailing];
  return filled.flatMap((group) => [group >> 8, group & 255]);
}

/** The part of IPv6 that the internet uses. Every other range needs an entry of its own in {@link RANGES}. */
const GLOBAL_UNICAST = blockList([], [['2000::', 3]]);

/** The IPv4 address inside an IPv6 address: mapped, compatible, NAT64 (64:ff9b::/96), 6to4 (2002::/16) or ISATAP (::5efe:a.b.c.d). */
function embeddedIpv4(address: string): string | undefined {
  const bytes = bytesOf(address);
  const starts = (...prefix: number[]): boolean => prefix.every((byte, place) => bytes[place] === byte);
  const zeros = (from: number, to: number): boolean => bytes.slice(from, to).every((byte) => byte === 0);
  const at = (from: number): string => bytes.slice(from, from + 4).join('.');
  if (zeros(0, 10) && bytes[10] === 255 && bytes[11] === 255) return at(12);
  // ::1 and :: have a meaning of their own.
  if (zeros(0, 12) && !(zeros(12, 15) && (bytes[15] ?? 0) <= 1)) return at(12);
  if (starts(0x00, 0x64, 0xff, 0x9b) && zeros(4, 12)) return at(12);
  if (starts(0x20, 0x02)) return at(2);
  const isIsatap = (bytes[8] === 0 || bytes[8] === 2) && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe;
  if (isIsatap) return at(12);
  return undefined;
}

/** @param address - an IP address, IPv6 with or without brackets and zone; everything else is `unusable` */
export function placeOf(address: string): AddressPlace {
  const bare = address.replace(/^\[(.*)\]$/, '$1');
  const [withoutZone = ''] = bare.split('%', 1);
  const family = isIP(withoutZone);
  if (family === 0) return 'unusable';
  const embedded = family === 6 ? embeddedIpv4(withoutZone) : undefined;
  if (embedded !== undefined) return placeOf(embedded);
  const listed = RANGES.find(([, list]) => list.check(withoutZone, family === 6 ? 'ipv6' : 'ipv4'))?.[0];
  if (listed !== undefined) return listed;
  return family === 4 || GLOBAL_UNICAST.check(withoutZone, 'ipv6') ? 'public' : 'unusable';
}

/** The place that a URL's host states without a lookup: an IP address, or `localhost`. Undefined for a name that has to be looked up. */
export function statedPlace(hostname: string): AddressPlace | undefined {
  const host = hostname
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase();
  if (isIP(host) !== 0) return placeOf(host);
  return host === 'localhost' || host.endsWith('.localhost') ? 'thisComputer' : undefined;
}

const NAMES: Readonly<Record<AddressPlace, string>> = {
  public: 'the internet',
  private: 'a private network',
  linkLocal: 'the local link',
  thisComputer: 'this computer',
  unusable: 'no server',
};

/** The place in words, after "an address of". */
export function placeName(place: AddressPlace): string {
  return NAMES[place];
}
