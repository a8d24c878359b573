import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { exampleServices, renderPart } from '../testing/renderWindow.test-helper.tsx';
import { useWaitingBars } from '../state/waitingWork.ts';
import { WaitingWork } from './WaitingWork.tsx';

function Bars({ part, count }: { readonly part: string; readonly count: number }) {
  useWaitingBars(part, count);
  return Array.from({ length: count }, (_, place) => (
    <p key={place}>
      {part} {place + 1}
    </p>
  ));
}

const draw = (imports: number, operations: number): Promise<void> =>
  renderPart(
    <WaitingWork>
      <Bars part="import" count={imports} />
      <Bars part="operation" count={operations} />
    </WaitingWork>,
    exampleServices(),
  );

it('up to two bars are on the screen, one below the other', async () => {
  await draw(1, 1);
  const [first, second] = [page.getByText('import 1'), page.getByText('operation 1')];
  await expect.element(first).toBeVisible();
  await expect.element(second).toBeVisible();
  expect(second.element().getBoundingClientRect().top).toBeGreaterThanOrEqual(first.element().getBoundingClientRect().bottom);
  await expect.element(page.getByRole('button', { name: 'Unfold' })).not.toBeInTheDocument();
});

it('more than two fold into one line, which unfolds', async () => {
  await draw(2, 1);
  await expect
    .element(page.getByRole('status'))
    .toHaveTextContent('3 imports, exports and operations are running, waiting or ended with rows to look at.');
  await expect.element(page.getByText('import 2')).not.toBeVisible();
  await page.getByRole('button', { name: 'Unfold' }).click();
  await expect.element(page.getByText('import 2')).toBeVisible();
  await expect.element(page.getByText('operation 1')).toBeVisible();
  await page.getByRole('button', { name: 'Fold' }).click();
  await expect.element(page.getByText('operation 1')).not.toBeVisible();
});
