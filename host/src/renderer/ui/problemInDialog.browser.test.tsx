import { Modal } from '@mantine/core';
import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { exampleServices, renderPart } from '../testing/renderWindow.test-helper.tsx';
import { DialogActions } from './DialogActions.tsx';
import { ProblemPanel } from './ProblemPanel.tsx';

const problem = {
  code: 'CONFLICT',
  message: 'It is there already.',
  advice: 'Choose another.',
  details: {},
  retryable: false,
} as const;

/** As long as a dialog is that scrolls, with a failure between its fields and its buttons. */
function LongDialog(): ReactNode {
  const [hasFailed, setHasFailed] = useState(false);
  return (
    <Modal opened onClose={() => undefined} title="Long">
      {Array.from({ length: 60 }, (_, line) => (
        <p key={line}>Line {line}</p>
      ))}
      {hasFailed ? <ProblemPanel compact title="It failed" problem={problem} /> : null}
      {Array.from({ length: 10 }, (_, line) => (
        <p key={line}>Below {line}</p>
      ))}
      <DialogActions>
        <button type="button" onClick={() => setHasFailed(true)}>
          Start
        </button>
      </DialogActions>
    </Modal>
  );
}

it('a failure in a dialog is in view, above the buttons that stay in sight', async () => {
  await renderPart(<LongDialog />, exampleServices());
  await userEvent.click(page.getByRole('button', { name: 'Start' }));
  const failure = page.getByRole('alert', { name: 'It failed' });
  await expect
    .poll(() => {
      const { top, bottom } = failure.element().getBoundingClientRect();
      const buttons = page.getByRole('button', { name: 'Start' }).element().getBoundingClientRect();
      return top > 0 && bottom <= buttons.top;
    })
    .toBe(true);
});
