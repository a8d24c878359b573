import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import type { SavedConnection } from '../../common/connection.ts';
import type { CatalogueEntry } from '../../common/drivers.ts';
import { useSignInState } from '../api/queries.ts';
import { strings } from '../i18n/index.ts';
import { ColorDot } from '../ui/Marks.tsx';
import { ConnectionSignIn } from './ConnectionSignIn.tsx';
import styles from './opening.module.css';

interface Props {
  readonly connection: SavedConnection;
  readonly entry: CatalogueEntry | undefined;
  readonly onSignedIn: () => void;
  readonly onEdit: () => void;
  readonly onBack: () => void;
}

/** In the place of a connection that can't be opened before the person has signed in at its provider. */
export function SignInPage({ connection, entry, onSignedIn, onEdit, onBack }: Props): ReactNode {
  const { data: state } = useSignInState(connection.id);
  const title = strings.signIn.neededTitle(connection.name);
  return (
    <section className={styles.card} aria-label={title}>
      <h1 className={styles.title}>
        <ColorDot color={connection.color} /> <span>{title}</span>
      </h1>
      <ConnectionSignIn connection={connection} entry={entry} hasEnded={state?.is === 'ended'} onSignedIn={onSignedIn} />
      <Group gap={8} mt={12}>
        <Button variant="default" onClick={onEdit}>
          {strings.opening.edit}
        </Button>
        <Button variant="subtle" color="gray" onClick={onBack}>
          {strings.opening.backToList}
        </Button>
      </Group>
    </section>
  );
}
