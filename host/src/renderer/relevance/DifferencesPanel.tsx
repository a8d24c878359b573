import { Button, SegmentedControl, Select, Textarea, UnstyledButton } from '@mantine/core';
import type { TableRef } from '@tabularium/sdk';
import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { DEFAULT_DEPTH, MOST_DEPTH } from '../../common/relevance.ts';
import type { QuerySetInfo, RelevanceWay } from '../../common/relevance.ts';
import { useTypedText } from '../editing/useTypedText.ts';
import { formatCount } from '../i18n/format.ts';
import { strings } from '../i18n/index.ts';
import { copyOfTable, useSearchConfigurations } from '../search/querySetQueries.ts';
import { readSearchSettings, searchSettingsName } from '../search/searchSettings.ts';
import { workspaceTableKey } from '../state/workspace.ts';
import { useRemembered } from '../state/workspaceStore.ts';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import { WholeNumberInput } from '../ui/WholeNumberInput.tsx';
import { formatMetric } from './formatMetric.ts';
import { pastedQueries } from './pastedQueries.ts';
import styles from './relevance.module.css';
import { SearchProgress } from './SearchProgress.tsx';
import { showInSearch } from './showInSearch.ts';
import { useDifferences } from './useDifferences.ts';
import type { FoundDifferences } from './useDifferences.ts';
import { waysOf } from './waysOf.ts';

/** Rows that are drawn, and that “Show more” adds. */
const STEP = 100;

interface Props {
  readonly connectionId: string;
  readonly table: TableRef;
  /** Undefined where the table has none: queries are pasted then. */
  readonly set: QuerySetInfo | undefined;
  readonly isShown: boolean;
  readonly onSearch: () => void;
}

/** For which queries two ways to search find something else. */
export function DifferencesPanel({ connectionId, table, set, isShown, onSearch }: Props): ReactNode {
  const words = strings.relevance.differing;
  const saved = useSearchConfigurations(connectionId, table, isShown).data;
  const remembered = useRemembered(connectionId, searchSettingsName(workspaceTableKey(table)));
  const ways = useMemo(() => waysOf(saved ?? [], readSearchSettings(remembered)), [saved, remembered]);
  const [names, setNames] = useState<readonly [string | undefined, string | undefined]>([undefined, undefined]);
  const [source, setSource] = useState<'set' | 'pasted'>('set');
  const [pasted, setPasted] = useState('');
  const [depth, setDepth] = useState(DEFAULT_DEPTH);
  const started = useDifferences();
  const first = ways.find(({ name }) => name === names[0]) ?? ways[0];
  const second = ways.find(({ name }) => name === names[1]) ?? ways.at(-1);
  const takesSet = set !== undefined && source === 'set';
  const texts = pastedQueries(pasted);
  useTypedText(pasted.trim() !== '');
  // The result of another set, or of pasted queries, is there again when those are chosen.
  const result = started.result?.setId === (takesSet ? set.id : undefined) ? started.result : undefined;
  const count = takesSet ? set.queries : texts.length;
  const fault = ways.length < 2 ? words.oneWay : first === second ? words.sameWay : count === 0 ? words.noQueries : undefined;
  const choice = (place: 0 | 1, label: string, way: RelevanceWay | undefined): ReactNode => (
    <Select
      size="xs"
      className={styles.way}
      label={label}
      allowDeselect={false}
      value={way?.name ?? null}
      data={ways.map(({ name }) => name)}
      onChange={(name) => setNames(place === 0 ? [name ?? undefined, second?.name] : [first?.name, name ?? undefined])}
    />
  );
  return (
    <>
      <p className={styles.muted}>{words.help}</p>
      {set === undefined ? null : (
        <SegmentedControl
          size="xs"
          aria-label={words.source}
          value={source}
          onChange={(value) => setSource(value === 'pasted' ? 'pasted' : 'set')}
          data={[
            { value: 'set', label: words.ofSet(set.name) },
            { value: 'pasted', label: words.pasted },
          ]}
        />
      )}
      {takesSet ? null : (
        <Textarea
          className={styles.pasted}
          size="xs"
          autosize
          minRows={3}
          maxRows={8}
          aria-label={words.pastedLabel}
          placeholder={strings.relevance.addPlaceholder}
          value={pasted}
          spellCheck={false}
          onChange={({ currentTarget }) => setPasted(currentTarget.value)}
        />
      )}
      <div className={styles.start}>
        {choice(0, strings.search.setA, first)}
        {choice(1, strings.search.setB, second)}
        <WholeNumberInput
          w={130}
          name={strings.relevance.depth}
          label={strings.relevance.depth}
          min={1}
          max={MOST_DEPTH}
          value={depth}
          onValue={(value) => setDepth(value ?? DEFAULT_DEPTH)}
        />
        <Button
          size="xs"
          disabled={fault !== undefined || started.progress !== undefined}
          title={fault}
          onClick={() => {
            if (first === undefined || second === undefined) return;
            const queries = takesSet ? { setId: set.id } : { texts: [...texts] };
            started.start({ connectionId, table: copyOfTable(table), queries, first, second, depth }, 2 * count);
          }}
        >
          {strings.search.compare}
        </Button>
        {started.progress === undefined ? null : (
          <SearchProgress label={strings.search.compare} {...started.progress} onCancel={started.cancel} />
        )}
      </div>
      {fault === undefined || started.progress !== undefined ? null : <p className={styles.muted}>{fault}</p>}
      {started.wasCancelled ? (
        <p className={styles.muted} role="status">
          {words.cancelled}
        </p>
      ) : null}
      {started.problem === undefined ? null : <ProblemPanel compact title={words.failed} problem={started.problem} />}
      {result === undefined ? null : (
        <DifferenceTable
          result={result}
          onCompare={(text) => {
            const { first: a, second: b } = result;
            showInSearch(connectionId, table, {
              ...{ text, order: 'rank', fields: a.fields, options: a.options },
              other: { options: b.options, ...(b.fields === undefined ? {} : { fields: b.fields }) },
            });
            onSearch();
          }}
        />
      )}
    </>
  );
}

