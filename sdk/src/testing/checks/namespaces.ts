import type { NamespacesFacet, NamespaceSummary } from '../../facets/namespaces.ts';
import type { TableSummary } from '../../model/table.ts';
import { cancelled, expectedRefusal, inTime, must, onBench } from '../bench.ts';
import type { Bench } from '../bench.ts';
import { tableText } from '../cells.ts';
import type { ConformanceCheck, ConformancePlan } from '../plan.ts';

type Path = readonly string[];

const ABSENT = 'no such namespace 8f31';
/** Namespaces that are looked into: a server may have hundreds, each of which costs a connection. */
const MOST_NAMESPACES = 40;
const MOST_PAGES = 2_000;
const LARGEST_PAGE = 1_000;

const textOf = (path: Path): string => (path.length === 0 ? 'the top' : `“${path.join('.')}”`);
const isWithin = (path: Path, outer: Path): boolean => outer.every((name, depth) => path[depth] === name);

interface ListedPage<Entry> {
  readonly entries: readonly Entry[];
  readonly next?: string | undefined;
}

/** All entries of a list that is read in pages of a size. */
async function whole<Entry>(
  what: string,
  limit: number,
  page: (after: string | undefined) => Promise<ListedPage<Entry>>,
): Promise<readonly Entry[]> {
  const all: Entry[] = [];
  let after: string | undefined;
  for (let pages = 1; ; pages += 1) {
    const { entries, next } = await page(after);
    must(entries.length <= limit, `A page of ${what} has ${entries.length} entries, and ${limit} were asked for.`);
    must(next === undefined || entries.length > 0, `A page of ${what} has no entry, and a next page.`);
    all.push(...entries);
    if (next === undefined) return all;
    must(next !== after && pages < MOST_PAGES, `The pages of ${what} don't end.`);
    after = next;
  }
}

async function namespacesIn(
  facet: NamespacesFacet,
  parent: Path,
  limit: number,
  options: Bench['options'],
): Promise<readonly NamespaceSummary[]> {
  return await whole(`the namespaces in ${textOf(parent)}`, limit, async (after) => {
    const asked = { ...options, limit, ...(after === undefined ? {} : { after }) };
    const { namespaces, next } = await inTime('namespaces.list', facet.list(parent, asked));
    return { entries: namespaces, next };
  });
}

async function tablesIn(
  facet: NamespacesFacet,
  namespace: Path,
  limit: number,
  options: Bench['options'],
): Promise<readonly TableSummary[]> {
  return await whole(`the tables in ${textOf(namespace)}`, limit, async (after) => {
    const asked = { ...options, limit, ...(after === undefined ? {} : { after }) };
    const { tables, next } = await inTime('namespaces.listTables', facet.listTables(namespace, asked));
    return { entries: tables, next };
  });
}

/** Small pages give what one large page gives: each entry once, in the same order, directly in its namespace. */
function mustJoin(what: string, parent: Path, small: readonly Path[], large: readonly Path[]): void {
  const texts = small.map((path) => JSON.stringify(path));
  for (const path of small)
    must(
      path.length === parent.length + 1 && isWithin(path, parent),
      `${textOf(path)} is listed among the ${what} in ${textOf(parent)}.`,
    );
  must(new Set(texts).size === texts.length, `One of the ${what} in ${textOf(parent)} is listed twice.`);
  must(
    JSON.stringify(small) === JSON.stringify(large),
    `Pages of the ${what} in ${textOf(parent)} join to another list than one page has.`,
  );
}

