import { isDriverError } from '../../errors.ts';
import type { SearchAnswer, SearchFacet, SearchForm, SearchHit, SearchRequest } from '../../facets/search.ts';
import { NO_FILTER } from '../../model/filter.ts';
import type { Filter } from '../../model/filter.ts';
import type { TableDescription } from '../../model/table.ts';
import type { Bench } from '../bench.ts';
import { cancelled, inTime, must, onBench } from '../bench.ts';
import { shownCell, tableText } from '../cells.ts';
import type { ConformanceCheck, ConformancePlan, KnownTable } from '../plan.ts';
import { knownText, readAll, rowText, sameRows } from '../reading.ts';

/** Hits of one answer at most, as the contract says. */
const MOST_HITS = 250;
/** Hits of a page of the check: small, so that pages must join. */
const STEP = 7;
/** Values of a facet that are filtered by. */
const SOME_VALUES = 5;
const NOT_THERE = 'kit_nothing_has_this_name';

/** One table that is searched. */
interface Searched {
  readonly bench: Bench;
  readonly known: KnownTable;
  readonly table: TableDescription;
  readonly search: SearchFacet;
  readonly form: SearchForm;
  readonly ask: (more?: Partial<SearchRequest>) => Promise<SearchAnswer>;
}

/** Every table of the plan whose rows have keys. */
async function eachTable(plan: ConformancePlan, check: (searched: Searched) => Promise<void>): Promise<void> {
  await onBench(plan, async (bench) => {
    const { session, options } = bench;
    const { search } = session;
    if (search === undefined) return;
    for (const known of plan.tables) {
      const table = await inTime('describeTable', session.describeTable(known.ref, options));
      if (table.key.length === 0) continue;
      const form = await inTime('search.form', search.form(known.ref, options));
      const nothing = {
        text: '',
        fields: [],
        facets: [],
        filter: NO_FILTER,
        sorts: [],
        options: {},
        offset: 0,
        limit: MOST_HITS,
      };
      const ask = (more: Partial<SearchRequest> = {}): Promise<SearchAnswer> =>
        inTime('search.search', search.search({ table: known.ref, ...nothing, ...more }, options));
      await check({ bench, known, table, search, form, ask });
    }
  });
}

function hitText({ key }: SearchHit, table: TableDescription): string {
  must(key.length === table.key.length, `A hit of ${tableText(table.ref)} has a key of ${key.length} values.`);
  return table.key
    .map((name, place) => shownCell(key[place] ?? null, table.columns.find((column) => column.name === name)?.kind ?? 'text'))
    .join(' | ');
}

/** A hit is whole in itself: a document that is an object, highlights with a text, and no columns that were said to be left out. */
function mustBeHit(hit: SearchHit, leftOut: readonly string[], where: string): void {
  let document: unknown;
  try {
    document = JSON.parse(hit.document);
  } catch {
    document = undefined;
  }
  must(
    typeof document === 'object' && document !== null && !Array.isArray(document),
    `${where} has a document that isn't a JSON object.`,
  );
  for (const name of leftOut) must(!Object.hasOwn(document, name), `${where} has “${name}”, which is said to be left out.`);
  for (const { field, parts } of hit.highlights) {
    must(
      parts.some(({ text }) => text !== ''),
      `${where} has a highlight of “${field}” without a text.`,
    );
  }
}

function mustShowRequest(plan: ConformancePlan, { request, statement, code }: SearchAnswer): void {
  must(/^[A-Z]+$/.test(request.method) && request.path.startsWith('/'), `The request is ${request.method} ${request.path}.`);
  const shown = JSON.stringify([request, statement, code]);
  for (const secret of plan.secrets ?? []) must(!shown.includes(secret), 'The request that is shown holds a credential.');
}

/** The object that saves the search is of a kind that is there. */
async function mustBeSavable({ bench: { session, options } }: Searched, { object }: SearchAnswer, where: string): Promise<void> {
  if (object === undefined) return;
  const kinds = session.objects === undefined ? [] : await inTime('objects.kinds', session.objects.kinds(options));
  must(
    kinds.some(({ id }) => id === object.kind),
    `${where} can be saved as an object of the kind “${object.kind}”, which is not there.`,
  );
}

async function refusal(call: Promise<unknown>): Promise<string> {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return isDriverError(error) ? error.code : 'nothing';
}

