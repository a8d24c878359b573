import type { Locator } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { screenshot } from './browser.ts';
import { englishTexts } from './englishTexts.ts';
import { choose, soon } from './openTable.ts';
import { expectNoViolations } from './openTool.ts';
import { useOwnWindow } from './fixture.ts';
import { languageOf, speak } from './speak.ts';

// The window in its second language, from the setting that chooses it back to English.

const fixture = useOwnWindow({ products: 2_000 });

const sidebar = () => fixture.page.getByRole('navigation', { name: 'Collections' });
const bar = () => fixture.page.getByRole('region', { name: 'Zeilen filtern' });
const grid = () => fixture.page.getByRole('grid', { name: 'Zeilen von products' });
const pane = (settings: Locator, name: string) => settings.getByRole('tab', { name, exact: true });

/**
 * Labels that don't fit into their element, so that a person can't read them. Data is cut on purpose, and so is text that people write themselves.
 */
async function cutWords(): Promise<readonly string[]> {
  return fixture.page.evaluate(() => {
    const words = 'button, label, legend, h1, h2, h3, [role="tab"], [role="menuitem"], [role="option"], [role="status"], p';
    const data = '[role="grid"], [role="tree"], .cm-editor';
    const isCut = (element: Element): boolean => {
      if (![...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim() !== ''))
        return false;
      const { overflowX } = getComputedStyle(element);
      return overflowX !== 'visible' && element.clientWidth > 1 && element.scrollWidth > element.clientWidth + 1;
    };
    const pen = document.createElement('canvas').getContext('2d');
    const isCutSelect = (select: HTMLSelectElement): boolean => {
      const { font, paddingLeft, paddingRight } = getComputedStyle(select);
      if (pen === null) return false;
      pen.font = font;
      const room = select.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
      return pen.measureText(select.selectedOptions[0]?.text ?? '').width > room + 1;
    };
    const cut = [...document.querySelectorAll(words)]
      .filter((element) => element.closest(data) === null && element.checkVisibility())
      .filter((element) => [element, ...element.querySelectorAll('*')].some(isCut))
      .map((element) => (element.textContent ?? '').trim())
      .filter((text) => text !== '' && !text.startsWith('GET /'));
    const selects = [...document.querySelectorAll('select')].filter((select) => select.checkVisibility() && isCutSelect(select));
    return [...cut, ...selects.map((select) => select.selectedOptions[0]?.text ?? '')];
  });
}

/** Parts of a bar that reach outside of it. */
async function lostButtons(): Promise<readonly string[]> {
  return fixture.page.evaluate(() =>
    [...document.querySelectorAll('button, select')]
      .filter((element) => element.checkVisibility() && element.closest('[role="grid"], [aria-hidden="true"]') === null)
      .filter((element) => {
        const { right, width } = element.getBoundingClientRect();
        return width > 1 && right > window.innerWidth + 1;
      })
      .map((element) => element.getAttribute('aria-label') ?? element.textContent ?? ''),
  );
}

/** Pictures of what is on the screen, also in the smallest window: nothing is cut there. Each part's own test looks at accessibility. */
async function look(name: string): Promise<void> {
  await screenshot(fixture.page, `language-${name}`);
  await soon(async () => [name, ...(await englishTexts(fixture.page))]).toEqual([name]);
  // A menu that is still opening has not its width yet.
  await soon(async () => [name, ...(await cutWords())]).toEqual([name]);
  await fixture.page.setViewportSize({ width: 900, height: 600 });
  await screenshot(fixture.page, `language-${name}-small`);
  await soon(async () => [name, ...(await lostButtons())]).toEqual([name]);
  await soon(() => fixture.page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)).toBe(false);
  await soon(async () => [name, ...(await cutWords())]).toEqual([name]);
  await fixture.page.setViewportSize({ width: 1280, height: 800 });
}

/** Opens the rows of a collection. */
async function openProducts(): Promise<void> {
  await sidebar().getByText('products', { exact: true }).click();
  await grid().getByRole('gridcell').first().waitFor();
  await grid().and(fixture.page.locator('[aria-readonly]')).waitFor();
}

describe('the language of the window', () => {
  it('is chosen in the settings, and spoken after a reload', async () => {
    await speak(fixture.page, 'en');
    await speak(fixture.page, 'de');
    expect(await languageOf(fixture.page)).toBe('de');
    await fixture.page.getByRole('button', { name: 'Einstellungen' }).waitFor();
  });

  it('is English again when that is chosen', async () => {
    await speak(fixture.page, 'de');
    await speak(fixture.page, 'en');
    expect(await languageOf(fixture.page)).toBe('en');
    await fixture.page.getByRole('button', { name: 'Settings' }).waitFor();
  });
});

