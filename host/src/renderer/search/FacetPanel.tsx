import { Checkbox, Menu, UnstyledButton } from '@mantine/core';
import { IconAdjustments } from '@tabler/icons-react';
import type { SearchFacetCounts, SearchForm, TableDescription } from '@tabularium/sdk';
import type { ReactNode } from 'react';
import { ActionIcon } from '@mantine/core';
import { rowFor } from '../filter/filterModel.ts';
import type { FilterDraft, FilterSelection } from '../filter/filterModel.ts';
import type { TableFilter } from '../filter/useTableFilter.ts';
import { strings } from '../i18n/index.ts';
import { formatCount } from '../i18n/format.ts';
import styles from './search.module.css';

interface Props {
  readonly form: SearchForm;
  readonly chosen: readonly string[];
  readonly counts: readonly SearchFacetCounts[];
  readonly description: TableDescription;
  readonly filtering: FilterSelection | undefined;
  readonly filter: TableFilter;
  readonly onChoose: (facets: readonly string[]) => void;
  /** Values are counted in one table at a time. */
  readonly isOfOneTable: boolean;
}

type Counted = SearchFacetCounts['values'][number];

/** The condition that lets only the rows of a counted value pass. */
function conditionFor({ value, between }: Counted): {
  readonly operator: 'equals' | 'between';
  readonly values: readonly string[];
} {
  return between === undefined ? { operator: 'equals', values: [value] } : { operator: 'between', values: between };
}

function isCondition(row: FilterDraft['rows'][number], column: string, counted: Counted): boolean {
  const { operator, values } = conditionFor(counted);
  return (
    row.enabled && row.column === column && row.operator === operator && values.every((value, at) => row.texts[at] === value)
  );
}

/** How often values occur in what was found; a click makes a value a condition of the filter bar, and takes it out again. */
export function FacetPanel({ form, chosen, counts, description, filtering, filter, onChoose, isOfOneTable }: Props): ReactNode {
  const words = strings.search;
  const toggle = (column: string, counted: Counted): void => {
    const described = description.columns.find(({ name }) => name === column);
    if (described === undefined || filtering === undefined) return;
    const { draft } = filter;
    const others = draft.rows.filter((row) => !isCondition(row, column, counted));
    const { operator, values } = conditionFor(counted);
    const texts: [string, string] = [values[0] ?? '', values[1] ?? ''];
    const row = { ...rowFor(filtering, described), operator, texts };
    filter.apply({ ...draft, rows: others.length < draft.rows.length ? others : [...draft.rows, row] });
  };
  return (
    <section className={styles.facets} aria-label={words.facetsTitle}>
      <div className={styles.panelHead}>
        <h2>{words.facetsTitle}</h2>
        {form.facets.length === 0 ? null : (
          <Menu position="bottom-start" closeOnItemClick={false}>
            <Menu.Target>
              <ActionIcon aria-label={words.chooseFacets} title={words.chooseFacets}>
                <IconAdjustments size={16} stroke={1.75} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown className={styles.facetMenu}>
              {form.facets.map((name) => (
                <Checkbox
                  key={name}
                  className={styles.facetChoice}
                  label={name}
                  checked={chosen.includes(name)}
                  onChange={({ currentTarget }) =>
                    onChoose(form.facets.filter((one) => (one === name ? currentTarget.checked : chosen.includes(one))))
                  }
                />
              ))}
            </Menu.Dropdown>
          </Menu>
        )}
      </div>
      {form.facets.length === 0 ? <p className={styles.muted}>{words.noFacets}</p> : null}
      {form.facets.length === 0 || isOfOneTable ? null : <p className={styles.muted}>{words.facetsOfOneTable}</p>}
      {counts.map(({ column, values }) => (
        <div key={column} className={styles.facet} role="group" aria-label={words.facet(column)}>
          <h3 title={column}>{column}</h3>
          {values.map((counted) => {
            const { value, rows } = counted;
            const wanted = conditionFor(counted);
            // Of the filter that the hits were found with: a value that the database can't filter by stays in the bar as a fault.
            const isOn = filter.applied.conditions.some(
              (condition) =>
                condition.column === column &&
                condition.operator === wanted.operator &&
                wanted.values.every((one, at) => condition.values[at] === one),
            );
            return (
              <UnstyledButton
                key={value}
                className={styles.facetValue}
                data-on={isOn || undefined}
                aria-pressed={isOn}
                aria-label={words.filterBy(column, value, rows)}
                title={value}
                disabled={filtering === undefined}
                onClick={() => toggle(column, counted)}
              >
                <span className={styles.facetText}>{value}</span>
                <span className={styles.facetCount}>{formatCount(rows)}</span>
              </UnstyledButton>
            );
          })}
        </div>
      ))}
    </section>
  );
}
