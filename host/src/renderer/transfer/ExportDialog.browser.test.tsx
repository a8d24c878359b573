import type { ReactNode } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { NO_FILTER } from '@tabularium/sdk';
import { fakeContext } from '../testing/fakeContext.test-helper.ts';
import { exampleServices, press, renderPart } from '../testing/renderWindow.test-helper.tsx';
import { notify, useStatus } from '../state/notify.ts';
import { ExportDialog } from './ExportDialog.tsx';

const onClose = vi.fn();
const dialog = (
  <ExportDialog
    connectionId="3f0f7bde-4a4c-4d5e-9a50-4f0c1a2b3c4d"
    table={{ namespace: [], name: 'products' }}
    columns={[]}
    shownColumns={[]}
    filter={NO_FILTER}
    selected={undefined}
    onClose={onClose}
  />
);
const field = page.getByRole('textbox', { name: 'File' });

/** The text of the status bar. */
function Said(): ReactNode {
  return <p data-said="">{useStatus().notice?.text}</p>;
}

/** Services whose export begins and does `meanwhile` before the window has the answer. */
function withStart(meanwhile: () => void = () => undefined) {
  const services = exampleServices();
  const start = vi.fn(async ({ table, format, file }: Parameters<typeof services.transfers.start>[0]) => {
    meanwhile();
    return {
      id: '7c1d1f0e-2b7a-4a8e-8e0f-1d2c3b4a5f60',
      connectionId: '3f0f7bde-4a4c-4d5e-9a50-4f0c1a2b3c4d',
      table,
      format,
      file,
      state: 'running' as const,
      rows: 0,
      bytes: 0,
      bytesPerSecond: 0,
      milliseconds: 0,
      startedAt: '2026-01-01T00:00:00.000Z',
    };
  });
  return { services: fakeContext({ ...services, transfers: { ...services.transfers, start } }), start };
}

describe('the file of an export', () => {
  it('is what a person types, although the suggestion arrives while the field has the focus', async () => {
    const services = exampleServices();
    const suggestion = Promise.withResolvers<string>();
    const suggestFile = vi.fn(() => suggestion.promise);
    await renderPart(dialog, fakeContext({ ...services, transfers: { ...services.transfers, suggestFile } }));
    await expect.poll(() => suggestFile.mock.calls.length).toBe(1);
    await field.click();
    suggestion.resolve('/home/me/products.jsonl');
    await press('/tmp/mine.jsonl');
    await expect.element(field).toHaveValue('/tmp/mine.jsonl');
  });

  it('is suggested for the chosen format, while nothing is typed', async () => {
    await renderPart(dialog, exampleServices());
    await expect.element(field).toHaveValue('/home/me/Downloads/products.jsonl');
    await field.click();
    await page.getByText('CSV', { exact: true }).click();
    await expect.element(field).toHaveValue('/home/me/Downloads/products.csv');
  });

  it('is awaited while the browser asks for a place: nothing is written to the suggested path meanwhile', async () => {
    const answer = Promise.withResolvers<undefined>();
    vi.stubGlobal('showSaveFilePicker', () => answer.promise);
    const { services, start } = withStart();
    await renderPart(dialog, services);
    await expect.element(field).toHaveValue('/home/me/Downloads/products.jsonl');
    await page.getByRole('button', { name: 'Choose a place…' }).click();
    const begin = page.getByRole('button', { name: 'Export', exact: true });
    await expect.element(begin).toBeDisabled();
    await field.click();
    await press('{Enter}');
    expect(start).not.toHaveBeenCalled();
    answer.resolve(undefined);
    await expect.element(begin).toBeEnabled();
    await begin.click();
    await expect.poll(() => start.mock.calls.length).toBe(1);
    vi.unstubAllGlobals();
  });
});

describe('the end of an export', () => {
  it('stays in sight when it is said before the answer to the start', async () => {
    const { services } = withStart(() => notify({ tab: 'none', tone: 'plain', text: 'Exported 3 rows' }));
    await renderPart(
      <>
        {dialog}
        <Said />
      </>,
      services,
    );
    await expect.element(field).toHaveValue('/home/me/Downloads/products.jsonl');
    notify({ tab: 'none', tone: 'plain', text: 'Sorted by name' });
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await expect.poll(() => onClose.mock.calls.length).toBe(1);
    expect(document.querySelector('[data-said]')?.textContent).toBe('Exported 3 rows');
  });
});
