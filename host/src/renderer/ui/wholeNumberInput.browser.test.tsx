import { useState } from 'react';
import type { ReactNode } from 'react';
import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { useStatus } from '../state/notify.ts';
import { exampleServices, press, renderPart } from '../testing/renderWindow.test-helper.tsx';
import { WholeNumberInput } from './WholeNumberInput.tsx';

const field = page.getByRole('textbox', { name: 'Hits' });

function Example({ onValue }: { readonly onValue: (value: number | undefined) => void }): ReactNode {
  const [value, setValue] = useState(10);
  return (
    <>
      <WholeNumberInput
        name="Hits"
        label="Hits"
        min={1}
        max={250}
        value={value}
        onValue={(next) => {
          setValue(next ?? 10);
          onValue(next);
        }}
      />
      <button>Run</button>
      <output>{useStatus().notice?.text}</output>
    </>
  );
}

/** Empties the field and presses the keys there. */
async function typed(keys: string): Promise<(number | undefined)[]> {
  const values: (number | undefined)[] = [];
  await renderPart(<Example onValue={(value) => values.push(value)} />, exampleServices());
  await field.click();
  await press('{Control>}a{/Control}{Delete}');
  if (keys !== '') await press(keys);
  return values;
}

describe('a field for a whole number', () => {
  it('can be emptied and typed again, digit by digit', async () => {
    const values = await typed('25');
    await expect.element(field).toHaveValue('25');
    expect(values).toEqual([undefined, 2, 25]);
  });

  // A kit's field for numbers drops what it does not know: 1.5 becomes 15, and 1e1 becomes 11.
  it.each(['9999', '99999999999999999999', '-3', '0', '1.5', '1,5', '1e1', '0x10', '25 hits', '١٢'])(
    'shows %s as it was typed, marks it with the limits, and gives no such number',
    async (text) => {
      const values = await typed(text);
      await expect.element(field).toHaveValue(text);
      await expect.element(page.getByText('A whole number, 1 to 250')).toBeVisible();
      await expect.element(field).toHaveAttribute('aria-invalid', 'true');
      await press('{Tab}');
      await expect.element(field).not.toHaveAttribute('aria-invalid', 'true');
      expect(values.filter((value) => value !== undefined && !(Number.isInteger(value) && value >= 1 && value <= 250))).toEqual(
        [],
      );
    },
  );

  it.each([
    ['9999', '250'],
    ['99999999999999999999', '250'],
    ['-3', '1'],
    ['1.5', '10'],
    ['e1', '10'],
  ])('sets %s right when it is left, by Tab as by Enter, and says what it is now', async (text, right) => {
    for (const key of ['{Tab}', '{Enter}']) {
      await typed(text);
      await press(key);
      await expect.element(field).toHaveValue(right);
      await expect.element(page.getByRole('status')).toHaveTextContent(`Hits: “${text}” can’t be used, so it is ${right}`);
    }
  });

  it.each(['{Tab}', '{Enter}'])('no longer says a correction by %s once the right number is entered', async (key) => {
    await typed(`99999${key}`);
    const said = page.getByText('Hits: “99999” can’t be used, so it is 250');
    await expect.element(said.first()).toBeVisible();
    await field.click();
    await press('{Control>}a{/Control}250');
    await expect.element(said).not.toBeInTheDocument();
  });

  it('brings back the number from before with Escape', async () => {
    const values = await typed('77');
    await press('{Escape}');
    await expect.element(field).toHaveValue('10');
    expect(values.at(-1)).toBe(10);
  });

  it('goes one up and one down with the arrow keys, within its limits', async () => {
    await typed('2');
    await press('{ArrowUp}');
    await expect.element(field).toHaveValue('3');
    await press('{ArrowDown}{ArrowDown}{ArrowDown}{ArrowDown}');
    await expect.element(field).toHaveValue('1');
  });

  it('leaves what is below it in its place, so that a click there on leaving the field meets it', async () => {
    // Its outer edge, and the field within it.
    const bottom = (): (number | undefined)[] =>
      ['root', 'input'].map((part) => document.querySelector(`.mantine-TextInput-${part}`)?.getBoundingClientRect().bottom);
    await typed('25');
    const before = bottom();
    await press('99');
    await expect.element(page.getByText('A whole number, 1 to 250')).toBeVisible();
    expect(bottom()).toEqual(before);
    expect(before).not.toContain(undefined);
  });

  it('shows its value again where it was left empty', async () => {
    await typed('');
    await expect.element(field).toHaveValue('');
    await press('{Tab}');
    await expect.element(field).toHaveValue('10');
  });
});
