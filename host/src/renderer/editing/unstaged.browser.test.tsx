import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { cell } from '../testing/gridSteps.test-helper.ts';
import { press, renderProducts } from '../testing/renderWindow.test-helper.tsx';

/** Whether the browser would ask before it leaves the page, as it does for Back, reload and close. */
function asksBeforeLeaving(): boolean {
  const event = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(event);
  return event.defaultPrevented;
}

describe('a text that was typed and not staged', () => {
  it('is asked about before the page is left, and not before anything was typed or after Escape', async () => {
    const grid = await renderProducts();
    await cell(grid, 'Kettle 3').click();
    await press('{F2}');
    await expect.element(page.getByRole('textbox', { name: 'Edit name' })).toHaveFocus();
    expect(asksBeforeLeaving()).toBe(false);
    await userEvent.keyboard('Teapot');
    await expect.poll(asksBeforeLeaving).toBe(true);
    await press('{Escape}');
    await expect.poll(asksBeforeLeaving).toBe(false);
    // A letter that opened the editor replaces the value at once.
    await press('T');
    await expect.poll(asksBeforeLeaving).toBe(true);
    await press('{Escape}');
  });

  it('is asked about in the inspector, too', async () => {
    const grid = await renderProducts();
    await cell(grid, 'Kettle 3').click();
    await press('{Control>}i{/Control}');
    const field = page.getByRole('complementary', { name: 'Value' }).getByLabelText('Value of price', { exact: true });
    await field.click();
    expect(asksBeforeLeaving()).toBe(false);
    await userEvent.fill(field, '12.25');
    await expect.poll(asksBeforeLeaving).toBe(true);
    await press('{Escape}');
    await expect.poll(asksBeforeLeaving).toBe(false);
  });
});