describe('the window in German', () => {
  beforeEach(async () => {
    await speak(fixture.page, 'de');
    await sidebar().getByText('products', { exact: true }).waitFor();
  });

  it('lists the connections', async () => {
    await fixture.page.keyboard.press('Control+Shift+l');
    await fixture.page.getByRole('heading', { name: 'Verbindungen', exact: true }).waitFor();
    await fixture.page.getByRole('button', { name: 'Neue Verbindung' }).first().waitFor();
    await look('01-start');
    await expectNoViolations(fixture.page);
    await fixture.page.getByRole('button', { name: 'Neue Verbindung' }).first().click();
    await fixture.page.getByText('Typ der Datenbank wählen.').waitFor();
    await look('02-chooser');
    const dialog = fixture.page.getByRole('dialog');
    await dialog.getByText('Search Server (Typesense)').click();
    await dialog.getByPlaceholder('Wie diese Verbindung heißen soll').waitFor();
    await look('03-form');
    await dialog.getByRole('tab', { name: 'Erweitert' }).click();
    await look('04-form-access');
  });

  it('shows rows, with numbers as German writes them', async () => {
    await sidebar().getByRole('textbox', { name: 'Collections filtern' }).waitFor();
    await openProducts();
    await fixture.page.getByText(/1–[\d.]+ von 2\.000/).waitFor();
    await look('05-grid');
    await grid().getByRole('gridcell').nth(3).click();
    await fixture.page.keyboard.press('Shift+ArrowDown');
    await fixture.page.keyboard.press('Shift+F10');
    await fixture.page
      .getByRole('menuitem', { name: /^Kopieren als/ })
      .first()
      .waitFor();
    await look('06-cell-menu');
    await fixture.page.keyboard.press('Escape');
    await fixture.page.keyboard.press('Control+i');
    await fixture.page.getByRole('complementary', { name: 'Wert' }).waitFor();
    await look('07-inspector');
    await fixture.page.keyboard.press('Control+i');
    await fixture.page.getByRole('button', { name: 'Spalten…' }).click();
    await fixture.page.getByRole('textbox', { name: 'Spalte suchen' }).waitFor();
    await look('08-columns');
    await fixture.page.keyboard.press('Escape');
  });

  it('shows the structure with the notes of the driver', async () => {
    await openProducts();
    await fixture.page.getByText('Struktur', { exact: true }).click();
    await fixture.page.getByText('Ohne Sortierung kommen die neuesten Dokumente zuerst.').waitFor();
    await look('08-structure');
  });

  it('searches, with the options and marks of the driver', async () => {
    await openProducts();
    await fixture.page.getByText('Suche', { exact: true }).click();
    const view = fixture.page.getByRole('region', { name: 'Suche in products' });
    await view.getByRole('textbox', { name: 'Gesuchte Wörter' }).fill('ketle');
    const first = view.getByRole('list', { name: 'Treffer' }).getByRole('article').first();
    await first.getByText('Tippfehler', { exact: true }).waitFor();
    await first.getByRole('button', { name: 'Erklären' }).click();
    await first.getByText('Kosten für Tippfehler und Anfänge').waitFor();
    await look('08-search');
    await view.getByRole('button', { name: 'Vergleichen' }).click();
    await view.getByText(/in A und B: /).waitFor();
    await look('08-search-compare');
  });

  it('tests a connection, with what the driver found', async () => {
    await fixture.page.keyboard.press('Control+Shift+l');
    await fixture.page.getByRole('button', { name: 'Neue Verbindung' }).first().click();
    const dialog = fixture.page.getByRole('dialog');
    await dialog.getByText('Search Server (Typesense)').click();
    await dialog.getByPlaceholder('Wie diese Verbindung heißen soll').fill('Geprüft');
    await dialog.getByRole('textbox', { name: 'Host' }).fill(`http://127.0.0.1:${fixture.application.sandbox.port}`);
    await dialog.getByRole('textbox', { name: 'API-Schlüssel' }).fill(fixture.application.sandbox.apiKey);
    await dialog.getByRole('button', { name: 'Verbindung testen' }).click();
    await dialog.getByText('Der Server nimmt den Schlüssel an.').waitFor();
    await dialog.getByText(/^Der Server antwortet; seine Version ist 29\.0\.$/).waitFor();
    await look('08-test');
  });

  it('filters rows', async () => {
    await openProducts();
    await grid().focus();
    await fixture.page.keyboard.press('Control+Shift+f');
    await choose(fixture.page, bar().getByRole('combobox', { name: 'Spalte' }), /^price/);
    await choose(fixture.page, bar().getByRole('combobox', { name: 'Operator' }), 'ist größer als');
    await bar().getByLabel('Wert', { exact: true }).fill('viel');
    await bar().getByLabel('Wert', { exact: true }).press('Enter');
    await bar().getByRole('alert').getByText('Eine Zahl eingeben.').waitFor();
    await look('09-filter-fault');
    await bar().getByLabel('Wert', { exact: true }).fill('400');
    await bar().getByLabel('Wert', { exact: true }).press('Enter');
    await fixture.page.getByText(/von [\d.]+ gefiltert/).waitFor();
    await look('10-filter');
  });

  it('stages a change and shows what would be sent', async () => {
    await openProducts();
    await grid().locator('[data-row="0"]').getByRole('gridcell').nth(4).click();
    await fixture.page.keyboard.press('F2');
    const field = fixture.page.getByRole('textbox', { name: 'brand bearbeiten' });
    await field.fill('Süßes & Söhne');
    await field.press('Enter');
    await fixture.page.getByText('1 Änderung', { exact: true }).waitFor();
    await look('11-staged');
    await fixture.page.getByRole('button', { name: 'Prüfen…' }).click();
    await fixture.page.getByRole('dialog', { name: 'Änderungen an products' }).waitFor();
    await look('12-review');
    await fixture.page.keyboard.press('Escape');
    // A value that the column's kind takes and the driver refuses: the reason in the review is the driver's own.
    await fixture.page.getByRole('dialog').waitFor({ state: 'hidden' });
    await grid().locator('[data-row="1"]').getByRole('gridcell').nth(4).click();
    // The columns of lists are far to the right.
    const list = grid().locator('[data-row="1"] [data-tone="json"]').first();
    while ((await list.count()) === 0) await fixture.page.keyboard.press('ArrowRight');
    await list.click();
    await fixture.page.keyboard.press('F2');
    await fixture.page.getByRole('textbox', { name: 'tags bearbeiten' }).fill('{}');
    await fixture.page.keyboard.press('Enter');
    await fixture.page.getByText('2 Änderungen', { exact: true }).waitFor();
    await fixture.page.getByRole('button', { name: 'Prüfen…' }).click();
    await fixture.page.getByText(/ist keine Liste\. „tags“ enthält eine Liste/).waitFor();
    await look('12-review-refused');
    await fixture.page.keyboard.press('Escape');
    await fixture.page.getByRole('button', { name: 'Verwerfen' }).click();
    await fixture.page.getByRole('button', { name: '2 Änderungen verwerfen' }).click();
    await fixture.page.getByRole('button', { name: 'Exportieren…' }).click();
    await fixture.page.getByRole('dialog', { name: 'products exportieren' }).waitFor();
    await look('13-export');
    await fixture.page.keyboard.press('Escape');
  });

  it('has German commands and keys', async () => {
    await fixture.page.keyboard.press('Control+k');
    const palette = fixture.page.getByRole('dialog', { name: 'Befehlspalette' });
    await palette.getByRole('option').first().waitFor();
    await fixture.page.keyboard.type('tastenk');
    await look('14-palette');
    await fixture.page.keyboard.press('Enter');
    await fixture.page.getByRole('dialog', { name: 'Tastenkürzel' }).getByText('Bild ab').first().waitFor();
    await look('15-shortcuts');
    await fixture.page.keyboard.press('Escape');
  });

  it('has every part of the settings', async () => {
    await fixture.page.getByRole('button', { name: 'Einstellungen' }).click();
    const settings = fixture.page.getByRole('dialog', { name: 'Einstellungen' });
    await settings.getByText('Sprache', { exact: true }).waitFor();
    await look('16-appearance');
    await pane(settings, 'Treiber').click();
    await settings.getByRole('textbox', { name: 'Treiber suchen' }).waitFor();
    await look('17-drivers');
    await settings.getByText('Registrys', { exact: true }).click();
    await settings.getByText('Offline-Modus').waitFor();
    await look('18-registries');
    await pane(settings, 'Integrationen').click();
    for (const name of ['Server', 'Anmeldung', 'Freigaben', 'Aktivität', 'Clients', 'Verbinden']) {
      await settings.getByText(name, { exact: true }).first().click();
      await look(`19-integrations-${name.toLowerCase().replace('ä', 'ae')}`);
    }
    await pane(settings, 'Info').click();
    await settings.getByText('Sicherer Speicher').waitFor();
    await look('20-about');
    await fixture.page.keyboard.press('Escape');
  });

  it('runs requests in the console', async () => {
    await sidebar().getByRole('button', { name: 'Konsole', exact: true }).click();
    const editor = fixture.page.getByRole('textbox', { name: 'Anfragen', exact: true });
    await editor.waitFor();
    await fixture.page.getByText('Noch keine Ergebnisse').waitFor();
    await look('21-console-empty');
    await editor.focus();
    await fixture.page.keyboard.type('GET /collections/products/documents/search?q=*&query_by=name');
    await fixture.page.keyboard.press('Escape');
    await fixture.page.keyboard.press('Control+Enter');
    await fixture.page
      .getByRole('region', { name: 'Ergebnisse' })
      .getByText(/200 OK · \d+ Zeilen/)
      .waitFor();
    await look('22-console');
    await fixture.page.getByRole('button', { name: 'Verlauf' }).click();
    await fixture.page.getByRole('textbox', { name: 'Verlauf durchsuchen' }).waitFor();
    await look('23-history');
  });

  it('shows metrics and principals', async () => {
    await sidebar().getByRole('button', { name: 'Dashboard', exact: true }).click();
    await fixture.page.getByText(/^Aktualisiert um/).waitFor();
    await look('24-dashboard');
    await sidebar().getByRole('button', { name: 'API Keys', exact: true }).click();
    await fixture.page.getByRole('button', { name: 'API Key hinzufügen…' }).first().click();
    await fixture.page.getByRole('dialog', { name: 'API Key hinzufügen' }).waitFor();
    await look('25-principals');
    await fixture.page.keyboard.press('Escape');
  });
});
