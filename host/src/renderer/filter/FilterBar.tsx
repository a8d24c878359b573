import { Button, SegmentedControl } from '@mantine/core';
import { IconCode, IconFilterPlus } from '@tabler/icons-react';
import type { Sort, TableDescription } from '@tabularium/sdk';
import { useImperativeHandle, useMemo, useRef, useState } from 'react';
import type { KeyboardEvent, ReactNode, Ref } from 'react';
import type { OpenConnectionInfo } from '../../common/api.ts';
import type { Problem } from '../api/problem.ts';
import { useCommands } from '../commands/registry.ts';
import { strings } from '../i18n/index.ts';
import { workspaceTableKey } from '../state/workspace.ts';
import { CaseControl } from './CaseControl.tsx';
import { ExpressionView } from './ExpressionView.tsx';
import styles from './filter.module.css';
import { canFilterBy, hasFaults, isFiltering, rowFor } from './filterModel.ts';
import type { FilterDraft, FilterRow, FilterSelection } from './filterModel.ts';
import { FilterRowView } from './FilterRowView.tsx';
import { PresetMenu, isSavable } from './PresetMenu.tsx';
import type { PresetDialog } from './PresetMenu.tsx';
import { RawRow } from './RawRow.tsx';
import { usePresets } from './usePresets.ts';
import type { TableFilter } from './useTableFilter.ts';

export interface FilterBarHandle {
  /** Puts the cursor into the last condition; makes one where there is none. */
  readonly focus: () => void;
}

interface Props {
  readonly connection: Pick<OpenConnectionInfo, 'connectionId' | 'facets'>;
  readonly description: TableDescription;
  readonly filter: TableFilter;
  readonly filtering: FilterSelection;
  /** What the rows are sorted by, for what is shown of the request. */
  readonly sorts: readonly Sort[];
  /** Whether the tab is the one on the screen: its actions are offered then. */
  readonly isShown: boolean;
  /** What the driver said of the filter that was applied. */
  readonly problem: Problem | undefined;
  readonly handle: Ref<FilterBarHandle>;
  readonly onReloadStructure: () => void;
  readonly onLeave: () => void;
}

/** The conditions above the rows. */
export function FilterBar(props: Props): ReactNode {
  const { connection, description, filter, filtering, sorts, isShown, problem, handle, onReloadStructure, onLeave } = props;
  const words = strings.filter;
  const { connectionId, facets } = connection;
  const { columns, ref: table } = description;
  const { draft, change, apply } = filter;
  const bar = useRef<HTMLElement>(null);
  const [presets, keepPresets] = usePresets(connectionId, workspaceTableKey(table));
  const [dialog, setDialog] = useState<PresetDialog>();
  const [showsExpression, setShowsExpression] = useState(false);
  const suggestions = useMemo(
    () => (facets.includes('suggestions') ? { connectionId, table } : undefined),
    [facets, connectionId, table],
  );
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
  const addRaw = (): void => {
    if (draft.raw === undefined) change({ ...draft, raw: { enabled: true, text: '' } });
    focusLast();
  };
  const focus = (): void => {
    if (draft.rows.length === 0 && draft.raw === undefined) add();
    else focusLast();
  };
  useImperativeHandle(handle, () => ({ focus }));

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
  const nothing = isEmpty ? words.presetSaveUnavailable : undefined;
  const noExpressions = facets.includes('expressions') ? undefined : words.expressionUnavailable;
  useCommands(
    [
      { id: 'filter.show', run: focus },
      { id: 'filter.add', group: 'filter', title: words.commands.add, run: add },
      ...(filtering.raw === undefined
        ? []
        : [{ id: 'filter.raw', group: 'filter' as const, title: words.commands.raw(filtering.raw.label), run: addRaw }]),
      { id: 'filter.apply', disabled: nothing, run: () => apply() },
      { id: 'filter.clear', group: 'filter', title: words.commands.clear, disabled: nothing, run: filter.clear },
      {
        id: 'filter.expression',
        group: 'filter',
        title: words.commands.expression,
        disabled: noExpressions,
        run: () => setShowsExpression((before) => !before),
      },
      {
        id: 'filter.savePreset',
        group: 'filter',
        title: words.commands.savePreset,
        disabled: isSavable(draft) ? undefined : words.presetSaveUnavailable,
        run: () => setDialog('save'),
      },
      {
        id: 'filter.managePresets',
        group: 'filter',
        title: words.commands.managePresets,
        disabled: presets.length > 0 ? undefined : words.presetsNone,
        run: () => setDialog('manage'),
      },
    ],
    isShown,
  );

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
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
              suggestions={suggestions}
              onChange={(next) => change(withRow(next))}
              onApply={(next) => apply(withRow(next))}
              onRemove={() => apply({ ...draft, rows: draft.rows.filter(({ id }) => id !== row.id) })}
            />
          ))}
          {shownRaw === undefined || filtering.raw === undefined ? null : (
            <RawRow
              raw={shownRaw}
              about={filtering.raw}
              refusal={rawRefusal}
              onChange={(raw) => change({ ...draft, raw })}
              onApply={(raw) => apply({ ...draft, raw })}
              onRemove={() => apply(withoutRaw)}
            />
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
          <Button variant="subtle" color="gray" size="compact-xs" title={filtering.raw.help} onClick={addRaw}>
            {filtering.raw.label}
          </Button>
        )}
        <PresetMenu presets={presets} draft={draft} dialog={dialog} onDialog={setDialog} onApply={apply} onKeep={keepPresets} />
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
        {noExpressions === undefined ? (
          <Button
            variant="subtle"
            color="gray"
            size="compact-xs"
            aria-pressed={showsExpression}
            title={words.expressionTitle}
            leftSection={<IconCode size={14} stroke={1.75} />}
            onClick={() => setShowsExpression(!showsExpression)}
          >
            {words.expression}
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
      {showsExpression && noExpressions === undefined ? (
        <ExpressionView
          connectionId={connectionId}
          table={table}
          filter={hasFaults(draft, filtering, columns) ? undefined : filter.wanted}
          sorts={sorts}
        />
      ) : null}
    </section>
  );
}
