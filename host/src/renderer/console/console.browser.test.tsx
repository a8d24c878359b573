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
  if (text !== '') await userEvent.keyboard(text);
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

  it('shows the results of before after a no', async () => {
    await renderConsole(`read products${RUN}`);
    const before = results.getByRole('gridcell', { name: '9007199254740993' });
    await expect.element(before).toBeVisible();
    await editor.click();
    await press(`{Control>}a{/Control}change products${RUN}`);
    await page.getByRole('dialog', { name: 'Run this request?' }).getByRole('button', { name: 'Cancel' }).click();
    await expect.element(before).toBeVisible();
  });

  it('names what would be destroyed, and runs it after a yes', async () => {
    const { ran } = await renderConsole(`drop products${RUN}`);
    const question = page.getByRole('dialog', { name: 'Run this request?' });
    await expect.element(question.getByText('DROP products')).toBeVisible();
    await expect.element(question.getByLabelText('The request as written')).toHaveTextContent('drop products');
    await expect.element(question.getByText(/^This destroys data in “Shop”/)).toBeVisible();
    await question.getByRole('button', { name: 'Run it' }).click();
    await expect.element(results.getByText(/3 rows changed/)).toBeVisible();
    expect(ran).toEqual(['drop products']);
  });

  it('names the missing condition, the table and its rows before a request that changes all of them', async () => {
    const { ran } = await renderConsole(`empty products${RUN}`);
    const question = page.getByRole('dialog', { name: 'Run this request?' });
    await expect
      .element(question.getByRole('alert'))
      .toMatchTextContent(/There is no condition, so every row of “products” is affected.*Rows now: 1,000/);
    await expect.element(question.getByLabelText('The request as written')).toHaveTextContent('empty products');
    await press('{Escape}');
    expect(ran).toEqual([]);
  });

  it('has the whole answer beside its rows, as a tree and as text, from view to view by key', async () => {
    await renderConsole(`read products${RUN}`);
    await expect.element(results.getByRole('grid')).toBeVisible();
    // A number that the page can't hold exactly is not among the facts; the text has it to the digit.
    await expect.element(results.getByRole('term').first()).toHaveTextContent('page');
    await press('{F8}');
    await expect.element(results.getByRole('tree').getByRole('treeitem', { name: /^found: 9007199254740993/ })).toBeVisible();
    await press('{F8}');
    await expect
      .element(results.getByRole('textbox', { name: 'Answer as text' }))
      .toMatchTextContent(/"found": 9007199254740993/);
    await press('{F8}');
    await expect.element(results.getByRole('grid')).toBeVisible();
  });

  it('never lets the text of an answer be changed', async () => {
    await renderConsole(`read products${RUN}`);
    await results.getByText('Text', { exact: true }).click();
    const text = results.getByRole('textbox', { name: 'Answer as text' });
    await text.click();
    await userEvent.keyboard('mistyped{Delete}');
    await expect.element(text).not.toMatchTextContent(/mistyped/);
    await expect.element(text).toMatchTextContent(/"found"/);
  });

  it('has each of several answers, the whole one first', async () => {
    await renderConsole(`many things${RUN}`);
    await expect.element(results.getByRole('tree')).toBeVisible();
    await expect.element(results.getByRole('radio', { name: 'Whole answer' })).toBeChecked();
    await results.getByText('2 films', { exact: true }).click();
    await expect.element(results.getByRole('gridcell', { name: 'In 2 films' })).toBeVisible();
  });

  it('puts an example into the editor when it is asked for, and never runs it unasked', async () => {
    const { ran } = await renderConsole('');
    await page.getByRole('button', { name: 'Insert this example' }).click();
    await expect.element(editor).toHaveTextContent('read products');
    await expect.element(editor).toHaveFocus();
    expect(ran).toEqual([]);
  });

  it('stops a run of several at the first error and lists what ran and what did not', async () => {
    const { ran } = await renderConsole(`read one{Enter}fail two{Enter}read three${RUN_ALL}`);
    await expect.element(results.getByText('1 done · 1 failed · 1 not run')).toBeVisible();
    await expect.element(results.getByRole('alert')).toMatchTextContent(/There is no “two”/);
    expect(ran).toEqual(['read one', 'fail two']);
  });

  it('runs the others after an error where that is chosen', async () => {
    const { ran } = await renderConsole('read one{Enter}fail two{Enter}read three');
    await page.getByRole('button', { name: 'When a request of several fails' }).click();
    await page.getByRole('menuitemradio', { name: 'Run the other requests too' }).click();
    await page.getByRole('button', { name: 'Run all', exact: true }).click();
    await expect.element(results.getByText('2 done · 1 failed')).toBeVisible();
    expect(ran).toEqual(['read one', 'fail two', 'read three']);
  });

  it('ends the whole run when it is stopped, also where errors do not end it', async () => {
    const { ran } = await renderConsole('slow one{Enter}read two');
    await page.getByRole('button', { name: 'When a request of several fails' }).click();
    await page.getByRole('menuitemradio', { name: 'Run the other requests too' }).click();
    await page.getByRole('button', { name: 'Run all', exact: true }).click();
    await expect.element(results.getByText('Waiting for the response.')).toBeVisible();
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await expect.element(results.getByText('0 done · 1 stopped · 1 not run')).toBeVisible();
    expect(ran).toEqual(['slow one']);
  });

  it('begins nothing when one of several requests is not valid, and says which', async () => {
    const { ran } = await renderConsole(`read one{Enter}fetch two${RUN_ALL}`);
    await expect.element(results.getByText('0 done · 1 failed · 1 not run')).toBeVisible();
    await expect.element(results.getByRole('alert')).toMatchTextContent(/Unknown word “fetch”/);
    expect(ran).toEqual([]);
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

  it('offers no completion of a request that runs already', async () => {
    await renderConsole(`read products${RUN}`);
    await expect.element(results.getByRole('grid')).toBeVisible();
    // Longer than completions take.
    await new Promise((resolve) => setTimeout(resolve, 500));
    await expect.element(page.getByRole('listbox')).not.toBeInTheDocument();
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

  it('shows the whole outcome of a stopped request in the history', async () => {
    const services = exampleServices();
    const [connection] = services.connectionStore.list();
    const status = 'Stopped before its answer came; its changes may have been made.';
    const entry = { id: 1, connectionId: connection?.id ?? '', text: 'change it', changed: false } as const;
    const at = { startedAt: '2026-03-01T08:00:00.000Z', outcome: 'cancelled', status, milliseconds: 5_000 } as const;
    const { statements } = fakeConsole();
    await renderWindow(
      fakeContext({
        ...services,
        statements: { ...statements, history: { ...statements.history, search: async () => [{ ...entry, ...at }] } },
      }),
      'console',
    );
    await page.getByRole('button', { name: 'History', exact: true }).click();
    const shown = page.getByText(status);
    await expect.element(shown).toBeVisible();
    const { scrollWidth, clientWidth } = shown.element();
    expect(scrollWidth).toBeLessThanOrEqual(clientWidth);
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
