import { afterEach, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { noteDiskFull } from '../api/diskSpace.ts';
import { fakeContext } from '../testing/fakeContext.test-helper.ts';
import { exampleServices, renderWindow } from '../testing/renderWindow.test-helper.tsx';

afterEach(() => noteDiskFull(false));

describe('the bar of a full disk', () => {
  it('lies above the tabs, the sidebar and the status bar, and covers none of them', async () => {
    const services = exampleServices();
    const disk = async () => ({ folder: '/home/ada/data', freeBytes: 0, hasSpace: false });
    await renderWindow(fakeContext({ ...services, application: { ...services.application, disk } }), 'products');
    await expect.element(page.getByRole('tab', { name: /products/ })).toBeVisible();
    noteDiskFull(true);
    const bar = page.getByRole('region', { name: 'The disk is full.' });
    await expect.element(bar.getByText(/The disk of .home.ada.data/)).toBeVisible();
    const end = bar.element().getBoundingClientRect().bottom;
    for (const part of [page.getByRole('tablist'), page.getByRole('navigation', { name: 'Tables' })]) {
      expect(part.element().getBoundingClientRect().top).toBeGreaterThanOrEqual(end);
    }
    expect(page.getByRole('contentinfo').element().getBoundingClientRect().bottom).toBeLessThanOrEqual(window.innerHeight);
  });
});
