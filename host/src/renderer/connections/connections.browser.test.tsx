import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Locator } from 'vitest/browser';
import type { TestStep } from '../../common/connection.ts';
import type { ErrorQuestions } from '../../common/errorQuestions.ts';
import { HostError } from '../../common/errors.ts';
import type { ApiContext } from '../../runtime/api/context.ts';
import { fakeContext } from '../testing/fakeContext.test-helper.ts';
import { exampleServices, press, renderWindow } from '../testing/renderWindow.test-helper.tsx';

const field = (dialog: Locator, name: string): Locator => dialog.getByRole('textbox', { name });

const REACHED: TestStep = { id: 'tcp', label: 'TCP', outcome: 'ok', message: 'Port 8108 answers.' };

class KeyUnknown extends HostError {
  constructor() {
    super('SSH_KEY_UNKNOWN');
  }

  override get questions(): ErrorQuestions {
    const code = 'a'.repeat(32);
    return { hostKeyQuestion: { code, host: 'ssh.example', port: 22, keyType: 'ED25519', fingerprint: 'SHA256:abc' } };
  }
}

/** Of a server that accepts the connection and never responds. */
async function* endlessTest(_input: unknown, _savedAs: unknown, signal: AbortSignal): AsyncGenerator<TestStep> {
  yield REACHED;
  yield { id: 'server', label: 'Server', outcome: 'running', message: 'Asking the server.' };
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
  signal.throwIfAborted();
}

/** Opens the form for a new connection. */
async function renderForm(services: ApiContext = exampleServices()): Promise<Locator> {
  await renderWindow(services);
  await page.getByRole('button', { name: 'New connection' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: /Example Database/ }).click();
  await expect.element(field(dialog, 'Name')).toBeVisible();
  return dialog;
}

