import { Modal } from '@mantine/core';
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { exampleServices, renderPart } from '../testing/renderWindow.test-helper.tsx';
import { DiscardQuestion } from '../ui/DiscardQuestion.tsx';
import { useLostFocus } from './useLostFocus.ts';

function FormWithQuestion() {
  useLostFocus();
  return (
    <>
      <Modal opened onClose={() => undefined} title="The form">
        <input aria-label="Name" />
      </Modal>
      <DiscardQuestion opened text="Changes would be lost." onKeep={() => undefined} onDiscard={() => undefined} />
    </>
  );
}

it('a question above a form has the focus again after a press went to the form below it', async () => {
  await renderPart(<FormWithQuestion />, exampleServices());
  const keep = page.getByRole('button', { name: 'Keep editing' });
  await expect.element(keep).toHaveFocus();
  const field = document.querySelector<HTMLElement>('[aria-label="Name"]');
  field?.focus();
  expect(document.activeElement).toBe(field);
  // The click that follows the press of a pointer.
  field?.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 2 }));
  await expect.element(keep).toHaveFocus();
});
