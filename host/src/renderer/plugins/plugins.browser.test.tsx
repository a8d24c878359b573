import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { HostError } from '../../common/errors.ts';
import { fakeContext } from '../testing/fakeContext.test-helper.ts';
import { exampleManifest } from '../testing/exampleManifest.test-helper.ts';
import { exampleServices, press, renderPart } from '../testing/renderWindow.test-helper.tsx';
import { PluginBrowser } from './PluginBrowser.tsx';

const list = page.getByRole('listbox', { name: 'Drivers' });
const driver = (name: RegExp) => list.getByRole('option', { name });

/** Draws the browser with three drivers: one installed, one to be had, one that cannot run here. */
async function renderBrowser(): Promise<void> {
  const manifests = [
    exampleManifest,
    { ...exampleManifest, id: 'graph', title: 'Graph Database', tagline: 'Keeps nodes and edges.', category: 'graph' as const },
    { ...exampleManifest, id: 'lake-old', title: 'Lake', tagline: 'Keeps files.', category: 'file' as const },
  ];
  await renderPart(<PluginBrowser />, exampleServices({ manifests }));
  await expect.element(driver(/Example Database/)).toBeVisible();
}

describe('the plug-in browser', () => {
  it('lists drivers with their state', async () => {
    await renderBrowser();
    await expect.element(driver(/Example Database.*Installed/)).toHaveAttribute('aria-selected', 'true');
    await expect.element(driver(/Lake.*Not compatible/)).toBeVisible();
  });

  it('is walked with the arrow keys', async () => {
    await renderBrowser();
    await driver(/Example Database/).click();
    await press('{ArrowDown}');
    await expect.element(driver(/Graph Database/)).toHaveAttribute('aria-selected', 'true');
    await expect.element(driver(/Graph Database/)).toHaveFocus();
    await press('{End}');
    await expect.element(driver(/Lake/)).toHaveFocus();
  });

  it('finds drivers by words of their description', async () => {
    await renderBrowser();
    await userEvent.fill(page.getByRole('textbox', { name: 'Search drivers' }), 'nodes');
    await expect.element(driver(/Graph Database/)).toBeVisible();
    await expect.element(driver(/Example Database/)).not.toBeInTheDocument();
  });

  it('says that nothing matches, and shows all again', async () => {
    await renderBrowser();
    await userEvent.fill(page.getByRole('textbox', { name: 'Search drivers' }), 'nowhere');
    await expect.element(page.getByRole('heading', { name: 'Nothing matches' })).toBeVisible();
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect.element(driver(/Lake/)).toBeVisible();
  });

  it('shows only installed drivers when asked to', async () => {
    await renderBrowser();
    await page.getByRole('radiogroup', { name: 'Show' }).getByText('Installed').click();
    await expect.element(driver(/Example Database/)).toBeVisible();
    await expect.element(driver(/Graph Database/)).not.toBeInTheDocument();
  });

  it('asks before a driver is removed, naming it', async () => {
    await renderBrowser();
    await page.getByRole('button', { name: 'More for Example Database' }).click();
    await page.getByRole('menuitem', { name: 'Remove…' }).click();
    const question = page.getByRole('dialog', { name: 'Remove the driver for Example Database?' });
    await expect.element(question).toBeVisible();
    await press('{Escape}');
    await expect.element(question).not.toBeInTheDocument();
    await expect.element(driver(/Example Database.*Installed/)).toBeVisible();
  });

  it("reports a driver that doesn't match its publisher's signature", async () => {
    await renderBrowser();
    await driver(/Graph Database/).click();
    await page.getByRole('button', { name: 'Install', exact: true }).click();
    const problem = page.getByRole('alert', { name: 'Graph Database was not installed' });
    await expect.element(problem.getByText(/is not what The Tabularium authors signed/)).toBeVisible();
  });

  it('reloads open registries also after a refresh that failed, because its reason is among them', async () => {
    const { promise: refused, reject } = Promise.withResolvers<never>();
    const problems: string[] = [];
    const services = exampleServices();
    await renderPart(
      <PluginBrowser />,
      fakeContext({
        ...services,
        catalogue: { ...services.catalogue, refresh: () => refused },
        registryManagement: {
          ...services.registryManagement,
          registries: async () => [
            {
              url: 'https://registry.example/',
              name: 'Example registry',
              scopes: [],
              packages: [],
              downloadOrigins: [],
              hasCredential: false,
              from: 'settings',
              catalogue: { state: 'signed', ...(problems[0] === undefined ? {} : { problem: problems[0] }) },
            },
          ],
        },
      }),
    );
    // The list is an old one, so it is refreshed without a click.
    await expect.element(page.getByRole('button', { name: 'Refresh the list' })).toBeDisabled();
    await page.getByRole('radiogroup', { name: 'Views' }).getByText('Registries').click();
    const registry = page.getByRole('list', { name: 'Registries' }).getByRole('listitem');
    await expect.element(registry.getByText('Signed catalogue', { exact: true })).toBeVisible();
    problems.push('The registry had a catalogue before.');
    reject(new HostError('REGISTRY_UNREACHABLE'));
    await expect.element(registry.getByText('The registry had a catalogue before.')).toBeVisible();
  });

  it('asks the registries again as soon as one was added', async () => {
    let asked = 0;
    const services = exampleServices();
    await renderPart(
      <PluginBrowser />,
      fakeContext({
        ...services,
        catalogue: {
          ...services.catalogue,
          refresh: async (signal) => {
            asked += 1;
            return await services.catalogue.refresh(signal);
          },
        },
        registryManagement: { ...services.registryManagement, saveRegistry: async () => undefined },
      }),
    );
    await page.getByRole('radiogroup', { name: 'Views' }).getByText('Registries').click();
    const before = asked;
    await page.getByRole('textbox', { name: 'Address' }).fill('https://registry.example/');
    await page.getByRole('button', { name: 'Add registry' }).click();
    await expect.poll(() => asked).toBe(before + 1);
  });
});
