import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { cell } from '../testing/gridSteps.test-helper.ts';
import { press, renderProducts } from '../testing/renderWindow.test-helper.tsx';

// Every way to close the tab of a text that is nowhere else asks first, and keeps it on Escape.

const question = page.getByRole('dialog', { name: 'Discard your changes?' });
const tab = page.getByRole('tab', { name: /products/ });
const price = page.getByRole('complementary', { name: 'Value' }).getByLabelText('Value of price', { exact: true });

async function command(title: string): Promise<void> {
  await press('{Control>}k{/Control}');
  await userEvent.fill(page.getByRole('dialog').getByRole('combobox'), title);
  const option = page.getByRole('listbox', { name: 'Command palette' }).getByRole('option').first();
  await expect.element(option.getByText(title)).toBeVisible();
  await press('{Enter}');
}

const WAYS: Readonly<Record<string, () => Promise<void>>> = {
  'the button of the tab': () => page.getByTitle('Close products').click(),
  'the middle button': () => userEvent.click(tab, { button: 'middle' }),
  'the shortcut': () => press('{Alt>}w{/Alt}'),
  'closing all tabs': () => command('Close all tabs'),
  'closing the connection': () => command('Close connection'),
};

/** Leaves a text in the inspector that cannot be staged. */
async function typeIntoPrice(): Promise<void> {
  const grid = await renderProducts();
  await cell(grid, 'Kettle 3').click();
  await press('{Control>}i{/Control}');
  await userEvent.fill(price, '12.2.5');
}

describe('a text that is typed and nowhere else', () => {
  it.each(Object.entries(WAYS))('is not lost by %s before the person agrees', async (_name, close) => {
    await typeIntoPrice();
    await close();
    await expect.element(question.getByText(/^What you typed in products isn/)).toBeVisible();
    await press('{Escape}');
    await expect.element(question).not.toBeInTheDocument();
    await expect.element(price).toHaveValue('12.2.5');
    await close();
    await question.getByRole('button', { name: 'Discard' }).click();
    await expect.element(price).not.toBeInTheDocument();
  });

  it('is not lost by another server for its connection before the person agrees', async () => {
    await typeIntoPrice();
    const form = page.getByRole('dialog', { name: /Shop/ });
    await command('Edit connection…');
    await form.getByRole('textbox', { name: 'Host' }).fill('elsewhere.example');
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.element(question.getByText(/^What you typed in products isn/)).toBeVisible();
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await expect.element(form.getByRole('textbox', { name: 'Host' })).toHaveValue('elsewhere.example');
    await expect.element(price).toHaveValue('12.2.5');
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await question.getByRole('button', { name: 'Discard' }).click();
    await expect.element(price).not.toBeInTheDocument();
  });

  it('holds nothing back where it was staged or taken back', async () => {
    await typeIntoPrice();
    await price.click();
    await press('{Escape}');
    await page.getByTitle('Close products').click();
    await expect.element(tab).not.toBeInTheDocument();
    expect(question.query()).toBeNull();
  });
});
