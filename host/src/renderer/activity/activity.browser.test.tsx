import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { fakeActivities, REFUSED, RUNNING } from '../testing/fakeActivities.test-helper.ts';
import type { FakeActivities } from '../testing/fakeActivities.test-helper.ts';
import { fakeContext } from '../testing/fakeContext.test-helper.ts';
import { exampleServices, press, renderWindow } from '../testing/renderWindow.test-helper.tsx';

const table = page.getByRole('table', { name: 'Sessions' });
const details = page.getByRole('complementary', { name: /^Details of/ });
const row = (name: string) => table.getByRole('row', { name: new RegExp(name) });
const openRow = (number: string) => table.getByRole('button', { name: number, exact: true });
const question = page.getByRole('dialog');

async function renderActivity(change: (fake: FakeActivities) => void = () => undefined): Promise<FakeActivities> {
  localStorage.removeItem('tabularium-activity-seconds');
  localStorage.removeItem('tabularium-activity-idle');
  const fake = fakeActivities();
  change(fake);
  await renderWindow(fakeContext({ ...exampleServices(), activities: fake.activities }), 'activity');
  return fake;
}

/** Reads only when asked, so that nothing moves meanwhile. */
async function renderStill(change?: (fake: FakeActivities) => void): Promise<FakeActivities> {
  const fake = await renderActivity(change);
  await expect.element(row('ada')).toBeVisible();
  await page.getByRole('combobox', { name: 'Refresh' }).selectOptions('0');
  return fake;
}

