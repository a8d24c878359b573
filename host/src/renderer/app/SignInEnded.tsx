import { Button, Modal } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { SavedConnection } from '../../common/connection.ts';
import type { CatalogueEntry } from '../../common/drivers.ts';
import { strings } from '../i18n/index.ts';
import { StateBar } from '../ui/StateBar.tsx';
import { useEscape } from '../ui/useEscape.ts';
import { ConnectionSignIn } from './ConnectionSignIn.tsx';

interface Props {
  readonly connection: SavedConnection;
  readonly entry: CatalogueEntry | undefined;
  /** `ended`: by the provider; `out`: by the person, here or elsewhere. */
  readonly is: 'ended' | 'out';
}

/** Over an open connection whose sign-in at its provider is over. Everything below stays mounted, because it holds what a person has typed. */
export function SignInEnded({ connection, entry, is }: Props): ReactNode {
  const words = strings.signIn;
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const close = (): void => setAsking(false);
  return (
    <>
      <StateBar
        title={is === 'ended' ? words.endedTitle(connection.name) : words.outTitle(connection.name)}
        text={words.endedText}
        actions={
          <Button size="compact-sm" onClick={() => setAsking(true)}>
            {words.again}
          </Button>
        }
      />
      {isAsking ? (
        <SignInDialog name={connection.name} onClose={close}>
          <ConnectionSignIn
            connection={connection}
            entry={entry}
            hasEnded={is === 'ended'}
            onSignedIn={() => {
              close();
              // Requests that failed meanwhile are sent again, and so is the one that this bar goes by.
              void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey.includes(connection.id) });
            }}
          />
        </SignInDialog>
      ) : null}
    </>
  );
}

function SignInDialog({
  name,
  onClose,
  children,
}: {
  readonly name: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}): ReactNode {
  useEscape(onClose);
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnEscape={false}
      title={strings.signIn.dialogTitle(name)}
      size={520}
      centered
      zIndex={300}
      closeButtonProps={{ 'aria-label': strings.common.close }}
    >
      {children}
    </Modal>
  );
}
