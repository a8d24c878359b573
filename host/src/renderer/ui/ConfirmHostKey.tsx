import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { Problem } from '../api/problem.ts';
import { strings } from '../i18n/index.ts';
import { HostKeyDialog } from './HostKeyDialog.tsx';

interface Props {
  readonly problem: Problem;
  readonly onConfirmed: () => void;
  /** Asks without being pressed first. */
  readonly asksAtOnce?: boolean;
}

/** For a problem that a person can end by accepting the key of an SSH server; nothing for any other. */
export function ConfirmHostKey({ problem, onConfirmed, asksAtOnce = false }: Props): ReactNode {
  const [asking, setAsking] = useState(asksAtOnce);
  const question = problem.hostKeyQuestion;
  if (question === undefined) return null;
  return (
    <>
      <Button onClick={() => setAsking(true)}>{strings.tunnels.hostKey.ask}</Button>
      {asking ? (
        <HostKeyDialog
          question={question}
          onAccepted={() => {
            setAsking(false);
            onConfirmed();
          }}
          onRefuse={() => setAsking(false)}
        />
      ) : null}
    </>
  );
}
