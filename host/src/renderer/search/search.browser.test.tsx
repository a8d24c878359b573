import { DriverError } from '@tabularium/sdk';
import type { SearchAnswer, SearchForm, SearchHit, SearchRequest } from '@tabularium/sdk';
import { beforeEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { App } from '../app/App.tsx';
import { EMPTY_WORKSPACE, workspaceReducer } from '../state/workspace.ts';
import { PRODUCTS } from '../testing/exampleTable.test-helper.ts';
import { fakeContext } from '../testing/fakeContext.test-helper.ts';
import { exampleServices, press, renderPart } from '../testing/renderWindow.test-helper.tsx';

const FORM: SearchForm = {
  fields: [
    { name: 'name', isDefault: true },
    { name: 'brand', isDefault: true },
    { name: 'note', isDefault: false },
  ],
  mostWeight: 9,
  facets: ['brand'],
  options: [
    { id: 'typos', label: 'Typos', group: 'Matching', type: 'number', default: 2, minimum: 0, maximum: 2 },
    { id: 'prefix', label: 'Beginnings', group: 'Matching', type: 'switch', default: true },
    { id: 'order', label: 'Expression', group: 'Ranking', type: 'text', default: '' },
    {
      ...{ id: 'mode', label: 'Mode', group: 'Ranking', type: 'choice', default: 'best' },
      choices: [
        { value: 'best', label: 'Best field' },
        { value: 'sum', label: 'Sum' },
      ],
    },
  ],
};

let asked: SearchRequest[];
let formFails: boolean;
let mostTables: number | undefined;
/** A search for these words waits for it. */
const SLOW = 'Lamp';
let held: PromiseWithResolvers<void>;
let more: Partial<SearchAnswer>;

beforeEach(() => {
  asked = [];
  formFails = false;
  mostTables = undefined;
  held = Promise.withResolvers();
  held.resolve();
  more = {};
});

const WORDS = ['Kettle', 'Lamp', 'Jacket'];

function hit(place: number, text: string): SearchHit {
  const name = `${WORDS[place % WORDS.length]} ${place}`;
  const isFound = text !== '' && name.toLowerCase().startsWith(text.toLowerCase());
  return {
    key: [String(place)],
    document: `{"id":"${place}","name":"${name}","serial":9007199254740993}`,
    highlights: isFound
      ? [
          {
            field: 'name',
            parts: [
              { text: name.slice(0, text.length), isMatch: true },
              { text: name.slice(text.length), isMatch: false },
            ],
          },
        ]
      : [],
    score: String(1_000 - place),
    explanation: [{ label: 'Words found', value: '1' }],
    marks: place === 3 ? [{ label: 'Pinned', detail: 'A rule put it here.' }] : [],
  };
}

async function search(request: SearchRequest): Promise<SearchAnswer> {
  asked.push(request);
  if (request.text === SLOW) await held.promise;
  if (request.options['order'] === 'nonsense') {
    throw new DriverError('INVALID_INPUT', 'The order is not understood.', { details: { field: 'order' } });
  }
  const places = Array.from({ length: 60 }, (_, place) => place).filter((place) => {
    return request.text === '' || `${WORDS[place % WORDS.length]}`.toLowerCase().startsWith(request.text.toLowerCase());
  });
  const ordered = request.options['order'] === 'reverse' ? places.toReversed() : places;
  return {
    found: places.length,
    outOf: 60,
    serverMilliseconds: 4,
    isCutOff: false,
    hits: ordered.slice(0, request.limit).map((place) => hit(place, request.text)),
    facets: request.facets.map((column) => ({ column, values: [{ value: 'Halden', rows: 7 }] })),
    leftOut: [],
    droppedSorts: [],
    request: { method: 'POST', path: '/search', body: JSON.stringify(request.options) },
    statement: `SEARCH ${request.text}`,
    code: [{ label: 'JavaScript', text: 'search()' }],
    notes: [],
    ...more,
  };
}

/** A hit of another table, with the key of the first one. */
const FOREIGN: SearchHit = {
  ...hit(0, ''),
  document: '{"id":"0","heading":"Lamp film"}',
  highlights: [
    {
      field: 'heading',
      parts: [
        { text: 'Lamp', isMatch: true },
        { text: ' film', isMatch: false },
      ],
    },
  ],
  table: { namespace: [], name: 'orders' },
};

const view = page.getByRole('region', { name: 'Search in products' });
const box = view.getByRole('textbox', { name: 'Words to search for' });
const hits = view.getByRole('list', { name: 'Hits' }).getByRole('article');
const options = view.getByRole('region', { name: 'Options' });
const alert = view.getByRole('alert');

async function renderSearch(): Promise<void> {
  await page.viewport(1280, 800);
  const services = exampleServices();
  const { openConnections, tables } = services;
  const context = fakeContext({
    ...services,
    tables: {
      ...tables,
      list: async (id, signal) => [...(await tables.list(id, signal)), { ref: { namespace: [], name: 'orders' }, kind: 'table' }],
    },
    searching: {
      form: async () => {
        if (formFails) throw new DriverError('CONNECTION_LOST', 'The server is away.');
        return mostTables === undefined ? FORM : { ...FORM, mostTables };
      },
      search: ({ request }) => search(request),
    },
    openConnections: {
      ...openConnections,
      open: async function* (id, secrets, signal) {
        for await (const step of openConnections.open(id, secrets, signal)) {
          yield step.step === 'open'
            ? { ...step, connection: { ...step.connection, facets: [...step.connection.facets, 'search'] } }
            : step;
        }
      },
    },
  });
  const [connection] = context.connectionStore.list();
  const connectionId = connection?.id ?? '';
  const shown = workspaceReducer(EMPTY_WORKSPACE, { type: 'show', connectionId });
  const open = workspaceReducer(shown, { type: 'openTable', connectionId, table: PRODUCTS, view: 'rankedSearch' });
  await renderPart(<App />, context, open);
  if (!formFails) await expect.element(box).toHaveFocus();
}

const lastAsked = (): SearchRequest | undefined => asked.at(-1);

describe('the search of a table', () => {
  it('begins with everything, the cursor in the box, and the form’s fields and facets', async () => {
    await renderSearch();
    await expect.element(box).toHaveFocus();
    await expect.element(view.getByText('60 hits')).toBeVisible();
    expect(lastAsked()).toMatchObject({
      text: '',
      fields: [{ name: 'name' }, { name: 'brand' }],
      facets: ['brand'],
      options: {},
    });
  });

  it('searches when typing rests, not for each letter, and marks what was found', async () => {
    await renderSearch();
    await expect.element(hits.first()).toBeVisible();
    // On a busy machine a person's keys come with rests between them: these do not.
    const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
    for (const text of ['k', 'ke', 'ket', 'kett', 'kettl', 'kettle']) {
      setValue?.call(box.element(), text);
      box.element().dispatchEvent(new Event('input', { bubbles: true }));
    }
    await expect.element(view.getByText('20 hits')).toBeVisible();
    expect(hits.first().element().querySelector('mark')?.textContent).toBe('Kettle');
    expect(asked.map(({ text }) => text)).toEqual(['', 'kettle']);
  });

  it('says hits and groups where hits are grouped, and shows more by groups', async () => {
    const grouped = (limit: number): SearchHit[] =>
      Array.from({ length: Math.min(limit, 30) * 3 }, (_, place) => ({ ...hit(place, ''), group: `g${Math.floor(place / 3)}` }));
    more = { found: 30, foundRows: 2_794, hits: grouped(25) };
    await renderSearch();
    await expect.element(view.getByText('2,794 hits in 30 groups')).toBeVisible();
    more = { ...more, hits: grouped(50) };
    await view.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => lastAsked()?.limit).toBe(50);
    await expect.element(view.getByRole('button', { name: 'Show more' })).not.toBeInTheDocument();
  });

  it('says where more was pasted than is searched for', async () => {
    await renderSearch();
    await expect.element(hits.first()).toBeVisible();
    await userEvent.fill(box, 'x'.repeat(4_321));
    await expect.element(view.getByText(/of the 4,321 that you entered, the first 4,000 are searched for/)).toBeVisible();
    await expect.poll(() => lastAsked()?.text.length).toBe(4_000);
    await userEvent.fill(box, 'kettle');
    await expect.element(view.getByText('20 hits')).toBeVisible();
    await expect.element(view.getByText(/are searched for/)).not.toBeInTheDocument();
  });

  it('searches at once with Enter, and Escape clears the words', async () => {
    await renderSearch();
    await expect.element(hits.first()).toBeVisible();
    await press('lamp{Enter}');
    await expect.element(view.getByText('20 hits')).toBeVisible();
    await press('{Escape}');
    await expect.element(box).toHaveValue('');
    await expect.element(view.getByText('60 hits')).toBeVisible();
  });

  it('leaves the hits before where a search fails, with the reason, and says that they are of before', async () => {
    await renderSearch();
    await expect.element(hits.first()).toBeVisible();
    await userEvent.fill(options.getByRole('textbox', { name: 'Expression' }), 'nonsense');
    await expect.element(alert.getByText('The order is not understood.')).toBeVisible();
    await expect.element(view.getByText('The hits below are those of the search before.')).toBeVisible();
    // The option that was refused says why.
    await expect.element(options.getByRole('textbox', { name: 'Expression' })).toHaveAttribute('aria-invalid', 'true');
    await expect.element(options.getByText('The order is not understood.')).toBeVisible();
    await expect.element(hits.first()).toBeVisible();
    await options.getByRole('button', { name: 'Reset Expression' }).click();
    await expect.element(alert).not.toBeInTheDocument();
  });

  it('sends only options that differ, marks them, and resets all', async () => {
    await renderSearch();
    await expect.element(hits.first()).toBeVisible();
    await userEvent.fill(options.getByRole('textbox', { name: 'Typos' }), '1');
    await options.getByRole('switch', { name: 'Beginnings' }).click();
    await options.getByRole('combobox', { name: 'Mode' }).click();
    await page.getByRole('option', { name: 'Sum' }).click();
    await expect.poll(() => lastAsked()?.options).toEqual({ typos: 1, prefix: false, mode: 'sum' });
    await expect.element(options.getByText('3 changed')).toBeVisible();
    await options.getByRole('button', { name: 'Reset options' }).click();
    await expect.poll(() => lastAsked()?.options).toEqual({});
  });

  it('keeps a number within its bounds, and an emptied one is the default', async () => {
    await renderSearch();
    const typos = options.getByRole('textbox', { name: 'Typos' });
    await typos.click();
    await press('{Control>}a{/Control}9');
    await expect.element(options.getByText('A whole number, 0 to 2')).toBeVisible();
    await press('{Tab}');
    await expect.element(typos).toHaveValue('2');
    expect(asked.map(({ options: sent }) => sent['typos'])).not.toContain(9);
    await userEvent.clear(typos);
    await expect.poll(() => lastAsked()?.options).toEqual({});
    await press('{Tab}');
    await expect.element(typos).toHaveValue('2');
  });

  it('searches in chosen fields, in their order, with weights', async () => {
    await renderSearch();
    await options.getByRole('checkbox', { name: 'Search in note' }).click();
    await options.getByRole('button', { name: 'Move note up' }).click();
    await userEvent.fill(options.getByRole('textbox', { name: 'Weight of name' }), '4');
    await expect.poll(() => lastAsked()?.fields).toEqual([{ name: 'name', weight: 4 }, { name: 'note' }, { name: 'brand' }]);
    await options.getByRole('checkbox', { name: 'Search in brand' }).click();
    await expect.poll(() => lastAsked()?.fields).toEqual([{ name: 'name', weight: 4 }, { name: 'note' }]);
    await options.getByRole('button', { name: 'Default fields' }).click();
    await expect.poll(() => lastAsked()?.fields).toEqual([{ name: 'name' }, { name: 'brand' }]);
  });

  it('filters by a counted value, and takes the condition out again', async () => {
    await renderSearch();
    const value = view.getByRole('button', { name: 'brand: Halden, 7 hits' });
    await value.click();
    await expect
      .poll(() => lastAsked()?.filter.conditions)
      .toMatchObject([{ column: 'brand', operator: 'equals', values: ['Halden'] }]);
    await expect.element(value).toHaveAttribute('aria-pressed', 'true');
    await value.click();
    await expect.poll(() => lastAsked()?.filter.conditions).toEqual([]);
  });

  it('filters by the range of a rounded value, shows it as chosen, and takes it out again', async () => {
    const values = [{ value: '146.333', rows: 2, between: ['146.33251', '146.3335'] }] as const;
    more = { facets: [{ column: 'price', values }] };
    await renderSearch();
    const value = view.getByRole('button', { name: 'price: 146.333, 2 hits' });
    await value.click();
    await expect
      .poll(() => lastAsked()?.filter.conditions)
      .toMatchObject([{ column: 'price', operator: 'between', values: ['146.33251', '146.3335'] }]);
    await expect.element(value).toHaveAttribute('aria-pressed', 'true');
    await value.click();
    await expect.poll(() => lastAsked()?.filter.conditions).toEqual([]);
  });

  it('counts only the facets that are chosen', async () => {
    await renderSearch();
    await view.getByRole('button', { name: 'Choose facets' }).click();
    await page.getByRole('checkbox', { name: 'brand', exact: true }).click();
    await expect.poll(() => lastAsked()?.facets).toEqual([]);
  });

  it('saves, copies and opens no request but that of what is typed and chosen, also on a slow server', async () => {
    held = Promise.withResolvers();
    await renderSearch();
    const uses = ['Copy', 'Open in console'].map((name) => view.getByRole('button', { name, exact: true }));
    for (const use of uses) await expect.element(use).toBeEnabled();
    await box.fill(SLOW);
    // From the first letter on, not only when the request is on its way.
    for (const use of uses) await expect.element(use).toBeDisabled();
    await expect.poll(() => lastAsked()?.text).toBe(SLOW);
    for (const use of uses) {
      await expect.element(use).toBeDisabled();
      await expect.element(use).toHaveAttribute('title', 'This request is the one of the search before.');
    }
    held.resolve();
    for (const use of uses) await expect.element(use).toBeEnabled();
    // One that fails leaves the request of the search before.
    await box.fill('');
    await userEvent.fill(options.getByRole('textbox', { name: 'Expression' }), 'nonsense');
    await expect.element(alert).toBeVisible();
    for (const use of uses) await expect.element(use).toBeDisabled();
  });

  it('shows 25 hits and more on request', async () => {
    await renderSearch();
    await expect.poll(() => hits.elements().length).toBe(25);
    await view.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => hits.elements().length).toBe(50);
    expect(lastAsked()?.limit).toBe(50);
  });

  it('explains a hit, names its rule, and shows its document with every digit', async () => {
    await renderSearch();
    const pinned = hits.nth(3);
    await expect.element(pinned.getByText('Pinned')).toBeVisible();
    await pinned.getByRole('button', { name: 'Explain' }).click();
    await expect.element(pinned.getByText('A rule put it here.')).toBeVisible();
    await expect.element(pinned.getByText('Words found')).toBeVisible();
    await pinned.getByRole('button', { name: 'Document' }).click();
    await expect.element(pinned.getByText('9007199254740993')).toBeVisible();
  });

  it('shows hits as rows with exact numbers', async () => {
    await renderSearch();
    await view.getByText('Rows', { exact: true }).click();
    await expect.element(view.getByRole('columnheader', { name: 'Score' })).toBeVisible();
    await expect.element(view.getByRole('cell', { name: 'Kettle 0' })).toBeVisible();
  });

  it('heads the hits of each group with its name', async () => {
    more = {
      hits: [
        { ...hit(0, ''), group: 'Halden' },
        { ...hit(1, ''), group: 'Halden' },
        { ...hit(2, ''), group: 'Isola' },
      ],
    };
    await renderSearch();
    await expect
      .poll(() =>
        view
          .getByRole('heading', { name: /^Group/ })
          .elements()
          .map((one) => one.textContent),
      )
      .toEqual(['Group Halden', 'Group Isola']);
  });

  it('says that a search was cut off, which sorts were dropped, and which columns were not read', async () => {
    more = { isCutOff: true, leftOut: ['vector'], droppedSorts: [{ column: 'name', reason: 'It has no order.' }] };
    await renderSearch();
    await expect.element(view.getByText(/^Cut off/)).toBeVisible();
    await expect.element(view.getByText('Not read: vector')).toBeVisible();
    await expect.element(view.getByText('Not sorted by name: It has no order.')).toBeVisible();
  });

  it('says that nothing was found, and what to try', async () => {
    await renderSearch();
    await press('nothing like it');
    await expect.element(view.getByText('Nothing found')).toBeVisible();
    await expect.element(view.getByText(/Try fewer words/)).toBeVisible();
  });

  it('offers another try where its options cannot be read', async () => {
    formFails = true;
    await renderSearch();
    await expect.element(alert.getByText('The server is away.')).toBeVisible();
    // Not before: a view that is drawn again asks on its own.
    document.addEventListener('click', () => (formFails = false), { capture: true, once: true });
    await alert.getByRole('button', { name: 'Try again' }).click();
    await expect.element(hits.first()).toBeVisible();
  });

  it('compares two sets, each with its options, and says how ranks moved', async () => {
    await renderSearch();
    await press('kettle');
    await expect.element(view.getByText('20 hits')).toBeVisible();
    await view.getByRole('button', { name: 'Compare' }).click();
    await userEvent.fill(options.getByRole('textbox', { name: 'Expression' }), 'reverse');
    await expect
      .element(
        view.getByText('Of the first 20 hits of each, in both: 20, 20 of them at another rank. Only in B: 0. Only in A: 0.'),
      )
      .toBeVisible();
    const first = view.getByRole('list', { name: 'Hits, B' }).getByRole('article').first();
    await expect.element(first.getByText('19 places up')).toBeInTheDocument();
    // The request that is copied and saved is of one side, and says of which; each side shows its own number.
    await expect.element(view.getByRole('button', { name: 'Request of B' })).toBeVisible();
    await expect.element(view.getByRole('search').getByText('20 hits')).not.toBeInTheDocument();
    await view.getByRole('button', { name: 'Compare' }).click();
    await expect.element(options.getByRole('textbox', { name: 'Expression' })).toHaveValue('');
  });

  it('makes hidden characters of the words visible, and loads no picture of a hit before a person opens it', async () => {
    const href = 'https://pictures.example/lamp.png';
    more = {
      hits: [
        { ...hit(1, ''), document: `{"id":"1","name":"Lamp","photos":["${href}","${href}"],"other":"https://a.example/x"}` },
      ],
    };
    const opened: unknown[] = [];
    const open = window.open;
    window.open = (...given) => {
      opened.push(given[0]);
      return null;
    };
    try {
      await renderSearch();
      await userEvent.fill(box, 'La\u200Bmp');
      await expect.element(view.getByText("The search has characters that can't be seen: La⟨U+200B⟩mp")).toBeVisible();
      expect(document.querySelectorAll('img')).toHaveLength(0);
      const button = hits.nth(0).getByRole('button', { name: 'Show picture: photos, pictures.example' });
      await expect.element(button).toBeVisible();
      await button.click();
      expect(opened).toEqual([href]);
      await userEvent.fill(box, 'Lamp');
      await expect.element(view.getByText("can't be seen")).not.toBeInTheDocument();
    } finally {
      window.open = open;
    }
  });

  describe('of several tables', () => {
    const others = view.getByRole('combobox', { name: 'Also search in' });

    async function chooseOrders(): Promise<void> {
      mostTables = 3;
      await renderSearch();
      await others.click();
      await page.getByRole('option', { name: 'orders' }).click();
      await press('{Escape}');
    }

    it('asks for them together, counts no values, and says so', async () => {
      await chooseOrders();
      await expect.poll(() => lastAsked()?.alsoIn).toEqual([{ namespace: [], name: 'orders' }]);
      expect(lastAsked()?.facets).toEqual([]);
      await expect.element(view.getByText('Values are counted only for a search in one table.')).toBeVisible();
      await others.click();
      await press('{Backspace}');
      await expect.poll(() => lastAsked()?.alsoIn).toBeUndefined();
      expect(lastAsked()?.facets).toEqual(['brand']);
    });

    it('says of a hit from which table it is, as a card and as a row', async () => {
      more = { hits: [FOREIGN, hit(0, '')] };
      await chooseOrders();
      await expect.element(hits.first()).toHaveAccessibleName('1. Lamp film');
      await expect.element(hits.first().getByTitle('From orders')).toBeVisible();
      await expect.element(hits.nth(1).getByTitle('From orders')).not.toBeInTheDocument();
      await view.getByText('Rows', { exact: true }).click();
      await expect.element(view.getByRole('columnheader', { name: 'Table', exact: true })).toBeVisible();
      await expect.element(view.getByRole('cell', { name: 'orders', exact: true })).toBeVisible();
    });

    it('cannot be chosen where one table is searched at a time', async () => {
      await renderSearch();
      await expect.element(hits.first()).toBeVisible();
      await expect.element(others).not.toBeInTheDocument();
    });
  });
});