describe('the connection form', () => {
  it('says beside each field what is missing, and puts the cursor into the first', async () => {
    const dialog = await renderForm();
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.element(dialog.getByText('3 fields need your attention.')).toBeVisible();
    await expect.element(field(dialog, 'Host')).toHaveAccessibleDescription(/Enter Host\./);
    await expect.element(field(dialog, 'Name')).toHaveAccessibleDescription(/Give the connection a name\./);
    await expect.element(field(dialog, 'Name')).toHaveFocus();
  });

  it('takes the complaint away when the field is filled in', async () => {
    const dialog = await renderForm();
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await field(dialog, 'Host').click();
    await press('db.example');
    await expect.element(dialog.getByText('Enter Host.')).not.toBeInTheDocument();
    await expect.element(dialog.getByText('2 fields need your attention.')).toBeVisible();
  });

  it('takes an address apart that is entered as the host', async () => {
    const dialog = await renderForm();
    await userEvent.fill(field(dialog, 'Host'), 'http://db.example:9000/x');
    await userEvent.tab();
    await expect.element(field(dialog, 'Host')).toHaveValue('db.example');
    await expect.element(field(dialog, 'Port')).toHaveValue('9000');
  });

  it('keeps a number that is out of range and says the limit', async () => {
    const dialog = await renderForm();
    await userEvent.fill(field(dialog, 'Port'), '70000');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.element(field(dialog, 'Port')).toHaveAccessibleDescription(/Enter at most 65,535\./);
    await expect.element(field(dialog, 'Port')).toHaveValue('70000');
  });

  it('says beside the name that it is taken', async () => {
    const dialog = await renderForm();
    await userEvent.fill(field(dialog, 'Name'), 'SHOP');
    await userEvent.fill(field(dialog, 'Host'), 'db.example');
    await userEvent.fill(dialog.getByLabelText(/^Password/), 'xyz');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.element(field(dialog, 'Name')).toHaveAccessibleDescription(/Another connection is called “SHOP”\./);
  });

  it('hides a credential while it is typed, and shows it when asked', async () => {
    const dialog = await renderForm();
    const password = dialog.getByLabelText(/^Password/);
    await password.click();
    await press('s3cret');
    await expect.element(password).toHaveAttribute('type', 'password');
    await dialog.getByRole('button', { name: 'Show the value' }).click();
    await expect.element(password).toHaveAttribute('type', 'text');
    await expect.element(password).toHaveValue('s3cret');
  });

  it('never shows a saved credential again', async () => {
    await renderWindow(exampleServices());
    await page.getByRole('button', { name: 'More for Shop' }).click();
    await page.getByRole('menuitem', { name: 'Edit…' }).click();
    const dialog = page.getByRole('dialog', { name: /Edit Shop/ });
    await expect.element(dialog.getByText('Saved in GNOME Keyring')).toBeVisible();
    await expect.element(dialog.getByLabelText(/^Password/)).not.toBeInTheDocument();
  });

  it('shows the steps of a test one after the other, and its verdict', async () => {
    const dialog = await renderForm();
    await userEvent.fill(field(dialog, 'Host'), 'db.example');
    await userEvent.fill(dialog.getByLabelText(/^Password/), 'xyz');
    await dialog.getByRole('button', { name: 'Test connection' }).click();
    const steps = dialog.getByRole('region', { name: 'Test results' });
    await expect.element(steps.getByText('db.example is 127.0.0.1.')).toBeVisible();
    await expect.element(steps.getByText('Version 29.0.')).toBeVisible();
    await expect.element(steps.getByText('Connected, with a warning.')).toBeVisible();
    await expect.element(steps.getByRole('img', { name: 'Warning' })).toBeVisible();
  });

  it('ends a test at the step that failed', async () => {
    const dialog = await renderForm();
    await userEvent.fill(field(dialog, 'Host'), 'down');
    await userEvent.fill(dialog.getByLabelText(/^Password/), 'xyz');
    await dialog.getByRole('button', { name: 'Test connection' }).click();
    const steps = dialog.getByRole('region', { name: 'Test results' });
    await expect.element(steps.getByText('Nothing is listening at this address.')).toBeVisible();
    await expect.element(steps.getByText('The connection failed.')).toBeVisible();
    await expect.element(steps.getByText('Version 29.0.')).not.toBeInTheDocument();
  });

  it('says of a test that was stopped that nothing is known, and never that it succeeded', async () => {
    const services = exampleServices();
    const dialog = await renderForm(fakeContext({ ...services, connectionTest: { run: endlessTest } }));
    await userEvent.fill(field(dialog, 'Host'), 'db.example');
    await userEvent.fill(dialog.getByLabelText(/^Password/), 'xyz');
    // The second click would be on Stop.
    await userEvent.dblClick(dialog.getByRole('button', { name: 'Test connection' }));
    const steps = dialog.getByRole('region', { name: 'Test results' });
    await expect.element(steps.getByText('Asking the server.')).toBeVisible();
    await expect.element(steps.getByText('Testing…')).toBeVisible();
    await dialog.getByRole('button', { name: 'Stop' }).click();
    await expect.element(steps.getByText('You stopped the test before it was complete.')).toBeVisible();
    await expect.element(steps.getByRole('listitem').nth(1)).toHaveTextContent('ServerStopped.');
    await expect.element(steps.getByText('Connected successfully.')).not.toBeInTheDocument();
  });

  it('says of a test that ended before the server responded that it did', async () => {
    const services = exampleServices();
    const run = async function* (): AsyncGenerator<TestStep> {
      yield await Promise.resolve(REACHED);
    };
    const dialog = await renderForm(fakeContext({ ...services, connectionTest: { run } }));
    await userEvent.fill(field(dialog, 'Host'), 'db.example');
    await userEvent.fill(dialog.getByLabelText(/^Password/), 'xyz');
    await dialog.getByRole('button', { name: 'Test connection' }).click();
    await expect.element(dialog.getByText('The test ended before the server responded. Test again.')).toBeVisible();
  });

  it('shows the result of a step beside its label, also where the message has several lines', async () => {
    const services = exampleServices();
    const run = async function* (): AsyncGenerator<TestStep> {
      yield await Promise.resolve({ ...REACHED, outcome: 'failed', message: 'Nothing is listening there. '.repeat(20) });
    };
    const dialog = await renderForm(fakeContext({ ...services, connectionTest: { run } }));
    await userEvent.fill(field(dialog, 'Host'), 'db.example');
    await userEvent.fill(dialog.getByLabelText(/^Password/), 'xyz');
    await dialog.getByRole('button', { name: 'Test connection' }).click();
    const mark = dialog.getByRole('img', { name: 'Failed' });
    await expect.element(mark).toBeVisible();
    const middle = (locator: Locator): number => {
      const { top, height } = locator.element().getBoundingClientRect();
      return top + height / 2;
    };
    expect(Math.abs(middle(mark) - middle(dialog.getByText('TCP connection')))).toBeLessThan(3);
  });

  it('says once, and for this window, that a host key was not accepted', async () => {
    const services = exampleServices();
    const run = async function* (): AsyncGenerator<TestStep> {
      const error = new KeyUnknown();
      const { code, message, advice } = error;
      yield await Promise.resolve({
        id: 'sshHostKey',
        label: 'SSH host key',
        outcome: 'failed',
        message: `${message} ${advice}`,
        failure: { code, message, advice },
      });
      throw error;
    };
    const dialog = await renderForm(fakeContext({ ...services, connectionTest: { run } }));
    await userEvent.fill(field(dialog, 'Host'), 'db.example');
    await userEvent.fill(dialog.getByLabelText(/^Password/), 'xyz');
    await dialog.getByRole('button', { name: 'Test connection' }).click();
    await expect.element(page.getByRole('dialog', { name: 'Check the host key of the SSH server' })).toBeVisible();
    await press('{Escape}');
    const steps = dialog.getByRole('region', { name: 'Test results' });
    await expect.element(steps.getByText('Try again, and compare the fingerprint', { exact: false })).toBeVisible();
    expect(steps.getByText("isn't known yet", { exact: false }).elements()).toHaveLength(1);
    await expect.element(steps.getByText('tabularium connections test', { exact: false })).not.toBeInTheDocument();
  });

  it('saves with Enter and opens the connection', async () => {
    const services = exampleServices();
    const dialog = await renderForm(services);
    await userEvent.fill(field(dialog, 'Host'), 'db.example');
    await userEvent.fill(dialog.getByLabelText(/^Password/), 'xyz');
    await field(dialog, 'Name').click();
    await press('Second{Enter}');
    await expect.element(page.getByRole('navigation', { name: 'Tables' })).toBeVisible();
    expect(services.connectionStore.list().map(({ name }) => name)).toEqual(['Second', 'Shop']);
  });

  it('asks before Escape throws away what was entered', async () => {
    const dialog = await renderForm();
    await field(dialog, 'Name').click();
    await press('Second{Escape}');
    await page.getByRole('button', { name: 'Keep editing' }).click();
    await expect.element(field(dialog, 'Name')).toHaveValue('Second');
  });
});

