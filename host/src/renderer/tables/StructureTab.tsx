import { IconChevronDown, IconChevronRight, IconCopy } from '@tabler/icons-react';
import type { Column, TableDescription } from '@tabularium/sdk';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { presetText } from '../grid/model/presetText.ts';
import { strings } from '../i18n/index.ts';
import { ColumnMarks, MarkLegend, marksOf, ownMarks, reasonsOf } from './ColumnMarks.tsx';
import { LongText, StructureSection, StructureSections } from './StructureSections.tsx';
import { copyText } from '../ui/copyText.ts';
import styles from './structure.module.css';

interface Props {
  readonly description: TableDescription;
  /** The content of the footer: the switch between the views. */
  readonly footer: ReactNode;
}

/** A table's columns, indexes, keys and triggers, and its definition beside them where there is room. */
export function StructureTab({ description, footer }: Props): ReactNode {
  const { columns, key, definition, ref, comment } = description;
  const words = strings.tableParts;
  const notes = [...sortNotes(description), ...description.notes];
  const hasPresets = columns.some((column) => presetText(column) !== '');
  const heads = [
    strings.structure.name,
    strings.structure.type,
    strings.structure.abilities,
    ...(hasPresets ? [words.default] : []),
    strings.structure.note,
  ];
  const used = new Set(columns.flatMap((column) => marksOf(column, key)));
  return (
    <div className={styles.root}>
      <div className={styles.split}>
        <div className={styles.scroll} tabIndex={0} role="region" aria-label={strings.structure.label(ref.name)}>
          {comment === undefined ? null : (
            <p className={styles.comment}>
              <LongText text={comment} />
            </p>
          )}
          {notes.length === 0 ? null : (
            <ul className={styles.notes}>
              {notes.map((note) => (
                <li key={note}>{note}</li>
              ))}
            </ul>
          )}
          <MarkLegend used={used} own={ownMarks(columns)} />
          <StructureSection
            title={words.columns}
            heads={heads}
            lines={columns.map((column) => [
              column.name,
              column.type,
              copiedMarks(column, key),
              ...(hasPresets ? [presetText(column)] : []),
              [column.comment, labelsText(column), column.note].filter((part) => part !== undefined).join(' '),
            ])}
          >
            {() =>
              columns.map((column) => <ColumnRow key={column.name} column={column} tableKey={key} hasPresets={hasPresets} />)
            }
          </StructureSection>
          <StructureSections description={description} />
        </div>
        {definition === undefined ? null : (
          <section
            className={styles.definition}
            tabIndex={0}
            aria-label={`${strings.structure.definition} (${definition.language})`}
          >
            <div className={styles.definitionHead}>
              <h2>{`${strings.structure.definition} (${definition.language})`}</h2>
              <button
                type="button"
                className={styles.why}
                aria-label={strings.structure.copyDefinition}
                onClick={() => void copyText(definition.text, strings.structure.copiedDefinition)}
              >
                <IconCopy size={12} aria-hidden />
                {words.copy}
              </button>
            </div>
            <pre>{definition.text}</pre>
          </section>
        )}
      </div>
      {footer}
    </div>
  );
}

/** The order in which rows come without a sort. */
function sortNotes({ defaultSort = [] }: TableDescription): readonly string[] {
  const words = strings.tableParts;
  const columns = defaultSort.map(({ column, direction }) => (direction === 'descending' ? words.descending(column) : column));
  return columns.length === 0 ? [] : [words.order(columns.join(', '))];
}

function copiedMarks(column: Column, key: readonly string[]): string {
  return [
    ...marksOf(column, key).map((mark) => strings.structure.marks[mark]),
    ...(column.marks ?? []).map(({ label }) => label),
  ].join(', ');
}

interface ColumnRowProps {
  readonly column: Column;
  readonly tableKey: readonly string[];
  /** Whether any column of the table has a default or is generated. */
  readonly hasPresets: boolean;
}

/** The labels that a column takes; undefined of a column without. */
function labelsText({ values }: Column): string | undefined {
  return values === undefined ? undefined : strings.tableParts.oneOf(values);
}

function ColumnRow({ column, tableKey, hasPresets }: ColumnRowProps): ReactNode {
  const words = strings.structure;
  const [isOpen, setOpen] = useState(false);
  const reasons = reasonsOf(column);
  const labels = labelsText(column);
  return (
    <tr>
      <th scope="row">
        {column.name}
        {column.comment === undefined ? null : (
          <div className={styles.columnComment}>
            <LongText text={column.comment} />
          </div>
        )}
      </th>
      <td className={styles.type}>{column.type}</td>
      <td>
        <ColumnMarks marks={marksOf(column, tableKey)} own={column.marks ?? []} />
      </td>
      {hasPresets ? (
        <td className={styles.long}>
          <LongText text={presetText(column)} />
        </td>
      ) : null}
      <td className={styles.note}>
        <div className={styles.noteLine}>
          <span>
            {labels === undefined ? null : (
              <span className={styles.columnLabels}>
                <LongText text={labels} />
              </span>
            )}
            {column.note}
          </span>
          {reasons.length === 0 ? null : (
            <button
              type="button"
              className={styles.why}
              aria-expanded={isOpen}
              aria-label={words.whyOf(column.name)}
              onClick={() => setOpen(!isOpen)}
            >
              {words.why}
              {isOpen ? <IconChevronDown size={12} aria-hidden /> : <IconChevronRight size={12} aria-hidden />}
            </button>
          )}
        </div>
        {isOpen ? (
          <ul className={styles.reasons}>
            {reasons.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        ) : null}
      </td>
    </tr>
  );
}
