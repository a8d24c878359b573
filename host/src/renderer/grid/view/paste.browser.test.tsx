import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { Locator } from 'vitest/browser';
import { cell } from '../../testing/gridSteps.test-helper.ts';
import { HostError } from '../../../common/errors.ts';
import { fakeContext } from '../../testing/fakeContext.test-helper.ts';
import { exampleServices, press, renderProducts } from '../../testing/renderWindow.test-helper.tsx';

const dialog = page.getByRole('dialog', { name: 'Paste into products' });

/** Pastes a text onto a cell with Ctrl+V. */
async function pasteOnto(text: string, shown: string): Promise<Locator> {
  const grid = await renderProducts();
  await cell(grid, shown).click();
  await navigator.clipboard.writeText(text);
  await press('{Control>}v{/Control}');
  return grid;
}

/** The same with a text that is shown before it is staged: several lines. */
async function paste(text: string, shown: string): Promise<Locator> {
  const grid = await pasteOnto(text, shown);
  await expect.element(dialog).toBeVisible();
  return grid;
}

describe('the preview of a paste', () => {
  it('shows what will be staged, and Enter stages it', async () => {
    const grid = await paste('Desk\tKinto\nShelf\tLumen', 'Lamp 1');
    await expect.element(dialog.getByRole('cell', { name: 'Desk' })).toHaveAttribute('data-state', 'change');
    await expect.element(dialog.getByRole('button', { name: 'Stage 4 cells' })).toHaveFocus();
    await press('{Enter}');
    await expect.element(dialog).not.toBeInTheDocument();
    await expect.element(cell(grid, 'Desk')).toHaveAttribute('data-changed', 'true');
    await expect.element(cell(grid, 'Shelf')).toHaveAttribute('data-changed', 'true');
  });

  it('says how much it staged only as long as that is so', async () => {
    const grid = await paste('Desk\tKinto\nShelf\tLumen', 'Lamp 1');
    await dialog.getByRole('button', { name: 'Stage 4 cells' }).click();
    const status = page.getByRole('contentinfo').getByText('Staged 4 cells', { exact: false });
    await expect.element(status).toBeVisible();
    grid.element().focus();
    await press('{Control>}z{/Control}');
    await expect.element(cell(grid, 'Lamp 1')).toBeVisible();
    // A notice leaves after ten seconds in any case.
    await expect.element(status).not.toBeInTheDocument();
  });

  it('stages nothing when it is closed with Escape', async () => {
    const grid = await paste('Desk\nShelf', 'Lamp 1');
    await expect.element(dialog.getByRole('button', { name: /^Stage/ })).toHaveFocus();
    await press('{Escape}');
    await expect.element(dialog).not.toBeInTheDocument();
    await expect.element(cell(grid, 'Lamp 1')).toBeVisible();
    await expect.element(page.getByText('1 change', { exact: true })).not.toBeInTheDocument();
  });

  it('says in each field why it cannot be staged, and leaves those out', async () => {
    const grid = await paste('12.5\ndear', '0.5');
    await expect.element(dialog.getByRole('cell', { name: /dear/ }).getByText("This isn't a number.")).toBeVisible();
    await dialog.getByRole('button', { name: 'Stage 1 cell, leave 1 out' }).click();
    await expect.element(cell(grid, '12.5')).toHaveAttribute('data-changed', 'true');
    await expect.element(cell(grid, '37.5')).not.toHaveAttribute('data-changed');
  });

  it('of 200 lines with problems is one line high per row, and names each kind of problem once', async () => {
    const lines = Array.from({ length: 200 }, (_unused, line) => `Desk ${line}\tKinto\tdear\tmany\tmaybe`);
    await paste(lines.join('\n'), 'Lamp 1');
    const problems = dialog.getByRole('group', { name: 'Fields that can’t be staged' });
    await expect.element(problems.getByRole('button', { name: "“price”, 200 fields: This isn't a number." })).toBeVisible();
    await expect.element(problems.getByRole('button', { name: '“available”, 200 fields: Enter true or false.' })).toBeVisible();
    const rows = dialog.getByRole('row').elements();
    expect(rows).toHaveLength(101);
    expect(Math.max(...rows.map((row) => row.getBoundingClientRect().height))).toBeLessThan(32);
    await problems.getByRole('button', { name: 'Next problem' }).click();
    await problems.getByRole('button', { name: 'Next problem' }).click();
    const current = dialog.getByRole('cell', { name: /^many/ }).first();
    await expect.element(current).toHaveAttribute('data-current');
    expect(current.element().textContent).toBe("manyThis isn't a whole number.");
  });

  it('goes to a problem far below the lines that are drawn', async () => {
    const lines = Array.from({ length: 300 }, (_unused, line) => `${line === 250 ? 'dear' : String(line)}\t1`);
    await paste(lines.join('\n'), '0.5');
    await dialog.getByRole('button', { name: 'Next problem' }).click();
    await expect.element(dialog.getByRole('row', { name: /^Line 251/ })).toBeVisible();
    await expect.element(dialog.getByText('Lines 248 to 300 of 300')).toBeVisible();
  });

  it('says how many rows it changes beyond the lines that are drawn', async () => {
    await paste(Array.from({ length: 130 }, (_, line) => `Other ${line}`).join('\n'), 'Lamp 1');
    await expect
      .element(dialog.getByText('and 30 more lines, which change 30 existing rows that aren’t shown here'))
      .toBeVisible();
    await dialog.getByRole('radio', { name: 'As new rows' }).click();
    await expect.element(dialog.getByText('and 30 more lines', { exact: true })).toBeVisible();
  });

  it('makes new rows of lines when asked to', async () => {
    const grid = await paste('Desk\tKinto\nShelf\tLumen', 'Lamp 1');
    await dialog.getByRole('radio', { name: 'As new rows' }).click();
    await expect.element(dialog.getByText(/2 new rows/)).toBeVisible();
    await dialog.getByRole('button', { name: /^Stage/ }).click();
    await expect.element(page.getByText('2 changes', { exact: true })).toBeVisible();
    await expect.element(grid.getByRole('rowheader', { name: '+' }).first()).toBeVisible();
  });
});