async function checkForm({ form, table, ask }: Searched): Promise<void> {
  const where = `The form of ${tableText(table.ref)}`;
  const columns = new Map(table.columns.map((column) => [column.name, column]));
  for (const { name } of form.fields) must(columns.has(name), `${where} has the field “${name}”, which is not a column.`);
  for (const name of form.facets) {
    must(columns.get(name)?.filterClass !== undefined, `${where} has the facet “${name}”, which cannot be filtered by.`);
  }
  const ids = form.options.map(({ id }) => id);
  must(new Set(ids).size === ids.length, `${where} has two options of one id.`);
  for (const option of form.options) {
    const fits =
      option.type === 'choice'
        ? option.choices.some(({ value }) => value === option.default)
        : option.type !== 'number' || (option.default >= option.minimum && option.default <= option.maximum);
    must(fits, `${where} has an option “${option.id}” whose default is not one of its values.`);
  }
  const plain = await ask();
  const said = await ask({ options: Object.fromEntries(form.options.map((option) => [option.id, option.default])) });
  const keys = ({ hits }: SearchAnswer): string => JSON.stringify(hits.map(({ key }) => key));
  must(keys(plain) === keys(said), `${where}: with every default given, other hits are found.`);
}

async function checkHits(plan: ConformancePlan, searched: Searched): Promise<void> {
  const { known, table, ask, bench } = searched;
  const where = `A search of ${tableText(table.ref)}`;
  const whole = await ask();
  mustShowRequest(plan, whole);
  await mustBeSavable(searched, whole, where);
  must(whole.hits.length <= MOST_HITS, `${where} gives ${whole.hits.length} hits.`);
  for (const hit of whole.hits) mustBeHit(hit, whole.leftOut, where);
  if (known.rows.length <= MOST_HITS) {
    sameRows(
      where,
      whole.hits.map((hit) => hitText(hit, table)),
      known.rows.map((row) => knownText(row, table)),
    );
  }
  must(whole.found === known.rows.length, `${where} finds ${whole.found} rows of ${known.rows.length}.`);
  const paged: string[] = [];
  for (let offset = 0; offset < Math.min(known.rows.length, MOST_HITS); offset += STEP) {
    const { hits } = await ask({ offset, limit: STEP });
    must(hits.length <= STEP, `${where} gives ${hits.length} hits; ${STEP} were asked for.`);
    paged.push(...hits.map((hit) => hitText(hit, table)));
  }
  const first = whole.hits.map((hit) => hitText(hit, table));
  must(
    JSON.stringify(paged.slice(0, first.length)) === JSON.stringify(first),
    `${where}: pages of ${STEP} don’t join to what one answer gives.`,
  );
  for (const { name, filter } of known.filters ?? []) {
    const read = await readAll(bench, table, { filter }, 100);
    const { hits, found } = await ask({ filter });
    must(found === read.length, `${where} with the filter “${name}” finds ${found} rows; a read finds ${read.length}.`);
    if (read.length <= MOST_HITS)
      sameRows(
        `${where} with the filter “${name}”`,
        hits.map((hit) => hitText(hit, table)),
        read.map((row) => rowText(row, table)),
      );
  }
  for (const { name: column, sortable } of table.columns) {
    if (sortable.allowed) continue;
    const { droppedSorts } = await ask({ sorts: [{ column, direction: 'ascending' }], limit: 1 });
    must(droppedSorts.length === 1, `${where}: a sort by “${column}” cannot be sent, and isn’t said to be dropped.`);
  }
}

async function checkFacets({ form, table, known, ask }: Searched): Promise<void> {
  const where = `A search of ${tableText(table.ref)}`;
  const { facets } = await ask({ facets: form.facets, limit: 1 });
  must(
    JSON.stringify(facets.map(({ column }) => column)) === JSON.stringify(form.facets),
    `${where} counts the values of ${facets.map(({ column }) => column).join(', ')}; ${form.facets.join(', ')} were asked for.`,
  );
  for (const { column, values } of facets) {
    for (const { value, rows, between } of values.slice(0, SOME_VALUES)) {
      must(rows >= 1 && rows <= known.rows.length, `${where}: “${value}” of “${column}” is counted ${rows} times.`);
      const condition: Filter['conditions'][number] =
        between === undefined
          ? { column, operator: 'equals', values: [value] }
          : { column, operator: 'between', values: between };
      const filter: Filter = { match: 'all', conditions: [condition] };
      const { found } = await ask({ filter, limit: 1 });
      must(found === rows, `${where}: “${value}” of “${column}” is counted ${rows} times, and a filter finds ${found}.`);
    }
  }
}

