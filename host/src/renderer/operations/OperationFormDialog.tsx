import { Button, Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Operation, OperationCall, OperationForm, OperationPlace } from '@tabularium/sdk';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { tableName } from '../../common/tableName.ts';
import { api } from '../api/client.ts';
import { problemOf } from '../api/problem.ts';
import { strings } from '../i18n/index.ts';
import { DiscardQuestion } from '../ui/DiscardQuestion.tsx';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import { useEscape } from '../ui/useEscape.ts';
import { OperationInput } from './OperationInput.tsx';
import { OperationReview } from './OperationReview.tsx';
import { operationFormInDriverWords } from './operationWords.ts';
import styles from './operations.module.css';

interface Props {
  readonly connectionId: string;
  readonly place: OperationPlace;
  readonly operation: Pick<Operation, 'id' | 'label' | 'help'>;
  /** An input that was made up already, such as that of an undo: the dialog begins with its review. */
  readonly draft?: OperationCall;
  /** The operation runs from now on. */
  readonly onStarted?: (runId: string) => void;
  readonly onClose: () => void;
}

/** An operation with its input: a form, then its consequences and statements, then it is started. */
export function OperationFormDialog(props: Props): ReactNode {
  const { connectionId, place, operation, draft, onClose } = props;
  const words = strings.operations;
  const where = place.on === 'table' ? tableName(place.table) : undefined;
  const title = where === undefined ? operation.label : words.title(operation.label, where);
  const form = useQuery({
    queryKey: ['operations', connectionId, 'form', place, operation.id],
    queryFn: async ({ signal }) => {
      const found = await api.operations.form.query({ connectionId, place, operation: operation.id }, { signal });
      return operationFormInDriverWords(connectionId, found);
    },
    enabled: draft === undefined,
    gcTime: 0,
    staleTime: Infinity,
  });
  if (draft !== undefined) return <Steps {...props} title={title} form={{ document: draft.input, fields: [], presets: [] }} />;
  if (form.data !== undefined) return <Steps {...props} title={title} form={form.data} />;
  return (
    <Modal opened onClose={onClose} title={title} size={760} closeButtonProps={{ 'aria-label': strings.common.close }}>
      {form.error === null ? (
        <div className={styles.pending} aria-busy />
      ) : (
        <ProblemPanel
          compact
          title={words.formFailed(operation.label)}
          problem={problemOf(form.error)}
          onRetry={() => void form.refetch()}
        />
      )}
    </Modal>
  );
}

interface StepsProps extends Props {
  readonly title: string;
  readonly form: OperationForm;
}

function Steps({ connectionId, place, operation, draft, title, form, onStarted, onClose }: StepsProps): ReactNode {
  const hasForm = draft === undefined && form.fields.length > 0;
  const [begun, setBegun] = useState(form.document);
  const [text, setText] = useState(form.document);
  const [reviewed, setReviewed] = useState<string | undefined>(hasForm ? undefined : form.document);
  const [isStarting, setStarting] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const leave = (): void => {
    if (isStarting) return;
    if (!hasForm || text === begun) onClose();
    // In a turn of its own: the Escape that asks here would else close the question as well.
    else setTimeout(() => setAsking(true));
  };
  useEscape(leave);
  return (
    <>
      <Modal
        opened
        onClose={leave}
        closeOnEscape={false}
        title={title}
        size={760}
        yOffset={32}
        closeButtonProps={{ 'aria-label': strings.common.close }}
      >
        {reviewed === undefined ? (
          <OperationInput
            connectionId={connectionId}
            help={operation.help}
            form={form}
            text={text}
            onText={setText}
            onPreset={(document) => {
              setBegun(document);
              setText(document);
            }}
            onReview={() => setReviewed(text)}
            onCancel={leave}
          />
        ) : (
          <OperationReview
            connectionId={connectionId}
            label={operation.label}
            call={draft ?? { place, operation: operation.id, input: reviewed }}
            onBusy={setStarting}
            onStarted={(runId) => {
              onStarted?.(runId);
              onClose();
            }}
            back={
              <Button variant="default" disabled={isStarting} onClick={hasForm ? () => setReviewed(undefined) : leave}>
                {hasForm ? strings.common.back : strings.common.cancel}
              </Button>
            }
          />
        )}
      </Modal>
      <DiscardQuestion
        opened={isAsking}
        text={strings.operations.discardInput(operation.label)}
        onKeep={() => setAsking(false)}
        onDiscard={onClose}
      />
    </>
  );
}