it('a paste of objects without members names the new rows that it makes', async () => {
  await paste('[{},{}]', 'Lamp 1');
  await dialog.getByRole('button', { name: 'Stage 2 new rows' }).click();
  await expect.element(page.getByText('Staged 2 new rows from the clipboard')).toBeVisible();
  await expect.element(page.getByText('2 changes', { exact: true })).toBeVisible();
});

describe('a paste of broken JSON', () => {
  it('is shown with the place of its fault, also where it is one line, and stages nothing', async () => {
    const grid = await paste('[{"name": "Desk" "price": 12}]', 'Lamp 1');
    await expect.element(dialog.getByRole('alert').getByText(/Line 1, character 18: A comma is missing\./)).toBeVisible();
    await press('{Escape}');
    await expect.element(dialog).not.toBeInTheDocument();
    await expect.element(cell(grid, 'Lamp 1')).toBeVisible();
    await expect.element(page.getByText('1 change', { exact: true })).not.toBeInTheDocument();
  });

  it('names line and character of the second of two lines of JSON', async () => {
    await paste('{"name": "Desk"}\n{"name": }', 'Lamp 1');
    await expect.element(dialog.getByRole('alert').getByText(/Line 2, character 10: A value is missing\./)).toBeVisible();
  });

  it('says nothing of JSON that is valid, or of a note in brackets', async () => {
    await paste('[draft] Desk\nShelf', 'Lamp 1');
    await expect.element(dialog.getByRole('cell', { name: '[draft] Desk' })).toBeVisible();
    expect(dialog.getByRole('alert').elements()).toEqual([]);
  });
});

describe('a paste of one line', () => {
  it('is staged at once, every digit of it', async () => {
    const grid = await pasteOnto('9007199254740995', '4000001');
    await expect.element(dialog).not.toBeInTheDocument();
    await expect.element(cell(grid, '9007199254740995')).toHaveAttribute('data-changed', 'true');
  });
});

