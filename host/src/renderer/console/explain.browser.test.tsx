import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { fakeConsole } from '../testing/fakeConsole.test-helper.ts';
import { fakeContext } from '../testing/fakeContext.test-helper.ts';
import { fakeExplanations } from '../testing/fakeExplanations.test-helper.ts';
import type { FakeExplanations } from '../testing/fakeExplanations.test-helper.ts';
import { exampleServices, press, renderWindow } from '../testing/renderWindow.test-helper.tsx';

const editor = page.getByRole('textbox', { name: 'Requests', exact: true });
const plan = page.getByRole('region', { name: 'Plan' });

async function renderConsole(text: string): Promise<FakeExplanations & { readonly ran: readonly string[] }> {
  const { statements, ran } = fakeConsole();
  const explaining = fakeExplanations();
  await renderWindow(fakeContext({ ...exampleServices(), statements, explanations: explaining.explanations }), 'console');
  await editor.click();
  await userEvent.keyboard(text);
  return { ...explaining, ran };
}

describe('a plan in the console', () => {
  it('has the steps of the request at the cursor, by key, and runs nothing', async () => {
    const { explained, ran } = await renderConsole('read one{Enter}read two{F9}');
    const table = plan.getByRole('table', { name: 'Plan of read two' });
    await expect.element(table.getByRole('rowheader', { name: /^Level 2: Seq Scan products p/ })).toBeVisible();
    await expect.element(table.getByRole('cell', { name: '5,000' })).toBeVisible();
    await expect.element(table.getByRole('columnheader', { name: 'Rows, actual' })).not.toBeInTheDocument();
    await expect.element(plan.getByText('Estimates. Nothing was run. · Planning: 0.21 ms')).toBeVisible();
    // A control character and one that turns the direction of the text are shown as what they are.
    expect(table.element().textContent).not.toMatch(/[\u0007\u202e]/);
    expect(explained).toEqual(['read two']);
    expect(ran).toEqual([]);
  });

  it('runs a request that reads to measure it, and marks what is off', async () => {
    const { explained } = await renderConsole('read one');
    await page.getByRole('button', { name: 'Explain' }).click();
    await plan.getByRole('button', { name: 'Run and measure' }).click();
    await expect.element(plan.getByText('400× more than estimated')).toBeVisible();
    await expect.element(plan.getByRole('cell', { name: 'Never ran' })).toBeVisible();
    await expect.element(plan.getByText(/Execution: 22\.40 ms/)).toBeVisible();
    expect(explained).toEqual(['read one', 'read one measured']);
  });

  it('never runs a request that changes data, and says why', async () => {
    const { explained } = await renderConsole('change one{F9}');
    const measure = plan.getByRole('button', { name: 'Run and measure' });
    await expect.element(measure).toHaveAttribute('aria-disabled', 'true');
    await expect.element(measure).toHaveAttribute('title', expect.stringContaining('CHANGE one'));
    await measure.click({ force: true });
    expect(explained).toEqual(['change one']);
  });

  it('asks where planning may do more than read, and explains nothing after a no', async () => {
    const { explained } = await renderConsole('empty one{F9}');
    const question = page.getByRole('dialog', { name: 'Run this request?' });
    await expect.element(question.getByText('EMPTY one (the function trace)')).toBeVisible();
    await press('{Escape}');
    await expect.element(question).not.toBeInTheDocument();
    expect(explained).toEqual([]);
    await editor.click();
    await press('{F9}');
    await question.getByRole('button', { name: 'Run it' }).click();
    await expect.element(plan.getByRole('rowheader', { name: /Hash Join/ })).toBeVisible();
    expect(explained).toEqual(['empty one']);
  });

  it('shows the text of the plan by key, more facts of a step, and the results again after a run', async () => {
    await renderConsole('read one{F9}');
    await plan.getByText('1 more fact').click();
    await expect.element(plan.getByText('Shared Read Blocks')).toBeVisible();
    await press('{F8}');
    await expect.element(plan.getByRole('textbox', { name: 'Answer as text' })).toMatchTextContent(/"Node Type": "Hash Join"/);
    await editor.click();
    await press('{Control>}{Enter}{/Control}');
    await expect
      .element(page.getByRole('region', { name: 'Results' }).getByRole('gridcell', { name: 'First of one' }))
      .toBeVisible();
    await expect.element(plan).not.toBeInTheDocument();
  });

  it('says what is wrong, and stops when it is asked to', async () => {
    await renderConsole('fail one{F9}');
    await expect.element(plan.getByRole('alert')).toMatchTextContent(/There is no “one”/);
    await plan.getByRole('button', { name: 'Close the plan' }).click();
    await expect.element(editor).toHaveFocus();
    await userEvent.keyboard('{Enter}slow two{F9}');
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await expect.element(plan.getByText('You stopped this. Nothing was changed.')).toBeVisible();
  });

  it('stays closed when it is closed while it is being made, and gives way to a newer one', async () => {
    await renderConsole('slow one{F9}');
    await expect.element(plan.getByText('Waiting for the plan.')).toBeVisible();
    const seen: string[] = [];
    const observer = new MutationObserver(() => seen.push(document.body.textContent));
    observer.observe(document.body, { subtree: true, childList: true, characterData: true });
    await plan.getByRole('button', { name: 'Close the plan' }).click();
    await expect.element(plan).not.toBeInTheDocument();
    await userEvent.keyboard('{Enter}read two{F9}');
    await expect.element(plan.getByRole('table', { name: 'Plan of read two' })).toBeVisible();
    observer.disconnect();
    expect(seen.filter((text) => text.includes('You stopped this.'))).toEqual([]);
  });
});
