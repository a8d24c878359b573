import { usePreferences } from './queries.ts';

/** Pixels, as `--tb-row-height` has them: what is drawn by its place needs the number. */
const ROW_HEIGHTS = { comfortable: 28, compact: 24 } as const;

/** The height of a row of grids and lists in the chosen density. */
export function useRowHeight(): number {
  return ROW_HEIGHTS[usePreferences().data?.density ?? 'comfortable'];
}