describe('the activity of a server', () => {
  it('shows who waits for whom, hides what is only idle, and says what can not be seen', async () => {
    await renderStill();
    await expect.element(row('ada').getByText('Waiting')).toBeVisible();
    await expect.element(row('ada').getByText('1 min 1 s')).toBeVisible();
    await expect.element(row('ada').getByRole('button', { name: 'Show 4690, which blocks this one' })).toBeVisible();
    await expect.element(row('ada').getByText('prepared transaction')).toBeVisible();
    await expect.element(row('ben').getByText('blocks 1')).toBeVisible();
    await expect.element(row('root').getByText('Not visible')).toBeVisible();
    await expect.element(row('cleo')).not.toBeInTheDocument();
    await expect.element(page.getByText('ada sees only a part.')).toBeVisible();
    await expect.element(page.getByText(/^3 of 4 sessions/)).toBeVisible();
    expect(table.element().textContent).not.toContain('\u202e');
    await page.getByRole('checkbox', { name: 'Show idle' }).click();
    await expect.element(row('cleo').getByText('This connection')).toBeVisible();
  });

  it('finds by every word, clears by key, and keeps an idle session that others wait for', async () => {
    await renderStill((fake) => {
      fake.entries = RUNNING.map((entry) => (entry.user === 'ben' ? { ...entry, state: 'idle' } : entry));
    });
    await expect.element(row('ben')).toBeVisible();
    await page.getByRole('textbox', { name: 'Filter sessions' }).click();
    await userEvent.keyboard('STOCK psql');
    await expect.element(row('ben')).not.toBeInTheDocument();
    await expect.element(row('ada')).toBeVisible();
    await userEvent.keyboard(' nowhere');
    await expect.element(page.getByText('Nothing matches “STOCK psql nowhere”.')).toBeVisible();
    await press('{Escape}');
    await expect.element(row('ben')).toBeVisible();
  });

  it('is reached by keys: rows, details with the whole statement, and back to the row', async () => {
    await renderStill();
    openRow('4711').element().focus();
    await press('{ArrowDown}');
    await expect.element(openRow('4690')).toHaveFocus();
    await press('{End}');
    await expect.element(openRow('4500')).toHaveFocus();
    await press('{Home}{Enter}');
    await expect.element(details.getByText('relation public.stock (RowExclusiveLock)')).toBeVisible();
    const shown = details.getByLabelText('Statement', { exact: true });
    expect(shown.element().textContent).toBe('UPDATE stock\n  SET n = 0 -- ⟨U+202E⟩all');
    await expect.element(details.getByText('The server has only the beginning of this statement.')).toBeVisible();
    await expect.element(details.getByText('2 h 1 min')).toBeVisible();
    await expect.element(openRow('4711')).toHaveAttribute('aria-expanded', 'true');
    await details.getByRole('button', { name: 'Show 4690, which blocks this one' }).click();
    await expect.element(page.getByRole('complementary', { name: 'Details of 4690' })).toBeVisible();
    await expect.element(details.getByRole('button', { name: 'Cancel statement…' })).toBeDisabled();
    await details.getByRole('button', { name: 'Close the details' }).click();
    await expect.element(details).not.toBeInTheDocument();
    await expect.element(openRow('4690')).toHaveFocus();
  });

  it('cancels exactly the statement that was seen, after a question with all that names it', async () => {
    const { asked } = await renderStill();
    await row('ada').getByRole('button', { name: 'Cancel the statement of 4711…' }).click();
    await expect.element(page.getByRole('dialog', { name: 'Cancel the statement of 4711?' })).toBeVisible();
    for (const text of ['ada', 'psql', '10.0.0.7:51234', 'shop'])
      await expect.element(question.getByText(text, { exact: true })).toBeVisible();
    await expect.element(question.getByText(/SET n = 0 -- ⟨U\+202E⟩all/)).toBeVisible();
    await expect.element(question.getByText('The server has only the beginning of this statement.')).toBeVisible();
    await expect.element(question.getByRole('button', { name: 'Keep it' })).toHaveFocus();
    await press('{Escape}');
    await expect.element(question).not.toBeInTheDocument();
    expect(asked).toEqual([]);
    await row('ada').getByRole('button', { name: 'Cancel the statement of 4711…' }).click();
    await question.getByRole('button', { name: 'Cancel statement', exact: true }).click();
    await expect.element(page.getByText('The statement of 4711 was cancelled')).toBeVisible();
    await expect.element(row('ada')).not.toBeInTheDocument();
    expect(asked).toEqual([{ id: '4711-1', way: 'cancel', statement: '900' }]);
  });

  it('ends what was confirmed though the list changes meanwhile, and says that it was gone', async () => {
    const fake = await renderStill();
    await row('ben').getByRole('button', { name: 'End session 4690…' }).click();
    fake.entries = RUNNING.filter(({ user }) => user !== 'ben');
    fake.outcome = 'gone';
    await question.getByRole('button', { name: 'End session', exact: true }).click();
    await expect.element(page.getByText('Session 4690 had already ended. Nothing was ended.')).toBeVisible();
    await expect.element(row('ben')).not.toBeInTheDocument();
    expect(fake.asked).toEqual([{ id: '4690-1', way: 'terminate' }]);
  });

  it('keeps the rows of the last list right after an end, though they are idle for a moment, until the next list', async () => {
    const fake = await renderStill();
    await row('ben').getByRole('button', { name: 'End session 4690…' }).click();
    fake.entries = RUNNING.flatMap((entry) => (entry.user === 'ben' ? [] : [{ ...entry, state: 'idle' as const }]));
    await question.getByRole('button', { name: 'End session', exact: true }).click();
    await expect.element(row('ben')).not.toBeInTheDocument();
    await expect.element(row('ada').getByText('Idle')).toBeVisible();
    await expect.element(page.getByText('Nothing is running')).not.toBeInTheDocument();
    await expect.element(row('cleo')).not.toBeInTheDocument();
    await page.getByRole('button', { name: 'Refresh now' }).click();
    await expect.element(page.getByText('Nothing is running')).toBeVisible();
    await expect.element(page.getByText('3 idle sessions are hidden.')).toBeVisible();
  });

  it('doesn’t say that nothing runs where the filter finds only idle sessions', async () => {
    await renderStill();
    await page.getByRole('textbox', { name: 'Filter sessions' }).fill('cleo');
    await expect.element(page.getByText('Nothing that runs matches “cleo”.')).toBeVisible();
    await expect.element(page.getByText('1 idle session is hidden.')).toBeVisible();
    await expect.element(page.getByText('Nothing is running')).not.toBeInTheDocument();
    await page.getByRole('button', { name: 'Show idle' }).click();
    await expect.element(row('cleo')).toBeVisible();
  });

  it('stays open with the error of an end, and offers no way that an entry lacks', async () => {
    const fake = await renderStill((one) => {
      one.outcome = REFUSED;
    });
    await row('ben').getByRole('button', { name: 'End session 4690…' }).click();
    await question.getByRole('button', { name: 'End session', exact: true }).click();
    await expect.element(question.getByText('Only a superuser may end it.')).toBeVisible();
    await question.getByRole('button', { name: 'Keep it' }).click();
    const refused = row('root').getByRole('button', { name: 'End session 4500…' });
    await expect.element(refused).toHaveAttribute('aria-disabled', 'true');
    await expect.element(refused).toHaveAttribute('title', 'Your user may not end it.');
    await refused.click({ force: true });
    await expect.element(question).not.toBeInTheDocument();
    await expect
      .element(row('ben').getByRole('button', { name: 'Cancel the statement of 4690…' }))
      .toHaveAttribute('title', 'No statement of this session is running.');
    expect(fake.asked).toHaveLength(1);
  });

  it('says in read-only mode why nothing is ended', async () => {
    await renderStill((fake) => {
      fake.readOnly = 'Shop is in read-only mode.';
    });
    await expect.element(page.getByText('Shop is in read-only mode.')).toBeVisible();
    await expect
      .element(row('ada').getByRole('button', { name: 'End session 4711…' }))
      .toHaveAttribute('title', 'Shop is in read-only mode.');
  });

  it('reads again while it is looked at, counts between, and stops when paused or behind another tab', async () => {
    const fake = await renderActivity((one) => {
      one.notes = [];
    });
    await expect.element(row('ada').getByText(/^1 min [2-9] s$/)).toBeVisible();
    await page.getByRole('combobox', { name: 'Refresh' }).selectOptions('1');
    const before = fake.reads();
    await expect.poll(fake.reads).toBeGreaterThan(before + 1);
    await page.getByRole('button', { name: 'Pause' }).click();
    await expect.element(page.getByText(/^Paused · /)).toBeVisible();
    await expect.element(row('ada').getByText('1 min 1 s')).toBeVisible();
    const paused = fake.reads();
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(fake.reads()).toBe(paused);
    await page.getByRole('button', { name: 'Refresh now' }).click();
    await expect.poll(fake.reads).toBe(paused + 1);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('button', { name: 'Console', exact: true }).click();
    await expect.element(page.getByRole('textbox', { name: 'Requests', exact: true })).toBeVisible();
    const behind = fake.reads();
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(fake.reads()).toBe(behind);
  });

  it('keeps what it has beside an error, and says of when it is', async () => {
    const fake = await renderStill();
    fake.failure = new Error('The line is cut.');
    await page.getByRole('button', { name: 'Refresh now' }).click();
    await expect.element(page.getByText("The sessions couldn't be read")).toBeVisible();
    await expect.element(page.getByText(/^These sessions are from /)).toBeVisible();
    await expect.element(row('ada')).toBeVisible();
    fake.failure = undefined;
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.element(page.getByText("The sessions couldn't be read")).not.toBeInTheDocument();
  });

  it('says that nothing runs, and shows the idle ones then', async () => {
    await renderActivity((fake) => {
      fake.entries = RUNNING.filter(({ state }) => state === 'idle');
    });
    await expect.element(page.getByText('1 idle session is hidden.')).toBeVisible();
    await page.getByRole('button', { name: 'Show idle' }).click();
    await expect.element(row('cleo')).toBeVisible();
  });

  it('shows the slow statements, or why there are none', async () => {
    const fake = await renderStill();
    await page.getByText('Slow statements').click();
    const slow = page.getByRole('table', { name: 'Slow statements' });
    await expect.element(slow.getByRole('cell', { name: '1,200' })).toBeVisible();
    await expect.element(slow.getByRole('cell', { name: '65 s' })).toBeVisible();
    fake.slow = { available: false, reason: 'The extension is missing.' };
    await page.getByRole('button', { name: 'Refresh now' }).click();
    await expect.element(page.getByText('The extension is missing.')).toBeVisible();
    await page.getByText('Running now').click();
    await expect.element(row('ada')).toBeVisible();
  });
});
