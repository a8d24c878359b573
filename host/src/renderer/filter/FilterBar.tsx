import { ActionIcon, Button, Checkbox, SegmentedControl, TextInput, Tooltip } from '@mantine/core';
import { IconFilterPlus, IconLetterCase, IconX } from '@tabler/icons-react';
import type { Column } from '@tabularium/sdk';
import { useImperativeHandle, useRef } from 'react';
import type { KeyboardEvent, ReactNode, Ref } from 'react';
import type { Problem } from '../api/problem.ts';
import { strings } from '../strings/index.ts';
import styles from './filter.module.css';
import { canFilterBy, isFiltering, rowFor } from './filterModel.ts';
import type { FilterDraft, FilterRow, Filtering } from './filterModel.ts';
import { FilterRowView } from './FilterRowView.tsx';
import type { TableFilter } from './useTableFilter.ts';

export interface FilterBarHandle {
  /** Puts the cursor into the last condition; makes one where there is none. */
  readonly focus: () => void;
}

interface Props {
  readonly filter: TableFilter;
  readonly filtering: Filtering;
  readonly columns: readonly Column[];
  /** What the driver said of the filter that was applied. */
  readonly problem: Problem | undefined;
  readonly handle: Ref<FilterBarHandle>;
  readonly onReloadStructure: () => void;
  readonly onLeave: () => void;
}

const words = strings.filter;

