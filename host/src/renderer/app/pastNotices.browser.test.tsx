import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { notify } from '../state/notify.ts';
import { exampleServices, press, renderWindow } from '../testing/renderWindow.test-helper.tsx';

describe('the bell', () => {
  it('holds what the status bar said after it left, marks a warning until it was opened, and is emptied', async () => {
    await renderWindow(exampleServices());
    const bell = page.getByRole('button', { name: 'Past notices', exact: true });
    await expect.element(bell).toBeVisible();
    notify({ tone: 'plain', text: 'Copied a thing.' });
    notify({ tone: 'warning', text: 'A thing was not saved.' });
    notify();
    await expect.element(page.getByText('A thing was not saved.')).not.toBeInTheDocument();
    await page.getByRole('button', { name: 'Past notices, with a new warning' }).click();
    const past = page.getByRole('dialog', { name: 'Past notices' });
    await expect.element(past.getByText('Copied a thing.')).toBeVisible();
    await expect.element(past.getByText('A thing was not saved.')).toBeVisible();
    await press('{Escape}');
    await expect.element(past).not.toBeInTheDocument();
    await expect.element(bell).toHaveFocus();
    await press('{Enter}');
    await past.getByRole('button', { name: 'Clear' }).click();
    await press('{Enter}');
    await expect.element(page.getByText('There are no notices yet.')).toBeVisible();
  });

  it('shows a notice of a tab while that tab is in front, and names the tab in its list', async () => {
    await renderWindow(exampleServices(), 'products');
    const status = page.getByRole('contentinfo');
    await expect.element(page.getByRole('tab', { name: /products/ })).toBeVisible();
    notify({ tone: 'warning', text: 'A cell was not changed.' });
    await expect.element(status.getByText('A cell was not changed.')).toBeVisible();
    await page.getByRole('navigation').getByRole('button', { name: 'Console' }).click();
    await expect.element(status.getByText('A cell was not changed.')).not.toBeInTheDocument();
    notify({ tone: 'plain', text: 'The whole window.', tab: 'none' });
    await expect.element(status.getByText('The whole window.')).toBeVisible();
    await page.getByRole('button', { name: 'Past notices, with a new warning' }).click();
    const past = page.getByRole('dialog', { name: 'Past notices' });
    const line = past.getByRole('listitem').filter({ hasText: 'A cell was not changed.' });
    await expect.element(line.getByText('products')).toBeVisible();
    await press('{Escape}');
    notify({ tone: 'warning', text: 'Another cell was not changed.' });
    await page.getByRole('tab', { name: /products/ }).click();
    await expect.element(status.getByText('Another cell was not changed.')).not.toBeInTheDocument();
    notify();
  });
});
