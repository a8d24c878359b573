import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { importFieldTypeSchema } from '../../common/imports.ts';
import type { ImportField, RowImportPreview } from '../../common/imports.ts';
import { exampleServices, renderPart } from '../testing/renderWindow.test-helper.tsx';
import { ImportPreviewTable } from './ImportPreviewTable.tsx';

it('each type of a column is in full view in the preview, however many columns there are', async () => {
  const fields = Array.from({ length: 12 }, (_, at): ImportField => {
    const type = importFieldTypeSchema.options[at % importFieldTypeSchema.options.length] ?? 'text';
    return { source: `c${at}`, target: `c${at}`, type };
  });
  const preview: Pick<RowImportPreview, 'rows' | 'format' | 'columns'> = {
    rows: [{ line: 1, cells: fields.map(() => '1') }],
    format: { format: 'json', gzip: false, separator: ',', header: true },
    columns: [],
  };
  await page.viewport(1280, 800);
  await renderPart(
    <div style={{ width: 900 }}>
      <ImportPreviewTable connectionId="" preview={preview as RowImportPreview} fields={fields} onFields={() => undefined} />
    </div>,
    exampleServices(),
  );
  await expect.element(page.getByRole('combobox', { name: 'Type of c0' })).toBeVisible();
  const canvas = document.createElement('canvas').getContext('2d');
  for (const select of document.querySelectorAll('select')) {
    const style = getComputedStyle(select);
    if (canvas === null) throw new Error('There is no canvas.');
    canvas.font = style.font;
    const room = select.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight);
    for (const { text } of select.options) {
      expect(canvas.measureText(text).width).toBeLessThan(room);
    }
  }
});