/** Looks into the namespaces of a tree, those first that a person begins with. */
async function checkTree(facet: NamespacesFacet, options: Bench['options']): Promise<void> {
  const waiting: NamespaceSummary[] = [{ path: [], hasNamespaces: true, hasTables: true }];
  for (let looked = 0; looked < MOST_NAMESPACES; looked += 1) {
    const next = waiting.shift();
    if (next === undefined) return;
    const { path } = next;
    const inside = await namespacesIn(facet, path, LARGEST_PAGE, options);
    const inPages = await namespacesIn(facet, path, 2, options);
    const paths = (list: readonly NamespaceSummary[]): readonly Path[] => list.map((one) => one.path);
    mustJoin('namespaces', path, paths(inPages), paths(inside));
    must(next.hasNamespaces || inside.length === 0, `${textOf(path)} is listed as one without namespaces, and has some.`);
    const tables = await tablesIn(facet, path, LARGEST_PAGE, options);
    const tablesInPages = await tablesIn(facet, path, 2, options);
    const places = (list: readonly TableSummary[]): readonly Path[] => list.map(({ ref }) => [...ref.namespace, ref.name]);
    mustJoin('tables', path, places(tablesInPages), places(tables));
    must(next.hasTables || tables.length === 0, `${textOf(path)} is listed as one without tables, and has some.`);
    const isInitial = (one: NamespaceSummary): boolean =>
      facet.initial.some((initial) => isWithin(one.path, initial) || isWithin(initial, one.path));
    waiting.unshift(...inside.filter(isInitial));
    waiting.push(...inside.filter((one) => !isInitial(one)));
  }
}

/** The tables in a namespace and in all within it. */
async function allWithin(facet: NamespacesFacet, path: Path, options: Bench['options']): Promise<readonly TableSummary[]> {
  const found = [...(await tablesIn(facet, path, LARGEST_PAGE, options))];
  for (const { path: inner } of await namespacesIn(facet, path, LARGEST_PAGE, options))
    found.push(...(await allWithin(facet, inner, options)));
  return found;
}

/** Namespaces are listed a page at a time, and their tables only when they are asked for. */
export function namespaceChecks(plan: ConformancePlan): ConformanceCheck[] {
  return [
    {
      name: 'namespaces: pages join, and have what is directly in a namespace, each once',
      run: () =>
        onBench(
          plan,
          async ({ session: { namespaces }, options }) => {
            if (namespaces !== undefined) await checkTree(namespaces, options);
          },
          { milliseconds: 60_000 },
        ),
    },
    {
      name: 'namespaces: the list of tables is that of the namespaces where a person begins',
      run: () =>
        onBench(plan, async ({ session, options }) => {
          const { namespaces } = session;
          if (namespaces === undefined) return;
          const { initial } = namespaces;
          const isTwice = initial.some((path, place) => initial.some((other, at) => at !== place && isWithin(path, other)));
          must(!isTwice, 'A namespace where a person begins is within another one.');
          const found: TableSummary[] = [];
          for (const path of initial) found.push(...(await allWithin(namespaces, path, options)));
          const listed = await inTime('listTables', session.listTables(options));
          const [there, names] = [found, listed].map((list) => list.map(({ ref }) => tableText(ref)).sort());
          must(
            JSON.stringify(there) === JSON.stringify(names),
            `The list has ${listed.length} tables, and the namespaces where a person begins have ${found.length}, or others.`,
          );
        }),
    },
    {
      name: 'namespaces: one that is not there is refused, and so is a cursor of nothing; calls are cancelled',
      run: () =>
        onBench(plan, async ({ session: { namespaces }, options }) => {
          if (namespaces === undefined) return;
          const asked = { ...options, limit: 10 };
          const calls = ['list', 'listTables'] as const;
          for (const call of calls) {
            const what = `namespaces.${call}`;
            await expectedRefusal(`${what} of “${ABSENT}”`, async () => namespaces[call]([ABSENT], asked), ['NOT_FOUND']);
            const odd = { ...asked, after: ABSENT };
            await expectedRefusal(`${what} after “${ABSENT}”`, async () => namespaces[call]([], odd), ['INVALID_INPUT']);
            const aborted = { ...asked, signal: AbortSignal.abort() };
            await cancelled(`${what} with an aborted signal`, async () => namespaces[call]([], aborted));
          }
        }),
    },
  ];
}