describe('a paste of objects', () => {
  it('over rows says that fields stay that the objects do not have, and as new rows does not', async () => {
    await paste('[{"name":"Desk"}]', 'Lamp 1');
    const stay = dialog.getByText('Fields that the pasted objects do not have stay as they are.', { exact: false });
    await expect.element(dialog.getByRole('button', { name: 'Stage 1 cell' })).toBeEnabled();
    await expect.element(stay).not.toBeInTheDocument();
    await dialog.getByRole('radio', { name: /^Into the cells/ }).click();
    await expect.element(stay).toBeVisible();
  });
});

describe('a large paste', () => {
  const objects = (rows: number, names: number): string =>
    JSON.stringify(
      Array.from({ length: rows }, () => Object.fromEntries(Array.from({ length: names }, (_, name) => [`name${name}`, name]))),
    );

  it('of 5,000 names draws a few of them and says how many more there are', async () => {
    await paste(objects(20, 5_000), 'Lamp 1');
    await expect.element(dialog.getByText('and 4,940 more columns')).toBeVisible();
    await expect.element(dialog.getByText("100,000 fields can't be staged", { exact: false })).toBeVisible();
    expect(dialog.getByRole('region', { name: 'Preview' }).getByRole('columnheader').elements().length).toBeLessThan(100);
  });

  it('stages nothing after Cancel, also while its lines are being planned', async () => {
    const grid = await paste('Desk\tKinto\n'.repeat(10_000), 'Lamp 1');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect.element(dialog).not.toBeInTheDocument();
    await expect.element(cell(grid, 'Lamp 1')).toBeVisible();
    await expect.element(page.getByText(/^[\d,]+ changes?$/)).not.toBeInTheDocument();
  });

  it('of more lines than a table can have staged says so and can only be closed', async () => {
    await paste('Desk\tKinto\n'.repeat(10_001), 'Lamp 1');
    await expect
      .element(dialog.getByText('At most 10,000 rows can be changed at a time. Paste a part, save it, then paste the next one.'))
      .toBeVisible();
    await expect.element(dialog.getByRole('button', { name: /^Stage/ })).toHaveAttribute('aria-disabled', 'true');
  });
});

describe('staging that takes long', () => {
  /** The example's services, whose host stages only when it is let. */
  function slowServices() {
    const services = exampleServices();
    const gate = Promise.withResolvers<void>();
    const stage: typeof services.editing.stage = async (...asked) => {
      await gate.promise;
      return services.editing.stage(...asked);
    };
    return { services: fakeContext({ ...services, editing: { ...services.editing, stage } }), gate };
  }

  async function stageTwoLines(services: ReturnType<typeof exampleServices>): Promise<Locator> {
    const grid = await renderProducts(services);
    await cell(grid, 'Lamp 1').click();
    await navigator.clipboard.writeText('Desk\nShelf');
    await press('{Control>}v{/Control}');
    await dialog.getByRole('button', { name: 'Stage 2 cells' }).click();
    return grid;
  }

  it('says so after half a second, and Cancel takes back what was staged', async () => {
    const { services, gate } = slowServices();
    const grid = await stageTwoLines(services);
    await expect.element(dialog.getByRole('progressbar', { name: 'Staging…' })).toBeVisible();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect.element(dialog.getByText(/^Cancelling/)).toBeVisible();
    gate.resolve();
    await expect.element(dialog.getByRole('progressbar')).not.toBeInTheDocument();
    await expect.element(dialog.getByRole('button', { name: 'Stage 2 cells' })).toBeVisible();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect.element(cell(grid, 'Lamp 1')).not.toHaveAttribute('data-changed');
    await expect.element(page.getByRole('button', { name: 'Review…' })).not.toBeInTheDocument();
  });

  it('says in the dialog why the host refused it', async () => {
    const services = exampleServices();
    const stage = async () => Promise.reject(new HostError('INVALID_REQUEST', 'More than 10000 rows.'));
    await stageTwoLines(fakeContext({ ...services, editing: { ...services.editing, stage } }));
    await expect.element(dialog.getByRole('alert').getByText('More than 10000 rows.')).toBeVisible();
    await expect.element(dialog.getByRole('button', { name: 'Stage 2 cells' })).toBeVisible();
  });
});
