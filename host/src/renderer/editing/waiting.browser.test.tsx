import { describe, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { ApiContext } from '../../runtime/api/context.ts';
import { cell, retype } from '../testing/gridSteps.test-helper.ts';
import { exampleServices, press, renderProducts } from '../testing/renderWindow.test-helper.tsx';

/** A host that answers no step of editing before it is let go, and the steps in the order in which they reached it. */
function slowHost(): { readonly services: ApiContext; readonly calls: string[]; readonly answer: () => void } {
  const services = exampleServices();
  const { editing } = services;
  const [stage, undo] = [editing.stage.bind(editing), editing.undo.bind(editing)];
  const calls: string[] = [];
  const held = Promise.withResolvers<void>();
  vi.spyOn(editing, 'stage').mockImplementation(async (...asked) => {
    calls.push('stage');
    await held.promise;
    return stage(...asked);
  });
  vi.spyOn(editing, 'undo').mockImplementation((...asked) => {
    calls.push('undo');
    return undo(...asked);
  });
  return { services, calls, answer: held.resolve };
}

describe('while the host does not answer', () => {
  it('a change is shown as it was typed, with how many wait', async () => {
    const { services, answer } = slowHost();
    const grid = await renderProducts(services);
    await retype(grid, 'Kettle 3', 'Teapot{Enter}');
    await expect.element(page.getByText('1 step waits for Tabularium')).toBeVisible();
    await expect.element(cell(grid, 'Teapot')).toHaveAttribute('data-changed', 'true');
    await cell(grid, 'Bottle 4').click();
    await press('{Delete}');
    await expect.element(page.getByText('2 steps wait for Tabularium')).toBeVisible();
    await expect.element(grid.getByRole('row', { name: /Bottle 4 / })).toHaveAttribute('data-staged', 'delete');
    answer();
    await expect.element(page.getByText('2 changes', { exact: true })).toBeVisible();
    await expect.element(page.getByText('wait for Tabularium')).not.toBeInTheDocument();
    await expect.element(cell(grid, 'Teapot')).toHaveAttribute('data-changed', 'true');
  });

  it('steps reach it in the order of the person: undo takes back the newest one', async () => {
    const { services, calls, answer } = slowHost();
    const grid = await renderProducts(services);
    await retype(grid, 'Kettle 3', 'Teapot{Enter}');
    await retype(grid, 'Bottle 4', 'Jug{Enter}');
    await press('{Control>}z{/Control}');
    await expect.element(page.getByText('3 steps wait for Tabularium')).toBeVisible();
    expect(calls).toEqual(['stage']);
    answer();
    await expect.poll(() => calls).toEqual(['stage', 'stage', 'undo']);
    await expect.element(page.getByText('wait for Tabularium')).not.toBeInTheDocument();
    await expect.element(page.getByText('1 change', { exact: true })).toBeVisible();
    await expect.element(cell(grid, 'Teapot')).toHaveAttribute('data-changed', 'true');
    await expect.element(cell(grid, 'Bottle 4')).not.toHaveAttribute('data-changed');
  });
});

it('the grid has the keys after everything was discarded, so that Ctrl+Z brings it back', async () => {
  const grid = await renderProducts();
  await retype(grid, 'Kettle 3', 'Teapot{Enter}');
  await page.getByRole('button', { name: 'Discard', exact: true }).click();
  await page.getByRole('button', { name: 'Discard 1 change' }).click();
  await expect.element(cell(grid, 'Kettle 3')).toBeVisible();
  await expect.element(grid).toHaveFocus();
  await press('{Control>}z{/Control}');
  await expect.element(cell(grid, 'Teapot')).toHaveAttribute('data-changed', 'true');
});
