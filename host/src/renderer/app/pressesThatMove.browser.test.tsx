import { useState } from 'react';
import type { ReactNode } from 'react';
import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { exampleServices, press, renderPart } from '../testing/renderWindow.test-helper.tsx';
import { WholeNumberInput } from '../ui/WholeNumberInput.tsx';
import { usePressesThatMove } from './usePressesThatMove.ts';

// A press leaves a field, which then says something, and what is below it moves away from under the pointer.

const clicks: string[] = [];

type Change = 'moved' | 'renamed' | 'gone';

function Example({ change }: { readonly change: Change }): ReactNode {
  usePressesThatMove();
  const [value, setValue] = useState(10);
  const [isLeft, setLeft] = useState(false);
  return (
    <div onClick={() => clicks.push('around')}>
      <div onBlur={() => setLeft(true)}>
        <WholeNumberInput name="Hits" label="Hits" min={1} max={250} value={value} onValue={(next) => setValue(next ?? 10)} />
      </div>
      {isLeft && change === 'gone' ? (
        <p>Nothing to run</p>
      ) : (
        <button style={{ display: 'block', width: 100, height: 20 }} onClick={() => clicks.push('button')}>
          {isLeft && change === 'renamed' ? 'Delete' : 'Run'}
        </button>
      )}
      <p>Below</p>
    </div>
  );
}

/** Types into the field and clicks on the edge of the button, which the field's sentence pushes away. */
async function clickOnLeaving(text: string, change: Change): Promise<void> {
  await renderPart(<Example change={change} />, exampleServices());
  const field = page.getByRole('textbox', { name: 'Hits' });
  await field.click();
  await press(`{Control>}a{/Control}${text}`);
  clicks.length = 0;
  await userEvent.click(page.getByRole('button', { name: 'Run' }), { position: { x: 5, y: 2 } });
}

describe('a click on a button that a field pushes away when it is left', () => {
  it.each(['-3', '1.5', '9999'])('after %s meets the button, once, as one on a button that stays', async (text) => {
    const top = (): number => page.getByRole('button', { name: 'Run' }).element().getBoundingClientRect().top;
    await clickOnLeaving(text, 'moved');
    await expect.element(page.getByText(/can’t be used, so it is/)).toBeVisible();
    expect(clicks).toEqual(['button', 'around']);
    // It was pushed away by more than there was of it below the pointer.
    const after = top();
    await clickOnLeaving('25', 'moved');
    expect(after - top()).toBeGreaterThan(2);
    expect(clicks).toEqual(['button', 'around']);
  });

  it.each(['renamed', 'gone'] as const)('meets nothing where the button is %s by then', async (change) => {
    await clickOnLeaving('-3', change);
    await expect.element(page.getByText(/can’t be used, so it is/)).toBeVisible();
    expect(clicks).not.toContain('button');
  });

  it('is not made of a press that is drawn away from the button', async () => {
    await clickOnLeaving('25', 'moved');
    clicks.length = 0;
    await userEvent.dragAndDrop(page.getByRole('button', { name: 'Run' }), page.getByText('Below'));
    expect(clicks).not.toContain('button');
  });
});
