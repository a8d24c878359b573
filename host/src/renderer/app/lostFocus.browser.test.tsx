import { Modal } from '@mantine/core';
import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { HostError } from '../../common/errors.ts';
import type { ErrorQuestions } from '../../common/errorQuestions.ts';
import type { ApiContext } from '../../runtime/api/context.ts';
import { exampleManifest } from '../testing/exampleManifest.test-helper.ts';
import { fakeContext } from '../testing/fakeContext.test-helper.ts';
import { exampleServices, press, renderPart, renderWindow } from '../testing/renderWindow.test-helper.tsx';
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

class GrantNeeded extends HostError {
  constructor() {
    super('GRANT_NEEDED');
  }

  override get questions(): ErrorQuestions {
    const { id, title, permissions } = exampleManifest;
    return {
      grantQuestion: {
        driver: { id, title, packageName: '@example/driver', version: '1.0.0' },
        publisher: { id: 'example', name: 'Example', fingerprint: '', origin: 'firstParty' },
        askedBy: 'example',
        grants: ['secrets'],
        missing: ['secrets'],
        permissions,
      },
    };
  }
}

/** A connection whose driver asks for the credentials before it opens, as slowly as a test asks. */
function askingServices(): { readonly services: ApiContext; readonly answer: () => void } {
  const services = exampleServices();
  const connected = Promise.withResolvers<void>();
  let isAllowed = false;
  return {
    answer: () => connected.resolve(),
    services: fakeContext({
      ...services,
      driverManagement: {
        ...services.driverManagement,
        allowGrants: () => {
          isAllowed = true;
        },
      },
      openConnections: {
        ...services.openConnections,
        open: async function* (id, secrets, signal) {
          if (!isAllowed) throw new GrantNeeded();
          yield { step: 'connecting' };
          await connected.promise;
          yield* services.openConnections.open(id, secrets, signal);
        },
      },
    }),
  };
}

describe('after a question whose page has taken the place of the list of connections', () => {
  const question = page.getByRole('dialog', { name: /see credentials/ });
  const open = async (services: ApiContext): Promise<void> => {
    await renderWindow(services);
    const row = page.getByRole('button', { name: /^Open Shop/ });
    await expect.element(row).toBeVisible();
    row.element().focus();
    await press('{Enter}');
    await expect.element(question.getByRole('button', { name: "Don't allow" })).toHaveFocus();
  };

  it('the keyboard is on the page behind it when it was refused', async () => {
    await open(askingServices().services);
    await press('{Escape}');
    await expect.element(page.getByRole('button', { name: 'Edit connection…' })).toHaveFocus();
  });

  const filter = page.getByRole('navigation', { name: 'Tables' }).getByRole('textbox');

  it('the keyboard is on the page that opens, and then in the connection', async () => {
    const { services, answer } = askingServices();
    await open(services);
    await question.getByRole('button', { name: 'Allow', exact: true }).click();
    await expect.element(page.getByRole('main')).toHaveFocus();
    answer();
    await expect.element(filter).toHaveFocus();
  });

  it('a key that is still held ends nothing of what it began', async () => {
    const { services, answer } = askingServices();
    await open(services);
    await question.getByRole('button', { name: 'Allow', exact: true }).click();
    await expect.element(page.getByRole('main')).toHaveFocus();
    await press('{Enter}');
    answer();
    await expect.element(filter).toBeVisible();
  });
});
