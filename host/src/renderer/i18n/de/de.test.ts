import { describe, expect, it, vi } from 'vitest';
import { en } from '../en/index.ts';
import { formatAgo, formatBytes, formatDate, formatList, formatMilliseconds, formatRowCount } from '../format.ts';
import { formatMessage } from '../formatMessage.ts';
import { de } from './index.ts';

// Numbers, dates and lists of both catalogues as in Germany: what differs then are words.
vi.mock('../language.ts', () => ({ language: 'de', locale: 'de-DE', loadedChoice: 'de' }));

type Saying = (...values: readonly unknown[]) => string;
type Entry = string | Saying;

/** Every entry of a catalogue by its path. */
function entries(group: object, path: readonly string[] = []): [string, Entry][] {
  return Object.entries(group).flatMap(([name, entry]: [string, unknown]) =>
    typeof entry === 'object' && entry !== null
      ? entries(entry, [...path, name])
      : [[[...path, name].join(' '), entry as Entry] as [string, Entry]],
  );
}

// Keys are listed by their labels: a German keyboard has more of its own.
const isKey = (path: string): boolean => path.startsWith('commands keys named ');
const english = new Map(entries(en).filter(([path]) => !isKey(path)));
const german = new Map(entries(de).filter(([path]) => !isKey(path)));

/** A value for a parameter, with the marks that find it in the text. */
function candidates(place: number): readonly { readonly value: unknown; readonly marks: readonly string[] }[] {
  const name = `zebra${place}`;
  const number = 41 + place;
  return [
    { value: name, marks: [name] },
    { value: number, marks: [String(number)] },
    { value: { one: name, other: `${name}s` }, marks: [name] },
    { value: { rows: number, exact: true }, marks: [String(number)] },
    { value: [name, `yak${place}`], marks: [name, `yak${place}`] },
    { value: '2026-11-20T12:34:56.000Z', marks: [] },
    { value: 'thirdParty', marks: [] },
  ];
}

/** All ways to give values to so many parameters. */
function combinations(arity: number): readonly (readonly { readonly value: unknown; readonly marks: readonly string[] }[])[] {
  return Array.from({ length: arity }, (_, place) => place).reduce<
    readonly (readonly { readonly value: unknown; readonly marks: readonly string[] }[])[]
  >((before, place) => before.flatMap((values) => candidates(place).map((candidate) => [...values, candidate])), [[]]);
}

