import { Button, Code, Group } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconPlugConnectedX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Problem } from '../api/problem.ts';
import { problemText } from '../api/problem.ts';
import { ConfirmHostKey } from '../ui/ConfirmHostKey.tsx';
import { ConfirmSecrets } from '../ui/ConfirmSecrets.tsx';
import { ColorDot } from '../ui/Marks.tsx';
import { strings } from '../i18n/index.ts';
import type { ConnectionColor } from '../ui/theme.ts';
import styles from './opening.module.css';

interface Props {
  readonly name: string;
  readonly color: ConnectionColor;
  readonly problem: Problem;
  readonly onRetry: () => void;
  readonly onEdit: () => void;
  readonly onBack: () => void;
  /** Opens the connection in spite of the problem, where it can be opened. */
  readonly onOpenAnyway?: (() => void) | undefined;
}

/** The page in place of a connection that didn't open: one sentence, one way on, details below. */
export function ConnectionErrorPage({ name, color, problem, onRetry, onEdit, onBack, onOpenAnyway }: Props): ReactNode {
  const words = strings.opening;
  const clipboard = useClipboard({ timeout: 1_500 });
  const { request, status, serverMessage, field } = problem.details;
  const facts: readonly (readonly [string, string | undefined])[] = [
    [strings.common.errorCode, problem.code],
    [strings.common.request, request],
    [strings.common.status, status],
    [strings.common.field, field],
    [strings.common.serverMessage, serverMessage],
  ];
  // A server that is down may be back; a wrong key or address stays wrong until somebody corrects it.
  const primary = problem.retryable ? 'retry' : 'edit';
  const title = words.failedTitle(name);
  return (
    <section className={styles.error} role="alert" aria-label={title}>
      <IconPlugConnectedX className={styles.errorIcon} size={40} stroke={1.25} aria-hidden />
      <h1 className={styles.errorTitle}>
        <ColorDot color={color} /> <span>{title}</span>
      </h1>
      <p className={styles.errorMessage}>{problem.message}</p>
      <p className={styles.errorAdvice}>{problem.advice}</p>
      <Group gap={8} justify="center" mt={16}>
        <ConfirmSecrets problem={problem} onConfirmed={onRetry} asksAtOnce />
        <ConfirmHostKey problem={problem} onConfirmed={onRetry} asksAtOnce />
        <Button variant={primary === 'edit' ? 'filled' : 'default'} onClick={onEdit}>
          {words.edit}
        </Button>
        <Button variant={primary === 'retry' ? 'filled' : 'default'} onClick={onRetry}>
          {strings.common.retry}
        </Button>
        <Button variant="subtle" color="gray" onClick={onBack}>
          {words.backToList}
        </Button>
      </Group>
      <details className={styles.errorDetails}>
        <summary>{strings.common.details}</summary>
        <dl>
          {facts.map(([label, value]) =>
            value === undefined ? null : (
              <div key={label}>
                <dt>{label}</dt>
                <dd>
                  <Code>{value}</Code>
                </dd>
              </div>
            ),
          )}
        </dl>
        <Group gap={8}>
          <Button variant="subtle" color="gray" onClick={() => clipboard.copy(problemText(problem))}>
            {clipboard.copied ? strings.common.copied : strings.common.copyDetails}
          </Button>
          {onOpenAnyway === undefined ? null : (
            <Button variant="subtle" color="gray" onClick={onOpenAnyway}>
              {words.openAnyway}
            </Button>
          )}
        </Group>
      </details>
    </section>
  );
}
