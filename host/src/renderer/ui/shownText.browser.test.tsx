import { Badge, Button } from '@mantine/core';
import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { exampleServices, renderPart } from '../testing/renderWindow.test-helper.tsx';

describe('text from outside', () => {
  it('has its hidden characters shown, also where the component library draws it', async () => {
    const name = 'in\u202Evoice';
    await renderPart(
      <>
        <p>{name}</p>
        <Badge role="note">{name}</Badge>
        <Button aria-label={name} />
      </>,
      exampleServices(),
    );
    await expect.element(page.getByRole('paragraph')).toHaveTextContent('in⟨U+202E⟩voice');
    await expect.element(page.getByRole('note')).toHaveTextContent('in⟨U+202E⟩voice');
    await expect.element(page.getByRole('button', { name: 'in⟨U+202E⟩voice' })).toBeVisible();
  });
});
