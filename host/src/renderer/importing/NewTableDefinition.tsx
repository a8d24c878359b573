import { Textarea } from '@mantine/core';
import type { PlannedChange, TableRef } from '@tabularium/sdk';
import { visibleText } from '@tabularium/sdk';
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { api } from '../api/client.ts';
import { inDriverWords } from '../api/driverTexts.ts';
import { problemOf, wasAborted } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import { strings } from '../i18n/index.ts';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import styles from './importing.module.css';

interface Props {
  readonly connectionId: string;
  /** The new table; its name is empty while none is entered. */
  readonly table: TableRef;
  readonly definition: string | undefined;
  /** It is that of the table that is copied. */
  readonly isLike: boolean;
  readonly onDefinition: (definition: string) => void;
  /** Messages that the dialog shows elsewhere. */
  readonly said: readonly (string | undefined)[];
  /** Grows with every failed attempt to create it: the plan may be another one since. */
  readonly attempts: number;
}

/** Milliseconds without a change after which the driver is asked. */
const PAUSE = 300;

/** The definition of a new table, and the requests that create it. */
export function NewTableDefinition({ connectionId, table, definition, isLike, onDefinition, said, attempts }: Props): ReactNode {
  const words = strings.importing;
  const [plan, setPlan] = useState<PlannedChange>();
  const [problem, setProblem] = useState<Problem>();
  const { name } = table;
  const namespace = JSON.stringify(table.namespace);
  useEffect(() => {
    setPlan(undefined);
    setProblem(undefined);
    if (name === '' || definition === undefined) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    const later = setTimeout(() => {
      api.imports.planTable
        .mutate({ connectionId, table: { namespace: JSON.parse(namespace) as string[], name }, definition }, { signal })
        .then(setPlan, (error: unknown) => {
          if (!wasAborted(error, signal)) setProblem(problemOf(error));
        });
    }, PAUSE);
    return () => {
      clearTimeout(later);
      controller.abort();
    };
  }, [connectionId, namespace, name, definition, attempts]);
  return (
    <>
      <Textarea
        size="xs"
        label={words.definition}
        description={isLike ? words.definitionLike : words.definitionHelp}
        autosize
        minRows={4}
        maxRows={12}
        value={definition ?? ''}
        onChange={(event) => onDefinition(event.currentTarget.value)}
        classNames={{ input: styles.code ?? '' }}
      />
      {problem === undefined || said.includes(problem.message) ? null : (
        <ProblemPanel compact title={words.planFailed} problem={problem} />
      )}
      {plan === undefined ? null : (
        <div>
          <span className={styles.label}>{words.plan}</span>
          <p className={styles.previewText}>{visibleText(inDriverWords(connectionId, plan).consequence, 'name', 4_000)}</p>
          {plan.requests.map(({ method, path, body }, place) => (
            <pre key={place} className={styles.request} tabIndex={0}>
              {visibleText(`${method} ${path}${body === undefined ? '' : `\n${body}`}`, 'data')}
            </pre>
          ))}
        </div>
      )}
    </>
  );
}
