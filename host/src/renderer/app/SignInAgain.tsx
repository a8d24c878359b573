import { Box, Button, Modal } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import type { OpenConnectionInfo } from '../../common/api.ts';
import type { SavedConnection } from '../../common/connection.ts';
import type { CatalogueEntry } from '../../common/drivers.ts';
import { strings } from '../i18n/index.ts';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import { StateBar } from '../ui/StateBar.tsx';
import { labelOfSecret, missingSecretText } from './missingSecret.ts';
import { SecretForm } from './SecretForm.tsx';
import { useOpening } from './useOpening.ts';

interface Props {
  readonly connection: SavedConnection;
  readonly entry: CatalogueEntry | undefined;
  readonly onOpen: (info: OpenConnectionInfo) => void;
  readonly onEdit: () => void;
}

/**
 * Over an open connection whose credential ended with the host that was restarted, or was edited: opens it again, and asks for what is missing in a dialog.
 * Everything below stays mounted, because it holds what a person has typed and not staged, applied or run yet.
 */
export function SignInAgain({ connection, entry, onOpen, onEdit }: Props): ReactNode {
  const words = strings.opening;
  const { state, start } = useOpening(connection.id, connection.name, onOpen);
  const [isAsking, setAsking] = useState(true);
  const [field, setField] = useState<string>();
  const problem = state.phase === 'failed' || state.phase === 'refused' ? state.problem : undefined;
  const missing = problem?.code === 'SECRET_MISSING' ? problem.details.field : undefined;
  if (missing !== undefined && missing !== field) setField(missing);
  useEffect(() => {
    // Another window may have signed in meanwhile.
    const look = (): void => (missing === undefined ? undefined : start());
    window.addEventListener('focus', look);
    return () => window.removeEventListener('focus', look);
  });
  const title = words.signedOutTitle(connection.name);
  const isRunning = state.phase === 'running';
  const isAsked = isAsking && field !== undefined;
  return (
    <>
      <StateBar
        title={title}
        text={words.signedOutText}
        actions={
          <Button
            size="compact-sm"
            onClick={() => {
              setAsking(true);
              if (field === undefined) start();
            }}
          >
            {words.signIn}
          </Button>
        }
      />
      {isAsked ? (
        <Modal
          opened
          onClose={() => setAsking(false)}
          title={words.secretTitle(labelOfSecret(entry, field))}
          size={480}
          centered
          zIndex={300}
          closeButtonProps={{ 'aria-label': strings.common.close }}
        >
          <SecretForm
            text={missingSecretText(connection, entry, field)}
            label={labelOfSecret(entry, field)}
            isRunning={isRunning}
            problem={
              problem === undefined || missing !== undefined ? undefined : (
                <Box mb={12}>
                  <ProblemPanel compact title={words.failedTitle(connection.name)} problem={problem} />
                </Box>
              )
            }
            onEnter={(value) => start({ [field]: value })}
            onEdit={() => {
              setAsking(false);
              onEdit();
            }}
          />
          {state.phase === 'refused' ? (
            <Button mt={8} variant="subtle" color="gray" onClick={() => onOpen(state.info)}>
              {words.openAnyway}
            </Button>
          ) : null}
        </Modal>
      ) : null}
    </>
  );
}
