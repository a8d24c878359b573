import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { fakeConsole } from '../testing/fakeConsole.test-helper.ts';
import { fakeContext } from '../testing/fakeContext.test-helper.ts';
import { exampleServices, renderWindow } from '../testing/renderWindow.test-helper.tsx';

const editor = page.getByRole('textbox', { name: 'Requests', exact: true });
const problem = page.getByRole('alert', { name: 'The request failed' });
const button = problem.getByRole('button', { name: 'Go to the place' });
const RUN = '{Control>}{Enter}{/Control}';
const RUN_ALL = '{Control>}{Shift>}{Enter}{/Shift}{/Control}';

/** Draws the console and types a text into it. */
async function renderConsole(text: string): Promise<void> {
  await renderWindow(fakeContext({ ...exampleServices(), statements: fakeConsole().statements }), 'console');
  await editor.click();
  await userEvent.keyboard(text);
}

const underlined = (): (string | null)[] => [...document.querySelectorAll('.cm-fault')].map(({ textContent }) => textContent);

describe('the place of a fault', () => {
  it('is shown with its line, underlined in the editor, and reached by a button', async () => {
    await renderConsole(`read one{Enter}fail größe two${RUN}`);
    await expect.element(problem.getByText('Line 2, column 12', { exact: true })).toBeVisible();
    const line = problem.getByText('fail größe two', { exact: true });
    await expect.element(line).toBeVisible();
    expect(line.element().querySelector('mark')?.textContent).toBe('two');
    expect(underlined()).toEqual(['two']);
    await button.click();
    await expect.element(editor).toHaveFocus();
    await userEvent.keyboard('three');
    await expect.element(editor).toHaveTextContent('read onefail größe three');
  });

  it('is reached by the keyboard', async () => {
    await renderConsole(`fail two${RUN}`);
    await expect.element(button).toBeVisible();
    (button.element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
    await expect.element(editor).toHaveFocus();
    expect(getSelection()?.toString()).toBe('two');
  });

  it('is followed when its statement moves, and is gone with the statement', async () => {
    await renderConsole(`fail two${RUN}`);
    await expect.element(button).toBeVisible();
    await editor.click();
    await userEvent.keyboard('{Control>}{Home}{/Control}read one{Enter}');
    expect(underlined()).toEqual([]);
    await expect.element(problem.getByText('Line 2, column 6', { exact: true })).toBeVisible();
    await button.click();
    await userEvent.keyboard('three');
    await expect.element(editor).toHaveTextContent('read onefail three');
    await expect.element(button).not.toBeInTheDocument();
    await expect.element(problem.getByText('Line 1, column 6 of the request', { exact: true })).toBeVisible();
  });

  it('is marked for each statement that fails', async () => {
    await renderConsole('fail one{Enter}fail two');
    await page.getByRole('button', { name: 'When a request of several fails' }).click();
    await page.getByRole('menuitemradio', { name: 'Run the other requests too' }).click();
    await page.getByRole('button', { name: 'Run all', exact: true }).click();
    await expect.poll(underlined).toEqual(['one', 'two']);
    await page
      .getByRole('region', { name: 'Results' })
      .getByRole('button', { name: /fail two/ })
      .click();
    await button.click();
    await userEvent.keyboard('three');
    await expect.element(editor).toHaveTextContent('fail onefail three');
    expect(underlined()).toEqual([]);
  });

  it('is that of a selection, and of a text that the database rejects before it runs', async () => {
    await renderConsole(`fetch one{Enter}read two${RUN_ALL}`);
    await expect.poll(underlined).toEqual(['fetch']);
    await renderConsole(`read one{Enter}{Enter}fetch two{Shift>}{Home}{/Shift}${RUN}`);
    await expect.element(problem.getByText('Line 3, column 1', { exact: true })).toBeVisible();
    await expect.poll(underlined).toEqual(['fetch']);
    await button.click();
    await userEvent.keyboard('read');
    await expect.element(editor).toHaveTextContent('read oneread two');
  });

  it('is shown without a button for a statement whose variables were filled in at the place', async () => {
    await renderConsole(`fail {{{{table}}${RUN}`);
    const values = page.getByRole('dialog', { name: 'Values for the variables' });
    await userEvent.fill(values.getByRole('textbox', { name: 'table' }), 'products');
    await userEvent.keyboard('{Enter}');
    await expect.element(problem.getByText('Line 1, column 6 of the request', { exact: true })).toBeVisible();
    await expect.element(button).not.toBeInTheDocument();
    expect(underlined()).toEqual([]);
  });
});
