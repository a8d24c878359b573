import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** How long what is deprecated stays, at least: docs/reference/contract-versions.md. */
const MONTHS = 12;

const NOTICE = /^since (\d+)\.(\d+) \((\d{4}-\d\d-\d\d)\), removed in (\d+)\.0, not before (\d{4}-\d\d-\d\d)\. Use \S[\s\S]*\.$/;
const SHAPE = '@deprecated since 1.2 (2026-01-31), removed in 2.0, not before 2027-01-31. Use `other` instead.';

/** A deprecated declaration of the source. */
export interface Deprecation {
  /** Its place, for a person. */
  readonly place: string;
  /** The name of what is deprecated. */
  readonly name: string;
  /** The text after the tag. */
  readonly notice: string;
}

/** Every `@deprecated` of a text, with the declaration after it. */
function deprecationsOf(place: string, source: string): Deprecation[] {
  const found: Deprecation[] = [];
  for (const match of source.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*?@deprecated(?:(?!\*\/)[\s\S])*)\*\/\s*([^\n]*)/g)) {
    const [, comment = '', declaration = ''] = match;
    const text = comment.replaceAll(/^\s*\* ?/gm, '');
    const notice = (text.split('@deprecated')[1] ?? '').split(/\n\s*@/)[0] ?? '';
    const name =
      /(?:(?:export|declare|default|abstract|readonly|static|async|const|function|class|interface|type)\s+)*'?([\w$]+)/.exec(
        declaration,
      );
    const line = source.slice(0, match.index).split('\n').length;
    found.push({ place: `${place}:${line}`, name: name?.[1] ?? '', notice: notice.replaceAll(/\s+/g, ' ').trim() });
  }
  return found;
}

/** The names that a report of the API marks as deprecated. */
function deprecatedIn(report: string): string[] {
  return [
    ...report.matchAll(
      /^\s*\/\/ .*@deprecated.*\n\s*(?:(?:export|declare|abstract|readonly|const|function|class|interface|type)\s+)*'?([\w$]+)/gm,
    ),
  ].map(([, name = '']) => name);
}

function monthsLater(date: string, months: number): string {
  const later = new Date(`${date}T00:00:00Z`);
  later.setUTCMonth(later.getUTCMonth() + months);
  return Number.isNaN(later.getTime()) ? '' : later.toISOString().slice(0, 10);
}

function faultOf({ place, name, notice }: Deprecation, contract: string): string | undefined {
  const [, major, minor, date = '', removed, until = ''] = NOTICE.exec(notice) ?? [];
  if (major === undefined) return `${place} ${name}: say it like this: ${SHAPE}`;
  const [nowMajor = 0, nowMinor = 0] = contract.split('.').map(Number);
  const since = [Number(major), Number(minor)] as const;
  if (since[0] > nowMajor || (since[0] === nowMajor && since[1] > nowMinor))
    return `${place} ${name}: contract ${major}.${minor} is not there yet.`;
  const earliest = monthsLater(date, MONTHS);
  if (earliest === '' || monthsLater(until, 0) === '') return `${place} ${name}: one of its dates is none.`;
  if (until < earliest) return `${place} ${name}: it stays for ${MONTHS} months, until ${earliest}.`;
  if (Number(removed) <= since[0]) return `${place} ${name}: only a next major version of the contract removes anything.`;
  if (Number(removed) <= nowMajor) return `${place} ${name}: it was to be removed in ${removed ?? ''}.0.`;
  return undefined;
}

/**
 * Faults of the deprecations of the SDK: each says since when, until when and what to use instead, and the reports of the API
 * show the same ones. Returns sentences; none if all is well.
 */
export function deprecationFaults(
  sources: ReadonlyMap<string, string>,
  reports: ReadonlyMap<string, string>,
  contract: string,
): string[] {
  const all = [...sources].flatMap(([place, source]) => deprecationsOf(place, source));
  const shown = new Set([...reports.values()].flatMap(deprecatedIn));
  const named = new Set(all.map(({ name }) => name));
  return [
    ...all.flatMap((deprecation) => faultOf(deprecation, contract) ?? []),
    ...all
      .filter(({ name }) => !shown.has(name))
      .map(({ place, name }) => `${place} ${name}: no report of the API shows that it is deprecated. Run "npm run api".`),
    ...[...shown]
      .filter((name) => !named.has(name))
      .map((name) => `${name}: a report of the API calls it deprecated, and the source does not. Run "npm run api".`),
  ];
}

/** The sources of the SDK by path, tests left out, and its reports by name. */
export function readSdk(sdkFolder: string): { readonly sources: Map<string, string>; readonly reports: Map<string, string> } {
  const read = (folder: string, names: readonly string[]): Map<string, string> =>
    new Map(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
  const source = join(sdkFolder, 'src');
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' });
  return {
    sources: read(
      source,
      files.filter((name) => name.endsWith('.ts') && !/\.test(?:-helper)?\.ts$/.test(name)),
    ),
    reports: read(
      sdkFolder,
      readdirSync(sdkFolder).filter((name) => name.endsWith('.api.md')),
    ),
  };
}
