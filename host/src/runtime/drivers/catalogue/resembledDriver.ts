import type { CatalogueEntry, ResembledDriver } from '../../../common/drivers.ts';
import { looksLike } from '../../../common/lookAlike.ts';

/** The compared facts of a driver. */
export interface ComparedDriver {
  readonly packageName: string;
  readonly title: string;
  /** Of the publisher's key; undefined for a driver that isn't verified yet. */
  readonly fingerprint?: string | undefined;
}

/** How well known a driver is, 0 the best: what came with the host, then what is installed, then what a registry merely offers. */
function rankOf({ packageName, publisher }: CatalogueEntry, seeds: ReadonlySet<string>): number {
  if (seeds.has(packageName) || publisher?.origin === 'firstParty') return 0;
  return publisher === undefined ? 2 : 1;
}

function comparedOf({ packageName, manifest, publisher }: CatalogueEntry): ComparedDriver {
  return { packageName, title: manifest.title, fingerprint: publisher?.fingerprint };
}

/**
 * The driver that another one can be taken for: its title or its package's name looks the same, and it is another package. Drivers of one
 * verified publisher are never taken for each other's.
 *
 * @param known - the best known first
 * @returns undefined when there is none
 */
export function resembledDriver(driver: ComparedDriver, known: readonly ComparedDriver[]): ResembledDriver | undefined {
  const found = known.find(
    (other) =>
      other.packageName !== driver.packageName &&
      (other.fingerprint === undefined || other.fingerprint === '' || other.fingerprint !== driver.fingerprint) &&
      (looksLike(other.title, driver.title) || looksLike(other.packageName, driver.packageName)),
  );
  return found === undefined ? undefined : { title: found.title, packageName: found.packageName };
}

/** Drivers in the order in which they are known, the best known first. The order of equals is kept. */
export function bestKnownFirst(entries: readonly CatalogueEntry[], seeds: ReadonlySet<string>): readonly ComparedDriver[] {
  return entries.toSorted((a, b) => rankOf(a, seeds) - rankOf(b, seeds)).map(comparedOf);
}

/** Marks each driver that can be taken for a better known one. What came with the host is never marked. */
export function withResembled(entries: readonly CatalogueEntry[], seeds: ReadonlySet<string>): readonly CatalogueEntry[] {
  const known = bestKnownFirst(entries, seeds);
  return entries.map((entry) => {
    if (rankOf(entry, seeds) === 0) return entry;
    const place = known.findIndex(({ packageName }) => packageName === entry.packageName);
    const resembles = resembledDriver(comparedOf(entry), known.slice(0, place));
    return resembles === undefined ? entry : { ...entry, resembles };
  });
}
