import type { TableDescription } from '@tabularium/sdk';
import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
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
});
