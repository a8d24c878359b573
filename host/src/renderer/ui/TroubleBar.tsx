import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { problemText } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import { onServerReturn } from '../api/reachability.ts';
import { strings } from '../i18n/index.ts';
import { Countdown } from './Countdown.tsx';
import { StateBar } from './StateBar.tsx';

/** Milliseconds before the first attempt; each later one comes twice as late, up to the longest pause. */
const FIRST_PAUSE = 2_000;
const LONGEST_PAUSE = 30_000;

interface Props {
  readonly problem: Problem;
  /** The consequence for the content below, such as that its rows are from before. */
  readonly consequence: string;
  readonly onRetry: () => void;
  /** Whether an attempt runs now. */
  readonly isTrying: boolean;
  /** Whether attempts begin without a press: while the content is on the screen. */
  readonly isShown: boolean;
  readonly actions?: ReactNode;
}

/** Above content that could not be read again: what happened, what to do, and the next attempt. It goes when an attempt succeeds. */
export function TroubleBar({ problem, consequence, onRetry, isTrying, isShown, actions }: Props): ReactNode {
  const clipboard = useClipboard({ timeout: 1_500 });
  const attempts = useRef(0);
  const [retryAt, setRetryAt] = useState<number>();
  const retry = useRef(onRetry);
  useEffect(() => {
    retry.current = onRetry;
  });
  const isWaiting = problem.retryable && isShown && !isTrying;
  useEffect(() => {
    if (!isWaiting) return undefined;
    const pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** attempts.current);
    attempts.current += 1;
    setRetryAt(Date.now() + pause);
    const timer = setTimeout(() => retry.current(), pause);
    const leave = onServerReturn(() => retry.current());
    return () => {
      clearTimeout(timer);
      leave();
      setRetryAt(undefined);
    };
  }, [isWaiting, problem]);
  return (
    <StateBar
      title={problem.message}
      text={`${problem.advice} ${consequence}`}
      progress={isTrying ? strings.hostLink.looking : undefined}
      actions={
        <>
          {retryAt === undefined ? null : <Countdown until={retryAt} />}
          <Button size="compact-sm" loading={isTrying} onClick={onRetry}>
            {strings.common.retry}
          </Button>
          {actions}
          <Button size="compact-sm" variant="subtle" color="gray" onClick={() => clipboard.copy(problemText(problem))}>
            {clipboard.copied ? strings.common.copied : strings.common.copyDetails}
          </Button>
        </>
      }
    />
  );
}
