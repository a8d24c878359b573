import { MantineProvider } from '@mantine/core';
import { describe, expect, it, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { page } from 'vitest/browser';
import type { SecretQuestion } from '../../common/secretQuestion.ts';
import { SecretDialog } from './SecretDialog.tsx';

const question: SecretQuestion = {
  connection: 'Papers',
  driver: { title: 'Paper Store' },
  changes: [],
  newFiles: [
    {
      field: 'document',
      label: 'Document',
      path: '/home/ann/papers.db',
      reason: 'It counts words.',
      before: 'read',
      now: 'readWrite',
    },
    { field: 'key', label: 'Key', path: `/home/ann/${'k'.repeat(300)}/id_ed25519`, reason: 'It signs.', now: 'read' },
  ],
  code: '0'.repeat(32),
};

describe('the question about files of a connection', () => {
  it.each([
    [900, 600],
    [1280, 800],
  ])('names each file, what the driver gets of it now and before, and why, in a window of %d × %d', async (width, height) => {
    await page.viewport(width, height);
    await render(
      <MantineProvider>
        <SecretDialog question={question} onConfirm={async () => undefined} onRefuse={() => undefined} />
      </MantineProvider>,
    );
    const dialog = page.getByRole('dialog', { name: 'Check the files that Papers uses' });
    await expect.element(dialog).toBeVisible();
    // The name of a file is at the end of its path.
    for (const text of [
      'papers.db',
      'Read and change',
      'Not available to the driver',
      'It counts words',
      'id_ed25519',
      'It signs',
    ])
      expect(dialog.element().textContent).toContain(text);
    const { scrollWidth, clientWidth } = dialog.element();
    expect(scrollWidth).toBeLessThanOrEqual(clientWidth);
  });

  it('has the keyboard on the answer that changes nothing, and confirms by its button alone', async () => {
    const onConfirm = vi.fn(async () => undefined);
    const onRefuse = vi.fn();
    await render(
      <MantineProvider>
        <SecretDialog question={question} onConfirm={onConfirm} onRefuse={onRefuse} />
      </MantineProvider>,
    );
    await expect.element(page.getByRole('button', { name: "Don't confirm" })).toHaveFocus();
    await page.getByRole('button', { name: 'Confirm and use' }).click();
    expect([onConfirm.mock.calls.length, onRefuse.mock.calls.length]).toEqual([1, 0]);
  });
});