describe('a dialog', () => {
  it('names the connection that it would remove, and Escape removes nothing', async () => {
    const services = exampleServices();
    await renderWindow(services);
    await page.getByRole('button', { name: 'More for Shop' }).click();
    await page.getByRole('menuitem', { name: 'Remove…' }).click();
    const question = page.getByRole('dialog', { name: 'Remove “Shop”?' });
    await expect.element(question.getByRole('button', { name: 'Remove Shop' })).toBeVisible();
    await press('{Escape}');
    await expect.element(question).not.toBeInTheDocument();
    expect(services.connectionStore.list()).toHaveLength(1);
  });

  it('begins on the answer that changes nothing', async () => {
    await renderWindow(exampleServices());
    await page.getByRole('button', { name: 'More for Shop' }).click();
    await page.getByRole('menuitem', { name: 'Remove…' }).click();
    const question = page.getByRole('dialog', { name: 'Remove “Shop”?' });
    await expect.element(question.getByRole('button', { name: 'Cancel' })).toHaveFocus();
  });

  it('removes what it named', async () => {
    const services = exampleServices();
    await renderWindow(services);
    await page.getByRole('button', { name: 'More for Shop' }).click();
    await page.getByRole('menuitem', { name: 'Remove…' }).click();
    await page.getByRole('button', { name: 'Remove Shop' }).click();
    await expect.element(page.getByRole('heading', { name: 'Connect to a database' })).toBeVisible();
    expect(services.connectionStore.list()).toEqual([]);
  });

  it('gives the focus back to what opened it', async () => {
    await renderWindow(exampleServices());
    const settings = page.getByRole('button', { name: 'Settings' });
    await settings.click();
    await expect.element(page.getByRole('dialog')).toBeVisible();
    await press('{Escape}');
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
    await expect.element(settings).toHaveFocus();
  });

  it('keeps Tab within itself', async () => {
    await renderWindow(exampleServices());
    await page.getByRole('button', { name: 'More for Shop' }).click();
    await page.getByRole('menuitem', { name: 'Remove…' }).click();
    const question = page.getByRole('dialog', { name: 'Remove “Shop”?' });
    await expect.element(question.getByRole('button', { name: 'Cancel' })).toHaveFocus();
    const seen: (string | null)[] = [];
    for (let turn = 0; turn < 4; turn += 1) {
      await userEvent.tab();
      expect(question.element().contains(document.activeElement)).toBe(true);
      seen.push(document.activeElement?.textContent ?? null);
    }
    expect(seen).toContain('Remove Shop');
    expect(seen).toContain('Cancel');
  });
});
