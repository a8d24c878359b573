import type { SearchHit, TableDescription } from '@tabularium/sdk';
import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import { Highlighted } from './HitCard.tsx';
import { fieldText, readHitDocument } from './hitFields.ts';
import styles from './search.module.css';

interface Props {
  readonly hits: readonly SearchHit[];
  readonly description: TableDescription;
  /** The fields that were searched; they come first. */
  readonly fields: readonly string[];
  /** The place of each hit's grade, where hits are judged. */
  readonly gradingOf?: ((hit: SearchHit, rank: number) => ReactNode) | undefined;
}

const MOST_COLUMNS = 12;

/** Hits as a table: rank, grade where hits are judged, score, and the columns of the table, those that were searched first. */
export function HitRows({ hits, description, fields, gradingOf }: Props): ReactNode {
  const words = strings.search;
  const columns = [...new Set([...fields, ...description.columns.map(({ name }) => name)])].slice(0, MOST_COLUMNS);
  return (
    <div className={styles.tableScroll} tabIndex={0} role="region" aria-label={words.hits}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{words.rank}</th>
            {gradingOf === undefined ? null : <th scope="col">{strings.relevance.gradeColumn}</th>}
            <th scope="col">{words.score}</th>
            {columns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {hits.map((hit, place) => {
            const document = readHitDocument(hit);
            return (
              <tr key={JSON.stringify(hit.key)}>
                <th scope="row">{place + 1}</th>
                {gradingOf === undefined ? null : <td>{gradingOf(hit, place + 1)}</td>}
                <td>
                  {hit.score}
                  {hit.marks.map(({ label, detail }) => (
                    <span key={label} className={styles.badge} title={detail}>
                      {label}
                    </span>
                  ))}
                </td>
                {columns.map((name) => (
                  <td key={name}>
                    <Highlighted hit={hit} field={name} fallback={fieldText(document, name) ?? ''} />
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
