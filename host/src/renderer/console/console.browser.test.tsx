import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { FakeConsole } from '../testing/fakeConsole.test-helper.ts';
import { fakeContext } from '../testing/fakeContext.test-helper.ts';
import { fakeConsole } from '../testing/fakeConsole.test-helper.ts';
import { exampleServices, press, renderWindow } from '../testing/renderWindow.test-helper.tsx';

const editor = page.getByRole('textbox', { name: 'Requests', exact: true });
const results = page.getByRole('region', { name: 'Results' });
const RUN = '{Control>}{Enter}{/Control}';
const RUN_ALL = '{Control>}{Shift>}{Enter}{/Shift}{/Control}';

/** Draws the console and types a text into it. */
async function renderConsole(text: string): Promise<FakeConsole> {
  const console = fakeConsole();
  await renderWindow(fakeContext({ ...exampleServices(), statements: console.statements }), 'console');
  await editor.click();
  await userEvent.keyboard(text);
  return console;
}

describe('the console', () => {
  it('runs the request at the cursor and shows its rows, every digit of them', async () => {
    const { ran } = await renderConsole(`read products${RUN}`);
    const grid = results.getByRole('grid', { name: 'Result of read products' });
    await expect.element(grid.getByRole('gridcell', { name: '9007199254740993' })).toBeVisible();
    expect(ran).toEqual(['read products']);
  });

  it('runs the one request at the cursor of several', async () => {
    const { ran } = await renderConsole(`read one{Enter}read two{Enter}read three{ArrowUp}${RUN}`);
    await expect.element(results.getByRole('gridcell', { name: 'First of two' })).toBeVisible();
    expect(ran).toEqual(['read two']);
  });

  it('runs all requests in their order, each with a result of its own', async () => {
    const { ran } = await renderConsole(`read one{Enter}read two${RUN_ALL}`);
    await expect.element(results.getByRole('button', { name: /read one/ })).toBeVisible();
    await results.getByRole('button', { name: /read two/ }).click();
    await expect.element(results.getByRole('gridcell', { name: 'First of two' })).toBeVisible();
    expect(ran).toEqual(['read one', 'read two']);
  });

  it('asks before a request that changes data, and runs nothing after a no', async () => {
    const { ran } = await renderConsole(`change products${RUN}`);
    const question = page.getByRole('dialog', { name: 'Run this request?' });
    await expect.element(question.getByText('This changes data in “Shop”.')).toBeVisible();
    await expect.element(question.getByRole('button', { name: 'Cancel' })).toHaveFocus();
    await press('{Escape}');
    await expect.element(question).not.toBeInTheDocument();
    expect(ran).toEqual([]);
  });

  it('names what would be destroyed, and runs it after a yes', async () => {
    const { ran } = await renderConsole(`drop products${RUN}`);
    const question = page.getByRole('dialog', { name: 'Run this request?' });
    await expect.element(question.getByText('drop products')).toBeVisible();
    await expect.element(question.getByText(/^This destroys data in “Shop”/)).toBeVisible();
    await question.getByRole('button', { name: 'Run it' }).click();
    await expect.element(results.getByText(/3 rows changed/)).toBeVisible();
    expect(ran).toEqual(['drop products']);
  });

  it('stops a request that does not answer', async () => {
    await renderConsole(`slow products${RUN}`);
    await expect.element(results.getByText('Waiting for the response.')).toBeVisible();
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await expect.element(results.getByText(/^You stopped this request/)).toBeVisible();
    await expect.element(page.getByRole('button', { name: 'Run', exact: true })).toBeEnabled();
  });

  it('says what is wrong with a request that it does not understand, and runs nothing', async () => {
    const { ran } = await renderConsole(`fetch products${RUN}`);
    await expect
      .element(page.getByRole('alert', { name: 'The request failed' }).getByText('Unknown word “fetch”.'))
      .toBeVisible();
    expect(ran).toEqual([]);
  });

  it('completes the word at the cursor', async () => {
    await renderConsole('rea');
    await expect.element(page.getByRole('listbox').getByRole('option', { name: 'read' })).toBeVisible();
    // The editor takes no key for a list that has only just come.
    await new Promise((resolve) => setTimeout(resolve, 200));
    await press('{Enter}');
    await expect.element(editor).toHaveTextContent('read');
  });

  it('takes a request up again from the history', async () => {
    await renderConsole(`read products${RUN}`);
    await expect.element(results.getByRole('grid')).toBeVisible();
    await editor.click();
    await press('{Control>}a{/Control}{Delete}');
    await page.getByRole('button', { name: 'History' }).click();
    await page
      .getByRole('complementary', { name: 'History' })
      .getByRole('button', { name: /^read products/ })
      .click();
    await expect.element(editor).toHaveTextContent('read products');
  });

  it('finds nothing in the history for a word that was never run', async () => {
    await renderConsole(`read products${RUN}`);
    await expect.element(results.getByRole('grid')).toBeVisible();
    await page.getByRole('button', { name: 'History' }).click();
    await userEvent.fill(page.getByRole('textbox', { name: 'Search the history' }), 'nowhere');
    await expect.element(page.getByText('Nothing in the history matches.')).toBeVisible();
  });

  it('asks for the value of a variable before it runs', async () => {
    const { ran } = await renderConsole(`read {{{{table}}${RUN}`);
    const values = page.getByRole('dialog', { name: 'Values for the variables' });
    await userEvent.fill(values.getByRole('textbox', { name: 'table' }), 'products');
    await press('{Enter}');
    await expect.element(results.getByRole('gridcell', { name: 'First of products' })).toBeVisible();
    expect(ran).toEqual(['read products']);
  });

  it('saves a request under a name', async () => {
    await renderConsole('read products{Control>}s{/Control}');
    const dialog = page.getByRole('dialog', { name: 'Save request' });
    await userEvent.fill(dialog.getByRole('textbox', { name: 'Name' }), 'All products');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect.element(page.getByText('Saved “All products”')).toBeVisible();
    await page.getByRole('button', { name: 'Saved', exact: true }).click();
    await expect
      .element(page.getByRole('complementary', { name: 'Saved' }).getByRole('button', { name: /^All products/ }))
      .toBeVisible();
  });

  it('keeps several texts side by side', async () => {
    await renderConsole('read one');
    await page.getByRole('button', { name: 'New tab' }).click();
    await editor.click();
    await userEvent.keyboard('read two');
    const tabs = page.getByRole('tablist', { name: 'Requests of this console' });
    await tabs.getByRole('tab', { name: 'read one' }).click();
    await expect.element(editor).toHaveTextContent('read one');
    await tabs.getByRole('tab', { name: 'read two' }).click();
    await expect.element(editor).toHaveTextContent('read two');
  });
});
