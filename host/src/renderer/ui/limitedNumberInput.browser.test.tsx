import { useState } from 'react';
import type { ReactNode } from 'react';
import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { exampleServices, press, renderPart } from '../testing/renderWindow.test-helper.tsx';
import { LimitedNumberInput } from './LimitedNumberInput.tsx';

const field = page.getByRole('textbox', { name: 'Hits' });

function Example({ onValue }: { readonly onValue: (value: number | undefined) => void }): ReactNode {
  const [value, setValue] = useState(10);
  return (
    <LimitedNumberInput
      label="Hits"
      min={1}
      max={250}
      value={value}
      onValue={(next) => {
        setValue(next ?? 10);
        onValue(next);
      }}
    />
  );
}

async function typed(keys: string): Promise<(number | undefined)[]> {
  const values: (number | undefined)[] = [];
  await renderPart(<Example onValue={(value) => values.push(value)} />, exampleServices());
  await field.click();
  await press('{Control>}a{/Control}{Delete}');
  if (keys !== '') await press(keys);
  return values;
}

describe('a field for a number between two limits', () => {
  it('can be emptied and typed again, digit by digit', async () => {
    const values = await typed('25');
    await expect.element(field).toHaveValue('25');
    expect(values).toEqual([undefined, 2, 25]);
  });

  it('says its limits while the number is outside, and becomes the nearest one when it is left', async () => {
    const values = await typed('9999');
    await expect.element(field).toHaveValue('9999');
    await expect.element(page.getByText('1 to 250')).toBeVisible();
    await expect.element(field).toHaveAttribute('aria-invalid', 'true');
    await press('{Tab}');
    await expect.element(field).toHaveValue('250');
    expect(values.at(-1)).toBe(250);
    expect(values.every((value) => value === undefined || (value >= 1 && value <= 250))).toBe(true);
  });

  it('leaves what is below it in its place, so that a click there on leaving the field meets it', async () => {
    // Its outer edge, and the field within it.
    const bottom = (): (number | undefined)[] =>
      ['root', 'input'].map((part) => document.querySelector(`.mantine-NumberInput-${part}`)?.getBoundingClientRect().bottom);
    await typed('25');
    const before = bottom();
    await press('99');
    await expect.element(page.getByText('1 to 250')).toBeVisible();
    expect(bottom()).toEqual(before);
    expect(before).not.toContain(undefined);
  });

  it('becomes the least where a number below it was typed', async () => {
    const values = await typed('-3');
    await press('{Tab}');
    await expect.element(field).toHaveValue('1');
    expect(values.at(-1)).toBe(1);
  });

  it('shows its value again where it was left empty', async () => {
    await typed('');
    await expect.element(field).toHaveValue('');
    await press('{Tab}');
    await expect.element(field).toHaveValue('10');
  });
});
