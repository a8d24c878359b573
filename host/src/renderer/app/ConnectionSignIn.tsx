import type { ReactNode } from 'react';
import type { SavedConnection } from '../../common/connection.ts';
import type { CatalogueEntry } from '../../common/drivers.ts';
import { api } from '../api/client.ts';
import { SignInBox } from '../connections/SignInBox.tsx';
import { signInCredentialOf } from '../connections/signInCredentialOf.ts';
import { signInWaysOf } from '../connections/signInWaysOf.ts';
import { useSignIn } from '../connections/useSignIn.ts';
import { strings } from '../i18n/index.ts';

interface Props {
  readonly connection: SavedConnection;
  readonly entry: CatalogueEntry | undefined;
  /** Whether the provider ended a sign-in that was there. */
  readonly hasEnded: boolean;
  readonly onSignedIn: () => void;
}

/** Signs in to a saved connection, outside of its form. */
export function ConnectionSignIn({ connection, entry, hasEnded, onSignedIn }: Props): ReactNode {
  const words = strings.signIn;
  const credential = entry === undefined ? undefined : signInCredentialOf(entry.manifest, connection.settings);
  const signIn = useSignIn(
    (way, signal) =>
      api.connections.signIn.mutate({ connectionId: connection.id, ...(way === undefined ? {} : { way }) }, { signal }),
    onSignedIn,
  );
  return (
    <SignInBox
      signIn={signIn}
      ways={credential === undefined ? [] : signInWaysOf(credential)}
      isSignedIn={false}
      title={hasEnded ? words.ended : words.out}
      text={words.outHelp}
      tone={hasEnded ? 'warning' : 'plain'}
    />
  );
}