/** The conditions above the rows. */
export function FilterBar({ filter, filtering, columns, problem, handle, onReloadStructure, onLeave }: Props): ReactNode {
  const { draft, change, apply } = filter;
  const bar = useRef<HTMLElement>(null);
  const focusLast = (): void => {
    requestAnimationFrame(() => {
      const fields = bar.current?.querySelectorAll<HTMLInputElement>('[data-filter-value]');
      fields?.[fields.length - 1]?.focus();
    });
  };
  const add = (): void => {
    const column = columns.find((candidate) => canFilterBy(filtering, candidate));
    if (column === undefined) return;
    change({ ...draft, rows: [...draft.rows, rowFor(filtering, column)] });
    focusLast();
  };
  useImperativeHandle(handle, () => ({
    focus: () => {
      if (draft.rows.length === 0 && draft.raw === undefined) add();
      else focusLast();
    },
  }));

  const withRow = (row: FilterRow): FilterDraft => ({
    ...draft,
    rows: draft.rows.map((before) => (before.id === row.id ? row : before)),
  });
  const { raw: shownRaw, ...withoutRaw } = draft;
  const isEmpty = draft.rows.length === 0 && shownRaw === undefined;
  const several = draft.rows.length + (shownRaw === undefined ? 0 : 1) > 1;
  const faultyColumn = problem?.details.field;
  const isOfRow = draft.rows.some(({ column, enabled }) => enabled && column === faultyColumn);
  const rawRefusal = problem !== undefined && !isOfRow && shownRaw?.enabled === true ? problem.message : undefined;

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    onLeave();
  };

  return (
    <section ref={bar} className={styles.bar} aria-label={words.label} onKeyDown={onKeyDown}>
      {isEmpty ? null : (
        <div className={styles.rows}>
          {draft.rows.map((row) => (
            <FilterRowView
              key={row.id}
              row={row}
              filtering={filtering}
              columns={columns}
              showsFault={filter.showsFaults}
              refusal={row.enabled && row.column === faultyColumn ? problem?.message : undefined}
              onChange={(next) => change(withRow(next))}
              onApply={(next) => apply(withRow(next))}
              onRemove={() => apply({ ...draft, rows: draft.rows.filter(({ id }) => id !== row.id) })}
            />
          ))}
          {shownRaw === undefined || filtering.raw === undefined ? null : (
            <div className={styles.row} data-off={!shownRaw.enabled || undefined}>
              <Checkbox
                size="xs"
                aria-label={words.rawEnabled}
                checked={shownRaw.enabled}
                onChange={(event) => apply({ ...draft, raw: { ...shownRaw, enabled: event.currentTarget.checked } })}
              />
              <span className={styles.rawLabel} title={filtering.raw.help}>
                {filtering.raw.label}
              </span>
              <span className={styles.values}>
                <TextInput
                  className={styles.rawValue}
                  aria-label={filtering.raw.label}
                  data-filter-value
                  placeholder={filtering.raw.placeholder}
                  title={filtering.raw.help}
                  value={shownRaw.text}
                  error={rawRefusal !== undefined}
                  onChange={(event) => change({ ...draft, raw: { ...shownRaw, text: event.currentTarget.value } })}
                  onKeyDown={(event) => (event.key === 'Enter' ? apply() : undefined)}
                />
                {rawRefusal === undefined ? null : (
                  <span className={styles.fieldError} role="alert" title={rawRefusal}>
                    {rawRefusal}
                  </span>
                )}
              </span>
              <ActionIcon size={24} aria-label={words.removeRaw} title={words.removeRaw} onClick={() => apply(withoutRaw)}>
                <IconX size={14} stroke={1.75} />
              </ActionIcon>
            </div>
          )}
        </div>
      )}
      <div className={styles.tools}>
        <Button
          variant="subtle"
          color="gray"
          size="compact-xs"
          leftSection={<IconFilterPlus size={14} stroke={1.75} />}
          title={words.addTitle}
          onClick={add}
        >
          {words.add}
        </Button>
        {filtering.raw === undefined || shownRaw !== undefined ? null : (
          <Button
            variant="subtle"
            color="gray"
            size="compact-xs"
            title={filtering.raw.help}
            onClick={() => {
              change({ ...draft, raw: { enabled: true, text: '' } });
              focusLast();
            }}
          >
            {filtering.raw.label}
          </Button>
        )}
        <CaseControl filtering={filtering} filter={filter} />
        {several && filtering.match.length > 1 ? (
          <SegmentedControl
            className={styles.match}
            size="xs"
            aria-label={words.match}
            value={draft.match}
            onChange={(value) => apply({ ...draft, match: value === 'any' ? 'any' : 'all' })}
            data={filtering.match.map((value) => ({
              value,
              label: <span title={words.matchHelp[value]}>{words.matches[value]}</span>,
            }))}
          />
        ) : null}
        <span className={styles.space} />
        {problem?.code === 'STRUCTURE_CHANGED' ? (
          <Button variant="default" size="compact-xs" onClick={onReloadStructure}>
            {words.reloadStructure}
          </Button>
        ) : null}
        {isEmpty ? null : (
          <>
            <Button variant={filter.isChanged ? 'filled' : 'default'} size="compact-xs" onClick={() => apply()}>
              {words.apply}
            </Button>
            <Button
              variant="subtle"
              color="gray"
              size="compact-xs"
              disabled={isEmpty && !isFiltering(filter.applied)}
              onClick={filter.clear}
            >
              {words.clear}
            </Button>
          </>
        )}
      </div>
    </section>
  );
}

/** Whether letter case counts; dimmed with the driver's reason where there is no choice. */
function CaseControl({ filtering, filter }: Pick<Props, 'filtering' | 'filter'>): ReactNode {
  const { caseControl } = filtering;
  const isOn = filter.draft.matchCase === true;
  const reason = caseControl.available ? undefined : caseControl.reason;
  return (
    <Tooltip label={reason ?? words.caseControl} openDelay={200}>
      <ActionIcon
        size={24}
        variant={isOn ? 'light' : 'subtle'}
        aria-label={words.caseControl}
        aria-description={reason}
        aria-pressed={isOn}
        aria-disabled={reason !== undefined}
        data-disabled={reason !== undefined || undefined}
        className={styles.case}
        onClick={() => (reason === undefined ? filter.apply({ ...filter.draft, matchCase: !isOn }) : undefined)}
      >
        <IconLetterCase size={16} stroke={1.75} />
      </ActionIcon>
    </Tooltip>
  );
}
