import type { Locator, Page } from 'playwright-core';
import type { Strings } from '../../host/src/renderer/i18n/en/index.ts';

/** Every screen of the window, one after the other, for what has to hold on each of them: its accessibility, its language, a small window. */
export class Screens {
  readonly #page: Page;
  readonly #words: Strings;

  /**
   * @param page - a window with an open connection to the sample server
   * @param words - those of its language
   */
  constructor(page: Page, words: Strings) {
    this.#page = page;
    this.#words = words;
  }

  /** The name of each screen while it is shown. */
  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    yield* this.#table();
    yield* this.#search();
    yield* this.#relevance();
    yield* this.#tools();
    yield* this.#dialogs();
    yield* this.#settings();
    yield* this.#connections();
  }

  get #sidebar(): Locator {
    return this.#page.getByRole('navigation', { name: 'Collections' });
  }

  get #dialog(): Locator {
    return this.#page.getByRole('dialog').last();
  }

  async #shown(locator: Locator): Promise<void> {
    await locator.first().waitFor();
    // Layers fade in.
    await this.#page.waitForTimeout(FADED_MILLISECONDS);
  }

  async #closed(locator: Locator): Promise<void> {
    await this.#page.keyboard.press('Escape');
    await locator.waitFor({ state: 'hidden' });
  }

  async #view(name: string): Promise<void> {
    await this.#page
      .locator('label', { hasText: new RegExp(`^${name}$`) })
      .filter({ visible: true })
      .first()
      .click();
  }

  async #openTable(name: string): Promise<void> {
    // In a narrow window the sidebar lies over the content after it was unfolded.
    const entry = this.#sidebar.getByText(name, { exact: true });
    const unfold = this.#page.getByRole('button', { name: this.#words.shell.unfoldSidebar }).last();
    await entry.or(unfold).first().waitFor();
    if (!(await entry.isVisible())) await unfold.click();
    await entry.click();
  }

  async *#table(): AsyncGenerator<string> {
    const { keyboard } = this.#page;
    const words = this.#words;
    await this.#openTable('products');
    const grid = this.#page.getByRole('grid', { name: words.grid.label('products') });
    await this.#shown(grid.getByRole('gridcell'));
    yield 'table';
    const cell = grid.locator('[data-row="1"]').getByRole('gridcell').nth(1);
    await cell.click();
    await keyboard.press('Shift+F10');
    await this.#shown(this.#page.getByRole('menuitem'));
    yield 'menu of a cell';
    await this.#closed(this.#page.getByRole('menuitem').first());
    await grid.focus();
    await keyboard.press('Control+Shift+f');
    await this.#shown(this.#page.getByRole('region', { name: words.filter.label }).getByRole('combobox'));
    yield 'filter';
    await keyboard.press('Escape');
    await cell.click();
    await keyboard.press('Control+i');
    await this.#shown(this.#page.getByRole('complementary', { name: words.inspector.label }));
    yield 'inspector';
    await keyboard.press('Control+i');
    await cell.click();
    await keyboard.press('F2');
    await keyboard.type('Changed');
    await keyboard.press('Enter');
    await this.#shown(this.#page.getByRole('button', { name: words.editing.review }));
    yield 'staged change';
    await this.#page.getByRole('button', { name: words.editing.review }).click();
    await this.#shown(this.#dialog.getByRole('button', { name: words.editing.save(1) }));
    yield 'review';
    await this.#closed(this.#page.getByRole('dialog'));
    await this.#page.getByRole('button', { name: words.editing.undo }).click();
    await this.#page.getByRole('button', { name: words.columns.open }).click();
    await this.#shown(this.#dialog);
    yield 'columns';
    await this.#closed(this.#page.getByRole('dialog'));
    await this.#page.getByRole('button', { name: words.transfer.open, exact: true }).click();
    await this.#shown(this.#dialog.getByRole('button', { name: words.common.cancel }));
    yield 'export';
    await this.#closed(this.#page.getByRole('dialog'));
    await this.#page.getByRole('button', { name: words.operations.more }).click();
    await this.#shown(this.#page.getByRole('menuitem'));
    yield 'menu of a table';
    await this.#closed(this.#page.getByRole('menuitem').first());
    await this.#view(words.tabs.structure);
    await this.#shown(this.#page.getByRole('table'));
    yield 'structure';
  }

  async *#search(): AsyncGenerator<string> {
    const words = this.#words.search;
    await this.#view(this.#words.tabs.rankedSearch);
    const region = this.#page.getByRole('region', { name: words.label('products') });
    await this.#shown(region);
    yield 'search';
    await region.getByRole('textbox', { name: words.box }).fill('kettle');
    const hit = region.getByRole('article').first();
    await this.#shown(hit);
    yield 'hits';
    await region.getByRole('button', { name: words.compare }).click();
    await this.#shown(region.getByRole('article').nth(1));
    yield 'compared searches';
    await region.getByRole('button', { name: words.compare }).click();
  }

  async *#relevance(): AsyncGenerator<string> {
    const words = this.#words.relevance;
    await this.#view(this.#words.tabs.relevance);
    const region = this.#page.getByRole('region', { name: words.label('products') });
    await this.#shown(region.getByText(words.emptyTitle));
    yield 'relevance';
    await region.getByRole('button', { name: words.newSet }).first().click();
    await this.#shown(this.#dialog.getByRole('textbox'));
    yield 'new query set';
    await this.#closed(this.#page.getByRole('dialog'));
    await this.#view(this.#words.tabs.data);
  }

  async *#tools(): AsyncGenerator<string> {
    const words = this.#words;
    const { keyboard } = this.#page;
    const open = (name: string): Promise<void> => this.#page.getByRole('button', { name, exact: true }).first().click();
    await open(words.console.title);
    const editor = this.#page.getByRole('textbox', { name: words.console.editor, exact: true });
    await this.#shown(editor);
    yield 'console';
    await editor.focus();
    await keyboard.type('GET /collections/products/documents/search?q=*&query_by=name');
    await keyboard.press('Escape');
    await keyboard.press('Control+Enter');
    await this.#shown(this.#page.getByRole('region', { name: words.console.results }).getByRole('gridcell'));
    yield 'answer';
    await this.#page.getByRole('button', { name: words.console.history, exact: true }).click();
    await this.#shown(this.#page.getByRole('listitem'));
    yield 'history';
    await this.#page.getByRole('button', { name: words.console.history, exact: true }).click();
    await open(words.dashboard.title);
    await this.#shown(this.#page.locator('canvas'));
    yield 'dashboard';
    await open(words.objects.title);
    const objects = this.#page.getByRole('region', { name: words.objects.title, exact: true });
    const kinds = objects.getByRole('navigation', { name: words.objects.kinds }).getByRole('button');
    await this.#shown(kinds);
    for (const kind of await kinds.allInnerTexts()) {
      await kinds.getByText(kind, { exact: true }).click();
      await this.#shown(objects);
      yield `objects: ${kind}`;
    }
    await kinds.first().click();
    const add = objects.getByRole('button', { name: new RegExp(`^${words.objects.add('(?:\\S+ ?)+')}$`) }).first();
    await add.click();
    await this.#shown(this.#dialog.getByRole('textbox'));
    yield 'new object';
    await this.#closed(this.#page.getByRole('dialog'));
    await open('API Keys');
    const addKey = this.#page.getByRole('button', { name: words.principals.add({ one: 'API Key', other: 'API Keys' }) }).first();
    await this.#shown(addKey);
    yield 'keys';
    await addKey.click();
    await this.#shown(this.#dialog.getByRole('textbox'));
    yield 'new key';
    await this.#closed(this.#page.getByRole('dialog'));
  }

  async *#dialogs(): AsyncGenerator<string> {
    const words = this.#words;
    const { keyboard } = this.#page;
    await keyboard.press('Control+k');
    await this.#shown(this.#dialog.getByRole('option'));
    yield 'palette';
    await this.#closed(this.#page.getByRole('dialog'));
    await this.#page.getByRole('button', { name: words.status.notices, exact: true }).click();
    await this.#shown(this.#dialog);
    yield 'notices';
    await this.#closed(this.#page.getByRole('dialog'));
  }

  async *#settings(): AsyncGenerator<string> {
    const words = this.#words;
    await this.#page.getByRole('button', { name: words.titleBar.settings }).click();
    const settings = this.#page.getByRole('dialog', { name: words.settings.title });
    const panes = settings.getByRole('tablist', { name: words.settings.sections }).getByRole('tab');
    await this.#shown(panes);
    for (const pane of await panes.allInnerTexts()) {
      await panes.getByText(pane, { exact: true }).click();
      await this.#shown(settings);
      yield `settings: ${pane}`;
      // Drivers have a switch, and integrations tabs within the tab.
      const parts =
        pane === words.settings.drivers
          ? settings.locator('.mantine-SegmentedControl-root').first().locator('label')
          : settings.getByRole('tablist', { name: words.integrations.title }).getByRole('tab');
      if (pane !== words.settings.drivers && pane !== words.integrations.title) continue;
      for (const part of (await parts.allInnerTexts()).slice(1)) {
        await parts.getByText(part, { exact: true }).click();
        await this.#shown(settings);
        yield `settings: ${pane}, ${part}`;
      }
    }
    await this.#closed(settings);
  }

  async *#connections(): AsyncGenerator<string> {
    const words = this.#words;
    await this.#page.keyboard.press('Control+Shift+l');
    await this.#shown(this.#page.getByRole('heading', { name: words.start.title, exact: true }));
    yield 'connections';
    await this.#page.getByRole('button', { name: words.start.newConnection }).first().click();
    await this.#shown(this.#dialog.getByText(words.chooser.text));
    yield 'types';
    await this.#dialog.getByText('Search Server (Typesense)').click();
    const panes = this.#dialog.getByRole('tab');
    await this.#shown(panes);
    for (const pane of await panes.allInnerTexts()) {
      await panes.getByText(pane, { exact: true }).click();
      await this.#shown(this.#dialog);
      yield `connection: ${pane}`;
    }
    await panes.first().click();
    await this.#dialog.getByPlaceholder(words.form.namePlaceholder).fill('Nowhere');
    await this.#dialog.getByRole('textbox', { name: 'Host' }).fill('127.0.0.1:9');
    await this.#dialog.getByRole('textbox', { name: /^API/ }).fill('a-key');
    await this.#dialog.getByRole('button', { name: words.form.test }).click();
    await this.#shown(this.#page.locator('[data-outcome="failed"]'));
    yield 'failed test';
    await this.#page.keyboard.press('Escape');
  }
}

/** Longer than a layer takes to appear. */
const FADED_MILLISECONDS = 250;
