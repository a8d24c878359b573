import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { axe } from './axe.ts';
import { screenshot } from './browser.ts';
import { cellOf, choose, openTable, shownIn, soon, tableGrid } from './openTable.ts';
import { lookEverywhere } from './openTool.ts';
import { useOwnWindow } from './fixture.ts';

// Exports to files on the host's computer, from the window.

const fixture = useOwnWindow({ products: 5_000, provokes: /Failed to load resource/ });
beforeEach(async () => void (await openTable(fixture.page, 'products')));

const dialog = () => fixture.page.getByRole('dialog', { name: 'Export products' });
const open = async (): Promise<void> => {
  await fixture.page.getByRole('button', { name: 'Export…' }).click();
  // The suggested file comes a moment after the dialog.
  await soon(() => dialog().getByLabel('File').inputValue()).not.toBe('');
};

describe('export', () => {
  it('writes all rows as JSON lines, and says where', async () => {
    await open();
    await soon(() => dialog().getByLabel('File').inputValue()).toMatch(/products.*\.jsonl$/);
    await screenshot(fixture.page, 'export-01-dialog');
    const { violations } = await axe(fixture.page).include('[role="dialog"]').analyze();
    expect(violations).toEqual([]);
    const file = join(fixture.application.files, 'all.jsonl');
    await dialog().getByLabel('File').fill(file);
    await dialog().getByRole('button', { name: 'Export', exact: true }).click();
    await fixture.page.getByText(`to ${file}`).waitFor();
    await screenshot(fixture.page, 'export-02-done');
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
    expect(lines).toHaveLength(5_000);
  });

  it('shows its progress and speed in the status bar, and leaves no file when it is cancelled there', async () => {
    // However slow this machine is, the export is running when it is cancelled.
    fixture.application.sandbox.fault(({ path }) =>
      path.endsWith('/export') ? { kind: 'stall', afterBytes: 500_000 } : undefined,
    );
    await open();
    const file = join(fixture.application.files, 'slow.json');
    await dialog().getByText('JSON', { exact: true }).click();
    await dialog().getByLabel('File').fill(file);
    await dialog().getByRole('button', { name: 'Export', exact: true }).click();
    const status = fixture.page.getByRole('contentinfo');
    await status.getByText(/^Exporting products: [\d,]+ of [\d,]+ rows, .*\/s$/).waitFor();
    await soon(() => status.getByRole('progressbar').count()).toBe(1);
    await screenshot(fixture.page, 'export-05-running');
    // It is the host's: another tab is opened meanwhile.
    await openTable(fixture.page, 'articles');
    await status.getByRole('button', { name: /^Cancel: Exporting products/ }).click();
    await fixture.page.getByText('The export of products was cancelled; the unfinished file was removed.').waitFor();
    expect((await readdir(fixture.application.files)).filter((name) => name.startsWith('slow'))).toEqual([]);
  });

  it('writes the selected rows, with chosen columns, as JSON and as CSV', async () => {
    const grid = tableGrid(fixture.page, 'products');
    await (await cellOf(fixture.page, grid, 1, 'id')).click();
    await fixture.page.keyboard.press('Shift+ArrowDown');
    await fixture.page.keyboard.press('Shift+ArrowDown');
    const ids = (await shownIn(fixture.page, grid, 'id')).slice(1, 4);
    for (const [format, name] of [
      ['JSON', 'selected.json'],
      ['CSV', 'selected.csv'],
    ] as const) {
      await open();
      await dialog().getByLabel('Selected rows (3)').check();
      await dialog().getByText(format, { exact: true }).click();
      await screenshot(fixture.page, `export-06-${format}`);
      await dialog().getByLabel('File').fill(join(fixture.application.files, name));
      await dialog().getByRole('button', { name: 'Export', exact: true }).click();
      await fixture.page.getByText(`to ${join(fixture.application.files, name)}`).waitFor();
      await fixture.page.getByRole('button', { name: 'Open folder' }).waitFor();
    }
    const objects = JSON.parse(await readFile(join(fixture.application.files, 'selected.json'), 'utf8')) as { id: string }[];
    expect(objects.map(({ id }) => id)).toEqual(ids);
    const lines = (await readFile(join(fixture.application.files, 'selected.csv'), 'utf8')).trimEnd().split('\r\n');
    expect(lines[0]?.split(',')[0]).toBe('id');
    expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(ids);
  });

  it('asks before it replaces a file, naming it', async () => {
    const file = join(fixture.application.files, 'kept.csv');
    await writeFile(file, 'mine');
    await fixture.page.keyboard.press('Control+Shift+f');
    const bar = fixture.page.getByRole('region', { name: 'Filter rows' });
    await choose(fixture.page, bar.getByRole('combobox', { name: 'Column' }), /^price/);
    await choose(fixture.page, bar.getByRole('combobox', { name: 'Operator' }), 'is greater than');
    await bar.getByLabel('Value', { exact: true }).fill('400');
    await bar.getByLabel('Value', { exact: true }).press('Enter');
    await fixture.page.getByText(/^of [\d,]+ filtered$/).waitFor();
    const shown = Number(
      /of ([\d,]+)/.exec(await fixture.page.getByTestId('range').filter({ visible: true }).innerText())?.[1]?.replaceAll(',', ''),
    );
    await open();
    await dialog().getByText('CSV', { exact: true }).click();
    await dialog().getByLabel('Chosen columns').check();
    await fixture.page.emulateMedia({ colorScheme: 'dark' });
    await screenshot(fixture.page, 'export-03-csv-dark');
    await dialog().getByLabel('All, including columns').check();
    await dialog().getByLabel('File').fill(file);
    await dialog().getByRole('button', { name: 'Export', exact: true }).click();
    await dialog().getByRole('alert').getByText('This file exists').waitFor();
    await fixture.page.setViewportSize({ width: 900, height: 600 });
    await screenshot(fixture.page, 'export-04-exists-small-dark');
    expect(await readFile(file, 'utf8')).toBe('mine');
    await dialog()
      .getByRole('button', { name: `Replace ${file}` })
      .click();
    await fixture.page.getByText(`to ${file}`).waitFor();
    const lines = (await readFile(file, 'utf8')).trimEnd().split(/\r?\n/);
    expect(lines[0]).toContain('price');
    expect(lines.length).toBeGreaterThanOrEqual(shown + 1);
  });

  it('asks whether to keep a file whose rows differ from the count, and Escape or a reload decides nothing', async () => {
    const { page, application } = fixture;
    application.sandbox.fault(({ path }) =>
      path.endsWith('/export') ? { kind: 'answer', status: 200, body: '{"id":"1"}\n{"id":"2"}\n' } : undefined,
    );
    const question = (file: string) =>
      page.getByRole('region', { name: 'Exports that need a decision' }).locator('> div').filter({ hasText: file });
    const files = [join(application.files, 'kept.json'), join(application.files, 'deleted.json')] as const;
    for (const file of files) {
      await open();
      await dialog().getByText('JSON', { exact: true }).click();
      await dialog().getByLabel('File').fill(file);
      await dialog().getByRole('button', { name: 'Export', exact: true }).click();
      await question(file)
        .getByText(`${file} has 2 rows of products, but the database counts 5,000. Rows may be missing.`)
        .waitFor();
    }
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 1280, height: 800 });
    await screenshot(page, 'export-07-undecided');
    await page.setViewportSize({ width: 900, height: 600 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await screenshot(page, 'export-08-undecided-small-dark');
    const { violations } = await axe(page).include('[data-region="undecided"]').analyze();
    expect(violations).toEqual([]);
    await page.keyboard.press('Escape');
    await page.reload();
    const named = async () => (await readdir(application.files)).filter((name) => /^(kept|deleted)\.json/.test(name)).toSorted();
    const [saved, deleted] = files;
    await question(saved).getByRole('button', { name: 'Keep the file' }).waitFor();
    expect(await named()).toEqual(['deleted.json.part', 'kept.json.part']);
    await question(saved).getByRole('button', { name: 'Keep the file' }).press('Enter');
    await page.getByText(`to ${saved}`).waitFor();
    await question(deleted).getByRole('button', { name: 'Delete it' }).press(' ');
    await page.getByText('The exported file of products was deleted.').waitFor();
    await soon(() => page.getByRole('region', { name: 'Exports that need a decision' }).count()).toBe(0);
    expect(await named()).toEqual(['kept.json']);
    expect(JSON.parse(await readFile(saved, 'utf8'))).toEqual([{ id: '1' }, { id: '2' }]);
    application.sandbox.fault(undefined);
  });
});

