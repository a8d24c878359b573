import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { ApprovalAnswer, PendingApproval } from '../../common/integrations.ts';
import type { ApiContext } from '../../runtime/api/context.ts';
import { fakeContext } from '../testing/fakeContext.test-helper.ts';
import { exampleServices, hold, press, renderPart } from '../testing/renderWindow.test-helper.tsx';
import { ApprovalDialog } from './ApprovalDialog.tsx';
import { TokensPane } from './TokensPane.tsx';

const approval = (more: Partial<PendingApproval> = {}): PendingApproval => ({
  id: crypto.randomUUID(),
  principalName: 'Laptop',
  principalKind: 'user',
  client: { name: 'Helper', version: '1.2' },
  connectionId: crypto.randomUUID(),
  connectionName: 'Shop',
  tool: 'run_statement',
  effect: 'write',
  summary: 'change products',
  text: 'change products set price = 1',
  digest: 'd'.repeat(43),
  askedAt: '2026-03-01T08:00:00.000Z',
  expiresAt: '2026-03-01T08:02:00.000Z',
  ...more,
});

interface Asked {
  readonly services: ApiContext;
  readonly answers: ApprovalAnswer[];
}

/** A client that asks for these, one after the other. */
function asking(...pending: PendingApproval[]): Asked {
  const services = exampleServices();
  const answers: ApprovalAnswer[] = [];
  let changed = Promise.withResolvers<void>();
  return {
    answers,
    services: fakeContext({
      ...services,
      integrations: {
        ...services.integrations,
        watchApprovals: async function* (signal) {
          while (!signal.aborted) {
            yield [...pending];
            await Promise.race([changed.promise, new Promise((resolve) => signal.addEventListener('abort', resolve))]);
          }
        },
        answerApproval: (_id, answer) => {
          answers.push(answer);
          pending.shift();
          changed.resolve();
          changed = Promise.withResolvers();
          return { outcome: 'taken' };
        },
      },
    }),
  };
}

const dialog = page.getByRole('dialog');
const once = dialog.getByRole('button', { name: 'Allow once' });
const deny = dialog.getByRole('button', { name: 'Deny' });

describe('the approval dialog', () => {
  it('names client, connection and effect, and shows the whole statement', async () => {
    const { services } = asking(approval());
    await renderPart(<ApprovalDialog />, services);
    await expect.element(page.getByRole('dialog', { name: 'Allow “Helper” to change data in “Shop”?' })).toBeVisible();
    await expect.element(dialog.getByText('change products set price = 1')).toBeVisible();
    await expect.element(dialog.getByText('Helper 1.2, by its own account')).toBeVisible();
  });

  it('is not answered by an Enter that was held down when it came', async () => {
    const { services, answers } = asking(approval());
    await renderPart(<ApprovalDialog />, services);
    await expect.element(deny).toHaveFocus();
    await hold('Enter', 1_500);
    await expect.element(once).toBeEnabled();
    expect(answers).toEqual([]);
    await expect.element(dialog).toBeVisible();
  });

  it('allows nothing before a person can have seen it', async () => {
    const { services } = asking(approval());
    await renderPart(<ApprovalDialog />, services);
    await expect.element(once).toBeDisabled();
    await expect.element(once).toBeEnabled();
  });

  it('is not answered by Escape or a click beside it', async () => {
    const { services, answers } = asking(approval());
    await renderPart(<ApprovalDialog />, services);
    await expect.element(once).toBeEnabled();
    await press('{Escape}');
    await userEvent.click(document.body, { position: { x: 5, y: 5 }, force: true });
    await expect.element(dialog).toBeVisible();
    expect(answers).toEqual([]);
  });

  it('allows once with a click, and goes away', async () => {
    const { services, answers } = asking(approval());
    await renderPart(<ApprovalDialog />, services);
    await once.click();
    await expect.element(dialog).not.toBeInTheDocument();
    expect(answers).toEqual(['once']);
  });

  it('denies with Enter once it has been in sight', async () => {
    const { services, answers } = asking(approval());
    await renderPart(<ApprovalDialog />, services);
    await expect.element(once).toBeEnabled();
    await press('{Enter}');
    await expect.element(dialog).not.toBeInTheDocument();
    expect(answers).toEqual(['deny']);
  });

  it('offers no “Always allow” for what destroys data', async () => {
    const { services } = asking(approval({ effect: 'destructive' }));
    await renderPart(<ApprovalDialog />, services);
    await expect.element(page.getByRole('dialog', { name: 'Allow “Helper” to destroy data in “Shop”?' })).toBeVisible();
    await expect.element(dialog.getByRole('button', { name: 'Always allow' })).not.toBeInTheDocument();
  });

  it('allows a long statement only after its end was in sight', async () => {
    const text = Array.from({ length: 400 }, (_, line) => `change row ${line}`).join('\n');
    const { services } = asking(approval({ text }));
    await renderPart(<ApprovalDialog />, services);
    await expect.element(dialog.getByText('Scroll to the end to allow it.')).toBeVisible();
    await expect.element(once).toBeDisabled();
    await dialog.getByRole('region', { name: 'change products' }).click();
    await press('{Control>}{End}{/Control}{End}');
    await expect.element(once).toBeEnabled();
  });

  it('asks one question at a time, and the next begins unarmed', async () => {
    const { services, answers } = asking(approval(), approval({ summary: 'change orders', text: 'change orders' }));
    await renderPart(<ApprovalDialog />, services);
    await expect.element(dialog.getByText(/1 more wait/)).toBeVisible();
    await once.click();
    await expect.element(dialog.getByRole('region', { name: 'change orders' })).toBeVisible();
    expect(answers).toEqual(['once']);
    await once.click();
    await expect.element(dialog).not.toBeInTheDocument();
    expect(answers).toEqual(['once', 'once']);
  });

  it('makes hidden characters of a statement visible', async () => {
    const { services } = asking(approval({ text: 'change prod\u202Eucts' }));
    await renderPart(<ApprovalDialog />, services);
    await expect.element(dialog.getByText('change prod⟨U+202E⟩ucts')).toBeVisible();
  });
});

