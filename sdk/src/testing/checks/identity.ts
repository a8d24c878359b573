import type { Column } from '../../model/column.ts';
import type { ForeignKey, ReferringKey, TableDescription, TableRef } from '../../model/table.ts';
import type { Bench } from '../bench.ts';
import { fail, inTime, manifestOf, must, onBench } from '../bench.ts';
import { tableText } from '../cells.ts';
import type { ConformanceCheck, ConformancePlan } from '../plan.ts';

/** As the contract says. */
const LONGEST_IDENTITY = 1_000;

/** As the contract says. */
const MOST_FOREIGN_KEYS = 1_000;
const MOST_LABELS = 1_000;
const MOST_KEY_COLUMNS = 64;

/** Driver, manifest, list and descriptions agree. */
export function identityChecks(plan: ConformancePlan): ConformanceCheck[] {
  return [
    {
      name: 'the manifest is valid and has the driver’s id',
      async run() {
        const manifest = manifestOf(plan);
        const { id } = plan.driver.definition;
        must(manifest.id === id, `The manifest says "${manifest.id}" and defineDriver "${id}".`);
      },
    },
    {
      name: 'the manifest has words for every facet of the session',
      run: () =>
        onBench(plan, async ({ session, manifest }) => {
          const drawn = session.console === undefined || manifest.console !== undefined;
          must(drawn, 'The session has a console, and the manifest does not say what it is called.');
        }),
    },
    {
      name: 'a session names its product, gives its findings in sentences and answers a ping',
      run: () =>
        onBench(plan, async ({ session, options }) => {
          must(session.server.product.trim() !== '', 'server.product is empty.');
          for (const { label, message } of session.findings) {
            must(label.trim() !== '' && label.length <= 80, `A finding's label is empty or too long: "${label}".`);
            must(/[.!?]$/.test(message), `A finding isn't a sentence: "${message}".`);
          }
          await inTime('ping', session.ping(options));
        }),
    },
    {
      name: 'every known table is listed, once, with a right count',
      run: () =>
        onBench(plan, async ({ session, options }) => {
          const listed = await inTime('listTables', session.listTables(options));
          const names = listed.map(({ ref }) => refText(ref));
          must(new Set(names).size === names.length, 'A table is listed twice.');
          for (const { ref, rows } of plan.tables) {
            const entry = listed[names.indexOf(refText(ref))];
            must(entry !== undefined, `${tableText(ref)} is not listed.`);
            const { count } = entry;
            must(
              count === undefined || !count.exact || count.rows === rows.length,
              () => `${tableText(ref)} is listed with ${count?.rows ?? 0} rows and has ${rows.length}.`,
            );
          }
        }),
    },
    {
      name: 'every listed table can be described, and its description keeps to the manifest',
      run: () =>
        onBench(plan, async ({ session, manifest, options }) => {
          for (const summary of await inTime('listTables', session.listTables(options))) {
            const table = await inTime('describeTable', session.describeTable(summary.ref, options));
            const where = tableText(summary.ref);
            must(refText(table.ref) === refText(summary.ref), `The description of ${where} names another table.`);
            must(table.kind === summary.kind, `${where} is listed as ${summary.kind} and described as ${table.kind}.`);
            const names = new Set(table.columns.map(({ name }) => name));
            must(names.size === table.columns.length, `${where} has two columns of one name.`);
            must(names.size > 0, `${where} has no columns.`);
            for (const key of table.key) must(names.has(key), `${where} has the key column "${key}", which isn't a column.`);
            for (const column of table.columns) {
              for (const ability of [column.sortable, column.editable]) {
                must(
                  ability.allowed || ability.reason.trim() !== '',
                  `${where}.${column.name} cannot be something and does not say why.`,
                );
              }
              must(
                !column.sortable.allowed || manifest.reading.maxSorts > 0,
                `${where}.${column.name} is sortable, and maxSorts is 0.`,
              );
              const wrong = rangeFault(column) ?? valuesFault(column);
              must(wrong === undefined, `${where}.${column.name}: ${wrong ?? ''}`);
              const { filterClass } = column;
              must(
                filterClass === undefined || Object.hasOwn(manifest.filtering?.classes ?? {}, filterClass),
                () => `${where}.${column.name} has the filter class "${filterClass ?? ''}", which the manifest does not have.`,
              );
            }
          }
        }),
    },
    {
      name: 'a foreign key leads from columns of its table to columns of a table that can be described',
      run: () =>
        onBench(plan, async (bench) => {
          const { session, options } = bench;
          for (const { ref } of await inTime('listTables', session.listTables(options))) {
            const table = await inTime('describeTable', session.describeTable(ref, options));
            const { foreignKeys = [] } = table;
            must(
              foreignKeys.length <= MOST_FOREIGN_KEYS,
              `${tableText(ref)} has ${foreignKeys.length} foreign keys, and ${MOST_FOREIGN_KEYS} at most.`,
            );
            for (const foreignKey of foreignKeys) await mustLead(bench, table, foreignKey);
          }
        }),
    },
    {
      name: 'a key by which others refer to a table is a foreign key of a table that can be described',
      run: () =>
        onBench(plan, async (bench) => {
          const { session, options } = bench;
          const described = new Map<string, TableDescription>();
          for (const { ref } of await inTime('listTables', session.listTables(options)))
            described.set(refText(ref), await inTime('describeTable', session.describeTable(ref, options)));
          const isSaid = [...described.values()].some(({ referredBy }) => referredBy !== undefined);
          for (const table of described.values()) {
            const { ref, referredBy = [], foreignKeys = [] } = table;
            must(
              referredBy.length <= MOST_FOREIGN_KEYS,
              `${tableText(ref)} is referred to by ${referredBy.length} keys, and ${MOST_FOREIGN_KEYS} at most are described.`,
            );
            const texts = referredBy.map((key) => JSON.stringify([key.name ?? null, referringText(key)]));
            must(new Set(texts).size === texts.length, `${tableText(ref)} is referred to by one key twice.`);
            for (const key of referredBy) await mustRefer(bench, table, key);
            if (isSaid) for (const key of foreignKeys) mustBeSaid(table, described.get(refText(key.references)), key);
          }
        }),
    },
    {
      name: 'the identity of a table stays the same from read to read and in another session',
      run: () =>
        onBench(plan, async (bench) => {
          for (const { ref } of plan.tables) {
            const first = await identityOf(bench, ref);
            const where = `The identity of ${tableText(ref)}`;
            if (first !== undefined) {
              must(first.trim() !== '', `${where} is empty. Leave it out where the database doesn't say.`);
              must(first.length <= LONGEST_IDENTITY, `${where} has ${first.length} characters, and ${LONGEST_IDENTITY} at most.`);
            }
            // Each of these would mark every staged row as one of another table.
            const again = await identityOf(bench, ref);
            must(again === first, `${where} is ${shown(first)}, and ${shown(again)} when it is read again.`);
            const elsewhere = await onBench(plan, (other) => identityOf(other, ref));
            must(elsewhere === first, `${where} is ${shown(first)}, and ${shown(elsewhere)} in another session.`);
          }
        }),
    },
    {
      name: 'two sessions do not disturb each other',
      run: () =>
        onBench(plan, async ({ session, options }) => {
          await onBench(plan, async (other) => inTime('ping', other.session.ping(other.options)));
          await inTime('ping after another session was closed', session.ping(options));
        }),
    },
  ];
}

