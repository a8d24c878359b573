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
import styles from './objects.module.css';
import { PlanView } from './PlanView.tsx';
import { shortName } from './shortName.ts';
import { DialogActions } from '../ui/DialogActions.tsx';

interface Props {
  readonly connectionId: string;
  readonly kind: ObjectKind;
  readonly object: ObjectRef;
  readonly onRemoved: () => void;
  readonly onClose: () => void;
}

/** Says what is lost with an object and which requests remove it, and asks once; the way back has the focus. */
export function RemoveObjectDialog({ connectionId, kind, object, onRemoved, onClose }: Props): ReactNode {
  const words = strings.objects;
  const { one } = kind.term;
  const change: ObjectChange = { action: 'remove', object };
  const plan = useQuery({
    queryKey: ['objects', connectionId, 'removal', object],
    queryFn: ({ signal }) => api.objects.plan.mutate({ connectionId, change }, { signal }),
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
  });
  const [problem, setProblem] = useState<Problem>();
  const [isRunning, setRunning] = useState(false);
  const remove = async (): Promise<void> => {
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
      {plan.data === undefined ? null : <PlanView connectionId={connectionId} plan={plan.data} />}
      {plan.isPending ? <div className={styles.pending} aria-busy /> : null}
      {shown === undefined ? null : <ProblemPanel compact title={words.removeFailed(shortName(object.name))} problem={shown} />}
      <DialogActions>
        <Button variant="default" onClick={onClose} data-autofocus>
          {strings.common.cancel}
        </Button>
        {plan.data === undefined ? null : (
          <Button color="red" loading={isRunning} onClick={() => void remove()}>
            {words.removeConfirm(shortName(object.name))}
          </Button>
        )}
      </DialogActions>
    </Modal>
  );
}
