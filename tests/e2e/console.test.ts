import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { screenshot } from './browser.ts';
import { addConnection, savedConnection, soon } from './openTable.ts';
import { expectNoViolations, lookEverywhere } from './openTool.ts';
import { useOwnWindow } from './fixture.ts';

// Requests as a person writes, runs, stops, keeps and takes them up again.

const fixture = useOwnWindow({
  products: 3_000,
  connection: 'My cluster',
  tool: 'Console',
  clipboard: true,
  // The browser reports every answer with an error, and that the host was away; some requests fail on purpose.
  provokes: /^Failed to load resource: (?:.* status of 40[014]|net::ERR_)/,
});

const editor = () => fixture.page.getByRole('textbox', { name: 'Requests', exact: true });
const results = () => fixture.page.getByRole('region', { name: 'Results' });
const editorText = async () => (await editor().innerText()).replaceAll('\u00a0', ' ').replaceAll('\n\n', '\n');

/** Waits until the host keeps a text of the console. */
async function untilSaved(text: string): Promise<void> {
  const { connections } = (await fixture.application.command('connections', 'list')) as {
    connections: readonly { id: string; name: string }[];
  };
  const scope = connections.find(({ name }) => name === fixture.connection)?.id;
  const isSaved = () =>
    fixture.page.evaluate(async (id) => {
      const input = encodeURIComponent(JSON.stringify({ scope: id }));
      return (await fetch(new URL(`api/trpc/workspace.documents?input=${input}`, document.baseURI))).text();
    }, scope);
  await soon(isSaved).toContain(text);
}

/** Opens the console in the window of a host that was started again. */
async function openConsole(): Promise<void> {
  await fixture.page.goto(new URL('#new', fixture.application.ui).href);
  await savedConnection(fixture.page, fixture.connection).click();
  await fixture.page
    .getByRole('navigation', { name: 'Collections' })
    .getByRole('button', { name: 'Console', exact: true })
    .click();
  await editor().waitFor();
}

/** Replaces all text at once, as a paste does: typing would close brackets automatically. */
async function write(text: string): Promise<void> {
  await editor().focus();
  await fixture.page.keyboard.press('Control+a');
  await fixture.page.evaluate((value) => navigator.clipboard.writeText(value), text);
  await fixture.page.keyboard.press('Control+v');
}

/** Puts a text in place of all others and runs the request at the cursor. */
async function run(text: string): Promise<void> {
  await editor().waitFor();
  await write(text);
  await fixture.page.keyboard.press('Control+Enter');
}