interface TableProps {
  readonly result: FoundDifferences;
  readonly onCompare: (text: string) => void;
}

function DifferenceTable({ result: { first, second, queries }, onCompare }: TableProps): ReactNode {
  const words = strings.relevance.differing;
  const [shown, setShown] = useState(STEP);
  const measured = queries.flatMap(({ overlap }) => overlap ?? []);
  const differ = queries.filter(({ moved, gained, lost }) => moved + gained + lost > 0).length;
  const mean = measured.length === 0 ? null : measured.reduce((sum, overlap) => sum + overlap, 0) / measured.length;
  return (
    <>
      <p className={styles.muted} role="status">
        {words.summary(differ, queries.length, formatMetric(mean), first.name, second.name)}
      </p>
      <div className={styles.scroll} tabIndex={0} role="region" aria-label={words.table}>
        <table className={styles.table} aria-label={words.table}>
          <thead>
            <tr>
              <th scope="col">{strings.relevance.query}</th>
              {[words.overlap, words.shared, words.moved, strings.search.moves.lost, strings.search.moves.gained].map((title) => (
                <th
                  key={title}
                  scope="col"
                  className={styles.number}
                  title={title === words.overlap ? words.overlapHelp : undefined}
                >
                  {title}
                </th>
              ))}
              <th scope="col" className={styles.number}>
                {words.found}
              </th>
            </tr>
          </thead>
          <tbody>
            {queries.slice(0, shown).map(({ text, overlap, shared, moved, gained, lost, found, error }) => (
              <tr key={text}>
                <th scope="row">
                  <UnstyledButton className={styles.textButton} title={words.compare(text)} onClick={() => onCompare(text)}>
                    {text}
                  </UnstyledButton>
                </th>
                <td className={styles.number} data-bad={error !== undefined || undefined} title={error}>
                  {error === undefined ? formatMetric(overlap) : strings.relevance.failedSearches}
                </td>
                {[shared, moved, lost, gained].map((measurement, place) => (
                  <td key={place} className={styles.number}>
                    {error === undefined ? formatCount(measurement) : '–'}
                  </td>
                ))}
                <td className={styles.number}>{found.map((one) => formatCount(one)).join(' / ')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {shown < queries.length ? (
        <Button size="xs" variant="default" onClick={() => setShown(shown + STEP)}>
          {strings.search.more}
        </Button>
      ) : null}
    </>
  );
}
