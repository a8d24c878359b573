import { describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Locator } from 'vitest/browser';
import type { SaveEvent } from '../../common/editing.ts';
import type { ApiContext } from '../../runtime/api/context.ts';
import { PRODUCTS, PRODUCTS_DESCRIPTION } from '../testing/exampleTable.test-helper.ts';
import { retype } from '../testing/gridSteps.test-helper.ts';
import { exampleServices, press, renderProducts, renderWindow } from '../testing/renderWindow.test-helper.tsx';

// A review always says what is true of the changes that are staged now.

const review = (): Locator => page.getByRole('dialog', { name: 'Changes of products' });
const button = (name: string): Locator => review().getByRole('button', { name });
const says = (text: string | RegExp): Locator => review().getByText(text);
const open = (): Promise<void> => userEvent.click(page.getByRole('button', { name: 'Review…' }));
const WAITING = 'Waiting for the requests…';

type SaveError = NonNullable<Extract<SaveEvent, { type: 'end' }>['error']>;

/** A host whose saves wait before they begin. */
function slowSaves(): { readonly services: ApiContext; readonly letGo: () => void } {
  const services = exampleServices();
  const { editing } = services;
  const save = editing.save.bind(editing);
  const held = Promise.withResolvers<void>();
  vi.spyOn(editing, 'save').mockImplementation(async function* (...asked) {
    await held.promise;
    yield* save(...asked);
  });
  return { services, letGo: held.resolve };
}

/** All changes in one transaction. */
function inOneTransaction(services: ApiContext): ApiContext {
  const { key } = PRODUCTS_DESCRIPTION;
  vi.spyOn(services.editing, 'ability').mockResolvedValue({ allowed: true, key, atomicity: 'all' });
  return services;
}

describe('a review that is opened after a save which ended while it was closed', () => {
  it('is a new one, of what could not be saved', async () => {
    const { services, letGo } = slowSaves();
    const grid = await renderProducts(services);
    await retype(grid, '37.5', '13{Enter}');
    await open();
    await button('Save 1 change').click();
    await press('{Escape}');
    await expect.element(review()).not.toBeInTheDocument();
    letGo();
    await expect.element(page.getByText('1 failed', { exact: true })).toBeVisible();
    await open();
    await expect.element(says(/^These requests will be sent, in this order\./)).toBeVisible();
    await expect.element(says(/"price",13/)).toBeVisible();
    await expect.element(says(WAITING)).not.toBeInTheDocument();
    await expect.element(button('Save 1 change')).toBeEnabled();
  });

  it('has changes that were staged since, too', async () => {
    const { services, letGo } = slowSaves();
    const grid = await renderProducts(services);
    await retype(grid, 'Lamp 1', 'Floor lamp{Enter}');
    await open();
    await button('Save 1 change').click();
    await press('{Escape}');
    letGo();
    await expect.element(page.getByText('Saved 1 change of products')).toBeVisible();
    await retype(grid, 'Chair 2', 'Stool{Enter}');
    await open();
    await expect.element(says(/"Stool"/)).toBeVisible();
    await button('Save 1 change').click();
    await expect.element(review()).not.toBeInTheDocument();
  });

  it('lists what became of each also where it was opened during the save', async () => {
    const { services, letGo } = slowSaves();
    const grid = await renderProducts(services);
    await retype(grid, '37.5', '13{Enter}');
    await open();
    await button('Save 1 change').click();
    await press('{Escape}');
    await open();
    await expect.element(says(/^These requests are being sent/)).toBeVisible();
    await expect.element(says(WAITING)).not.toBeInTheDocument();
    letGo();
    await expect.element(says('Failed')).toBeVisible();
    await expect.element(says('“price”: No price may be 13.')).toBeVisible();
    await expect.element(says(WAITING)).not.toBeInTheDocument();
  });
});

