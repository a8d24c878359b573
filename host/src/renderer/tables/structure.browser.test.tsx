import type { Column, TableDescription } from '@tabularium/sdk';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { exampleServices, renderPart } from '../testing/renderWindow.test-helper.tsx';
import { StructureTab } from './StructureTab.tsx';

const yes = { allowed: true } as const;
const description: TableDescription = {
  ref: { namespace: [], name: 'books' },
  kind: 'table',
  key: ['id'],
  paging: 'offset',
  readsFromEnd: false,
  notes: [],
  columns: [
    {
      name: 'id',
      kind: 'text',
      type: 'string',
      nullable: false,
      editable: { allowed: false, reason: 'The id names the row.' },
      sortable: yes,
      filterClass: 'text',
    },
    {
      name: 'title',
      kind: 'text',
      type: 'string',
      nullable: true,
      editable: yes,
      sortable: { allowed: false, reason: 'Text was created without “sort”.' },
      marks: [{ label: 'Facet', meaning: 'Values are counted in a search' }],
    },
  ],
  definition: { language: 'json', text: '{"name":"books"}' },
};

describe('the structure of a table', () => {
  it('shows abilities as marks with a legend, and the reason for a missing one on demand', async () => {
    await renderPart(<StructureTab description={description} footer={null} />, exampleServices());
    const row = page.getByRole('row', { name: /^title/ });
    await expect.element(row.getByText('Optional', { exact: true })).toBeVisible();
    await expect.element(row.getByText('Sort', { exact: true })).not.toBeInTheDocument();
    await expect.element(page.getByText('Text was created without “sort”.')).not.toBeInTheDocument();
    await row.getByRole('button', { name: 'Why abilities of title are missing' }).click();
    await expect.element(row.getByText('Text was created without “sort”.')).toBeVisible();
    await expect.element(page.getByText('Rows can be sorted by it')).toBeVisible();
  });

  it('shows the driver’s own marks after those that every database has, with their meaning in the legend', async () => {
    await renderPart(<StructureTab description={description} footer={null} />, exampleServices());
    const facet = page.getByRole('row', { name: /^title/ }).getByText('Facet', { exact: true });
    await expect.element(facet).toHaveAttribute('title', 'Values are counted in a search');
    await expect.element(page.getByText('Values are counted in a search', { exact: true })).toBeVisible();
    await expect.element(page.getByRole('row', { name: /^id/ }).getByText('Facet')).not.toBeInTheDocument();
  });

  it('has the definition beside it', async () => {
    await renderPart(<StructureTab description={description} footer={null} />, exampleServices());
    await expect.element(page.getByRole('region', { name: 'Definition (json)' }).getByText('{"name":"books"}')).toBeVisible();
  });

  it('marks characters that a reader can’t see in every text, and copies the definition as it is', async () => {
    const evil = (of: string): string => `${of}\u202Egnp\u2066\u200B\u001B[31m\u0007`;
    const ability = { editable: yes, sortable: yes };
    const table: TableDescription = {
      ...description,
      comment: evil(`comment ${'long '.repeat(60)}`),
      notes: [evil('note')],
      columns: [
        {
          ...ability,
          name: evil('n'),
          kind: 'text',
          type: evil('t'),
          nullable: true,
          default: evil('d'),
          comment: evil('c'),
          note: evil('o'),
        },
        { ...ability, name: 'g', kind: 'text', type: 't', nullable: true, generated: { kind: 'stored', expression: evil('e') } },
      ],
      indexes: [
        {
          name: evil('i'),
          columns: [{ expression: evil('e'), nulls: 'first', detail: evil('d') }],
          unique: false,
          where: evil('w'),
          note: evil('n'),
        },
      ],
      foreignKeys: [
        {
          name: evil('f'),
          columns: [evil('c')],
          references: { namespace: [evil('n')], name: evil('t') },
          referencedColumns: ['g'],
        },
      ],
      triggers: [{ name: evil('t'), timing: 'after', events: ['insert'], when: evil('w'), calls: evil('c'), note: evil('n') }],
      definition: { language: 'sql', text: evil('CREATE') },
    };
    const written = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue(undefined);
    await renderPart(<StructureTab description={table} footer={null} />, exampleServices());
    await expect.element(page.getByText('CREATE⟨U+202E⟩gnp⟨U+2066⟩⟨U+200B⟩⟨U+001B⟩[31m⟨U+0007⟩')).toBeVisible();
    for (const more of page.getByRole('button', { name: 'Show more' }).elements()) (more as HTMLElement).click();
    await expect.element(page.getByRole('button', { name: 'Show less' })).toBeVisible();
    const shown = document.body.textContent;
    expect(shown).toContain('(NULL first)');
    expect(shown.match(/⟨U\+202E⟩/g)).toHaveLength(22);
    expect(shown).not.toMatch(/[\u202E\u2066\u200B\u001B\u0007]/);
    (page.getByRole('button', { name: 'Copy the definition' }).element() as HTMLElement).click();
    expect(written).toHaveBeenCalledWith(evil('CREATE'));
  });

  it('has the comment of a column in sight, beside the definition and in a narrow window too', async () => {
    const [id] = description.columns;
    const columns = [
      {
        ...(id as Column),
        name: 'a_rather_long_name_of_a_column',
        type: 'timestamp with time zone',
        default: `'${'x '.repeat(90)}'`,
        comment: 'Seen at once',
      },
    ];
    for (const width of [1_000, 620] as const) {
      await page.viewport(width, 600);
      await renderPart(<StructureTab description={{ ...description, columns }} footer={null} />, exampleServices());
      await expect.element(page.getByText('Seen at once')).toBeVisible();
      const { right } = page.getByText('Seen at once').element().getBoundingClientRect();
      expect(right).toBeLessThan(width - 280);
    }
  });
});

