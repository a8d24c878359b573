import { beforeEach, describe, expect, it, vi } from 'vitest';
import { readClipboard } from '../../editing/clipboardTable.ts';
import type { PastePlan } from '../../editing/pastePlan.ts';
import { strings } from '../../i18n/index.ts';
import { notify } from '../../state/notify.ts';
import { cellAt, fakeTabModel } from '../tab/tabModel.test-helper.ts';
import { pasteCommands } from './pasteCommands.ts';

vi.mock(import('../../state/notify.ts'), { spy: true });
const notice = () => vi.mocked(notify).mock.lastCall?.[0]?.text;
beforeEach(() => void vi.clearAllMocks());

async function pasting(options: Parameters<typeof fakeTabModel>[0]) {
  const fake = await fakeTabModel(options);
  return { ...fake, ...pasteCommands(fake.model) };
}

describe('pasting', () => {
  it('stages one line at once, from the active cell to the right', async () => {
    const { take, stage, layers } = await pasting({ selected: [cellAt(2, 1)] });
    take('Lantern\t40');
    await vi.waitFor(() => expect(stage.stage).toHaveBeenCalledOnce());
    expect(stage.stage.mock.lastCall?.[0]).toMatchObject([
      {
        kind: 'update',
        row: { key: ['p2'] },
        cells: [
          { column: 'name', value: 'Lantern', original: 'Lamp 2' },
          { column: 'price', value: 40, original: 2 },
        ],
      },
    ]);
    await vi.waitFor(() => expect(notice()).toBe(strings.paste.staged(2)));
    expect(layers.open).not.toHaveBeenCalled();
  });

  it('shows several lines before it stages any', async () => {
    const { take, stage, layers } = await pasting({ selected: [cellAt(2, 1)] });
    take('a\nb');
    expect(layers.open).toHaveBeenCalledWith({
      kind: 'paste',
      text: 'a\nb',
      read: readClipboard('a\nb'),
      start: { row: 2, column: 1, rows: 1, columns: 1 },
    });
    expect(stage.stage).not.toHaveBeenCalled();
  });

  it('shows one line where a field is wrong', async () => {
    const { take, stage, layers } = await pasting({ selected: [cellAt(2, 2)] });
    take('many');
    await vi.waitFor(() => expect(layers.open).toHaveBeenCalledOnce());
    expect(stage.stage).not.toHaveBeenCalled();
  });

  it('can only make new rows where no cell is active', async () => {
    const { take, layers, plan } = await pasting({});
    take('p9\tLamp\t1');
    expect(layers.open).toHaveBeenCalledWith({
      kind: 'paste',
      text: 'p9\tLamp\t1',
      read: readClipboard('p9\tLamp\t1'),
      start: undefined,
    });
    const planned = await plan({ format: 'tsv', rows: [[{ form: 'text', text: 'p9', quoted: false }]] }, undefined);
    expect(planned).toMatchObject({ newRows: 1, edits: [{ kind: 'insert', values: [{ column: 'id', value: 'p9' }] }] });
  });

  it('fills a range with one value', async () => {
    const { model, plan } = await pasting({ selected: [cellAt(1, 1), cellAt(3, 1, 'extend')] });
    const start = { row: 1, column: 1, rows: 3, columns: 1 };
    const planned = await plan({ format: 'tsv', rows: [[{ form: 'text', text: 'Lantern', quoted: false }]] }, start);
    expect(planned?.cells).toBe(3);
    expect(planned?.rows).toHaveLength(3);
    expect(model.size.rows).toBe(6);
  });

  it('says why it does nothing: read-only, empty', async () => {
    const readOnly = await pasting({ selected: [cellAt(1, 1)], ability: { allowed: false, reason: 'A view.' } });
    readOnly.take('x');
    expect(notice()).toContain('A view.');
    expect(readOnly.stage.stage).not.toHaveBeenCalled();
    const empty = await pasting({ selected: [cellAt(1, 1)] });
    empty.take('');
    expect(notice()).toBe(strings.paste.empty);
  });

  it('stages nothing and is done where nothing changes', async () => {
    const { stagePlan, stage } = await pasting({});
    expect(await stagePlan({ rows: [], edits: [], cells: 0, newRows: 0, faults: 0, undeclared: [] })).toBe(true);
    expect(stage.stage).not.toHaveBeenCalled();
  });

  it('keeps the dialog open when the host refuses the edits', async () => {
    const { stagePlan, stage } = await pasting({});
    stage.stage.mockResolvedValueOnce(undefined);
    const edits: PastePlan['edits'] = [{ kind: 'insert', values: [] }];
    expect(await stagePlan({ rows: [], edits, cells: 0, newRows: 1, faults: 0, undeclared: [] })).toBe(false);
  });

  it('lets the window draw and listen while it plans many lines, says how far it is, and stops when it is cancelled', async () => {
    const { plan } = await pasting({});
    const fields = Array.from({ length: 10 }, () => ({ form: 'text', text: 'Lantern', quoted: false }) as const);
    const table = { format: 'tsv', rows: Array.from({ length: 200_000 }, () => fields) } as const;
    const controller = new AbortController();
    const done: number[] = [];
    let ticks = 0;
    const timer = setInterval(() => (ticks += 1), 1);
    const onProgress = (lines: number): void => {
      done.push(lines);
      if (done.length === 3) controller.abort();
    };
    expect(await plan(table, undefined, { signal: controller.signal, onProgress })).toBeUndefined();
    clearInterval(timer);
    expect(done).toHaveLength(3);
    expect(ticks).toBeGreaterThan(0);
    // A person that cancels needs no message.
    expect(notify).not.toHaveBeenCalled();
  });
});
