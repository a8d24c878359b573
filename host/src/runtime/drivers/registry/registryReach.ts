import { lookup as systemLookup } from 'node:dns';
import type { LookupAddress } from 'node:dns';
import type { LookupFunction, Socket } from 'node:net';
import { buildConnector } from 'undici';
import { HostError } from '../../../common/errors.ts';
import { placeName, placeOf, statedPlace } from './addressPlace.ts';
import type { AddressPlace } from './addressPlace.ts';
import type { RegistrySource } from '../trust/registrySource.ts';
import { typedWord } from '../../../common/typedWord.ts';

/** Where the host of a registry was when it was first reached. Kept for good, so that a name cannot move into a private network. */
export interface KnownPlaces {
  get(registryUrl: string): 'public' | 'private' | undefined;
  set(registryUrl: string, place: 'public' | 'private'): void;
}

/** Places that are forgotten with the process. */
export function placesInMemory(): KnownPlaces {
  const places = new Map<string, 'public' | 'private'>();
  return { get: (url) => places.get(url), set: (url, place) => void places.set(url, place) };
}

function refused(message: string, advice: string): HostError {
  return new HostError('ADDRESS_NOT_ALLOWED', message, { details: { advice } });
}

/** @throws HostError `ADDRESS_NOT_ALLOWED` for an origin that is neither the registry's own nor one that a person added to it */
export function assertAllowedOrigin(registry: RegistrySource, url: URL): void {
  const own = new URL(registry.url).origin;
  if (url.origin === own || registry.downloadOrigins?.includes(url.origin) === true) return;
  throw refused(
    `The registry "${registry.name}" (${registry.url}) leads to ${url.origin}, which is another server.`,
    `If the registry keeps its archives there, add that origin to it: "tabularium drivers registries add ${typedWord(registry.url)} --download-origin ${typedWord(url.origin)}". Nothing was requested from there.`,
  );
}

/** @throws HostError `ADDRESS_NOT_ALLOWED` when a registry elsewhere leads to an IP address of this computer or network */
export function assertStatedPlace(registry: RegistrySource, url: URL, known: KnownPlaces): void {
  const place = statedPlace(url.hostname);
  if (place !== undefined && !isAllowed(place, registry, known)) throw misplaced(registry, url.hostname, url.hostname, place);
}

function ownPlace(registry: RegistrySource, known: KnownPlaces): AddressPlace | undefined {
  return statedPlace(new URL(registry.url).hostname) ?? known.get(registry.url);
}

function isAllowed(place: AddressPlace, registry: RegistrySource, known: KnownPlaces): boolean {
  return place === 'public' || (place !== 'unusable' && place === ownPlace(registry, known));
}

function misplaced(registry: RegistrySource, hostname: string, address: string, place: AddressPlace): HostError {
  const host = hostname === address ? address : `${hostname} (${address})`;
  const isOwn = new URL(registry.url).hostname === hostname;
  const advice =
    !isOwn || place !== 'private'
      ? 'A registry may lead to this computer or to a private network only if its own address is there. Nothing was requested.'
      : 'It was elsewhere when it was first used. If the move is intended, save the registry again in the settings under Drivers.';
  return refused(`The registry "${registry.name}" leads to ${host}, an address of ${placeName(place)}.`, advice);
}

/**
 * The addresses of a host that a registry may be reached at. The first answer for the registry's own name decides whether it belongs to a
 * private network; this computer and the local link have to be named by address.
 *
 * @throws HostError `ADDRESS_NOT_ALLOWED` when none is allowed
 */
function allowedAddresses(
  registry: RegistrySource,
  hostname: string,
  addresses: readonly LookupAddress[],
  known: KnownPlaces,
): readonly LookupAddress[] {
  const isOwn = new URL(registry.url).hostname === hostname;
  const places = addresses.map(({ address }) => placeOf(address));
  if (isOwn && ownPlace(registry, known) === undefined) {
    // An answer that mixes both would open a private network to a server on the internet.
    if (places.includes('public')) known.set(registry.url, 'public');
    else if (places.includes('private')) known.set(registry.url, 'private');
  }
  const allowed = addresses.filter(({ address }) => isAllowed(placeOf(address), registry, known));
  if (allowed.length > 0) return allowed;
  throw misplaced(registry, hostname, addresses[0]?.address ?? hostname, places[0] ?? 'unusable');
}

export interface ReachOptions {
  readonly registry: RegistrySource;
  readonly known: KnownPlaces;
  /** Default: the operating system's. */
  readonly lookup?: LookupFunction | undefined;
}

/** Looks a name up and hands out only what the registry may be reached at: what is checked here is what is connected to. */
function guardedLookup({ registry, known, lookup = systemLookup }: ReachOptions): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) {
        callback(error, []);
        return;
      }
      try {
        const addresses = typeof found === 'string' ? [{ address: found, family: found.includes(':') ? 6 : 4 }] : found;
        const allowed = allowedAddresses(registry, hostname, addresses, known);
        const [first] = allowed;
        if (options.all === true) callback(null, [...allowed]);
        else callback(null, first?.address ?? '', first?.family);
      } catch (cause) {
        callback(cause as NodeJS.ErrnoException, []);
      }
    });
  };
}

/**
 * Connects as undici does, with {@link guardedLookup}, and looks once more at the address that the socket has reached: an IP address in a URL
 * is never looked up.
 */
export function guardedConnector(reach: ReachOptions, options: buildConnector.BuildOptions): buildConnector.connector {
  const connect = buildConnector({ ...options, lookup: guardedLookup(reach) });
  return (target, callback) => {
    connect(target, (...[error, socket]: Parameters<buildConnector.Callback>) => {
      if (error !== null) {
        callback(error, null);
        return;
      }
      const fault = reached(reach, target.hostname, socket);
      if (fault === undefined) callback(null, socket);
      else {
        socket.destroy();
        callback(fault, null);
      }
    });
  };
}

function reached({ registry, known }: ReachOptions, hostname: string, socket: Socket): HostError | undefined {
  const address = socket.remoteAddress ?? '';
  const place = placeOf(address);
  return isAllowed(place, registry, known) ? undefined : misplaced(registry, hostname, address, place);
}