it('Enter saves once the requests are there, although they came after the dialog', async () => {
  const services = exampleServices();
  const { editing } = services;
  const reviewed = editing.review.bind(editing);
  const held = Promise.withResolvers<void>();
  vi.spyOn(editing, 'review').mockImplementation(async (...asked) => {
    await held.promise;
    return reviewed(...asked);
  });
  const grid = await renderProducts(services);
  await retype(grid, 'Lamp 1', 'Floor lamp{Enter}');
  await open();
  await expect.element(says(WAITING)).toBeVisible();
  // Where a dialog has the focus when there is nothing in it to press.
  review().element().focus();
  held.resolve();
  await expect.element(button('Save 1 change')).toHaveFocus();
  await press('{Enter}');
  await expect.element(review()).not.toBeInTheDocument();
  await expect.element(page.getByText('1 change', { exact: true })).not.toBeInTheDocument();
});

it('while changes are being sent, the review says that, and not that they will be', async () => {
  const { services, letGo } = slowSaves();
  const grid = await renderProducts(services);
  await retype(grid, 'Lamp 1', 'Floor lamp{Enter}');
  await open();
  await expect.element(says(/Nothing is sent before you save\.$/)).toBeVisible();
  await button('Save 1 change').click();
  await expect.element(says('These requests are being sent, in this order: 0 of 1 are done.')).toBeVisible();
  await expect.element(says('Changes that are not saved stay staged here, also after a crash.')).toBeVisible();
  await expect.element(says(/will be sent|Nothing is sent/)).not.toBeInTheDocument();
  letGo();
  await expect.element(page.getByText('Saved 1 change of products')).toBeVisible();
});

describe('a change that can’t be saved as it is', () => {
  it('says so with its column, and leads to its cell', async () => {
    const grid = await renderProducts();
    await retype(grid, 'Lamp 1', 'Floor lamp{Enter}');
    await retype(grid, '37.5', '15{Enter}');
    await open();
    await expect.element(says('1 change is not ready to be saved: it is marked below, and stays staged.')).toBeVisible();
    await expect.element(says("Can't be sent: “price”: Prices of 15 have no request.")).toBeVisible();
    await expect.element(review().getByRole('row', { name: 'price 37.5 15' })).toHaveAttribute('data-fault', 'true');
    await button('Go to the first').click();
    await expect.element(review().getByRole('listitem').nth(1)).toHaveFocus();
    await button('Show in the table').click();
    await expect.element(review()).not.toBeInTheDocument();
    await expect
      .element(grid.getByRole('gridcell', { name: '15', exact: true }).first())
      .toHaveAttribute('aria-selected', 'true');
    await expect.element(grid).toHaveFocus();
  });

  it('says that the others of its transaction wait for it', async () => {
    const grid = await renderProducts(inOneTransaction(exampleServices()));
    await retype(grid, 'Lamp 1', 'Floor lamp{Enter}');
    await retype(grid, '37.5', '15{Enter}');
    await open();
    await expect
      .element(
        says(
          '1 change is not ready to be saved: it is marked below. All changes are one transaction, so the other one waits for that.',
        ),
      )
      .toBeVisible();
    await expect.element(button('Save 2 changes')).toBeDisabled();
  });

  it('gets the focus where it failed', async () => {
    const grid = await renderProducts();
    await retype(grid, 'Lamp 1', 'Floor lamp{Enter}');
    await retype(grid, '37.5', '13{Enter}');
    await open();
    await button('Save 2 changes').click();
    await expect.element(review().getByRole('listitem').nth(1)).toHaveFocus();
  });
});

it('where the connection became read-only, the review says that and offers no save', async () => {
  const services = exampleServices();
  const [connection] = services.connectionStore.list();
  const cells = [{ column: 'name', value: 'Floor lamp', original: 'Lamp 1' }];
  await services.editing.stage(
    connection?.id ?? '',
    PRODUCTS,
    [{ kind: 'update', row: { key: [1] }, cells }],
    new AbortController().signal,
  );
  vi.spyOn(services.editing, 'ability').mockResolvedValue({ allowed: false, reason: 'The connection is read-only.' });
  await renderWindow(services, 'products');
  await open();
  await expect.element(says("These changes stay staged and can't be saved now. The connection is read-only.")).toBeVisible();
  await expect.element(says(/independent|one transaction/)).not.toBeInTheDocument();
  await expect.element(button('Save 1 change')).toBeDisabled();
});

