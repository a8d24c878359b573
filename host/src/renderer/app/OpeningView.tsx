import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import type { OpenConnectionInfo } from '../../common/api.ts';
import type { SavedConnection } from '../../common/connection.ts';
import type { CatalogueEntry } from '../../common/drivers.ts';
import { useSignInState } from '../api/queries.ts';
import { useSavedChanges } from '../api/useSavedChanges.ts';
import { signInCredentialOf } from '../connections/signInCredentialOf.ts';
import { ColorDot } from '../ui/Marks.tsx';
import { ConnectionErrorPage } from './ConnectionErrorPage.tsx';
import { InstallSteps } from '../plugins/InstallSteps.tsx';
import { TrustQuestionOf } from '../plugins/TrustQuestionOf.tsx';
import { strings } from '../i18n/index.ts';
import { labelOfSecret, missingSecretText } from './missingSecret.ts';
import { SecretForm } from './SecretForm.tsx';
import styles from './opening.module.css';
import { SignInPage } from './SignInPage.tsx';
import { useOpening } from './useOpening.ts';

interface Props {
  readonly connection: SavedConnection;
  readonly entry: CatalogueEntry | undefined;
  readonly onOpen: (info: OpenConnectionInfo) => void;
  readonly onEdit: () => void;
  readonly onBack: () => void;
}

/** From choosing a saved connection until it is open: installing, connecting, and what went wrong. */
export function OpeningView({ connection, entry, onOpen, onEdit, onBack }: Props): ReactNode {
  const signInField = entry === undefined ? undefined : signInCredentialOf(entry.manifest, connection.settings)?.field;
  const signIn = useSignInState(signInField === undefined ? undefined : connection.id);
  const { state, start, cancel } = useOpening(connection.id, connection.name, onOpen);
  useSavedChanges((kind) => {
    // The question may have been answered elsewhere: in another window, or by a command.
    if (kind === 'drivers' && state.phase === 'failed' && (state.problem.question ?? state.problem.grantQuestion) !== undefined)
      start();
  });
  const back = (
    <Button variant="subtle" color="gray" onClick={onBack}>
      {strings.opening.backToList}
    </Button>
  );
  if (state.phase === 'failed' && state.problem.code === 'SECRET_MISSING' && state.problem.details.field !== undefined) {
    const field = state.problem.details.field;
    const label = labelOfSecret(entry, field);
    return (
      <main className={styles.root} data-region="content">
        <SecretForm
          title={strings.opening.secretTitle(label)}
          text={missingSecretText(connection, entry, field)}
          label={label}
          onEnter={(value) => start({ [field]: value })}
          onEdit={onEdit}
        />
      </main>
    );
  }
  if (
    state.phase === 'failed' &&
    signInField !== undefined &&
    (signIn.data?.is === 'ended' || (state.problem.code === 'CREDENTIALS_MISSING' && state.problem.details.field === signInField))
  ) {
    return (
      <main className={styles.root} data-region="content">
        <SignInPage connection={connection} entry={entry} onSignedIn={() => start()} onEdit={onEdit} onBack={onBack} />
      </main>
    );
  }
  if (state.phase === 'failed' || state.phase === 'refused') {
    return (
      <main className={styles.root} data-region="content">
        <ConnectionErrorPage
          name={connection.name}
          color={connection.color}
          problem={state.problem}
          onRetry={() => start()}
          onEdit={onEdit}
          onBack={onBack}
          onOpenAnyway={state.phase === 'refused' ? () => onOpen(state.info) : undefined}
        />
        {state.phase === 'failed' ? <TrustQuestionOf problem={state.problem} onTrusted={() => start()} /> : null}
      </main>
    );
  }
  if (state.phase === 'cancelled') {
    return (
      <main className={styles.root} data-region="content">
        <div className={styles.card}>
          <p>{strings.opening.cancelled}</p>
          <Group gap={8}>
            <Button variant="default" onClick={() => start()}>
              {strings.common.retry}
            </Button>
            {back}
          </Group>
        </div>
      </main>
    );
  }
  const progress = state.progress;
  return (
    <main className={styles.root} data-region="content" data-rest tabIndex={-1}>
      <div className={styles.card} data-late>
        <h1 className={styles.title}>
          <ColorDot color={connection.color} /> {strings.opening.title(connection.name)}
        </h1>
        <div role="status" aria-live="polite">
          {progress?.step === 'installing' ? (
            <>
              <p className={styles.step}>{strings.opening.installing}</p>
              <InstallSteps progress={progress.install} />
            </>
          ) : (
            <p className={styles.step}>{strings.opening.connecting}</p>
          )}
        </div>
        <Button variant="default" onClick={cancel}>
          {strings.opening.cancel}
        </Button>
      </div>
    </main>
  );
}
