import { useState } from 'react';
import type { ReactNode } from 'react';
import { api } from '../api/client.ts';
import type { Problem } from '../api/problem.ts';
import { GrantDialog } from './GrantDialog.tsx';
import { TrustDialog } from './TrustDialog.tsx';

interface Props {
  readonly problem: Problem;
  readonly onTrusted: () => void;
  readonly onRefused?: () => void;
}

/** The question that a failure came with, asked once; the failure stays behind it for who refuses. */
export function TrustQuestionOf({ problem, onTrusted, onRefused }: Props): ReactNode {
  const [refused, setRefused] = useState<Problem>();
  const { question, grantQuestion } = problem;
  const refuse = (): void => {
    setRefused(problem);
    onRefused?.();
  };
  if (refused === problem) return null;
  if (grantQuestion !== undefined) {
    const { driver, grants, askedBy } = grantQuestion;
    return (
      <GrantDialog
        question={grantQuestion}
        onAllow={async () => {
          await api.drivers.allowGrants.mutate({ driver: driver.id, grants: [...grants], askedBy });
          onTrusted();
        }}
        onRefuse={refuse}
      />
    );
  }
  if (question === undefined) return null;
  return (
    <TrustDialog
      question={question}
      onTrust={async () => {
        await api.drivers.trust.mutate({ keyId: question.keyId, shown: question.publisher });
        onTrusted();
      }}
      onRefuse={refuse}
    />
  );
}
