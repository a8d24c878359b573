import { Button, Group, Textarea } from '@mantine/core';
import type { TableRef } from '@tabularium/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { QuerySetInfo } from '../../common/relevance.ts';
import { api } from '../api/client.ts';
import { problemOf } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import { strings } from '../i18n/index.ts';
import { NewQuerySetDialog } from '../search/NewQuerySetDialog.tsx';
import { rereadQuerySets } from '../search/querySetQueries.ts';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import styles from './relevance.module.css';
import { typedQueries } from './typedQueries.ts';

interface Props {
  readonly connectionId: string;
  readonly table: TableRef;
  /** The name of the set that is gone. */
  readonly name: string;
  readonly text: string;
  /** The set that is shown in its place, where there is one. */
  readonly shown: QuerySetInfo | undefined;
  readonly onText: (text: string) => void;
  /** The queries were saved into a set, or discarded. */
  readonly onDone: (setId?: string) => void;
}

/** Queries that were typed for a set which was deleted meanwhile, in another window or by a command: they are kept until they are saved or discarded. */
export function LostQueries({ connectionId, table, name, text, shown, onText, onDone }: Props): ReactNode {
  const words = strings.relevance.lost;
  const client = useQueryClient();
  const [isNaming, setNaming] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const texts = [...new Set(typedQueries(text))];
  const save = async (id: string): Promise<void> => {
    try {
      await api.relevance.sets.addQueries.mutate({ id, texts });
      onDone(id);
    } catch (error) {
      setProblem(problemOf(error));
    }
    await rereadQuerySets(client);
  };
  return (
    <section className={styles.lost} aria-label={words.title(name)}>
      <p className={styles.lostText} role="alert">
        <strong>{words.title(name)}</strong> {words.text}
      </p>
      <Textarea
        size="xs"
        autosize
        minRows={1}
        maxRows={6}
        aria-label={words.label}
        value={text}
        spellCheck={false}
        onChange={({ currentTarget }) => onText(currentTarget.value)}
      />
      {problem === undefined ? null : <ProblemPanel compact title={strings.relevance.addFailed} problem={problem} />}
      <Group gap={8}>
        <Button size="xs" disabled={texts.length === 0} onClick={() => setNaming(true)}>
          {words.saveNew}
        </Button>
        {shown === undefined ? null : (
          <Button size="xs" variant="default" disabled={texts.length === 0} onClick={() => void save(shown.id)}>
            {words.saveInto(shown.name)}
          </Button>
        )}
        <Button size="xs" variant="subtle" color="gray" onClick={() => onDone()}>
          {words.discard}
        </Button>
      </Group>
      {isNaming ? (
        <NewQuerySetDialog
          connectionId={connectionId}
          table={table}
          onCreated={(id) => void save(id)}
          onClose={() => setNaming(false)}
        />
      ) : null}
    </section>
  );
}
