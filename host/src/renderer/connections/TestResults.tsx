import type { Manifest } from '@tabularium/sdk/manifest';
import { Button } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconMinus, IconX } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import type { TestStep } from '../../common/connection.ts';
import { testVerdict } from '../../common/testVerdict.ts';
import { inManifestWords } from '../api/driverTexts.ts';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import { strings } from '../i18n/index.ts';
import styles from './form.module.css';
import { labelOf, messageOf } from './testSteps.ts';
import type { ConnectionTestState } from './useConnectionTest.ts';

function Mark({ outcome }: { readonly outcome: TestStep['outcome'] }): ReactNode {
  const label = strings.form.outcomes[outcome];
  const common = { size: 15, stroke: 2, role: 'img', 'aria-label': label } as const;
  switch (outcome) {
    case 'ok':
      return <IconCheck {...common} className={styles.markOk} />;
    case 'warning':
      return <IconAlertTriangle {...common} className={styles.markWarning} />;
    case 'failed':
      return <IconX {...common} className={styles.markFailed} />;
    case 'skipped':
      return <IconMinus {...common} className={styles.markSkipped} />;
    case 'running':
      return <span className={styles.markRunning} role="img" aria-label={label} />;
  }
}

/** A test that failed because the person isn't signed in yet. The advice of the host is for programs, too: the button is here. */
function isSignInMissing({ failure }: TestStep, field: string | undefined): boolean {
  return isMissing(failure?.code, failure?.field, field);
}

/** The question about a host key ends the test as its problem, and is the failure of the step as well. */
function isSaid({ problem, steps }: ConnectionTestState): boolean {
  return problem?.hostKeyQuestion !== undefined && steps.some(({ failure }) => failure?.code === problem.code);
}

function isMissing(code: string | undefined, at: string | undefined, field: string | undefined): boolean {
  return code === 'CREDENTIALS_MISSING' && field !== undefined && at === field;
}

function verdictText(test: ConnectionTestState): string {
  if (test.state === 'running') return strings.form.testing;
  const verdict = test.problem === undefined ? testVerdict(test.steps) : 'failed';
  if (verdict === 'failed') return strings.form.testFailed;
  if (test.state === 'stopped') return strings.form.testStopped;
  switch (verdict) {
    case 'passed':
      return strings.form.testPassed;
    case 'warned':
      return strings.form.testWarned;
    case 'incomplete':
      return strings.form.testIncomplete;
  }
}

/** A step that was in progress when the test ended has no result. */
function withoutResult(step: TestStep, { state }: ConnectionTestState): TestStep {
  if (step.outcome !== 'running' || state === 'running') return step;
  const { id, label } = step;
  return { id, label, outcome: 'skipped', message: state === 'stopped' ? strings.form.stepStopped : strings.form.stepIncomplete };
}

interface Props {
  readonly manifest: Manifest;
  readonly test: ConnectionTestState;
  /** Where the form signs in at a provider: the field, and what begins it. */
  readonly signIn?: { readonly field: string; readonly onStart: () => void } | undefined;
}

/** Test Connection, a line per step. */
export function TestResults({ manifest, test, signIn }: Props): ReactNode {
  const section = useRef<HTMLElement>(null);
  const { length } = test.steps;
  // Found before the driver is asked, it is the problem of the test; found by the driver, a step of it.
  const isOut = isMissing(test.problem?.code, test.problem?.details.field, signIn?.field);
  const needsSignIn = isOut || test.steps.some((step) => isSignInMissing(step, signIn?.field));
  useEffect(() => {
    // They follow the fields and cover none, so they may be below what is on the screen.
    section.current?.scrollIntoView({ block: 'nearest' });
  }, [length, test.state]);
  if (test.state === 'idle') return null;
  return (
    <section ref={section} className={styles.results} aria-label={strings.form.testResults} aria-live="polite">
      <ol className={styles.resultList}>
        {test.steps
          .map((said) => withoutResult(inManifestWords(manifest, said), test))
          .map((step) => (
            <li key={step.id} data-outcome={step.outcome}>
              <Mark outcome={step.outcome} />
              <span className={styles.resultLabel}>{labelOf(step)}</span>
              <span className={styles.resultMessage}>
                {isSignInMissing(step, signIn?.field) ? strings.signIn.needed : messageOf(step, manifest)}
              </span>
              <span className={styles.resultTime}>
                {step.milliseconds === undefined ? null : strings.pager.milliseconds(step.milliseconds)}
              </span>
            </li>
          ))}
      </ol>
      {test.problem === undefined || isOut || isSaid(test) ? null : (
        <ProblemPanel compact title={strings.form.testFailed} problem={test.problem} />
      )}
      <p className={styles.verdict}>{isOut ? strings.signIn.needed : verdictText(test)}</p>
      {needsSignIn ? (
        <Button className={styles.signIn} size="compact-sm" onClick={signIn?.onStart}>
          {strings.signIn.start}
        </Button>
      ) : null}
    </section>
  );
}
