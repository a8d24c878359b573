import type { ObjectField } from '@tabularium/sdk';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { exampleServices, press, renderPart } from '../testing/renderWindow.test-helper.tsx';
import { ObjectFieldView } from './ObjectFieldView.tsx';

interface Shown {
  /** The document as it is now. */
  text: string;
  /** Whether the field has a text that isn't in the document. */
  isInvalid: boolean;
}

async function renderField(field: ObjectField, document: string): Promise<Shown> {
  const shown: Shown = { text: document, isInvalid: false };
  function Example(): ReactNode {
    const [text, setText] = useState(document);
    return (
      <ObjectFieldView
        field={field}
        text={text}
        tables={['articles', 'products']}
        onText={(next) => {
          shown.text = next;
          setText(next);
        }}
        onInvalid={(isInvalid) => {
          shown.isInvalid = isInvalid;
        }}
      />
    );
  }
  await renderPart(<Example />, exampleServices());
  return shown;
}

const texts: ObjectField = { type: 'texts', path: ['synonyms'], label: 'Synonyms', required: true };

describe('a field over a document', () => {
  it('takes a text, and leaves the member out where the text is emptied', async () => {
    const shown = await renderField(
      { type: 'text', path: ['root'], label: 'Root', required: false },
      '{"n": 12345678901234567890}',
    );
    const field = page.getByRole('textbox', { name: 'Root' });
    await field.fill('sofa');
    expect(shown.text).toContain('12345678901234567890');
    expect(JSON.parse(shown.text)).toMatchObject({ root: 'sofa' });
    await field.fill('');
    expect(JSON.parse(shown.text)).not.toHaveProperty('root');
  });

  it('opens its list of tables above itself, because the buttons of the dialog are below', async () => {
    await renderField({ type: 'table', path: ['collection_name'], label: 'Collection', required: true }, '{}');
    const field = page.getByRole('combobox', { name: 'Collection' });
    // As in the dialog, where other fields are above.
    (document.querySelector('#root') as HTMLElement).style.paddingTop = '300px';
    await field.click();
    const option = page.getByRole('option', { name: 'products' });
    await expect.element(option).toBeVisible();
    await expect
      .poll(() => option.element().getBoundingClientRect().bottom)
      .toBeLessThanOrEqual(field.element().getBoundingClientRect().top);
  });

  it('takes a value that was typed and left, without the blanks around it', async () => {
    const shown = await renderField(texts, '{"synonyms": [" kept "]}');
    await page.getByRole('combobox', { name: 'Synonyms' }).click();
    await press('sofa{Enter}');
    await press('  couch ');
    await press('{Tab}');
    await expect.poll((): unknown => JSON.parse(shown.text)).toEqual({ synonyms: [' kept ', 'sofa', 'couch'] });
  });

  it('takes no value of blanks alone', async () => {
    const shown = await renderField(texts, '{"synonyms": ["sofa"]}');
    await page.getByRole('combobox', { name: 'Synonyms' }).click();
    await press('   ');
    await press('{Tab}');
    expect(JSON.parse(shown.text)).toEqual({ synonyms: ['sofa'] });
  });

  it('shows a value that it has no control for as it is, and leaves it alone', async () => {
    const shown = await renderField(texts, '{"synonyms": "sofa"}');
    const field = page.getByRole('textbox', { name: 'Synonyms' });
    await expect.element(field).toHaveValue('"sofa"');
    await expect.element(field).toHaveAttribute('readonly');
    await expect.element(page.getByText('Edit this value as JSON: the form has no control for it.')).toBeVisible();
    expect(shown.text).toBe('{"synonyms": "sofa"}');
  });

  it('keeps JSON that isn’t valid out of the document, and on the screen', async () => {
    const shown = await renderField({ type: 'json', path: ['value'], label: 'Value', required: true }, '{"value": {"q": "*"}}');
    const field = page.getByRole('textbox', { name: 'Value' });
    await field.fill('{"q": ');
    await expect.element(page.getByText('This isn’t valid JSON yet.')).toBeVisible();
    expect([shown.isInvalid, JSON.parse(shown.text)]).toEqual([true, { value: { q: '*' } }]);
    await field.fill('{"q": 1.0}');
    expect([shown.isInvalid, shown.text.includes('1.0')]).toEqual([false, true]);
  });

  it('has a line for each entry of a list, which can be added and removed', async () => {
    const pinned: ObjectField = {
      type: 'list',
      path: ['includes'],
      label: 'Pinned documents',
      required: false,
      fields: [
        { type: 'text', path: ['id'], label: 'Document', required: true },
        { type: 'number', path: ['position'], label: 'Place', required: true, minimum: 1, maximum: 100 },
      ],
    };
    const shown = await renderField(pinned, '{"includes": [{"id": "7", "position": 1}]}');
    await page.getByRole('button', { name: 'Add to “Pinned documents”' }).click();
    await page.getByRole('textbox', { name: 'Document' }).last().fill('9');
    await page.getByRole('textbox', { name: 'Place' }).last().fill('2');
    await expect
      .poll((): unknown => JSON.parse(shown.text))
      .toEqual({
        includes: [
          { id: '7', position: 1 },
          { id: '9', position: 2 },
        ],
      });
    await page.getByRole('button', { name: 'Remove line 1 of “Pinned documents”' }).click();
    await expect.poll((): unknown => JSON.parse(shown.text)).toEqual({ includes: [{ id: '9', position: 2 }] });
  });
});
