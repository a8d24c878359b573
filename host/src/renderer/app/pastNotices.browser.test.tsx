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
});
