import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { connectionInputSchema } from '../../common/connection.ts';
import type { FormSignInStep } from '../../common/signInSteps.ts';
import { SignedInTokens } from '../credentials/signedInTokens.ts';
import { httpGrantFor } from '../drivers/broker/httpGrant.ts';
import { NEVER, comeBack, heldIn, holdNext, isBrowser, save, signInBench } from './signIns.test-helper.ts';

describe('signing in for a form that is not saved', () => {
  const form = (settings = { port: 1 }) => connectionInputSchema.parse({ name: 'New', driver: 'search', settings });
  const secret = (ticket: string) => ({ key: { kind: 'signedIn' as const, ticket, keepIn: 'store' as const } });

  it('gives the window a ticket; the token stays in the host until the form is saved with it', async () => {
    const { store, driver, provider, secrets, held, signForm } = await signInBench();
    const steps = await signForm(form());
    expect(JSON.stringify(steps)).not.toContain('M4RKED');
    expect(store.values.size).toBe(0);
    const { ticket } = heldIn(steps);
    const input = { ...form(), secrets: secret(ticket) };
    // A test of the form spends the refresh token: what came for it is what is saved.
    const sealed = await secrets.resolveInput(undefined, input, driver);
    const grant = await httpGrantFor(driver, input.settings, sealed, () => Promise.reject(new Error('no files')));
    const headers = new Map<string, string>();
    await grant.addCredentials({ method: 'GET', origin: grant.origin, path: '/', headers, body: 'none' }, NEVER);
    expect(headers.get('authorization')).toBe('Bearer M4RKED-access-2');
    expect(secrets.redact('M4RKED-access-2')).not.toContain('M4RKED');
    const { stored, signIns } = await held.save(input, driver, async (...all) => ({ stored: all[0], signIns: all[1] }));
    expect(stored.secrets['key']).toEqual({ kind: 'store', value: 'M4RKED-refresh-2' });
    expect(signIns).toMatchObject([{ field: 'key', facts: { account: 'ada@example.org' } }]);
    await expect(save(held, input, driver)).rejects.toMatchObject({ code: 'INVALID_REQUEST', details: { field: 'key' } });
    expect(provider.requests).toHaveLength(2);
  });

  it.each(['while it is saved', 'after it was saved'])(
    'stores the refresh token that a test of the form gets %s, and shares it with the sessions',
    async (when) => {
      const { driver, store, secrets, service, signForm, provider, authorization } = await signInBench();
      const { ticket } = heldIn(await signForm(form()));
      const input = { ...form(), secrets: secret(ticket) };
      const sealed = await secrets.resolveInput(undefined, input, driver);
      const grant = await httpGrantFor(driver, input.settings, sealed, () => Promise.reject(new Error('no files')));
      const test = async (): Promise<void> => {
        const request = { method: 'GET', origin: grant.origin, path: '/', headers: new Map(), body: 'none' } as const;
        await grant.addCredentials(request, NEVER);
      };
      const storing = holdNext(store);
      const saving = service.create(input);
      await storing.begun;
      const tested = when === 'while it is saved' ? test() : undefined;
      // Time enough for a refresh that doesn't wait.
      await delay(50);
      expect(provider.requests).toHaveLength(1);
      storing.end();
      const saved = await saving;
      await (tested ?? test());
      expect(store.values.get(`${saved.id}/key`)).toMatch(/:M4RKED-refresh-2$/);
      expect(await authorization(driver, saved.id)).toBe('Bearer M4RKED-access-2');
      expect(provider.requests).toHaveLength(2);
      expect(secrets.redact('M4RKED-refresh-2 M4RKED-access-2')).not.toContain('M4RKED');
    },
  );

  it('refuses a ticket that was never given, and one of another provider', async () => {
    const { driver, secrets, held, signForm } = await signInBench();
    const { ticket } = heldIn(await signForm(form()));
    const input = { ...form(), secrets: secret(ticket) };
    const elsewhere = structuredClone(driver.manifest);
    Object.assign(elsewhere.permissions.http?.credentials[0] ?? {}, { tokenUrl: { value: 'https://evil.example/token' } });
    const evil = { ...driver, manifest: elsewhere };
    await expect(save(held, input, evil)).rejects.toThrow('another provider');
    await expect(secrets.resolveInput(undefined, input, evil)).rejects.toThrow('another provider');
    const guessed = { ...form(), secrets: secret('00000000-0000-4000-8000-000000000000') };
    await expect(save(held, guessed, driver)).rejects.toThrow('no longer there');
  });

  it('revokes the sign-in of a form that is closed without saving, once', async () => {
    const { provider, signIns, signForm } = await signInBench();
    const { ticket } = heldIn(await signForm(form()));
    expect(await signIns.dropHeld(ticket)).toEqual({ wasSignedIn: true, revoked: true });
    expect(provider.requests.at(-1)?.body).toContain('token=M4RKED-refresh-1');
    expect(await signIns.dropHeld(ticket)).toEqual({ wasSignedIn: false, revoked: false });
  });

  it('gives way as the oldest of many, and is revoked then', async () => {
    const { provider, held, signForm, driver } = await signInBench();
    const { ticket } = heldIn(await signForm(form()));
    const other = {
      field: 'key',
      tokens: new SignedInTokens('other'),
      place: '',
      facts: {},
      revoke: () => Promise.reject(new Error('away')),
    };
    const others = Array.from({ length: 31 }, () => held.hold(other));
    expect(provider.requests.map(({ body }) => body).join()).not.toContain('token=M4RKED-refresh-1&');
    held.hold(other);
    await expect.poll(() => provider.requests.at(-1)?.body).toContain('token=M4RKED-refresh-1');
    await expect(save(held, { ...form(), secrets: secret(ticket) }, driver)).rejects.toThrow('no longer there');
    // One whose provider is away gives way all the same.
    held.hold(other);
    expect(await held.drop(others[0] ?? '')).toMatchObject({ wasSignedIn: false });
    expect(await held.drop(others[1] ?? '')).toMatchObject({ wasSignedIn: true });
  });

  it('is revoked when nothing used it for a time, as after a crash of its window', async () => {
    const { revoked, held, signForm, driver } = await signInBench({ heldTime: 50 });
    const { ticket } = heldIn(await signForm(form()));
    await expect.poll(revoked).toEqual(['M4RKED-refresh-1']);
    await expect(save(held, { ...form(), secrets: secret(ticket) }, driver)).rejects.toThrow('no longer there');
  });

  it('is revoked when the host stops, which waits for that', async () => {
    const { revoked, held, revocations, signForm } = await signInBench({
      onRevocation: (response) => void setTimeout(() => response.end(), 100),
    });
    await signForm(form());
    held[Symbol.dispose]();
    await revocations[Symbol.asyncDispose]();
    expect(revoked()).toEqual(['M4RKED-refresh-1']);
  });

  it('is revoked when its window is gone before it has the ticket', async () => {
    const { revoked, held, signIns } = await signInBench();
    const hold = vi.spyOn(held, 'hold');
    const steps = signIns.signInForm({ input: form() }, NEVER);
    const first: IteratorResult<FormSignInStep, unknown> = await steps.next();
    await comeBack(isBrowser(first.value) ? first.value.address : '');
    await expect.poll(() => hold.mock.results).toHaveLength(1);
    expect(revoked()).toEqual([]);
    await steps.return(undefined);
    await expect.poll(revoked).toEqual(['M4RKED-refresh-1']);
  });

  it('is not revoked by closing the form while it is saved; it is where saving fails', async () => {
    const { revoked, held, signIns, signForm, driver } = await signInBench();
    const { ticket } = heldIn(await signForm(form()));
    const input = { ...form(), secrets: secret(ticket) };
    const dropped = await held.save(input, driver, () => signIns.dropHeld(ticket));
    expect(dropped).toEqual({ wasSignedIn: true, revoked: false });
    expect(revoked()).toEqual([]);

    const second = heldIn(await signForm(form())).ticket;
    const failing = held.save({ ...form(), secrets: secret(second) }, driver, async () => {
      await signIns.dropHeld(second);
      throw new Error('the disk is full');
    });
    await expect(failing).rejects.toThrow('the disk is full');
    await expect.poll(revoked).toEqual(['M4RKED-refresh-2']);
  });

  it('stays for another try where saving fails', async () => {
    const { revoked, held, signForm, driver } = await signInBench();
    const { ticket } = heldIn(await signForm(form()));
    const input = { ...form(), secrets: secret(ticket) };
    await expect(held.save(input, driver, () => Promise.reject(new Error('locked')))).rejects.toThrow('locked');
    expect((await save(held, input, driver)).secrets['key']).toMatchObject({ value: 'M4RKED-refresh-1' });
    expect(revoked()).toEqual([]);
  });

  it('writes down that a provider could not be asked to revoke it, and fails nothing', async () => {
    const { signIns, signForm, warnings } = await signInBench({
      onRevocation: (response) => void response.writeHead(503).end('M4RKED'),
    });
    const { ticket } = heldIn(await signForm(form()));
    expect(await signIns.dropHeld(ticket)).toEqual({ wasSignedIn: true, revoked: false });
    expect(warnings).toEqual([expect.stringContaining('could not be revoked at its provider')]);
    expect(warnings.join('')).not.toContain('M4RKED');
  });

  it('ends with the window that reads its steps, and holds nothing then', async () => {
    const { provider, signIns } = await signInBench();
    const steps = signIns.signInForm({ input: form() }, NEVER);
    const first: IteratorResult<FormSignInStep, unknown> = await steps.next();
    const sent = isBrowser(first.value) ? first.value.address : '';
    expect(signIns.sendsTo(sent)).toBe(true);
    expect(signIns.sendsTo(`${sent}&more=1`)).toBe(false);
    await steps.return(undefined);
    await expect.poll(() => signIns.sendsTo(sent)).toBe(false);
    const address = new URL(isBrowser(first.value) ? first.value.address : '');
    await expect(fetch(address.searchParams.get('redirect_uri') ?? '')).rejects.toThrow();
    expect(provider.requests).toEqual([]);
  });
});
