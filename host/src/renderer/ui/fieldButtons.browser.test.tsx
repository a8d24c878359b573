import { PasswordInput, Select, TagsInput } from '@mantine/core';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { exampleServices, press, renderPart } from '../testing/renderWindow.test-helper.tsx';

function Fields(): ReactNode {
  const [kind, setKind] = useState<string | null>('one');
  return (
    <>
      <PasswordInput label="Password" defaultValue="s3cret" />
      <Select label="Kind" clearable value={kind} onChange={setKind} data={['one', 'two']} />
      <Select label="Searched" clearable searchable defaultValue="one" data={['one', 'two']} />
      <TagsInput label="Tags" defaultValue={['a']} />
      <button>Last</button>
    </>
  );
}

it('the buttons of a field can be reached and pressed with the keyboard', async () => {
  await renderPart(<Fields />, exampleServices());
  await expect.element(page.getByLabelText('Password')).toBeVisible();
  const reached = new Set<Element>();
  page.getByLabelText('Password').element().focus();
  for (let at = 0; at < 20 && document.activeElement?.textContent !== 'Last'; at += 1) {
    if (document.activeElement !== null) reached.add(document.activeElement);
    await userEvent.tab();
  }
  // Backspace in the field removes a tag.
  const shown = [...document.querySelectorAll('button:not(.mantine-Pill-remove)')].filter((one) => one.textContent !== 'Last');
  expect(shown.filter((one) => !reached.has(one)).map((one) => one.outerHTML)).toEqual([]);
  expect(shown).toHaveLength(3);

  page.getByRole('button', { name: 'Show the value' }).element().focus();
  await press('{Enter}');
  await expect.element(page.getByLabelText('Password')).toHaveAttribute('type', 'text');
  page.getByRole('button', { name: 'Clear' }).first().element().focus();
  await press('{Enter}');
  await expect.element(page.getByRole('combobox', { name: 'Kind' })).toHaveValue('');
});
