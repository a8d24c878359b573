import { DriverError } from '@tabularium/sdk';
import type { TableSummary } from '@tabularium/sdk';
import { beforeEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { OpenConnectionInfo } from '../../common/api.ts';
import type { ImportInfo, RowImportPreview, StartImport } from '../../common/imports.ts';
import type { ApiContext } from '../../runtime/api/context.ts';
import { exampleManifest } from '../testing/exampleManifest.test-helper.ts';
import { fakeContext } from '../testing/fakeContext.test-helper.ts';
import { exampleServices, renderPart } from '../testing/renderWindow.test-helper.tsx';
import { CopyDialog } from './CopyDialog.tsx';
import { ImportDialog } from './ImportDialog.tsx';

// A server that loses the connection when a table was created and before the import begins.

const PREVIEW: RowImportPreview = {
  name: 'products',
  bytes: 10,
  format: { format: 'jsonl', gzip: false, separator: ',', header: true },
  fields: [{ source: 'id', target: 'id' }],
  rows: [{ line: 1, cells: ['1'], sent: '{"id":"1"}' }],
  isSpliced: false,
  columns: ['id'],
};
const TOO_LONG = 'The name is longer than 63 bytes.';

function begun({ connectionId, table }: StartImport): ImportInfo {
  const counts = { read: 0, written: 0, rejected: 0, bytes: 0, totalBytes: 0, rowsPerSecond: 0, milliseconds: 0 };
  const at = new Date().toISOString();
  return { ...counts, id: 'a', connectionId, table, name: 'a', mode: 'create', state: 'running', startedAt: at, reasons: [] };
}

let tables: TableSummary[];
let started: StartImport[];
let isListLost: boolean;
beforeEach(() => {
  tables = [];
  started = [];
  isListLost = false;
});

function services(): ApiContext {
  const taken = (name: string): boolean => tables.some(({ ref }) => ref.name === name);
  const known = exampleServices();
  return fakeContext({
    ...known,
    tables: {
      ...known.tables,
      list: async () => {
        if (isListLost) throw new DriverError('CONNECTION_LOST', 'The connection to db.example was lost.');
        return [...tables];
      },
    },
    imports: {
      namespaces: async () => [],
      preview: async ({ table, create }) => {
        if (table.name.length > 63) throw new DriverError('INVALID_INPUT', TOO_LONG);
        const confirm = create ? {} : { confirm: table.name };
        return {
          ...PREVIEW,
          ...(create ? { definition: 'CREATE TABLE …' } : {}),
          copy: { connection: 'Shop', isLike: false, ...confirm },
        };
      },
      planTable: async ({ table: { name } }) => {
        if (name.length > 63) throw new DriverError('INVALID_INPUT', TOO_LONG);
        if (taken(name)) throw new DriverError('CONFLICT', `There is a table or something else “${name}” already.`);
        return { effect: 'write', consequence: `The table “${name}” is created.`, requests: [] };
      },
      start: async (request) => {
        started.push(request);
        if (request.definition === undefined) return begun(request);
        if (taken(request.table.name)) throw new DriverError('CONFLICT', 'There is a table already.');
        tables.push({ ref: request.table, kind: 'table' });
        throw new DriverError('CONNECTION_LOST', 'The connection to db.example was lost.');
      },
    },
  });
}

const dialogs = {
  copy: { press: 'Create and copy', goInto: 'Copy into it', goOn: 'Copy', confirms: true },
  import: { press: 'Create and import', goInto: 'Import into it', goOn: 'Import', confirms: false },
} as const;

/** @returns what the dialog calls when it is over */
async function renderDialog(kind: keyof typeof dialogs): Promise<{ closed: number }> {
  const all = services();
  const connectionId = all.connectionStore.list()[0]?.id ?? '';
  const connection = { connectionId, manifest: exampleManifest } as OpenConnectionInfo;
  const end = { closed: 0 };
  const onClose = (): void => void (end.closed += 1);
  const rejected = { is: 'rejected', id: crypto.randomUUID() } as const;
  const part =
    kind === 'copy' ? (
      <CopyDialog connection={connection} table={{ namespace: [], name: 'products' }} onClose={onClose} />
    ) : (
      <ImportDialog connection={connection} wanted={{ connectionId, rejected }} onClose={onClose} />
    );
  await renderPart(part, all);
  return end;
}

const button = (name: string) => page.getByRole('button', { name, exact: true });
const nameField = () => page.getByRole('textbox', { name: 'Name', exact: true });

describe.each(['copy', 'import'] as const)('the dialog of a new table: %s', (kind) => {
  const { press, goInto, goOn, confirms } = dialogs[kind];

  it('says that the table was created before the connection was lost, once, and adds the rows to it', async () => {
    const end = await renderDialog(kind);
    await userEvent.fill(nameField(), 'tc2');
    await expect.element(page.getByText('The table “tc2” is created.')).toBeVisible();
    await button(press).click();
    await expect.element(page.getByText('“tc2” was created before this failed.', { exact: false })).toBeVisible();
    expect(page.getByRole('alert').elements()).toHaveLength(1);
    await expect.element(page.getByText('The table “tc2” is created.')).not.toBeInTheDocument();
    await expect.element(button(press)).toBeDisabled();
    await button(goInto).click();
    if (confirms) await userEvent.fill(page.getByRole('textbox', { name: 'Type tc2 to confirm' }), 'tc2');
    await button(goOn).click();
    await expect.poll(() => end.closed).toBe(1);
    expect(started.map(({ table, definition }) => [table.name, definition === undefined])).toEqual([
      ['tc2', false],
      ['tc2', true],
    ]);
  });

  it('says that nothing is known while the list of tables can’t be read', async () => {
    await renderDialog(kind);
    await userEvent.fill(nameField(), 'tc2');
    await expect.element(page.getByText('The table “tc2” is created.')).toBeVisible();
    isListLost = true;
    await button(press).click();
    await expect.element(page.getByText("Whether “tc2” was created isn't known", { exact: false })).toBeVisible();
    expect(page.getByRole('alert').elements()).toHaveLength(1);
    isListLost = false;
    await button('Look again').click();
    await expect.element(page.getByText('“tc2” was created before this failed.', { exact: false })).toBeVisible();
  });

  it('says of a name that is taken that it is, before anything is tried', async () => {
    tables.push({ ref: { namespace: [], name: 'orders' }, kind: 'table' });
    await renderDialog(kind);
    await userEvent.fill(nameField(), 'orders');
    await expect.element(page.getByText('“orders” is there already.', { exact: false })).toBeVisible();
    await expect.element(button(press)).toBeDisabled();
    await userEvent.fill(nameField(), 'orders2');
    await expect.element(page.getByText('“orders” is there already.', { exact: false })).not.toBeInTheDocument();
  });

  it('says once that a name is too long, and no more when it is corrected', async () => {
    await renderDialog(kind);
    await userEvent.fill(nameField(), 'short');
    await expect.element(page.getByText('The table “short” is created.')).toBeVisible();
    await userEvent.fill(nameField(), 'n'.repeat(64));
    await expect.element(page.getByText(TOO_LONG)).toBeVisible();
    await expect.poll(() => page.getByRole('alert').elements().length).toBe(1);
    await userEvent.fill(nameField(), 'short');
    await expect.element(page.getByText(TOO_LONG)).not.toBeInTheDocument();
  });
});

it('the dialog of a copy begins in its first field', async () => {
  await renderDialog('copy');
  await expect.element(page.getByRole('combobox', { name: 'Connection' })).toHaveFocus();
});
