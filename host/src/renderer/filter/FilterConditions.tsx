import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import styles from './filter.module.css';
import type { FilterDraft, FilterRow } from './filterModel.ts';
import { FilterRowView } from './FilterRowView.tsx';
import { RawRow } from './RawRow.tsx';
import type { FilterBarModel } from './useFilterBar.ts';

/** The conditions of the bar, each in a row. */
export function FilterConditions({ model }: { readonly model: FilterBarModel }): ReactNode {
  const { description, filter, filtering, problem, suggestions } = model;
  const { columns } = description;
  const { draft, change, apply } = filter;
  if (model.isEmpty) return null;
  const withRow = (row: FilterRow): FilterDraft => ({
    ...draft,
    rows: draft.rows.map((before) => (before.id === row.id ? row : before)),
  });
  const { raw, ...withoutRaw } = draft;
  const faultyColumn = problem?.details.field;
  const isOfRow = draft.rows.some(({ column, enabled }) => enabled && column === faultyColumn);
  return (
    <div className={styles.rows}>
      {draft.rows.map((row) => (
        <FilterRowView
          key={row.id}
          row={row}
          table={{ filtering, columns, suggestions, dateUnits: model.dateUnits }}
          showsFault={filter.showsFaults}
          refusal={row.enabled && row.column === faultyColumn ? problem?.message : undefined}
          onChange={(next) => change(withRow(next))}
          onApply={(next) => apply(withRow(next))}
          onRemove={() => apply({ ...draft, rows: draft.rows.filter(({ id }) => id !== row.id) })}
        />
      ))}
      {raw === undefined || filtering.raw === undefined ? null : (
        <RawRow
          raw={raw}
          about={filtering.raw}
          refusal={problem !== undefined && !isOfRow && raw.enabled ? problem.message : undefined}
          onChange={(next) => change({ ...draft, raw: next })}
          onApply={(next) => apply({ ...draft, raw: next })}
          onRemove={() => apply(withoutRaw)}
        />
      )}
      {problem === undefined ? null : (
        <span className={styles.rowsBefore} role="status">
          {isOfRow || draft.raw?.enabled === true ? null : <span className={styles.fieldError}>{problem.message} </span>}
          {strings.filter.rowsBefore}
        </span>
      )}
    </div>
  );
}