const built: TableDescription = {
  ...description,
  comment: `Books of the library. ${'long '.repeat(80)}end`,
  defaultSort: [{ column: 'title', direction: 'descending' }],
  notes: ['CHECK (n > 0).'],
  columns: [
    { ...(description.columns[0] as Column), generated: { kind: 'identityAlways' } },
    { ...(description.columns[1] as Column), default: "'untitled'", comment: 'As printed' },
    {
      ...(description.columns[1] as Column),
      name: 'short',
      marks: [],
      generated: { kind: 'stored', expression: 'left(title, 9)' },
    },
  ],
  indexes: [
    { name: 'books_key', columns: [{ name: 'id' }], unique: true, primary: true, method: 'btree' },
    {
      name: 'by_title',
      columns: [{ expression: 'lower(title)', descending: true }, { name: 'id' }],
      includes: ['short'],
      unique: false,
      where: 'id > 0',
      note: 'Invalid.',
    },
  ],
  foreignKeys: [
    { name: 'of_shelf', columns: ['id'], references: { namespace: ['s'], name: 'shelves' }, referencedColumns: ['no'] },
  ],
  referredBy: [{ table: { namespace: [], name: 'loans' }, columns: ['book'], referencedColumns: ['id'] }],
  triggers: [
    {
      name: 'audit',
      timing: 'after',
      events: ['insert', 'update'],
      columns: ['title'],
      level: 'row',
      enabled: false,
      when: 'new.id > 1',
      calls: 'audit()',
    },
  ],
};

describe('the parts of a table', () => {
  const written = vi.fn<(text: string) => Promise<void>>(async () => undefined);
  beforeEach(() => {
    written.mockClear();
    vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(written);
  });

  it('are tables of their own, with a heading, and say everything that the description has', async () => {
    await renderPart(<StructureTab description={built} footer={null} />, exampleServices());
    for (const name of ['Columns', 'Indexes', 'Foreign keys', 'Referred to by', 'Triggers']) {
      await expect.element(page.getByRole('heading', { name, exact: true })).toBeVisible();
      await expect.element(page.getByRole('table', { name, exact: true })).toBeVisible();
    }
    const rowOf = (table: string, name: RegExp) =>
      page.getByRole('table', { name: table, exact: true }).getByRole('row', { name });
    await expect.element(rowOf('Indexes', /^books_key/)).toHaveTextContent('books_keyidprimary key, btree');
    await expect
      .element(rowOf('Indexes', /^by_title/))
      .toHaveTextContent('by_titlelower(title) descending, id; also stores shortid > 0Invalid.');
    await expect.element(rowOf('Foreign keys', /^of_shelf/)).toHaveTextContent('of_shelfids.shelvesno');
    await expect.element(rowOf('Referred to by', /^\(no name\)/)).toHaveTextContent('(no name)loansbookid');
    await expect
      .element(rowOf('Triggers', /^audit/))
      .toHaveTextContent('auditafter insert or update of title, for each row, switched offnew.id > 1audit()');
    await expect
      .element(rowOf('Columns', /^id/))
      .toHaveTextContent('idstringKeySortFilterFixedNumbered by the database, alwaysWhy not?');
    await expect.element(rowOf('Columns', /^title/)).toHaveTextContent("titleAs printedstringOptionalFacet'untitled'Why not?");
    await expect
      .element(rowOf('Columns', /^short/))
      .toHaveTextContent('shortstringOptionalComputed and stored: left(title, 9)Why not?');
    await expect.element(page.getByText('Without a sort, rows come by title descending.')).toBeVisible();
  });

  it('are copied as tab-separated lines, from the keyboard too', async () => {
    await renderPart(<StructureTab description={built} footer={null} />, exampleServices());
    const copy = page.getByRole('button', { name: 'Copy as a table: Triggers' });
    await expect.element(copy).toBeVisible();
    (copy.element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
    await vi.waitFor(() => expect(written).toHaveBeenCalledOnce());
    expect(written).toHaveBeenLastCalledWith(
      'Name\tFires\tOnly where\tRuns\naudit\tafter insert or update of title, for each row, switched off\tnew.id > 1\taudit()',
    );
  });

  it('show the rest of a long text and of many lines on demand', async () => {
    const indexes = Array.from({ length: 70 }, (_, at) => ({ name: `index ${at}`, columns: [{ name: 'id' }], unique: false }));
    await renderPart(<StructureTab description={{ ...built, indexes }} footer={null} />, exampleServices());
    await expect.element(page.getByText(/long end/)).not.toBeInTheDocument();
    await page.getByRole('button', { name: 'Show more' }).first().click();
    await expect.element(page.getByText(/long end/)).toBeVisible();
    await expect.element(page.getByText('index 60', { exact: true })).not.toBeInTheDocument();
    await page.getByRole('button', { name: 'Show all 70' }).click();
    await expect.element(page.getByText('index 60', { exact: true })).toBeInTheDocument();
  });

  it('are left out where the description has none, and say so where it has an empty list', async () => {
    await renderPart(<StructureTab description={{ ...description, triggers: [] }} footer={null} />, exampleServices());
    await expect.element(page.getByRole('heading', { name: 'Indexes' })).not.toBeInTheDocument();
    await expect.element(page.getByRole('columnheader', { name: 'Default' })).not.toBeInTheDocument();
    await expect.element(page.getByRole('region', { name: 'Triggers' }).getByText('None.')).toBeVisible();
  });
});
