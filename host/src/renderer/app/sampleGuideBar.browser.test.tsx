import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { z } from 'zod';
import { SAMPLE_GUIDE } from '../../common/sampleGuide.ts';
import type { SampleGuide } from '../../common/sampleGuide.ts';
import { exampleServices, renderWindow } from '../testing/renderWindow.test-helper.tsx';

const table = (name: string, view: 'data' | 'rankedSearch' | 'structure') =>
  ({ is: 'table', table: { namespace: [], name }, view }) as const;

const guide: SampleGuide = {
  about: { en: 'A made-up shop.', de: 'Ein erfundener Laden.' },
  tries: [
    { label: { en: 'See the columns' }, opens: table('products', 'structure') },
    { label: { en: 'Open a removed table' }, opens: table('removed', 'data') },
    { label: { en: 'Write a request' }, opens: { is: 'tool', tool: 'console' } },
  ],
};

async function openSample(stored: SampleGuide | undefined): Promise<ReturnType<typeof exampleServices>> {
  const services = exampleServices();
  const [connection] = services.connectionStore.list();
  const scope = connection?.id ?? '';
  if (stored !== undefined)
    services.workspace.save({ documents: [{ scope, name: SAMPLE_GUIDE, value: z.json().parse(stored) }] });
  await renderWindow(services);
  await page.getByRole('button', { name: /Open Shop/ }).click();
  await expect.element(page.getByRole('navigation').getByText('products', { exact: true })).toBeVisible();
  return services;
}

const bar = page.getByRole('region', { name: 'About Shop' });

it('a sample says what it holds, and its links open real views', async () => {
  await openSample(guide);
  await expect.element(bar.getByRole('button', { name: 'See the columns' })).toBeVisible();
  expect(bar.element().textContent).toContain('shop.');
  await bar.getByRole('button', { name: 'See the columns' }).click();
  await expect.element(page.getByRole('tab', { name: 'products', selected: true })).toBeVisible();
  await expect.element(page.getByRole('table')).toBeVisible();
  await bar.getByRole('button', { name: 'Write a request' }).click();
  await expect.element(page.getByRole('tab', { name: 'Console', selected: true })).toBeVisible();
  // It leads nowhere any more.
  await expect.element(bar.getByRole('button', { name: 'Open a removed table' })).not.toBeInTheDocument();
});

it('a sample that was dismissed stays so, as the host remembers', async () => {
  const services = await openSample(guide);
  await bar.getByRole('button', { name: 'Dismiss' }).click();
  await expect.element(bar).not.toBeInTheDocument();
  const [connection] = services.connectionStore.list();
  await expect.poll(() => services.workspace.documents(connection?.id ?? '')[SAMPLE_GUIDE]).toBeUndefined();
});

it('a connection of one’s own says nothing of itself', async () => {
  await openSample(undefined);
  await expect.element(bar).not.toBeInTheDocument();
});
