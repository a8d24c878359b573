import type { Manifest, SignInCredential } from '@tabularium/sdk/manifest';
import { useCallback, useEffect, useRef } from 'react';
import type { ConnectionInput, SavedConnection } from '../../common/connection.ts';
import type { SignInState } from '../../common/signInSteps.ts';
import { api } from '../api/client.ts';
import { problemOf, wasAborted } from '../api/problem.ts';
import { useReloadConnections, useSignInState } from '../api/queries.ts';
import { strings } from '../i18n/index.ts';
import { notify } from '../state/notify.ts';
import type { SecretDraft } from './formModel.ts';
import { providerIn, signInCredentialOf } from './signInCredentialOf.ts';
import { useSignIn } from './useSignIn.ts';
import type { RunningSignIn } from './useSignIn.ts';

/** The sign-in of a connection form. */
export interface FormSignIn {
  readonly credential: SignInCredential;
  readonly signIn: RunningSignIn;
  /** Of the connection as it is saved; undefined: it isn't, or isn't known yet. */
  readonly saved: SignInState | undefined;
  /** Resolves when it is done. */
  readonly onSignOut: () => Promise<void>;
}

interface Options {
  readonly manifest: Manifest;
  readonly saved: SavedConnection | undefined;
  /** The form as it is now. */
  readonly input: ConnectionInput;
  readonly keepIn: 'store' | 'session';
  readonly onDraft: (field: string, draft: SecretDraft) => void;
}

/**
 * Signs in for a form, saved or not. The host holds the sign-in until the form is saved. One that isn't saved when the form is closed is revoked.
 *
 * @returns `row`, undefined where the form chooses another way to sign in; `settle`, to call once the form is saved
 */
export function useFormSignIn({ manifest, saved, input, keepIn, onDraft }: Options): {
  readonly row: FormSignIn | undefined;
  readonly settle: () => void;
} {
  const credential = signInCredentialOf(manifest, input.settings);
  const reload = useReloadConnections();
  const state = useSignInState(credential === undefined ? undefined : saved?.id);
  /** The ticket of what the host holds. */
  const held = useRef<string>(undefined);
  const drop = useCallback((): void => {
    const ticket = held.current;
    held.current = undefined;
    if (ticket !== undefined) void api.connections.dropSignIn.mutate({ ticket }).catch(() => undefined);
  }, []);
  useEffect(() => drop, [drop]);
  const settle = useCallback(() => {
    held.current = undefined;
  }, []);

  /** The field and the provider of the sign-in that runs: the form may be changed meanwhile. */
  const begun = useRef({ field: '', provider: '' });
  const signIn = useSignIn(
    (way, signal) => {
      begun.current = { field: credential?.field ?? '', provider: providerIn(manifest, input.settings) };
      return api.connections.signInForm.mutate(
        {
          // A sign-in needs no name yet.
          input: { ...input, name: input.name === '' ? manifest.title : input.name },
          ...(saved === undefined ? {} : { connectionId: saved.id }),
          ...(way === undefined ? {} : { way }),
        },
        { signal },
      );
    },
    ({ ticket, account, until }) => {
      drop();
      held.current = ticket;
      const { field, provider } = begun.current;
      onDraft(field, { mode: 'signedIn', ticket, provider, keepIn, account, until });
    },
  );

  const onSignOut = async (): Promise<void> => {
    if (credential === undefined) return;
    const ticket = held.current;
    held.current = undefined;
    try {
      const { revoked } =
        ticket === undefined
          ? await api.connections.signOut.mutate({ connectionId: saved?.id ?? '' })
          : await api.connections.dropSignIn.mutate({ ticket });
      notify({ tab: 'none', tone: 'plain', text: revoked ? strings.signIn.signedOut : strings.signIn.signedOutHere });
    } catch (error) {
      if (wasAborted(error)) return;
      notify({ tab: 'none', tone: 'warning', text: problemOf(error).message });
    }
    if (ticket !== undefined) onDraft(credential.field, { mode: 'keep' });
    await reload();
  };

  return {
    row: credential === undefined ? undefined : { credential, signIn, saved: state.data ?? undefined, onSignOut },
    settle,
  };
}
