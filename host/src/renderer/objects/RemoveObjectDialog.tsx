import { Button, Modal } from '@mantine/core';
import type { ObjectChange, ObjectKind, ObjectRef } from '@tabularium/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { api } from '../api/client.ts';
import { problemOf } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import { strings } from '../i18n/index.ts';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import { ObjectDocumentView } from './ObjectDocumentView.tsx';
import styles from './objects.module.css';
import { PlanView } from './PlanView.tsx';
import { shortName } from './shortName.ts';
import { DialogActions } from '../ui/DialogActions.tsx';

interface Props {
  readonly connectionId: string;
  readonly kind: ObjectKind;
  readonly object: ObjectRef;
  /** The document that the decision was made on. Absent: the one that the database has now, which is shown. */
  readonly was?: string;
  readonly onRemoved: () => void;
  readonly onClose: () => void;
}

/** Shows the object that is lost and which requests remove it, and asks once; the way back has the focus. What was changed since is not removed. */
export function RemoveObjectDialog({ connectionId, kind, object, was, onRemoved, onClose }: Props): ReactNode {
  const words = strings.objects;
  const { one } = kind.term;
  const plan = useQuery({
    queryKey: ['objects', connectionId, 'removal', object, was],
    queryFn: async ({ signal }) => {
      const document = was ?? (await api.objects.get.query({ connectionId, object }, { signal })).document;
      const change: ObjectChange = { action: 'remove', object, was: document };
      return { change, document, plan: await api.objects.plan.mutate({ connectionId, change }, { signal }) };
    },
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
  });
  const [problem, setProblem] = useState<Problem>();
  const [isRunning, setRunning] = useState(false);
  const remove = async (change: ObjectChange): Promise<void> => {
    setRunning(true);
    try {
      await api.objects.change.mutate({ connectionId, change });
      onRemoved();
    } catch (error) {
      setProblem(problemOf(error));
      setRunning(false);
    }
  };
  const shown = problem ?? (plan.error === null ? undefined : problemOf(plan.error));
  return (
    <Modal
      opened
      onClose={onClose}
      title={words.removeTitle(one, shortName(object.name))}
      size={520}
      centered
      closeButtonProps={{ 'aria-label': strings.common.close }}
    >
      {plan.data === undefined ? null : (
        <PlanView connectionId={connectionId} plan={plan.data.plan}>
          <ObjectDocumentView document={plan.data.document} />
        </PlanView>
      )}
      {plan.isPending ? <div className={styles.pending} aria-busy /> : null}
      {shown === undefined ? null : (
        <ProblemPanel
          compact
          title={words.removeFailed(shortName(object.name))}
          problem={shown}
          // Of a change that somebody else made, the question is another one: it shows the object as it is now.
          onRetry={() => {
            setProblem(undefined);
            void plan.refetch();
          }}
        />
      )}
      <DialogActions>
        <Button variant="default" onClick={onClose} data-autofocus>
          {strings.common.cancel}
        </Button>
        {plan.data === undefined || shown !== undefined ? null : (
          <Button color="red" loading={isRunning} onClick={() => void remove(plan.data.change)}>
            {words.removeConfirm(shortName(object.name))}
          </Button>
        )}
      </DialogActions>
    </Modal>
  );
}
