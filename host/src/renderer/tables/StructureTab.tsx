import { IconKey } from '@tabler/icons-react';
import type { Ability, TableDescription } from '@tabularium/sdk';
import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import styles from './structure.module.css';

function AbilityText({ ability }: { readonly ability: Ability }): ReactNode {
  if (ability.allowed) return strings.structure.yes;
  return <span className={styles.refused}>{`${strings.structure.no}: ${ability.reason}`}</span>;
}

interface Props {
  readonly description: TableDescription;
  /** The content of the footer: the switch between the views. */
  readonly footer: ReactNode;
}

/** A table's columns, to read. */
export function StructureTab({ description, footer }: Props): ReactNode {
  return (
    <div className={styles.root}>
      <div className={styles.scroll} tabIndex={0} role="region" aria-label={strings.structure.label(description.ref.name)}>
        {description.notes.length === 0 ? null : (
          <ul className={styles.notes}>
            {description.notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        )}
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{strings.structure.name}</th>
              <th scope="col">{strings.structure.type}</th>
              <th scope="col">{strings.structure.nullable}</th>
              <th scope="col">{strings.structure.sortable}</th>
              <th scope="col">{strings.structure.note}</th>
            </tr>
          </thead>
          <tbody>
            {description.columns.map((column) => (
              <tr key={column.name}>
                <th scope="row">
                  {column.name}
                  {description.key.includes(column.name) ? (
                    <IconKey size={12} className={styles.key} role="img" aria-label={strings.structure.key} />
                  ) : null}
                </th>
                <td className={styles.type}>{column.type}</td>
                <td>{column.nullable ? strings.structure.yes : strings.structure.no}</td>
                <td>
                  <AbilityText ability={column.sortable} />
                </td>
                <td>{column.note}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {description.definition === undefined ? null : (
          <details className={styles.definition}>
            <summary>{`${strings.structure.definition} (${description.definition.language})`}</summary>
            <pre>{description.definition.text}</pre>
          </details>
        )}
      </div>
      {footer}
    </div>
  );
}
