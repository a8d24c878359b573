import { useEffect, useMemo, useState } from 'react';
import type { DateUnits } from '../../filter/dateValue.ts';
import { wholeText } from '../model/cellText.ts';
import { likelyUnit } from '../model/dateView.ts';
import type { DateUnit } from '../model/dateView.ts';
import type { GridColumn } from '../model/gridColumns.ts';
import type { GridRow } from '../model/gridRow.ts';
import type { TabModel } from './tabModel.ts';

/** Rows looked at for the unit in which integers could be dates. */
const SAMPLE = 50;

function likelyUnits(columns: readonly GridColumn[], rows: readonly GridRow[]): DateUnits {
  const units = new Map<string, DateUnit>();
  for (const { name, kind, source } of columns) {
    if (kind !== 'integer') continue;
    const unit = likelyUnit(rows.slice(0, SAMPLE).flatMap((row) => wholeText(row[source] ?? null, kind).text || []));
    if (unit !== undefined) units.set(name, unit);
  }
  return units;
}

/** The units of columns whose integers are moments: as a person chose them, else as the first rows suggest. */
export function useDateUnits({
  columns: { all, layout },
  rows: { cache },
  isReady,
}: Pick<TabModel, 'columns' | 'rows' | 'isReady'>): DateUnits {
  const [likely, setLikely] = useState<DateUnits>(new Map());
  const hasRows = cache.hasRows;
  useEffect(() => {
    // A filter may leave no row, or others; what was found once stays.
    if (isReady && hasRows) setLikely((before) => new Map([...likelyUnits(all, cache.rowsAround(0)), ...before]));
  }, [isReady, hasRows, all, cache]);
  return useMemo(() => new Map([...likely, ...layout.dates]), [likely, layout.dates]);
}
