import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import type { Column, TableDescription } from '@tabularium/sdk';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import { ColumnMarks, MarkLegend, marksOf, ownMarks, reasonsOf } from './ColumnMarks.tsx';
import styles from './structure.module.css';

interface Props {
  readonly description: TableDescription;
  /** The content of the footer: the switch between the views. */
  readonly footer: ReactNode;
}

/** A table's columns with their types and marks, and its definition beside them where there is room. */
export function StructureTab({ description, footer }: Props): ReactNode {
  const { columns, key, notes, definition, ref } = description;
  const used = new Set(columns.flatMap((column) => marksOf(column, key)));
  return (
    <div className={styles.root}>
      <div className={styles.split}>
        <div className={styles.scroll} tabIndex={0} role="region" aria-label={strings.structure.label(ref.name)}>
          {notes.length === 0 ? null : (
            <ul className={styles.notes}>
              {notes.map((note) => (
                <li key={note}>{note}</li>
              ))}
            </ul>
          )}
          <MarkLegend used={used} own={ownMarks(columns)} />
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">{strings.structure.name}</th>
                <th scope="col">{strings.structure.type}</th>
                <th scope="col">{strings.structure.abilities}</th>
                <th scope="col">{strings.structure.note}</th>
              </tr>
            </thead>
            <tbody>
              {columns.map((column) => (
                <ColumnRow key={column.name} column={column} tableKey={key} />
              ))}
            </tbody>
          </table>
        </div>
        {definition === undefined ? null : (
          <section
            className={styles.definition}
            tabIndex={0}
            aria-label={`${strings.structure.definition} (${definition.language})`}
          >
            <h2>{`${strings.structure.definition} (${definition.language})`}</h2>
            <pre>{definition.text}</pre>
          </section>
        )}
      </div>
      {footer}
    </div>
  );
}

function ColumnRow({ column, tableKey }: { readonly column: Column; readonly tableKey: readonly string[] }): ReactNode {
  const words = strings.structure;
  const [isOpen, setOpen] = useState(false);
  const reasons = reasonsOf(column);
  return (
    <tr>
      <th scope="row">{column.name}</th>
      <td className={styles.type}>{column.type}</td>
      <td>
        <ColumnMarks marks={marksOf(column, tableKey)} own={column.marks ?? []} />
      </td>
      <td className={styles.note}>
        <div className={styles.noteLine}>
          <span>{column.note}</span>
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
