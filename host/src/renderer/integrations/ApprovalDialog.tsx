import { Button, Modal } from '@mantine/core';
import { useCallback, useState } from 'react';
import type { ReactNode, UIEvent } from 'react';
import { approvalSummary, approvalText, askedName } from '../../common/approvalText.ts';
import type { ApprovalAnswer, PendingApproval } from '../../common/integrations.ts';
import { lookAlikeWords } from '../../common/lookAlike.ts';
import { api } from '../api/client.ts';
import { problemOf } from '../api/problem.ts';
import { strings } from '../i18n/index.ts';
import { notify } from '../state/notify.ts';
import styles from './approval.module.css';
import { useApprovals } from './useApprovals.ts';
import { useArmed } from './useArmed.ts';
import { useAsked } from './useAsked.ts';
import { DialogActions } from '../ui/DialogActions.tsx';

interface ApprovalDialogProps {
  /** Called when a question comes. A layer that the platform draws over everything has to go then: the question would be out of reach behind it. */
  readonly onAsked?: () => void;
}

/** Asks a person about a change that a client requests. It is there as long as the request is, one at a time, oldest first. */
export function ApprovalDialog({ onAsked }: ApprovalDialogProps): ReactNode {
  const pending = useApprovals();
  const [first] = pending;
  useAsked(first?.id, onAsked);
  return first === undefined ? null : <Question key={first.id} asked={first} more={pending.length - 1} />;
}

function Question({ asked, more }: { readonly asked: PendingApproval; readonly more: number }): ReactNode {
  const words = strings.integrations.dialog;
  const [answering, setAnswering] = useState(false);
  const { region, wasRead, onScroll } = useReadToEnd();
  const { armed, onKeyDownCapture } = useArmed();
  const destructive = asked.effect === 'destructive';
  const { shown, characters, lines, marked } = approvalText(asked.text);
  const mixed = lookAlikeWords(asked.text);
  const summary = approvalSummary(asked.summary);
  const token = askedName(asked.principalName, 100);
  const connection = askedName(asked.connectionName, 100);
  const client = asked.client === undefined ? words.titleUnknown : words.titleClient(askedName(asked.client.name));
  const answer = async (choice: ApprovalAnswer): Promise<void> => {
    setAnswering(true);
    try {
      const { outcome } = await api.integrations.answerApproval.mutate({ id: asked.id, answer: choice, digest: asked.digest });
      if (outcome === 'late' && choice !== 'deny') notify({ tab: 'none', tone: 'warning', text: words.late });
      if (outcome === 'gone') notify({ tab: 'none', tone: 'warning', text: words.gone });
    } catch (error) {
      setAnswering(false);
      notify({ tab: 'none', tone: 'warning', text: problemOf(error).message });
    }
  };
  const facts: readonly (readonly [label: string, value: string])[] = [
    [
      words.client,
      asked.client === undefined
        ? words.unknownClient
        : words.clientSays(askedName(asked.client.name), askedName(asked.client.version)),
    ],
    [words.token, token],
    [words.connection, connection],
    [words.effect, words.effects[asked.effect]],
    [words.expires, words.expiresAt(asked.expiresAt)],
  ];
  const cannotAllow = answering || !wasRead || !armed;
  return (
    <Modal
      opened
      onKeyDownCapture={onKeyDownCapture}
      onClose={() => void answer('deny')}
      // Neither a click beside it nor a key that was meant for something else is an answer.
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
      title={words.titles[asked.effect](client, connection)}
      classNames={{ content: styles.content ?? '', body: styles.body ?? '' }}
      size={720}
      centered
      yOffset="3dvh"
      zIndex={1_000}
    >
      <p className={styles.summary}>{summary}</p>
      <dl className={styles.facts}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd title={value}>{value}</dd>
          </div>
        ))}
      </dl>
      <pre
        ref={region}
        className={styles.statement}
        dir="ltr"
        tabIndex={0}
        role="region"
        aria-label={summary}
        onScroll={onScroll}
      >
        {shown}
      </pre>
      <p className={styles.note}>
        {words.size(characters, lines)}
        {marked ? ` ${words.marked}` : ''}
        {more > 0 ? ` ${words.more(more)}` : ''}
      </p>
      {mixed.length === 0 ? null : <p className={styles.warning}>{words.mixed(mixed)}</p>}
      {destructive ? null : <p className={styles.note}>{words.always(token, connection)}</p>}
      <DialogActions>
        <span className={styles.first} role="status">
          {wasRead ? '' : words.readFirst}
        </span>
        <Button variant="default" disabled={answering} onClick={() => void answer('deny')} data-autofocus>
          {words.deny}
        </Button>
        {destructive ? null : (
          <Button variant="default" disabled={cannotAllow} onClick={() => void answer('connection')}>
            {words.allowAlways}
          </Button>
        )}
        <Button color={destructive ? 'red' : undefined} disabled={cannotAllow} onClick={() => void answer('once')}>
          {words.once}
        </Button>
      </DialogActions>
    </Modal>
  );
}

/** The last line counts as seen from here, in CSS pixels. */
const NEAR_END = 8;

/** Whether the end of a scrolling region has been in view: a part that wasn't scrolled to wasn't read. */
function useReadToEnd(): {
  readonly region: (element: HTMLElement | null) => (() => void) | undefined;
  readonly wasRead: boolean;
  readonly onScroll: (event: UIEvent<HTMLElement>) => void;
} {
  const [wasRead, setWasRead] = useState(false);
  const look = useCallback((element: HTMLElement): void => {
    if (element.clientHeight > 0 && element.scrollTop + element.clientHeight >= element.scrollHeight - NEAR_END) setWasRead(true);
  }, []);
  // By reference: the dialog comes into the page after this component, and has its size later still.
  const region = useCallback(
    (element: HTMLElement | null) => {
      if (element === null) return undefined;
      const sizes = new ResizeObserver(() => look(element));
      sizes.observe(element);
      return () => sizes.disconnect();
    },
    [look],
  );
  return { region, wasRead, onScroll: (event) => look(event.currentTarget) };
}
