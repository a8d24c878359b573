import { useRef } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { renderHook } from 'vitest-browser-react';
import type { GridHandle } from '../model/gridHandle.ts';
import { useGridSelection } from '../model/useGridSelection.ts';
import { useNewRow } from './useNewRow.ts';

const focused = vi.fn<() => void>();

/** A grid without columns, with so many new rows above the others. */
function useNewRows(above: number) {
  const selection = useGridSelection(above, '');
  const grid = useRef<GridHandle>({
    scrollToRow: () => undefined,
    focus: focused,
    goTo: (position) => selection.cell(position),
    fit: () => undefined,
    placeOfActive: () => undefined,
  });
  return { selection, show: useNewRow({ grid, firstColumn: 0, above }) };
}

async function render(above: number) {
  const hook = await renderHook((now?: number) => useNewRows(now ?? 0), { initialProps: above });
  await vi.waitFor(() => expect(hook.result.current).not.toBeNull());
  return hook;
}
const twoFrames = async (): Promise<void> => {
  for (let frame = 0; frame < 2; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
};

describe('a new row', () => {
  it('becomes the active one when it is on the screen, and not the row that has its place before', async () => {
    const { result, rerender } = await render(1);
    result.current.show(1, true);
    await twoFrames();
    expect(result.current.selection.active).toBeUndefined();
    await rerender(2);
    await vi.waitFor(() => expect(result.current.selection.active).toEqual({ row: 1, column: 0 }));
    expect(focused).toHaveBeenCalledOnce();
  });

  it('becomes the active one where it is on the screen already', async () => {
    const { result } = await render(1);
    result.current.show(0, false);
    await vi.waitFor(() => expect(result.current.selection.active).toEqual({ row: 0, column: 0 }));
  });
});
