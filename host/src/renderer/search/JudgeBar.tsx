import { ActionIcon, Button, Select } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { TableRef } from '@tabularium/sdk';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import { NewQuerySetDialog } from './NewQuerySetDialog.tsx';
import styles from './search.module.css';
import type { Judging } from './useJudging.ts';

interface Props {
  readonly connectionId: string;
  readonly table: TableRef;
  readonly judging: Judging;
  /** Whether there are words that hits can be judged for. */
  readonly hasText: boolean;
  /** Hits that are shown. */
  readonly hits: number;
}

/** Chooses the query set that hits are judged for. */
export function JudgeBar({ connectionId, table, judging, hasText, hits }: Props): ReactNode {
  const words = strings.relevance;
  const { sets, setId, choose, leave, judged, problem } = judging;
  const [isNaming, setNaming] = useState(false);
  return (
    <div className={styles.judge} role="group" aria-label={words.judgeBar}>
      <Select
        size="xs"
        aria-label={words.set}
        placeholder={words.chooseSet}
        value={setId ?? null}
        onChange={(id) => choose(id)}
        data={sets.map(({ id, name }) => ({ value: id, label: name }))}
        allowDeselect={false}
      />
      <Button size="compact-sm" variant="subtle" onClick={() => setNaming(true)}>
        {words.newSet}
      </Button>
      <span className={styles.muted} role="status">
        {!hasText ? words.judgeNeedsText : setId === undefined ? words.chooseSet : words.judged(judged, hits)}
      </span>
      <ActionIcon size={22} aria-label={strings.common.close} title={strings.common.close} onClick={leave}>
        <IconX size={14} stroke={1.75} />
      </ActionIcon>
      {problem === undefined ? null : <ProblemPanel compact title={words.judgeFailed} problem={problem} />}
      {isNaming ? (
        <NewQuerySetDialog connectionId={connectionId} table={table} onCreated={choose} onClose={() => setNaming(false)} />
      ) : null}
    </div>
  );
}
