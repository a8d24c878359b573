import { afterEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Locator } from 'vitest/browser';
import { manifestSchema } from '@tabularium/sdk/manifest';
import type { InstallProgress } from '../../common/drivers.ts';
import type { ErrorQuestions } from '../../common/errorQuestions.ts';
import { HostError } from '../../common/errors.ts';
import type { ApiContext } from '../../runtime/api/context.ts';
import { exampleManifest } from '../testing/exampleManifest.test-helper.ts';
import { exampleServices, press, renderProducts, renderWindow } from '../testing/renderWindow.test-helper.tsx';

const field = (dialog: Locator, name: string): Locator => dialog.getByRole('textbox', { name });
const dialog = page.getByRole('dialog');

/** Its port 443 stands for a hosted service, which is encrypted. */
const withPorts = manifestSchema.parse({
  ...exampleManifest,
  connection: {
    fields: exampleManifest.connection.fields.map((one) =>
      one.id === 'port' ? { ...one, suggestions: [{ value: 443, label: 'Hosted', sets: { plain: false } }] } : one,
    ),
  },
});

/** A saved connection of it is complete. */
const withHost = manifestSchema.parse({
  ...exampleManifest,
  connection: {
    fields: exampleManifest.connection.fields.map((one) => (one.id === 'host' ? { ...one, default: 'db.example' } : one)),
  },
});

class AsksForNativeCode extends HostError {
  constructor() {
    super('GRANT_NEEDED', 'The driver asks to run native code.');
  }

  override get questions(): ErrorQuestions {
    const grants = ['addons' as const];
    return {
      grantQuestion: {
        driver: { id: 'example', title: 'Example Database', packageName: '@example/driver', version: '0.1.0' },
        publisher: { id: 'acme', name: 'Acme', fingerprint: 'ab', origin: 'thirdParty' },
        askedBy: 'key',
        grants,
        missing: grants,
        permissions: { ...exampleManifest.permissions, unconfined: { reason: 'Its client is native.', grants } },
      },
    };
  }
}

/** The form of a new connection, filled in but for its name. */
async function renderForm(services: ApiContext = exampleServices(), host = 'db.example'): Promise<void> {
  await renderWindow(services);
  await page.getByRole('button', { name: 'New connection' }).click();
  await dialog.getByRole('button', { name: /Example Database/ }).click();
  await userEvent.fill(field(dialog, 'Host'), host);
  await userEvent.fill(dialog.getByLabelText(/^Password/), 'xyz');
}

async function editShop(): Promise<void> {
  await press('{Control>}{Shift>}l{/Shift}{/Control}');
  await page.getByRole('button', { name: 'More for Shop' }).click();
  await page.getByRole('menuitem', { name: 'Edit…' }).click();
  await expect.element(field(dialog, 'Name')).toBeVisible();
}

describe('the offer of a driver', () => {
  it('names publisher, version, size and permissions, and downloads nothing before it is accepted', async () => {
    const services = exampleServices({ installed: false, connections: [] });
    await renderWindow(services);
    await page.getByRole('button', { name: 'Create the first connection' }).click();
    await dialog.getByRole('button', { name: /Example Database/ }).click();
    await expect.element(dialog.getByRole('heading', { name: 'Download the driver for Example Database?' })).toBeVisible();
    await expect.element(dialog.getByText('Signed by The Tabularium authors (the makers of Tabularium)')).toBeVisible();
    await expect.element(dialog.getByText('0.1.0', { exact: true })).toBeVisible();
    await expect.element(dialog.getByText(/^Requests to the one server that a connection names/)).toBeVisible();
    expect(services.installed.list()).toEqual([]);
    await expect.element(dialog.getByRole('button', { name: 'Download and install' })).toHaveFocus();
    await press('{Enter}');
    await expect.element(field(dialog, 'Host')).toBeVisible();
    expect(services.installed.list()).toHaveLength(1);
  });

  it('takes a no to its question for no failure, and asks again', async () => {
    const services = exampleServices({ installed: false, connections: [] });
    let asked = 0;
    const install = async function* (): AsyncGenerator<InstallProgress> {
      asked += 1;
      yield { step: 'resolving' };
      await Promise.resolve();
      throw new AsksForNativeCode();
    };
    Object.assign(services.drivers, { install });
    await renderWindow(services);
    await page.getByRole('button', { name: 'Create the first connection' }).click();
    await dialog.getByRole('button', { name: /Example Database/ }).click();
    await dialog.getByRole('button', { name: 'Download and install' }).click();
    const question = page.getByRole('dialog', { name: /outside the sandbox|leave the sandbox/i });
    await expect.element(question).toBeVisible();
    const failed = page.getByText("The driver couldn't be installed");
    await expect.element(failed).not.toBeInTheDocument();
    await press('{Escape}');
    await expect.element(page.getByText('You declined, so nothing was installed.')).toBeVisible();
    await expect.element(failed).not.toBeInTheDocument();
    await page.getByRole('button', { name: 'Ask me again' }).click();
    await expect.element(question).toBeVisible();
    expect(asked).toBe(2);
  });

  it('goes back to the types', async () => {
    await renderWindow(exampleServices({ installed: false, connections: [] }));
    await page.getByRole('button', { name: 'Create the first connection' }).click();
    await dialog.getByRole('button', { name: /Example Database/ }).click();
    await dialog.getByRole('button', { name: 'Back' }).click();
    await expect.element(dialog.getByRole('list', { name: 'Database types' })).toBeVisible();
  });
});

