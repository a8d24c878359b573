import { describe, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { exampleServices, press, renderPart } from '../testing/renderWindow.test-helper.tsx';
import { NameDialog } from './NameDialog.tsx';

const field = page.getByRole('textbox', { name: 'Name' });

async function renderDialog(onSubmit: (name: string) => Promise<void>): Promise<() => void> {
  const onClose = vi.fn();
  await renderPart(
    <NameDialog
      title="Rename Alpha"
      label="Name"
      initialName="Alpha"
      confirm="Rename"
      missing="Enter a name."
      faultOf={(name) => (name === 'Beta' ? 'Another one is named Beta.' : undefined)}
      failed={(name) => `${name} wasn't saved`}
      onSubmit={onSubmit}
      onClose={onClose}
    />,
    exampleServices(),
  );
  await expect.element(field).toHaveFocus();
  return onClose;
}

describe('the dialog that asks for a name', () => {
  it('has the name selected, and submits what is typed without spaces at its ends', async () => {
    const names: string[] = [];
    await renderDialog(async (name) => void names.push(name));
    await press(' Gamma ');
    await press('{Enter}');
    await expect.poll(() => names).toEqual(['Gamma']);
  });

  it('submits no name that is missing or has a fault, and shows which', async () => {
    const onSubmit = vi.fn(async () => undefined);
    await renderDialog(onSubmit);
    await press('{Delete}');
    await expect.element(page.getByText('Enter a name.')).not.toBeInTheDocument();
    await press('{Enter}');
    await expect.element(field).toHaveAccessibleDescription('Enter a name.');
    await press('Beta');
    await expect.element(field).toHaveAccessibleDescription('Another one is named Beta.');
    await press('{Enter}');
    await press('x');
    await expect.element(field).not.toHaveAttribute('aria-invalid', 'true');
    expect(onSubmit).not.toHaveBeenCalled();
  });

  it('submits once while a name is on its way, and shows why it was rejected until another is typed', async () => {
    const gate = Promise.withResolvers<void>();
    const onSubmit = vi.fn(() => gate.promise);
    await renderDialog(onSubmit);
    await press('{Enter}');
    await press('{Enter}');
    gate.reject(new Error('It broke.'));
    await expect.element(page.getByText("Alpha wasn't saved")).toBeVisible();
    expect(onSubmit).toHaveBeenCalledTimes(1);
    await expect.element(field).toHaveValue('Alpha');
    await field.fill('Gamma');
    await expect.element(page.getByText("Alpha wasn't saved")).not.toBeInTheDocument();
  });

  it('leaves with Escape', async () => {
    const onClose = await renderDialog(async () => undefined);
    await press('{Escape}');
    await expect.poll(() => onClose).toHaveBeenCalledTimes(1);
  });
});