describe('tokens', () => {
  it('are made with the fewest rights unless a person says otherwise, and shown once', async () => {
    const services = exampleServices();
    await renderPart(<TokensPane />, services);
    await page.getByRole('button', { name: 'New token…' }).click();
    await expect.element(dialog.getByRole('textbox', { name: 'Name' })).toHaveFocus();
    await expect.element(dialog.getByRole('radio', { name: 'Read', exact: true })).toBeChecked();
    await press('Laptop{Enter}');
    const shown = dialog.getByLabelText('Token', { exact: true });
    await expect.element(shown).toBeVisible();
    const text = shown.element().textContent;
    expect(text).toMatch(/^tbm_/);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect.element(page.getByRole('list', { name: 'Authentication' }).getByText('Laptop')).toBeVisible();
    expect(document.body.textContent).not.toContain(text);
  });

  it('are not made without a name', async () => {
    await renderPart(<TokensPane />, exampleServices());
    await page.getByRole('button', { name: 'New token…' }).click();
    await expect.element(dialog.getByRole('button', { name: 'Create token' })).toBeDisabled();
    await press('L');
    await expect.element(dialog.getByRole('button', { name: 'Create token' })).toBeEnabled();
  });

  it('are shown until a person closes them: a click beside the dialog does not', async () => {
    await renderPart(<TokensPane />, exampleServices());
    await page.getByRole('button', { name: 'New token…' }).click();
    await expect.element(dialog.getByRole('textbox', { name: 'Name' })).toHaveFocus();
    await press('Laptop{Enter}');
    await expect.element(dialog.getByLabelText('Token', { exact: true })).toBeVisible();
    await userEvent.click(document.body, { position: { x: 5, y: 5 }, force: true });
    await expect.element(dialog.getByLabelText('Token', { exact: true })).toBeVisible();
  });

  it('are revoked after a question that names them', async () => {
    const services = exampleServices();
    services.integrations.mint({ name: 'Laptop', scope: 'readOnly' });
    await renderPart(<TokensPane />, services);
    await page.getByRole('button', { name: 'Revoke Laptop' }).click();
    const question = page.getByRole('dialog', { name: 'Revoke “Laptop”?' });
    await expect.element(question.getByRole('button', { name: 'Cancel' })).toHaveFocus();
    await question.getByRole('button', { name: 'Revoke' }).click();
    await expect.element(page.getByText('Revoked')).toBeVisible();
    await expect.element(page.getByRole('button', { name: 'Revoke Laptop' })).not.toBeInTheDocument();
  });
});