function say(entry: Entry, values: readonly unknown[]): string | undefined {
  if (typeof entry === 'string') return entry;
  try {
    const text: unknown = entry(...values);
    return typeof text === 'string' && !/undefined|NaN|\[object|Invalid/.test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}

interface Said {
  readonly english: string;
  readonly german: string;
  /** Given values that are in the English text. */
  readonly marks: readonly string[];
}

const has = (text: string, mark: string): boolean => text.toLowerCase().includes(mark);

/** An entry in both languages. Functions get the values of which their English text shows most. */
function both(path: string): Said {
  const entry = english.get(path) ?? '';
  const other = german.get(path) ?? '';
  const tries = (typeof entry === 'string' ? [[]] : combinations(entry.length)).flatMap((given) => {
    const values = given.map(({ value }) => value);
    const text = say(entry, values);
    if (text === undefined || say(other, values) === undefined) return [];
    const marks = given.flatMap((candidate) => candidate.marks).filter((mark) => has(text, mark));
    return [{ values, english: text, marks }];
  });
  const best = tries.reduce<(typeof tries)[number] | undefined>(
    (before, next) => (before === undefined || next.marks.length > before.marks.length ? next : before),
    undefined,
  );
  if (best === undefined) throw new Error(`No values were found for ${path}.`);
  return { english: best.english, german: say(other, best.values) ?? '', marks: best.marks };
}

const said = new Map([...english.keys()].map((path) => [path, both(path)]));

/** Texts that are the same in both languages: names, signs, numbers, and words that German has taken over. */
const EQUAL: readonly string[] = [
  'application name',
  'common details',
  'common errorCode',
  'common status',
  'common serverMessage',
  'titleBar server',
  'sidebar label',
  'sidebar rows',
  'tabs inDatabase',
  'chooser installed',
  'install offer version',
  'install label',
  'install version',
  'form panes through',
  'form panes ssl',
  'form name',
  'form colors orange',
  'form suggestion',
  'form fileExtensions',
  'form steps tls',
  'form steps server',
  'grid null',
  'grid absent',
  'grid bytes',
  'grid referringTable',
  'selection formats csv',
  'selection formats json',
  'paste formats json',
  'filter add',
  'filter operator',
  'filter rowsWith',
  'filter presetName',
  'importing format',
  'importing formats json',
  'importing formats csv',
  'importing problem',
  'importing types text',
  'importing types json',
  'importing name',
  'importing definition',
  'transfer format',
  'transfer formats json',
  'transfer formats csv',
  'tunnels fields ssh.passphrase label',
  'operations count',
  'operations server',
  'operations failed',
  'pager range',
  'pager total',
  'pager milliseconds',
  'inspector views json',
  'inspector marks null',
  'inspector trueWord',
  'inspector falseWord',
  'inspector text',
  'structure name',
  'structure definition',
  'tableParts name',
  'tableParts generatedAs',
  'search setA',
  'search setB',
  'relevance name',
  'relevance relevant',
  'relevance grade relevant',
  'relevance metrics ndcg',
  'relevance metrics reciprocalRank',
  'relevance recorded filter',
  'objects server',
  'objects name',
  'objects json',
  'status label',
  'status of',
  'plugins categories relational',
  'plugins categories graph',
  'plugins filters waiting',
  'plugins bytes',
  'plugins version',
  'plugins registry urlPlaceholder',
  'plugins registry scopesLabel',
  'plugins registry tokenLabel',
  'plugins registry proxy',
  'settings themes system',
  'settings version',
  'backups when',
  'backups bytes',
  'commands groups tabs',
  'commands groups filter',
  'commands keys alt',
  'connections renameName',
  'shell windowTitle',
  'console milliseconds',
  'console views text',
  'console startedAt',
  'console saveName',
  'consoleSession inNamespace',
  'consoleSession severities debug',
  'consoleSession severities info',
  'consoleSession progress',
  'consoleSession parameter',
  'explain region',
  'explain rows',
  'explain cost',
  'explain time',
  'explain views text',
  'principals count',
  'principals columns label',
  'principals columns facts',
  'principals expiresAt',
  'principals moreActions',
  'principals details',
  'dashboard title',
  'dashboard units bytes',
  'dashboard units count',
  'dashboard units perSecond',
  'dashboard units milliseconds',
  'dashboard units ratio',
  'dashboard units percent',
  'dashboard everySeconds',
  'dashboard chartTime',
  'activity columns client',
  'activity parts hours',
  'activity parts minutes',
  'activity parts seconds',
  'integrations sections server',
  'integrations sections clients',
  'integrations tokens name',
  'integrations tokens token',
  'integrations tokens begins',
  'integrations dialog client',
  'integrations dialog token',
  'integrations dialog expiresAt',
  'integrations activity kinds tool',
  'integrations activity kinds prompt',
  'integrations activity columns client',
  'integrations activity columns duration',
  'integrations activity time',
  'connect client',
  'connect tools',
];

describe('the German catalogue', () => {
  it('has the entries of the English one and no others, with the same parameters', () => {
    expect([...german.keys()].sort()).toEqual([...english.keys()].sort());
    const arity = (entry: Entry | undefined): number => (typeof entry === 'function' ? entry.length : -1);
    expect([...english].filter(([path, entry]) => arity(entry) !== arity(german.get(path))).map(([path]) => path)).toEqual([]);
  });

  it('says everything in German but what is the same there', () => {
    const equal = [...said].filter(([, text]) => text.english === text.german).map(([path]) => path);
    expect(equal).toEqual(EQUAL);
  });

  it('has text everywhere, with what it is given', () => {
    const lost = [...said].flatMap(([path, text]) =>
      text.german.trim() === '' ? [path] : text.marks.filter((mark) => !has(text.german, mark)).map((mark) => `${path}: ${mark}`),
    );
    expect(lost).toEqual([]);
  });

  it('has no English left in a sentence', () => {
    const words =
      /\b(the|of|and|is|are|not|be|to|with|this|that|you|your|from|for|or|has|have|were|by|at|it|its|cannot|no|yet)\b/i;
    expect([...said].filter(([, text]) => words.test(text.german)).map(([path, text]) => `${path}: ${text.german}`)).toEqual([]);
  });

  it('never addresses the reader directly', () => {
    const address = /\b(du|dir|dich|dein\w*|bitte)\b/i;
    expect([...said].filter(([, text]) => address.test(text.german)).map(([path, text]) => `${path}: ${text.german}`)).toEqual(
      [],
    );
  });

  it('quotes as German does', () => {
    const wrong = [...said].filter(
      ([, { german: text }]) => text.includes('”') || text.split('„').length !== text.split('“').length || /“[^„“]*„“/.test(text),
    );
    expect(wrong.map(([path, text]) => `${path}: ${text.german}`)).toEqual([]);
  });

  it('takes the noun that goes with a number', () => {
    expect([1, 2].map((count) => de.selection.cells(count))).toEqual(['1 Zelle', '2 Zellen']);
    expect([1, 2].map((count) => de.paste.faults(count).split(' ').slice(0, 3).join(' '))).toEqual([
      '1 Feld kann',
      '2 Felder können',
    ]);
    expect(de.plugins.attention(1, 2)).toBe('1 Treiber-Update wartet, 2 Treiber haben ein Problem');
    expect(de.plugins.removeText('X', 1, [])).not.toContain('Geschlossen');
  });

  it('writes numbers, times and lists as German does', () => {
    expect(formatMessage('{rows, plural, one {# Zeile} other {# Zeilen}}', { rows: 200_000 })).toBe('200.000 Zeilen');
    expect(formatRowCount({ rows: 1_200, exact: false })).toBe('~1.200');
    expect(formatMilliseconds(1_250)).toBe('1,3 s');
    expect(formatBytes(48_213)).toBe('48,2 kB');
    expect(formatList(['a', 'b', 'c'])).toBe('a, b und c');
    expect(formatDate('2026-11-20T12:00:00Z')).toContain('20.11.2026');
    expect(formatAgo('2026-11-20T11:55:00Z', Date.parse('2026-11-20T12:00:00Z'))).toBe('vor 5 Minuten');
    expect(de.dashboard.used(0.425)).toMatch(/^42,5\s% belegt$/u);
  });

  it('puts what a driver calls things where no gender shows', () => {
    const collection = { one: 'Collection', other: 'Collections' };
    expect(de.sidebar.filter(collection)).toBe('Collections filtern');
    expect(de.sidebar.rows({ rows: 1, exact: true }, { one: 'Document', other: 'Documents' })).toBe('1 Document');
    expect(de.sidebar.rows({ rows: 5, exact: false }, { one: 'Document', other: 'Documents' })).toBe('Etwa 5 Documents');
  });
});