describe('a file that is chosen in the browser', () => {
  /** No test can use the desktop's dialog. In its place is a file of the browser's own, which is written in the same way. */
  const answerDialogWith = (answer: 'file' | 'left' | 'refused' | 'full' | 'notClosed'): Promise<void> =>
    fixture.page.evaluate((chosen) => {
      Object.assign(window, {
        asked: [],
        showSaveFilePicker: async (options: { readonly suggestedName: string }) => {
          (window as unknown as { asked: unknown[] }).asked.push(options);
          if (chosen === 'left') throw new DOMException('The user aborted a request.', 'AbortError');
          const folder = await navigator.storage.getDirectory();
          const handle = await folder.getFileHandle(options.suggestedName, { create: true });
          if (chosen === 'refused')
            handle.createWritable = () => Promise.reject(new DOMException('Not allowed.', 'NotAllowedError'));
          if (chosen === 'full' || chosen === 'notClosed') {
            const create = handle.createWritable.bind(handle);
            handle.createWritable = async () => {
              const writable = await create();
              const write = writable.write.bind(writable);
              let written = 0;
              const full = (): Promise<never> => Promise.reject(new DOMException('No space.', 'QuotaExceededError'));
              // The first part fits on the disk.
              if (chosen === 'full') writable.write = (part) => (written++ === 0 ? write(part) : full());
              else writable.close = full;
              return writable;
            };
          }
          return handle;
        },
      });
    }, answer);
  const saved = (name: string): Promise<string> =>
    fixture.page.evaluate(async (file) => {
      const folder = await navigator.storage.getDirectory();
      const handle = await folder.getFileHandle(file).catch(() => undefined);
      return handle === undefined ? 'no file' : (await handle.getFile()).text();
    }, name);
  /** Files of the browser outlive the window that wrote them. */
  const removeFile = (name: string): Promise<void> =>
    fixture.page.evaluate(async (file) => {
      const folder = await navigator.storage.getDirectory();
      await folder.removeEntry(file).catch(() => undefined);
    }, name);
  const pressChoose = (): Promise<void> => dialog().getByRole('button', { name: 'Choose a place…' }).click();
  const chooseFile = async (name = 'products.jsonl'): Promise<void> => {
    await pressChoose();
    await dialog().getByText(`${name}, in the folder that you chose`).waitFor();
  };
  const start = (): Promise<void> => dialog().getByRole('button', { name: 'Export', exact: true }).click();

  it('has all rows, and no path is asked for', async () => {
    await answerDialogWith('file');
    await open();
    await lookEverywhere(fixture.page, 'export-07-choose');
    await chooseFile();
    await soon(() => dialog().getByLabel('File', { exact: true }).getByRole('textbox').count()).toBe(0);
    await lookEverywhere(fixture.page, 'export-08-chosen');
    await start();
    await fixture.page.getByText(/^Exported 5,000 rows of products .* to products\.jsonl$/).waitFor();
    expect(await fixture.page.getByRole('button', { name: 'Open folder' }).count()).toBe(0);
    await soon(async () => (await saved('products.jsonl')).trimEnd().split('\n').length).toBe(5_000);
  });

  it('is asked for again with the format, and not used when a path is typed after all', async () => {
    await answerDialogWith('file');
    await open();
    await chooseFile();
    await dialog().getByText('CSV', { exact: true }).click();
    await soon(() => dialog().getByLabel('File').inputValue()).toMatch(/products.*\.csv$/);
    await chooseFile('products.csv');
    await dialog().getByRole('button', { name: 'Enter a path instead' }).click();
    const file = join(fixture.application.files, 'typed.csv');
    await dialog().getByLabel('File').fill(file);
    await start();
    await fixture.page.getByText(`to ${file}`).waitFor();
    expect(await saved('products.csv')).toBe('');
  });

  it('is not asked for twice when the dialog is left, and one that cannot be written is said in place', async () => {
    await answerDialogWith('left');
    await open();
    const path = await dialog().getByLabel('File').inputValue();
    await pressChoose();
    expect(await dialog().getByLabel('File').inputValue()).toBe(path);
    expect(await dialog().getByRole('alert').count()).toBe(0);
    await answerDialogWith('refused');
    await chooseFile();
    await start();
    await dialog().getByText("The file can't be written.").waitFor();
    await fixture.page.keyboard.press('Escape');
    expect(await fixture.page.getByText(/^Exported/).count()).toBe(0);
  });

  it.each(['full', 'notClosed'] as const)('is not there when the disk is full: %s', async (answer) => {
    await removeFile('products.jsonl');
    await answerDialogWith(answer);
    await open();
    await chooseFile();
    await start();
    await fixture.page.getByText(/products\.jsonl could not be saved: The file can't be written\./).waitFor();
    await soon(() => saved('products.jsonl')).toBe('no file');
    await soon(() => fixture.page.getByText(/^Exporting products/).count()).toBe(0);
    // The next try is a whole one.
    await answerDialogWith('file');
    await open();
    await chooseFile();
    await start();
    await fixture.page.getByText(/^Exported 5,000 rows of products .* to products\.jsonl$/).waitFor();
    await soon(async () => (await saved('products.jsonl')).trimEnd().split('\n').length).toBe(5_000);
  });

  it('is not there when the export is cancelled in the status bar', async () => {
    const { sandbox } = fixture.application;
    sandbox.fault(({ path }) => (path.endsWith('/export') ? { kind: 'stall', afterBytes: 500_000 } : undefined));
    await removeFile('products.jsonl');
    await answerDialogWith('file');
    await open();
    await chooseFile();
    await start();
    await fixture.page
      .getByRole('status')
      .getByText(/^Exporting products: /)
      .waitFor();
    await fixture.page.getByRole('button', { name: /^Cancel: Exporting products/ }).click();
    await fixture.page.getByText(/^The export of products was cancelled/).waitFor();
    await soon(() => saved('products.jsonl')).toBe('no file');
    sandbox.fault(undefined);
  });

  it('stays as it was when the server breaks off, and the reason is said', async () => {
    await answerDialogWith('file');
    await fixture.page.evaluate(async () => {
      const folder = await navigator.storage.getDirectory();
      const handle = await folder.getFileHandle('products.jsonl', { create: true });
      const writable = await handle.createWritable();
      await writable.write('as it was');
      await writable.close();
    });
    fixture.application.sandbox.fault(({ path }) =>
      path.endsWith('/export') ? { kind: 'cut', afterBytes: 300_000 } : undefined,
    );
    await open();
    await chooseFile();
    await start();
    await fixture.page.getByText(/^The export of products failed: .*products\.jsonl was not saved\./).waitFor();
    expect(await saved('products.jsonl')).toBe('as it was');
  });
});