describe('the results of a test', () => {
  afterEach(() => page.viewport(1280, 800));
  const results = dialog.getByRole('region', { name: 'Test results' });

  it('go when a field changes that was tested, and stay when the name does', async () => {
    await renderForm();
    await dialog.getByRole('button', { name: 'Test connection' }).click();
    await expect.element(results.getByText('Connected, with a warning.')).toBeVisible();
    await userEvent.fill(field(dialog, 'Name'), 'Second');
    await expect.element(results).toBeVisible();
    await userEvent.fill(field(dialog, 'Host'), 'other.example');
    await expect.element(results).not.toBeInTheDocument();
    await expect.element(dialog.getByRole('button', { name: 'Test connection' })).toBeVisible();
  });

  it('mark the field that they point to', async () => {
    await renderForm(undefined, 'down');
    await dialog.getByRole('button', { name: 'Test connection' }).click();
    await expect.element(field(dialog, 'Port')).toHaveAccessibleDescription(/The test failed here\./);
    await userEvent.fill(field(dialog, 'Port'), '4322');
    await expect.element(field(dialog, 'Port')).not.toHaveAccessibleDescription(/The test failed here\./);
  });

  it('are below the fields, which can be scrolled to', async () => {
    await page.viewport(900, 420);
    await renderForm();
    await dialog.getByRole('button', { name: 'Test connection' }).click();
    await expect.element(results.getByText('Connected, with a warning.')).toBeVisible();
    const name = field(dialog, 'Name').element();
    name.scrollIntoView();
    const { left, top, width, height } = name.getBoundingClientRect();
    expect(document.elementFromPoint(left + width / 2, top + height / 2)).toBe(name);
  });
});

describe('port 443', () => {
  it('turns encryption on when it is typed, and Enter saves it so', async () => {
    const services = exampleServices({ manifests: [withPorts] });
    await renderForm(services);
    await userEvent.fill(field(dialog, 'Name'), 'Hosted');
    await userEvent.fill(field(dialog, 'Port'), '443');
    await press('{Enter}');
    await expect.element(page.getByRole('navigation', { name: 'Tables' })).toBeVisible();
    const saved = services.connectionStore.list().find(({ name }) => name === 'Hosted');
    expect(saved?.settings).toMatchObject({ port: 443, plain: false });
  });

  it('leaves encryption as the person has set it', async () => {
    const services = exampleServices({ manifests: [withPorts] });
    await renderForm(services);
    await dialog.getByRole('tab', { name: 'Options' }).click();
    const plain = dialog.getByRole('switch', { name: 'Without encryption' });
    await plain.click();
    await plain.click();
    await dialog.getByRole('tab', { name: 'General' }).click();
    await userEvent.fill(field(dialog, 'Port'), '443');
    await userEvent.tab();
    await expect.element(dialog.getByText(/go to http:\/\/db\.example:443/)).toBeVisible();
  });
});