/** Why no host could hold a person to a column's range. */
function rangeFault({ kind, range }: Column): string | undefined {
  if (range === undefined) return undefined;
  if (kind !== 'integer' && kind !== 'decimal') return `a range is for numbers, and the column holds ${kind}.`;
  const { least, greatest } = range;
  const form = kind === 'integer' ? /^-?(?:0|[1-9]\d*)$/ : /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
  const odd = [least, greatest].find((end) => !form.test(end));
  if (odd !== undefined) return `"${odd}" isn't an end of a range of ${kind}s.`;
  const isInOrder = kind === 'integer' ? BigInt(least) <= BigInt(greatest) : Number(least) <= Number(greatest);
  return isInOrder ? undefined : `its range begins at ${least} and ends at ${greatest}.`;
}

/** Why no host could offer a person the labels of a column. */
function valuesFault({ kind, values }: Column): string | undefined {
  if (values === undefined) return undefined;
  if (kind !== 'enum') return `a list of values is for labels, and the column holds ${kind}.`;
  if (values.length === 0 || values.length > MOST_LABELS)
    return `it has ${values.length} labels, and 1 to ${MOST_LABELS} are allowed.`;
  const twice = values.find((value, index) => values.indexOf(value) !== index);
  return twice === undefined ? undefined : `its label "${twice.slice(0, 40)}" comes twice.`;
}

