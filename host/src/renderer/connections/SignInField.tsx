import { Button, Input } from '@mantine/core';
import type { SignInCredential } from '@tabularium/sdk/manifest';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { SignInState } from '../../common/signInSteps.ts';
import { strings } from '../i18n/index.ts';
import type { SecretDraft } from './formModel.ts';
import { signedInText } from './signedInText.ts';
import { SignInBox } from './SignInBox.tsx';
import { signInWaysOf } from './signInWaysOf.ts';
import type { RunningSignIn } from './useSignIn.ts';

interface Props {
  readonly label: string;
  readonly credential: SignInCredential;
  readonly signIn: RunningSignIn;
  readonly draft: SecretDraft | undefined;
  /** Of the connection as it is saved; undefined: it isn't, or isn't known yet. */
  readonly saved: SignInState | undefined;
  /** The form has named another provider since the person signed in. */
  readonly isElsewhere: boolean;
  readonly error: string | undefined;
  /** @returns when it is done */
  readonly onSignOut: () => Promise<void>;
}

/** In the place of a secret field: the sign-in at a provider. */
export function SignInField({ label, credential, signIn, draft, saved, isElsewhere, error, onSignOut }: Props): ReactNode {
  const words = strings.signIn;
  const [isSigningOut, setSigningOut] = useState(false);
  const held = draft?.mode === 'signedIn' ? draft : undefined;
  const isIn = (held !== undefined && !isElsewhere) || (held === undefined && saved?.is === 'in');
  const shown = stateOf(held, saved, isElsewhere);
  const signOut = async (): Promise<void> => {
    setSigningOut(true);
    await onSignOut();
    setSigningOut(false);
  };
  return (
    <Input.Wrapper label={label} error={error} labelElement="div" size="xs" data-sign-in>
      <SignInBox
        signIn={signIn}
        ways={signInWaysOf(credential)}
        isSignedIn={isIn}
        {...shown}
        actions={
          isIn ? (
            <Button size="compact-sm" variant="subtle" color="gray" loading={isSigningOut} onClick={() => void signOut()}>
              {words.signOut}
            </Button>
          ) : null
        }
      />
    </Input.Wrapper>
  );
}

function stateOf(
  held: Extract<SecretDraft, { readonly mode: 'signedIn' }> | undefined,
  saved: SignInState | undefined,
  isElsewhere: boolean,
): { readonly title: string; readonly text: string; readonly tone: 'plain' | 'good' | 'warning' } {
  const words = strings.signIn;
  if (isElsewhere) return { title: words.out, text: words.otherProvider, tone: 'warning' };
  if (held !== undefined) {
    const { title } = signedInText({ ...held, storedIn: held.keepIn });
    const isShort = held.keepIn === 'session';
    return { title, text: isShort ? words.notSavedUntilStop : words.notSaved, tone: 'good' };
  }
  if (saved?.is === 'in') return { ...signedInText(saved), tone: 'good' };
  if (saved?.is === 'ended') return { title: words.ended, text: words.outHelp, tone: 'warning' };
  return { title: words.out, text: words.outHelp, tone: 'plain' };
}
