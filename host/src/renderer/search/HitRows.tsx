import type { SearchHit, TableDescription } from '@tabularium/sdk';
import { Fragment } from 'react';
import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import { Highlighted } from './HitCard.tsx';
import { fieldText, hitKey, readHitDocument } from './hitFields.ts';
import styles from './search.module.css';

interface Props {
  readonly hits: readonly SearchHit[];
  readonly description: TableDescription;
  /** The fields that were searched; they come first. */
  readonly fields: readonly string[];
  /** The place of each hit's menu, where there are rules that pin and hide. */
  readonly placingOf?: ((hit: SearchHit, rank: number) => ReactNode) | undefined;
  /** The place of each hit's grade, where hits are judged. */
  readonly gradingOf?: ((hit: SearchHit, rank: number) => ReactNode) | undefined;
}

const MOST_COLUMNS = 12;

/** Hits as a table: rank, grade where hits are judged, and the columns of the table, those that were searched first; the score follows the first one. */
export function HitRows({ hits, description, fields, gradingOf, placingOf }: Props): ReactNode {
  const words = strings.search;
  // Rows of other tables have other fields: those where the words were found say what a row is.
  const foreign = hits.flatMap(({ table, highlights }) => (table === undefined ? [] : highlights.map(({ field }) => field)));
  const columns = [...new Set([...fields, ...foreign, ...description.columns.map(({ name }) => name)])].slice(0, MOST_COLUMNS);
  const isTogether = hits.some(({ table }) => table !== undefined);
  return (
    <div className={styles.tableScroll} tabIndex={0} role="region" aria-label={words.hits}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{words.rank}</th>
            {isTogether ? <th scope="col">{words.tableColumn}</th> : null}
            {gradingOf === undefined ? null : <th scope="col">{strings.relevance.gradeColumn}</th>}
            {columns.map((name, place) => (
              <Fragment key={name}>
                <th scope="col">{name}</th>
                {place === 0 ? <th scope="col">{words.score}</th> : null}
              </Fragment>
            ))}
          </tr>
        </thead>
        <tbody>
          {hits.map((hit, place) => {
            const document = readHitDocument(hit);
            return (
              <tr key={hitKey(hit)}>
                <th scope="row">
                  {place + 1}
                  {placingOf?.(hit, place + 1)}
                </th>
                {isTogether ? <td>{hit.table?.name ?? description.ref.name}</td> : null}
                {gradingOf === undefined ? null : <td>{gradingOf(hit, place + 1)}</td>}
                {columns.map((name, column) => (
                  <Fragment key={name}>
                    <td>
                      <Highlighted hit={hit} field={name} fallback={fieldText(document, name) ?? ''} />
                    </td>
                    {column === 0 ? (
                      <td>
                        {hit.score}
                        {hit.marks.map(({ label, detail }) => (
                          <span key={label} className={styles.badge} title={detail}>
                            {label}
                          </span>
                        ))}
                      </td>
                    ) : null}
                  </Fragment>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
