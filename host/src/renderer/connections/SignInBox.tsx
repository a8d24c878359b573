import { Button, Group } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import type { SignInWay } from '../../common/signInSteps.ts';
import { strings } from '../i18n/index.ts';
import { copyText } from '../ui/copyText.ts';
import { openOutside } from '../ui/openOutside.ts';
import { isFreeEscape } from '../ui/useEscape.ts';
import styles from './signIn.module.css';
import { TimeLeft } from './TimeLeft.tsx';
import type { RunningSignIn, SignInInstruction } from './useSignIn.ts';

interface Props {
  readonly signIn: RunningSignIn;
  /** The ways that the driver has, the usual one first. */
  readonly ways: readonly SignInWay[];
  /** The state before and after: signed in or not. */
  readonly title: string;
  readonly text: string;
  readonly tone: 'plain' | 'good' | 'warning';
  /** Whether a sign-in is there already. */
  readonly isSignedIn: boolean;
  /** Beside "Sign in…". */
  readonly actions?: ReactNode;
}

/** Signing in at a provider: what there is, what to do now, and what went wrong. */
export function SignInBox({ signIn, ways, title, text, tone, isSignedIn, actions }: Props): ReactNode {
  const words = strings.signIn;
  const { progress, start, cancel } = signIn;
  const isRunning = progress.is === 'running';
  const box = useRef<HTMLDivElement>(null);
  const wasPressed = useRef(false);
  const state = progress.is === 'running' ? (progress.instruction?.step ?? 'starting') : progress.is;
  useEffect(() => {
    // The button that was pressed is gone: the keyboard goes to the next one here.
    if (wasPressed.current) box.current?.querySelector<HTMLElement>('[data-next]')?.focus();
  }, [state]);
  useWindowEvent(
    'keydown',
    (event) => {
      if (!isRunning || !isFreeEscape(event)) return;
      // With a dialog above this place, the Escape is the dialog's.
      const own = box.current?.closest('[role="dialog"]');
      if ([...document.querySelectorAll('[role="dialog"]')].some((dialog) => dialog !== own)) return;
      event.preventDefault();
      event.stopPropagation();
      cancel();
    },
    { capture: true },
  );
  const begin = (way?: SignInWay): void => {
    wasPressed.current = true;
    start(way);
  };
  const failure = progress.is === 'failed' ? progress.problem : undefined;
  return (
    <div
      ref={box}
      className={styles.box}
      data-tone={failure === undefined ? (isRunning ? 'plain' : tone) : 'bad'}
      data-takes-escape={isRunning || undefined}
    >
      <div className={styles.said} role="status" aria-live="polite">
        {isRunning ? (
          <p className={styles.title}>{progress.instruction === undefined ? words.starting : titleOf(progress.instruction)}</p>
        ) : failure === undefined ? (
          <>
            {progress.is === 'idle' && progress.wasCancelled === true ? <p className={styles.text}>{words.cancelled}</p> : null}
            <p className={styles.title}>{title}</p>
            <p className={styles.text}>{text}</p>
          </>
        ) : (
          <>
            <p className={styles.title}>{words.failed}</p>
            <p className={styles.why}>{failure.message}</p>
            <p className={styles.text}>{failure.advice}</p>
          </>
        )}
        {isRunning && progress.instruction?.step === 'device' ? (
          <span className={styles.aloud}>
            {words.deviceAloud(progress.instruction.code, hostOf(progress.instruction.address))}
          </span>
        ) : null}
      </div>
      {isRunning && progress.instruction !== undefined ? <Instruction instruction={progress.instruction} /> : null}
      <Group gap={8}>
        {isRunning ? (
          <>
            {progress.instruction === undefined ? null : <PageButtons instruction={progress.instruction} />}
            <Button
              size="compact-sm"
              variant="default"
              className={styles.last}
              data-next={progress.instruction === undefined || undefined}
              onClick={cancel}
            >
              {words.cancel}
            </Button>
          </>
        ) : (
          <>
            <Button size="compact-sm" variant={isSignedIn ? 'default' : 'filled'} data-next onClick={() => begin(ways[0])}>
              {isSignedIn ? words.again : words.start}
            </Button>
            {ways.length < 2 || isSignedIn ? null : (
              <Button size="compact-sm" variant="default" title={words.withCodeHelp} onClick={() => begin(ways[1])}>
                {words.withCode}
              </Button>
            )}
            {actions}
          </>
        )}
      </Group>
    </div>
  );
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address;
}

function titleOf(instruction: SignInInstruction): string {
  const host = hostOf(instruction.address);
  return instruction.step === 'browser' ? strings.signIn.browser(host) : strings.signIn.device(host);
}

function Instruction({ instruction }: { readonly instruction: SignInInstruction }): ReactNode {
  const words = strings.signIn;
  return (
    <>
      {instruction.step === 'device' ? (
        <div className={styles.codeLine}>
          <code className={styles.code}>{instruction.code}</code>
          <Button size="compact-sm" variant="default" onClick={() => void copyText(instruction.code, words.codeCopied)}>
            {words.copyCode}
          </Button>
          <span className={styles.left}>
            <TimeLeft until={instruction.expiresAt} />
          </span>
        </div>
      ) : null}
      <div>
        <p className={styles.text}>{instruction.step === 'browser' ? words.browserHelp : words.deviceHelp}</p>
        <code className={styles.address}>{instruction.address}</code>
      </div>
    </>
  );
}

function PageButtons({ instruction }: { readonly instruction: SignInInstruction }): ReactNode {
  const words = strings.signIn;
  const { address } = instruction;
  const page = instruction.step === 'device' ? (instruction.completeAddress ?? address) : address;
  return (
    <>
      <Button size="compact-sm" data-next onClick={() => openOutside(page)}>
        {instruction.step === 'browser' ? words.openAgain : words.openPage}
      </Button>
      <Button size="compact-sm" variant="default" onClick={() => void copyText(address, words.addressCopied)}>
        {words.copyAddress}
      </Button>
    </>
  );
}