/** Makes a collection that a test changes, past the console. */
async function makeCollection(name: string): Promise<void> {
  const { port, apiKey } = fixture.application.sandbox;
  const answer = await fetch(`http://127.0.0.1:${port}/collections`, {
    method: 'POST',
    headers: { 'x-typesense-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ name, fields: [{ name: 'title', type: 'string' }] }),
  });
  expect(answer.status).toBe(201);
}

async function saveRequest(name: string): Promise<void> {
  await write('GET /collections/{{collection}}');
  await fixture.page.keyboard.press('Control+s');
  const dialog = fixture.page.getByRole('dialog', { name: 'Save request' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
  await dialog.getByText('All connections').click();
  await screenshot(fixture.page, 'console-12-save');
  await expectNoViolations(fixture.page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'hidden' });
}

const strip = () => fixture.page.getByRole('tablist', { name: 'Requests of this console' });

/** Two texts side by side: the one that ran, and one with a name of its own, which is shown. */
async function openTwo(): Promise<void> {
  await run('GET /health');
  await results().getByText('200 OK').waitFor();
  await fixture.page.getByRole('button', { name: 'New tab' }).click();
  await fixture.page.getByText('No results yet').waitFor();
  await write('GET /aliases');
  await strip().getByRole('tab', { name: 'GET /aliases' }).waitFor();
  await strip().getByRole('tab', { name: 'GET /aliases' }).dblclick();
  const name = fixture.page.getByRole('textbox', { name: 'Name of GET /aliases' });
  await name.fill('Names');
  await name.press('Enter');
  await strip().getByRole('tab', { name: 'Names' }).waitFor();
}

describe('the console', () => {
  it('keeps the texts and tabs of another window of the connection', async () => {
    const { page } = fixture;
    await editor().waitFor();
    await write('GET /health?first');
    await untilSaved('GET /health?first');
    const other = await page.context().newPage();
    try {
      const otherEditor = other.getByRole('textbox', { name: 'Requests', exact: true });
      await other.goto(new URL('#new', page.url()).href);
      await savedConnection(other, fixture.connection).click();
      await other.getByRole('navigation', { name: 'Collections' }).getByRole('button', { name: 'Console', exact: true }).click();
      await soon(() => otherEditor.innerText()).toContain('first');
      // A text typed in one is there in the other, so that neither writes over it unseen.
      await otherEditor.focus();
      await other.keyboard.press('Control+End');
      await other.keyboard.type('&other');
      await soon(editorText).toContain('first&other');
      // A tab of this window, which the other one has never seen, outlives what the other one does with its own.
      await page.bringToFront();
      await page.getByRole('button', { name: 'New tab' }).click();
      await write('GET /collections?mine');
      await untilSaved('GET /collections?mine');
      await other.bringToFront();
      await other.getByRole('button', { name: 'New tab' }).click();
      await otherEditor.focus();
      await other.keyboard.type('GET /debug');
      await untilSaved('GET /debug');
    } finally {
      await other.close();
    }
    await page.bringToFront();
    await page.reload();
    await editor().waitFor();
    await soon(() => page.getByRole('tab', { name: /collections\?mine|health\?first&other|debug/ }).count()).toBe(3);
    await page.getByRole('tab', { name: /collections\?mine/ }).click();
    await soon(editorText).toContain('GET /collections?mine');
  });

  it('says what it is for while it is empty', async () => {
    await editor().waitFor();
    await fixture.page.getByText('No results yet').waitFor();
    await screenshot(fixture.page, 'console-01-empty');
    await expectNoViolations(fixture.page);
  });

  it('completes what is typed', async () => {
    await editor().focus();
    await fixture.page.keyboard.type('GET /coll');
    const option = fixture.page.getByRole('listbox').getByRole('option').first();
    await option.waitFor();
    await screenshot(fixture.page, 'console-02-completion');
    await fixture.page.keyboard.press('Escape');
  });

  it('runs the request at the cursor and shows documents as a grid', async () => {
    await run('GET /collections/products/documents/search?q=*&query_by=name&per_page=20');
    const grid = results().getByRole('grid');
    await grid.getByRole('gridcell').first().waitFor();
    await soon(() => grid.getAttribute('aria-rowcount')).toBe('21');
    await results()
      .getByText(/200 OK · 20 rows/)
      .waitFor();
    await grid.focus();
    await fixture.page.keyboard.press('ArrowDown');
    await fixture.page.keyboard.press('End');
    await fixture.page.keyboard.press('Enter');
    await fixture.page.getByRole('complementary', { name: 'Value' }).waitFor();
    await screenshot(fixture.page, 'console-03-grid');
    await expectNoViolations(fixture.page);
    await fixture.page.getByRole('button', { name: 'Close the value' }).click();
  });

  it('shows the whole answer of a search beside its rows, facets and highlights with them', async () => {
    await run('GET /collections/products/documents/search?q=a&query_by=name&per_page=5&facet_by=brand');
    await results().getByRole('grid').waitFor();
    await results().getByText('found', { exact: true }).waitFor();
    await expectNoViolations(fixture.page);
    await fixture.page.keyboard.press('F8');
    await results()
      .getByRole('treeitem', { name: /^facet_counts/ })
      .waitFor();
    await screenshot(fixture.page, 'console-20-whole-tree');
    await fixture.page.keyboard.press('F8');
    const text = results().getByRole('textbox', { name: 'Answer as text' });
    await soon(() => text.innerText()).toContain('"facet_counts"');
    await screenshot(fixture.page, 'console-21-whole-text');
    await lookEverywhere(fixture.page, 'console-22');
    await expectNoViolations(fixture.page);
    await results().getByRole('button', { name: 'Copy answer' }).click();
    await soon(() => fixture.page.evaluate(() => navigator.clipboard.readText())).toContain('"facet_counts"');
  });

  it('shows the rows of several searches behind their whole answer', async () => {
    await run(
      'POST /multi_search\n{"searches":[{"collection":"products","q":"*","query_by":"name","per_page":2},{"collection":"products","q":"*","query_by":"name","per_page":3,"group_by":"brand"}]}',
    );
    await results().getByRole('tree').waitFor();
    await results().getByText('2 products', { exact: true }).click();
    await results().getByRole('columnheader', { name: '(group)' }).waitFor();
    await screenshot(fixture.page, 'console-23-several');
  });

  it('offers an example that works, and does not run it', async () => {
    await fixture.page.getByRole('button', { name: 'New tab' }).click();
    const insert = fixture.page.getByRole('tabpanel').getByRole('button', { name: 'Insert this example' });
    await insert.focus();
    await fixture.page.keyboard.press('Enter');
    await soon(editorText).toMatch(/^GET \/collections\/.+\/documents\/search\?q=\*&query_by=/);
    await fixture.page.getByRole('heading', { name: 'No results yet' }).waitFor();
    await fixture.page.keyboard.press('Control+Enter');
    await results()
      .getByText(/200 OK · \d+ rows?/)
      .waitFor();
  });

  it('shows any other answer as a tree, and as text', async () => {
    await run('GET /collections/products');
    await results().getByRole('tree').waitFor();
    await results()
      .getByRole('treeitem', { name: /^fields/ })
      .waitFor();
    await screenshot(fixture.page, 'console-04-tree');
    await expectNoViolations(fixture.page);
    await results().getByText('Text', { exact: true }).click();
    await results().getByLabel('Answer as text').waitFor();
    await screenshot(fixture.page, 'console-05-text');
  });

  it('asks before a request that does more than read, naming what it does, and runs it only after a yes', async () => {
    await write(
      'POST /collections\n{"name":"made here","fields":[{"name":"title","type":"string"}]}\n\nGET /collections/made%20here',
    );
    await fixture.page.keyboard.press('Control+Shift+Enter');
    const dialog = fixture.page.getByRole('dialog', { name: 'Run these 2 requests?' });
    await dialog
      .getByText(/made here/)
      .first()
      .waitFor();
    await screenshot(fixture.page, 'console-06-confirm');
    await expectNoViolations(fixture.page);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(await results().getByRole('button', { name: /made/ }).count()).toBe(0);
    await editor().focus();
    await fixture.page.keyboard.press('Control+Shift+Enter');
    await dialog.getByRole('button', { name: 'Run all 2' }).click();
    await results().getByRole('tree').waitFor();
    await screenshot(fixture.page, 'console-07-several');
  });

  it('asks more plainly before one that destroys', async () => {
    await makeCollection('to be deleted');
    await run('DELETE /collections/to%20be%20deleted');
    const dialog = fixture.page.getByRole('dialog', { name: 'Run this request?' });
    await dialog.getByText(/This destroys data in “My cluster/).waitFor();
    await dialog.getByText(/to be deleted/).waitFor();
    await screenshot(fixture.page, 'console-08-confirm-destroys');
    await dialog.getByRole('button', { name: 'Run it' }).click();
    await results().getByText('200 OK').waitFor();
  });

  it('warns before a request of unknown effect', async () => {
    await run('POST /nowhere/known\n{}');
    const dialog = fixture.page.getByRole('dialog', { name: 'Run this request?' });
    await dialog
      .getByText(`Tabularium can’t determine what one request changes in “${fixture.connection}”. It may destroy data.`)
      .waitFor();
    await dialog.getByText('Unknown', { exact: true }).waitFor();
    await screenshot(fixture.page, 'console-08-confirm-unknown');
    await expectNoViolations(fixture.page);
    await fixture.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
  });

  it('says what the server says, and does not run what follows', async () => {
    await write('GET /collections/nowhere\n\nGET /health');
    await fixture.page.keyboard.press('Control+Shift+Enter');
    await results().getByRole('alert').waitFor();
    await screenshot(fixture.page, 'console-09-failed');
    await expectNoViolations(fixture.page);
    await results()
      .getByRole('button', { name: /health/ })
      .click();
    await results().getByText('Not run, because another request of this run failed, was stopped or isn’t valid.').waitFor();
  });

  it('rejects an invalid request with a helpful message', async () => {
    await run('DELETE FROM products');
    await fixture.page.getByText('it looks like SQL').waitFor();
    expect(await fixture.page.getByRole('button', { name: 'Run it' }).count()).toBe(0);
    await screenshot(fixture.page, 'console-10-refused');
  });

  it('indents JSON without changing a number', async () => {
    await write('POST /multi_search\n{"searches":[{"collection":"products","q":"*","page":9007199254740993}]}');
    await fixture.page.getByRole('button', { name: 'Format JSON' }).click();
    await soon(editorText).toContain('"page": 9007199254740993');
    await screenshot(fixture.page, 'console-11-formatted');
    await fixture.page.keyboard.press('Control+z');
  });

  it('saves a request with variables for all connections, and asks for their values', async () => {
    await saveRequest('One collection');
    await write('');
    await fixture.page.keyboard.press('Delete');
    await fixture.page.getByRole('button', { name: 'Saved' }).click();
    const panel = fixture.page.getByRole('complementary', { name: 'Saved' });
    await panel.getByRole('button', { name: /^One collection/ }).click();
    await soon(editorText).toContain('{{collection}}');
    await screenshot(fixture.page, 'console-13-saved');
    await editor().focus();
    await fixture.page.keyboard.press('Control+Enter');
    const values = fixture.page.getByRole('dialog', { name: 'Values for the variables' });
    await values.getByRole('textbox', { name: 'collection' }).fill('products');
    await screenshot(fixture.page, 'console-14-variables');
    await values.getByRole('button', { name: 'Run with these values' }).click();
    await results().getByRole('tree').waitFor();
  });

  it('finds in the history what was run', async () => {
    await run('GET /collections/products');
    await results().getByRole('tree').waitFor();
    await run('GET /collections/nowhere');
    await results().getByRole('alert').waitFor();
    await fixture.page.getByRole('button', { name: 'History' }).click();
    const panel = fixture.page.getByRole('complementary', { name: 'History' });
    await panel.getByText('GET /collections/products', { exact: true }).first().waitFor();
    await panel.getByRole('textbox', { name: 'Search the history' }).fill('nowhere');
    await soon(() => panel.getByRole('listitem').count()).toBe(1);
    await screenshot(fixture.page, 'console-15-history');
    await expectNoViolations(fixture.page);
    await lookEverywhere(fixture.page, 'console-16');
    await panel.getByRole('button', { name: /^GET \/collections\/nowhere/ }).click();
    await soon(editorText).toContain('nowhere');
    await fixture.page.getByRole('button', { name: 'Close the panel' }).click();
  });

  it('keeps several texts side by side, each with its results', async () => {
    await openTwo();
    await strip().getByRole('tab', { name: 'GET /health' }).click();
    await results().getByText('200 OK').waitFor();
    await screenshot(fixture.page, 'console-17-tabs');
    await expectNoViolations(fixture.page);
    await strip().getByRole('tab', { name: 'GET /health' }).press('ArrowRight');
    await soon(editorText).toBe('GET /aliases');
  });

  it('stops a request that a slow server does not answer', async () => {
    fixture.application.sandbox.fault(({ path }) => (path.startsWith('/aliases') ? { kind: 'silence' } : undefined));
    await run('GET /aliases');
    await results().getByText('Waiting for the response.').waitFor();
    await fixture.page.getByRole('contentinfo').getByText('Running GET /aliases').waitFor();
    await screenshot(fixture.page, 'console-18-running');
    await fixture.page.getByRole('button', { name: 'Stop', exact: true }).click();
    await results().getByText('You stopped this request.').waitFor();
    fixture.application.sandbox.fault();
    await editor().focus();
    await fixture.page.keyboard.press('Control+Enter');
    await results().getByText('200 OK').waitFor();
  });

  it('copies a request as curl without the key', async () => {
    await write('GET /aliases');
    await fixture.page.getByRole('button', { name: 'Copy as curl' }).click();
    await fixture.page.getByText(/^Copied as curl/).waitFor();
    const command = await fixture.page.evaluate(() => navigator.clipboard.readText());
    expect(command).toContain(`curl --request GET 'http://127.0.0.1:${fixture.application.sandbox.port}/aliases'`);
    expect(command).toContain('$API_KEY');
    expect(command).not.toContain(fixture.application.sandbox.apiKey);
  });

  it('runs a request on another connection, and says so', async () => {
    await write('GET /aliases');
    await untilSaved('/aliases');
    const second = `Second of ${fixture.connection}`;
    await addConnection(fixture.application, second);
    await fixture.page.reload();
    await soon(editorText).toBe('GET /aliases');
    await fixture.page.getByRole('button', { name: 'Run on another connection' }).click();
    await fixture.page.getByRole('menuitem', { name: second }).click();
    await results()
      .getByText(new RegExp(`^on ${second} · 200 OK`))
      .waitFor();
    await screenshot(fixture.page, 'console-19-elsewhere');
  });

  it('saves a result as a file, every digit kept', async () => {
    await run('GET /collections/products/documents/search?q=*&query_by=name&per_page=3');
    await results()
      .getByText(/200 OK · 3 rows/)
      .waitFor();
    await results().getByRole('button', { name: 'Save as file' }).click();
    const [download] = await Promise.all([
      fixture.page.waitForEvent('download'),
      fixture.page.getByRole('menuitem', { name: 'JSON lines' }).click(),
    ]);
    const text = await readFile(await download.path(), 'utf8');
    expect(text.trimEnd().split('\n')).toHaveLength(3);
    expect(text).toMatch(/"barcode":9\d{15}/);
    expect(download.suggestedFilename()).toBe('result.jsonl');
  });

  it('copies the path and the value of a part of the answer', async () => {
    await run('GET /collections/products');
    const tree = results().getByRole('tree');
    await tree.getByRole('treeitem', { name: /^enable_nested_fields/ }).click();
    await results().getByRole('button', { name: 'Copy path' }).click();
    await soon(() => fixture.page.evaluate(() => navigator.clipboard.readText())).toBe('enable_nested_fields');
    await results().getByRole('button', { name: 'Copy value' }).click();
    await soon(() => fixture.page.evaluate(() => navigator.clipboard.readText())).toBe('true');
  });

  it('renames a saved request', async () => {
    await editor().waitFor();
    await saveRequest('Renamed collection');
    await fixture.page.getByRole('button', { name: 'Saved', exact: true }).click();
    const panel = fixture.page.getByRole('complementary', { name: 'Saved' });
    await panel.getByRole('button', { name: 'Rename Renamed collection…' }).click();
    const dialog = fixture.page.getByRole('dialog', { name: 'Rename “Renamed collection”' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Structure of one');
    await dialog.getByRole('button', { name: 'Rename' }).click();
    await panel.getByRole('button', { name: /^Structure of one/ }).waitFor();
    await fixture.page.getByRole('button', { name: 'Close the panel' }).click();
  });

  it('has its texts again after the host was restarted', async () => {
    await openTwo();
    await write('GET /collections?kept=yes');
    await strip().getByRole('tab', { name: 'Names' }).waitFor();
    await untilSaved('kept=yes');
    await fixture.application.restart();
    await openConsole();
    await soon(editorText).toBe('GET /collections?kept=yes');
    await strip().getByRole('tab', { name: 'Names' }).waitFor();
    await strip().getByRole('tab', { name: 'GET /health' }).click();
    await soon(editorText).toBe('GET /health');
  });

  it('keeps the text across tabs and a reload, and meets no fault', async () => {
    await write('GET /aliases');
    await fixture.page.getByRole('navigation', { name: 'Collections' }).getByText('products', { exact: true }).click();
    await fixture.page.getByRole('tab', { name: 'Console' }).click();
    await soon(editorText).toBe('GET /aliases');
    await fixture.page.reload();
    await fixture.page.getByRole('tab', { name: 'Console' }).waitFor();
    await soon(editorText).toBe('GET /aliases');
  });
});
