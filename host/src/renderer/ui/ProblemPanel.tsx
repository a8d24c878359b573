import { Button, Code, Group } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import type { Problem } from '../api/problem.ts';
import { problemText } from '../api/problem.ts';
import { strings } from '../i18n/index.ts';
import styles from './components.module.css';
import { ConfirmHostKey } from './ConfirmHostKey.tsx';
import { ConfirmSecrets } from './ConfirmSecrets.tsx';

interface Props {
  readonly title: string;
  readonly problem: Problem;
  readonly onRetry?: () => void;
  /** Further ways on, beside Try again. */
  readonly actions?: ReactNode;
  /** More about the problem, above its details. */
  readonly children?: ReactNode;
  readonly compact?: boolean;
  /** Opens the question that ends the problem without a press first; where a person has just asked for what failed. */
  readonly asksAtOnce?: boolean;
}

/** An error, its reason, the advice, and the details to copy. */
export function ProblemPanel({
  title,
  problem,
  onRetry,
  actions,
  children,
  compact = false,
  asksAtOnce = false,
}: Props): ReactNode {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    // Below the fold, or behind the buttons that stay in sight, a failure would look as if nothing had happened.
    if (panel.current?.closest('[role="dialog"]') != null) panel.current.scrollIntoView({ block: 'nearest' });
  }, [problem]);
  const clipboard = useClipboard({ timeout: 1_500 });
  const { request, status, serverMessage, field } = problem.details;
  const facts: readonly (readonly [string, string | undefined])[] = [
    [strings.common.errorCode, problem.code],
    [strings.common.request, request],
    [strings.common.status, status],
    [strings.common.field, field],
    [strings.common.serverMessage, serverMessage],
  ];
  return (
    <section ref={panel} className={styles.problem} data-compact={compact || undefined} role="alert" aria-label={title}>
      <IconAlertTriangle className={styles.problemIcon} size={18} stroke={1.75} aria-hidden />
      <div className={styles.problemBody}>
        <h2 className={styles.problemTitle}>{title}</h2>
        <p className={styles.problemMessage}>{problem.message}</p>
        <p className={styles.problemAdvice}>{problem.advice}</p>
        {children}
        <details className={styles.problemDetails}>
          <summary>{strings.common.details}</summary>
          <dl className={styles.facts}>
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
        </details>
        <Group gap={8} mt={4}>
          {onRetry === undefined ? null : <ConfirmSecrets problem={problem} onConfirmed={onRetry} asksAtOnce={asksAtOnce} />}
          {onRetry === undefined ? null : <ConfirmHostKey problem={problem} onConfirmed={onRetry} asksAtOnce={asksAtOnce} />}
          {onRetry === undefined ? null : (
            <Button variant="default" onClick={onRetry}>
              {strings.common.retry}
            </Button>
          )}
          {actions}
          <Button variant="subtle" color="gray" onClick={() => clipboard.copy(problemText(problem))}>
            {clipboard.copied ? strings.common.copied : strings.common.copyDetails}
          </Button>
        </Group>
      </div>
    </section>
  );
}