async function mustLead({ session, options }: Bench, table: TableDescription, foreignKey: ForeignKey): Promise<void> {
  const { columns, references, referencedColumns } = foreignKey;
  const where = `The foreign key of ${tableText(table.ref)} on ${columns.map((name) => `"${name}"`).join(', ')}`;
  must(
    columns.length > 0 && columns.length <= MOST_KEY_COLUMNS,
    `${where} has ${columns.length} columns, and 1 to 64 are allowed.`,
  );
  must(new Set(columns).size === columns.length, `${where} has a column twice.`);
  must(
    columns.length === referencedColumns.length,
    `${where} has ${columns.length} columns and refers to ${referencedColumns.length}.`,
  );
  for (const name of columns)
    must(
      table.columns.some((column) => column.name === name),
      `${where}: "${name}" isn't a column of the table.`,
    );
  const referenced = await inTime('describeTable', session.describeTable(references, options)).catch((error: unknown) =>
    fail(`${where} refers to ${tableText(references)}, which can't be described: ${String(error)}`),
  );
  for (const name of referencedColumns)
    must(
      referenced.columns.some((column) => column.name === name),
      `${where} refers to "${name}", which isn't a column of ${tableText(references)}.`,
    );
}

/** The other table has to describe the same key, where it describes any. */
async function mustRefer({ session, options }: Bench, table: TableDescription, key: ReferringKey): Promise<void> {
  const { columns, referencedColumns } = key;
  const where = `The key by which ${tableText(key.table)} refers to ${tableText(table.ref)}`;
  must(
    columns.length > 0 && columns.length <= MOST_KEY_COLUMNS,
    `${where} has ${columns.length} columns, and 1 to 64 are allowed.`,
  );
  must(
    columns.length === referencedColumns.length,
    `${where} has ${columns.length} columns and refers to ${referencedColumns.length}.`,
  );
  for (const name of referencedColumns)
    must(
      table.columns.some((column) => column.name === name),
      `${where} refers to "${name}", which isn't a column of the table.`,
    );
  const referring = await inTime('describeTable', session.describeTable(key.table, options)).catch((error: unknown) =>
    fail(`${where} is of a table that can't be described: ${String(error)}`),
  );
  for (const name of columns)
    must(
      referring.columns.some((column) => column.name === name),
      `${where} has "${name}", which isn't a column of ${tableText(key.table)}.`,
    );
  const { foreignKeys } = referring;
  if (foreignKeys === undefined || foreignKeys.length >= MOST_FOREIGN_KEYS) return;
  const text = referringText(key);
  must(
    foreignKeys.some(
      (one) => refText(one.references) === refText(table.ref) && referringText({ ...one, table: key.table }) === text,
    ),
    `${where} is none of the foreign keys of ${tableText(key.table)}.`,
  );
}

/** A part of a table, such as a partition, has keys of the whole, which alone is named. */
function mustBeSaid({ ref }: TableDescription, referenced: TableDescription | undefined, key: ForeignKey): void {
  const { referredBy = [] } = referenced ?? {};
  if (referenced === undefined || referredBy.length >= MOST_FOREIGN_KEYS) return;
  const text = columnsText(key);
  must(
    referredBy.some((one) => columnsText(one) === text),
    `${tableText(ref)} refers to ${tableText(referenced.ref)}, whose description doesn't say so.`,
  );
}

function columnsText({ columns, referencedColumns }: Pick<ForeignKey, 'columns' | 'referencedColumns'>): string {
  return JSON.stringify([columns, referencedColumns]);
}

function referringText({ table, columns, referencedColumns }: ReferringKey): string {
  return JSON.stringify([refText(table), columns, referencedColumns]);
}

async function identityOf({ session, options }: Bench, table: TableRef): Promise<string | undefined> {
  return (await inTime('describeTable', session.describeTable(table, options))).identity;
}

const shown = (identity: string | undefined): string => (identity === undefined ? 'absent' : `"${identity.slice(0, 200)}"`);

/** Names that hold a separator must not make two tables one. */
function refText({ namespace, name }: TableRef): string {
  return JSON.stringify([...namespace, name]);
}
