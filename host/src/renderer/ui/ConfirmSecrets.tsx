import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { api } from '../api/client.ts';
import type { Problem } from '../api/problem.ts';
import { strings } from '../i18n/index.ts';
import { SecretDialog } from './SecretDialog.tsx';

interface Props {
  readonly problem: Problem;
  readonly onConfirmed: () => void;
  /** Asks without being pressed first. */
  readonly asksAtOnce?: boolean;
}

/** For a problem that a person can end by confirming where a saved connection's credentials go; nothing for any other. */
export function ConfirmSecrets({ problem, onConfirmed, asksAtOnce = false }: Props): ReactNode {
  const [asking, setAsking] = useState(asksAtOnce);
  const question = problem.secretQuestion;
  const connectionId = question?.connectionId;
  if (question === undefined || connectionId === undefined) return null;
  return (
    <>
      <Button onClick={() => setAsking(true)}>{strings.secrets.compare}</Button>
      {asking ? (
        <SecretDialog
          question={question}
          onConfirm={async () => {
            await api.connections.confirmSecrets.mutate({ connectionId, code: question.code });
            setAsking(false);
            onConfirmed();
          }}
          onRefuse={() => setAsking(false)}
        />
      ) : null}
    </>
  );
}