describe('a connection whose key is rejected', () => {
  it('is one page that leads to the form, and nothing of the connection is drawn as if all were well', async () => {
    await renderWindow(exampleServices({ connections: ['Wrong key'] }));
    await page.getByRole('button', { name: /^Open Wrong key/ }).click();
    const alert = page.getByRole('alert', { name: "Wrong key couldn't be opened" });
    await expect.element(alert.getByText('Key: The server rejected this key.')).toBeVisible();
    await expect.element(page.getByRole('navigation', { name: 'Tables' })).not.toBeInTheDocument();
    await alert.getByRole('button', { name: 'Edit connection…' }).click();
    await expect.element(page.getByRole('dialog', { name: /Edit Wrong key/ })).toBeVisible();
  });

  it('is tried again after it was edited', async () => {
    await renderWindow(exampleServices({ manifests: [withHost], connections: ['Wrong key'] }));
    await page.getByRole('button', { name: /^Open Wrong key/ }).click();
    await page.getByRole('button', { name: 'Edit connection…' }).click();
    await userEvent.fill(field(dialog, 'Name'), 'Corrected');
    await dialog.getByRole('button', { name: 'Save & connect' }).click();
    await expect.element(page.getByRole('navigation', { name: 'Tables' })).toBeVisible();
  });

  it('is opened all the same when the person says so', async () => {
    await renderWindow(exampleServices({ connections: ['Wrong key'] }));
    await page.getByRole('button', { name: /^Open Wrong key/ }).click();
    await page.getByText('Details').click();
    await page.getByRole('button', { name: 'Open anyway' }).click();
    await expect.element(page.getByRole('navigation', { name: 'Tables' })).toBeVisible();
  });
});

describe('editing an open connection', () => {
  it('keeps session and tabs when only its name or colour changes', async () => {
    const services = exampleServices({ manifests: [withHost] });
    let opened = 0;
    const { open } = services.openConnections;
    Object.assign(services.openConnections, {
      open: (...input: Parameters<typeof open>) => {
        opened += 1;
        return open(...input);
      },
    });
    await renderProducts(services);
    await editShop();
    await userEvent.fill(field(dialog, 'Name'), 'Store');
    await dialog.getByRole('radio', { name: 'Red' }).click({ force: true });
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: /^Open Store/ }).click();
    await expect.element(page.getByRole('grid', { name: 'Rows of products' })).toBeVisible();
    expect(opened).toBe(1);
  });

  it('brings the tabs back on the changed server', async () => {
    await renderProducts(exampleServices({ manifests: [withHost] }));
    await editShop();
    await userEvent.fill(field(dialog, 'Host'), 'other.example');
    await dialog.getByRole('button', { name: 'Save & connect' }).click();
    await expect.element(page.getByRole('grid', { name: 'Rows of products' })).toBeVisible();
  });
});

describe('read-only mode', () => {
  it('is turned on in the Advanced pane and shown by a badge', async () => {
    const services = exampleServices({ manifests: [withHost] });
    await renderProducts(services);
    await expect.element(page.getByText('Read-only', { exact: true })).not.toBeInTheDocument();
    await editShop();
    await dialog.getByRole('tab', { name: 'Advanced' }).click();
    await dialog.getByRole('switch', { name: /^Read-only mode/ }).click();
    await dialog.getByRole('button', { name: 'Save & connect' }).click();
    await expect.element(page.getByText('Read-only', { exact: true })).toBeVisible();
    expect(services.connectionStore.list()[0]?.access.readOnly).toBe(true);
  });
});

describe('a saved credential', () => {
  it('that is replaced or kept hands the focus to what takes its place, so that a pasted key lands nowhere else', async () => {
    await renderWindow(exampleServices());
    await editShop();
    await dialog.getByRole('button', { name: 'Replace…' }).click();
    await expect.element(dialog.getByLabelText(/^Password/)).toHaveFocus();
    await userEvent.keyboard('hunter2');
    await expect.element(dialog.getByLabelText(/^Password/)).toHaveValue('hunter2');
    await expect.element(field(dialog, 'Name')).toHaveValue('Shop');
    await dialog.getByRole('button', { name: 'Keep the saved value' }).click();
    await expect.element(dialog.getByRole('button', { name: 'Replace…' })).toHaveFocus();
  });
});