async function checkRefusals({ form, table, search, ask, bench }: Searched): Promise<void> {
  const where = `A search of ${tableText(table.ref)}`;
  const mustRefuse = async (what: string, more: Partial<SearchRequest>): Promise<void> => {
    const code = await refusal(ask(more));
    must(code === 'INVALID_INPUT', `${where} with ${what} is refused with ${code}; INVALID_INPUT is wanted.`);
  };
  await mustRefuse('an unknown field', { fields: [{ name: NOT_THERE }], text: 'a' });
  await mustRefuse('an unknown facet', { facets: [NOT_THERE] });
  await mustRefuse('an unknown option', { options: { [NOT_THERE]: true } });
  for (const { id, type } of form.options) {
    await mustRefuse(`the option “${id}” of another type`, { options: { [id]: type === 'switch' ? 'yes' : true } });
  }
  const { session, options } = bench;
  const before = await inTime('countRows', session.countRows({ table: table.ref, filter: NO_FILTER }, options));
  const code = await refusal(inTime('search.form', search.form({ namespace: [], name: NOT_THERE }, options)));
  must(code === 'NOT_FOUND', `The form of a table that is not there is refused with ${code}; NOT_FOUND is wanted.`);
  const after = await inTime('countRows', session.countRows({ table: table.ref, filter: NO_FILTER }, options));
  must(after.rows === before.rows, `${where} changed the number of rows.`);
  const signal = AbortSignal.abort();
  await cancelled('search.form with an aborted signal', () => search.form(table.ref, { signal }));
  await cancelled('search.search with an aborted signal', () =>
    search.search(
      { table: table.ref, text: '', fields: [], facets: [], filter: NO_FILTER, sorts: [], options: {}, offset: 0, limit: 1 },
      { signal },
    ),
  );
}

/** Tables that are searched together: every row of each is found, once, and says where it is. */
async function checkTogether(plan: ConformancePlan, { form, table, known, ask }: Searched): Promise<void> {
  const where = `A search of ${tableText(table.ref)}`;
  const others = plan.tables.filter(({ ref }) => tableText(ref) !== tableText(table.ref));
  const other = others.find(({ rows }) => rows.length + known.rows.length <= MOST_HITS);
  if (form.mostTables === undefined || other === undefined) return;
  const answer = await ask({ alsoIn: [other.ref] });
  const wanted = known.rows.length + other.rows.length;
  must(
    answer.found === wanted && answer.hits.length === wanted,
    `${where} and ${tableText(other.ref)} gives ${answer.hits.length} hits of ${answer.found}; they have ${wanted} rows.`,
  );
  const foreign = answer.hits.filter((hit) => hit.table !== undefined);
  must(
    foreign.length === other.rows.length &&
      foreign.every((hit) => hit.table !== undefined && tableText(hit.table) === tableText(other.ref)),
    `${where} and ${tableText(other.ref)} says of ${foreign.length} hits that they are of another table; ${other.rows.length} are of ${tableText(other.ref)}.`,
  );
  const keys = answer.hits.map((hit) => JSON.stringify([hit.table ?? null, hit.key]));
  must(new Set(keys).size === keys.length, `${where} and ${tableText(other.ref)} gives a row twice.`);
  const twice = await refusal(ask({ alsoIn: [other.ref, other.ref] }));
  must(
    twice === 'INVALID_INPUT',
    `${where} and twice ${tableText(other.ref)} is refused with ${twice}; INVALID_INPUT is wanted.`,
  );
  const absent = await refusal(ask({ alsoIn: [{ namespace: [], name: NOT_THERE }] }));
  must(absent === 'NOT_FOUND', `${where} and a table that is not there is refused with ${absent}; NOT_FOUND is wanted.`);
}

/** A ranked search finds the rows that a read finds, and says of itself what it does. */
export function searchChecks(plan: ConformancePlan): ConformanceCheck[] {
  return [
    {
      name: 'search: its form has columns that are there and options whose defaults change nothing',
      run: () => eachTable(plan, checkForm),
    },
    {
      name: 'search: without words every row is found that the filter lets pass, each once, and pages join',
      run: () => eachTable(plan, (searched) => checkHits(plan, searched)),
    },
    {
      name: 'search: a value that was counted can be filtered by, as often as it was counted',
      run: () => eachTable(plan, checkFacets),
    },
    {
      name: 'search: of tables that are searched together every row is found once, and says in which of them it is',
      run: () => eachTable(plan, (searched) => checkTogether(plan, searched)),
    },
    {
      name: 'search: what is not there, or of another type, is refused by name; nothing is changed; it is cancelled',
      run: () => eachTable(plan, checkRefusals),
    },
  ];
}
