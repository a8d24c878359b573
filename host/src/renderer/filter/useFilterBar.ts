import type { Sort, TableDescription } from '@tabularium/sdk';
import { useImperativeHandle, useMemo, useRef, useState } from 'react';
import type { Ref, RefObject } from 'react';
import type { OpenConnectionInfo } from '../../common/api.ts';
import type { Problem } from '../api/problem.ts';
import { useCommands } from '../commands/registry.ts';
import { strings } from '../i18n/index.ts';
import { workspaceTableKey } from '../state/workspace.ts';
import type { DateUnits } from './dateValue.ts';
import { canFilterBy, rowFor } from './filterModel.ts';
import type { FilterSelection } from './filterModel.ts';
import { isSavable } from './PresetMenu.tsx';
import type { PresetDialog } from './PresetMenu.tsx';
import type { FilterPreset } from './presets.ts';
import { usePresets } from './usePresets.ts';
import type { SuggestionSource } from './useSuggestions.ts';
import type { TableFilter } from './useTableFilter.ts';

/** The filtered table. */
export interface FilteredTable {
  readonly connection: Pick<OpenConnectionInfo, 'connectionId' | 'facets'>;
  readonly description: TableDescription;
  readonly filtering: FilterSelection;
  /** The sorting of the rows, for the shown request. */
  readonly sorts: readonly Sort[];
  /** Units of the columns whose integers are moments. */
  readonly dateUnits: DateUnits;
}

export interface FilterBarHandle {
  /** Puts the cursor into the last condition; makes one where there is none. */
  readonly focus: () => void;
}

/** How the bar shows in its tab. */
export interface FilterBarView {
  /** Whether the tab is the one on the screen: its actions are offered then. */
  readonly isShown: boolean;
  /** The driver's fault of the applied filter. */
  readonly problem: Problem | undefined;
  readonly handle: Ref<FilterBarHandle>;
}

/** The bar of one table: the filter, what else it holds, and what it can do. */
export interface FilterBarModel extends FilteredTable {
  readonly filter: TableFilter;
  readonly problem: Problem | undefined;
  readonly bar: RefObject<HTMLElement | null>;
  /** Whether there is no condition. */
  readonly isEmpty: boolean;
  /** The source of suggestions; absent where the driver has none. */
  readonly suggestions: SuggestionSource | undefined;
  readonly presets: readonly FilterPreset[];
  readonly savePresets: (presets: readonly FilterPreset[]) => void;
  readonly dialog: PresetDialog | undefined;
  readonly setDialog: (dialog: PresetDialog | undefined) => void;
  /** Absent where the driver can't show its request. */
  readonly expression: { readonly isShown: boolean; readonly toggle: () => void } | undefined;
  readonly add: () => void;
  readonly addRaw: () => void;
}

/** Also offers the bar's commands while its tab is on the screen. */
export function useFilterBar(table: FilteredTable, filter: TableFilter, view: FilterBarView): FilterBarModel {
  const { connection, description, filtering } = table;
  const { connectionId, facets } = connection;
  const { columns, ref } = description;
  const { draft, change, apply } = filter;
  const words = strings.filter;
  const bar = useRef<HTMLElement>(null);
  const [presets, savePresets] = usePresets(connectionId, workspaceTableKey(ref));
  const [dialog, setDialog] = useState<PresetDialog>();
  const [showsExpression, setShowsExpression] = useState(false);
  const suggestions = useMemo(
    () => (facets.includes('suggestions') ? { connectionId, table: ref } : undefined),
    [facets, connectionId, ref],
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
  const isEmpty = draft.rows.length === 0 && draft.raw === undefined;
  const focus = (): void => {
    if (isEmpty) add();
    else focusLast();
  };
  useImperativeHandle(view.handle, () => ({ focus }));
  const toggleExpression = (): void => setShowsExpression((before) => !before);
  const hasExpressions = facets.includes('expressions');
  const nothing = isEmpty ? words.noCondition : undefined;
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
        disabled: hasExpressions ? undefined : words.expressionUnavailable,
        run: toggleExpression,
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
    view.isShown,
  );
  return {
    ...table,
    filter,
    problem: view.problem,
    bar,
    isEmpty,
    suggestions,
    presets,
    savePresets,
    dialog,
    setDialog,
    expression: hasExpressions ? { isShown: showsExpression, toggle: toggleExpression } : undefined,
    add,
    addRaw,
  };
}