it('values that differ in blanks or in their bytes never look the same', async () => {
  const grid = await renderProducts();
  await retype(grid, 'Lamp 1', 'Lamp 1  {Enter}');
  await open();
  await expect.element(review().getByRole('row', { name: 'name Lamp 1 Lamp 1··' })).toBeVisible();
});

it('every field at fault of a row is named and marked at once', async () => {
  const services = exampleServices();
  const { editing } = services;
  const reviewed = editing.review.bind(editing);
  vi.spyOn(editing, 'review').mockImplementation(async (...asked) =>
    (await reviewed(...asked)).map((change) => ({ ...change, more: [{ message: 'Too long a name.', column: 'name' }] })),
  );
  const grid = await renderProducts(services);
  await retype(grid, 'Chair 2', 'Stool{Enter}');
  await retype(grid, '37.5', '15{Enter}');
  await open();
  await expect.element(says("Can't be sent: “price”: Prices of 15 have no request.")).toBeVisible();
  await expect.element(says("Can't be sent: “name”: Too long a name.")).toBeVisible();
  for (const name of ['price 37.5 15', 'name Chair 2 Stool'])
    await expect.element(review().getByRole('row', { name })).toHaveAttribute('data-fault', 'true');
});

describe('a save that ended before its changes were made', () => {
  const ended = (error: SaveError): ApiContext => {
    const services = exampleServices();
    const { editing } = services;
    const save = editing.save.bind(editing);
    vi.spyOn(editing, 'save').mockImplementationOnce(async function* () {
      yield { type: 'begin', rows: 1 };
      yield { type: 'end', saved: 0, failed: 0, unknown: 0, notTried: 1, error };
    });
    vi.mocked(editing.save).mockImplementation(save);
    return services;
  };
  const nothing = { advice: '', retryable: false, details: {} };

  it('by somebody who cancelled it says that nothing was changed', async () => {
    const grid = await renderProducts(ended({ code: 'CANCELLED', message: 'Cancelled.', ...nothing }));
    await retype(grid, 'Lamp 1', 'Floor lamp{Enter}');
    await open();
    await button('Save 1 change').click();
    const text = 'The save was cancelled, and nothing was changed: 1 change stays staged.';
    await expect.element(says(text)).toBeVisible();
    await expect.element(page.getByText(text).nth(1)).toBeInTheDocument();
    await expect.element(says(/could not be saved|couldn't be saved/)).not.toBeInTheDocument();
  });

  it('by a cancel that takes its time says so until then, and keeps the focus', async () => {
    const services = exampleServices();
    const { editing } = services;
    const stopped = Promise.withResolvers<void>();
    vi.spyOn(editing, 'save').mockImplementationOnce(async function* () {
      yield { type: 'begin', rows: 1 };
      await stopped.promise;
      const error = { code: 'CANCELLED' as const, message: 'Cancelled.', ...nothing };
      yield { type: 'end', saved: 0, failed: 0, unknown: 0, notTried: 1, error };
    });
    const cancelSave = vi.spyOn(editing, 'cancelSave');
    const grid = await renderProducts(services);
    await retype(grid, 'Lamp 1', 'Floor lamp{Enter}');
    await open();
    await button('Save 1 change').click();
    const cancel = review().getByRole('button', { name: 'Cancel' });
    await cancel.click();
    await expect.element(review().getByText('Cancelling the save of products…')).toBeVisible();
    await expect.element(cancel).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    expect(cancelSave).toHaveBeenCalledOnce();
    stopped.resolve();
    await expect.element(says('The save was cancelled, and nothing was changed: 1 change stays staged.')).toBeVisible();
  });

  it('because of a lock says that, without a decision between two values, and can be tried again', async () => {
    const message = 'Another session has locked “products”, or what it reads.';
    const grid = await renderProducts(ended({ code: 'CONFLICT', message, ...nothing, details: { status: '55P03' } }));
    await retype(grid, 'Lamp 1', 'Floor lamp{Enter}');
    await open();
    await button('Save 1 change').click();
    await expect.element(says(message)).toBeVisible();
    await expect.element(button('Keep mine')).not.toBeInTheDocument();
    await button('Try again').click();
    await expect.element(page.getByText('Saved 1 change of products')).toBeVisible();
    await expect.element(review()).not.toBeInTheDocument();
  });
});
