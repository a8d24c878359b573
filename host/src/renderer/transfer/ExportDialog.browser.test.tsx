import { describe, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { NO_FILTER } from '@tabularium/sdk';
import { fakeContext } from '../testing/fakeContext.test-helper.ts';
import { exampleServices, press, renderPart } from '../testing/renderWindow.test-helper.tsx';
import { ExportDialog } from './ExportDialog.tsx';

const dialog = (
  <ExportDialog
    connectionId="a"
    table={{ namespace: [], name: 'products' }}
    columns={[]}
    shownColumns={[]}
    filter={NO_FILTER}
    selected={undefined}
    onClose={() => undefined}
  />
);
const field = page.getByRole('textbox', { name: 'File' });

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
});
