import { wholeStart } from '@tabularium/sdk';
import type { IndexColumn, TableDescription, TableIndex, TableTrigger } from '@tabularium/sdk';
import { IconCopy } from '@tabler/icons-react';
import { useId, useState } from 'react';
import type { ReactNode } from 'react';
import { tableName } from '../../common/tableName.ts';
import { strings } from '../i18n/index.ts';
import { copyText } from '../ui/copyText.ts';
import styles from './structure.module.css';

/** Rows of a part before the rest is asked for. */
const FIRST_ROWS = 50;
/** Characters of a value before the rest is asked for. */
const FIRST_CHARACTERS = 200;

/** A line of a part: its heading, then one text for each other column; empty where there is nothing to say. */
type Line = readonly string[];

interface SectionProps {
  readonly title: string;
  /** The column headings, then the lines, as they are copied. */
  readonly heads: readonly string[];
  readonly lines: readonly Line[];
  /** Other cells than the lines' texts, of the lines that are shown. */
  readonly children?: (from: number, to: number) => ReactNode;
}

/** One part of a table's structure: a heading, what copies it, and a table. */
export function StructureSection({ title, heads: all, lines: whole, children }: SectionProps): ReactNode {
  // A column that says nothing takes the room of the others.
  const said = all.map((_, at) => children !== undefined || whole.length === 0 || whole.some((line) => line[at] !== ''));
  const heads = all.filter((_, at) => said[at]);
  const lines = whole.map((line) => line.filter((_, at) => said[at]));
  const words = strings.tableParts;
  const id = useId();
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole || children !== undefined ? lines.length : Math.min(lines.length, FIRST_ROWS);
  const copy = (): void => void copyText([heads, ...lines].map(clipboardLine).join('\n'), words.copied(title));
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.sectionHead}>
        <h2 id={id}>{title}</h2>
        {lines.length === 0 ? null : (
          <button type="button" className={styles.why} aria-label={words.copyOf(title)} onClick={copy}>
            <IconCopy size={12} aria-hidden />
            {words.copy}
          </button>
        )}
      </div>
      {lines.length === 0 ? (
        <p className={styles.none}>{words.none}</p>
      ) : (
        <table className={styles.table} aria-labelledby={id}>
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{children === undefined ? lines.slice(0, shown).map(lineRow) : children(0, shown)}</tbody>
        </table>
      )}
      {shown === lines.length ? null : (
        <button type="button" className={styles.all} onClick={() => setWhole(true)}>
          {words.showAll(lines.length)}
        </button>
      )}
    </section>
  );
}

/** Tabs and line breaks would make other cells of it. */
function clipboardLine(line: Line): string {
  return line.map((text) => text.replaceAll(/[\t\r\n]+/g, ' ')).join('\t');
}

function lineRow(line: Line, place: number): ReactNode {
  const [head = '', ...rest] = line;
  return (
    <tr key={`${place} ${head}`}>
      <th scope="row">
        <LongText text={head} />
      </th>
      {rest.map((text, at) => (
        <td key={at} className={styles.long}>
          <LongText text={text} />
        </td>
      ))}
    </tr>
  );
}

/** A text whose rest is asked for where it is long. */
export function LongText({ text }: { readonly text: string }): ReactNode {
  const words = strings.tableParts;
  const [isOpen, setOpen] = useState(false);
  // In an element, so that hidden characters are marked.
  if (text.length <= FIRST_CHARACTERS) return <span>{text}</span>;
  return (
    <>
      <span>{isOpen ? text : `${wholeStart(text, FIRST_CHARACTERS)}…`}</span>{' '}
      <button type="button" className={styles.why} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? words.less : words.more}
      </button>
    </>
  );
}

/** Indexes, foreign keys, the keys that refer to the table, and triggers: those that its description has. */
export function StructureSections({ description }: { readonly description: TableDescription }): ReactNode {
  const words = strings.tableParts;
  const { indexes, foreignKeys, referredBy, triggers } = description;
  const names = (of: readonly string[]): string => of.join(', ');
  return (
    <>
      {indexes === undefined ? null : (
        <StructureSection
          title={words.indexes}
          heads={[words.name, words.indexed, words.kind, words.condition, strings.structure.note]}
          lines={indexes.map((index) => [index.name, indexedText(index), kindText(index), index.where ?? '', index.note ?? ''])}
        />
      )}
      {foreignKeys === undefined ? null : (
        <StructureSection
          title={words.foreignKeys}
          heads={[words.name, words.columns, words.table, words.itsColumns]}
          lines={foreignKeys.map(({ name, columns, references, referencedColumns }) => [
            name ?? words.unnamed,
            names(columns),
            tableName(references),
            names(referencedColumns),
          ])}
        />
      )}
      {referredBy === undefined ? null : (
        <StructureSection
          title={words.referredBy}
          heads={[words.name, words.table, words.itsColumns, words.columns]}
          lines={referredBy.map(({ name, table, columns, referencedColumns }) => [
            name ?? words.unnamed,
            tableName(table),
            names(columns),
            names(referencedColumns),
          ])}
        />
      )}
      {triggers === undefined ? null : (
        <StructureSection
          title={words.triggers}
          heads={[words.name, words.fires, words.condition, words.runs, strings.structure.note]}
          lines={triggers.map((trigger) => [
            trigger.name,
            firesText(trigger),
            trigger.when ?? '',
            trigger.calls ?? '',
            trigger.note ?? '',
          ])}
        />
      )}
    </>
  );
}

function indexedText({ columns, includes = [] }: TableIndex): string {
  const words = strings.tableParts;
  const texts = columns.map((column) => {
    const { descending, nulls, detail } = column;
    const of = [indexColumnText(column), ...(detail === undefined ? [] : [detail])].join(' ');
    const ordered = descending === true ? words.descending(of) : of;
    return nulls === undefined ? ordered : words.nulls[nulls](ordered);
  });
  return [texts.join(', '), ...(includes.length === 0 ? [] : [words.includes(includes.join(', '))])].join('; ');
}

function indexColumnText(column: IndexColumn): string {
  return 'name' in column ? column.name : column.expression;
}

function kindText({ primary, unique, method }: TableIndex): string {
  const words = strings.tableParts;
  const kind = primary === true ? words.primary : unique ? words.unique : '';
  return [kind, method ?? ''].filter((part) => part !== '').join(', ');
}

function firesText({ timing, events, columns = [], level, enabled }: TableTrigger): string {
  const words = strings.tableParts;
  const on = events.map((event) =>
    event === 'update' && columns.length > 0 ? words.updateOf(columns.join(', ')) : words.events[event],
  );
  return [
    `${words.timing[timing]} ${on.join(words.or)}`,
    ...(level === undefined ? [] : [words.level[level]]),
    ...(enabled === false ? [words.disabled] : []),
  ].join(', ');
}
