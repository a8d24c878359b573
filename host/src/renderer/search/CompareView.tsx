import type { SearchAnswer } from '@tabularium/sdk';
import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import { HitCard } from './HitCard.tsx';
import { hitKey, titleField } from './hitFields.ts';
import { rankMoves } from './rankMoves.ts';
import type { RankMove } from './rankMoves.ts';
import styles from './search.module.css';
import type { ShownAnswer } from './useSearchAnswer.ts';

interface Props {
  readonly first: ShownAnswer;
  readonly second: ShownAnswer;
  readonly firstFields: readonly string[];
  readonly secondFields: readonly string[];
  readonly onRetry: () => void;
}

/** The hits of two ways to search, side by side, with the change of each rank. */
export function CompareView({ first, second, firstFields, secondFields, onRetry }: Props): ReactNode {
  const words = strings.search;
  const moves = rankMoves(first.answer?.hits ?? [], second.answer?.hits ?? []);
  const isWhole = first.answer !== undefined && second.answer !== undefined;
  const most = Math.max(first.answer?.hits.length ?? 0, second.answer?.hits.length ?? 0);
  return (
    <>
      <p className={styles.muted} role="status" aria-label={words.comparison}>
        {isWhole && most > 0 ? words.differences(most, moves.shared, moves.moved, moves.gained, moves.lost) : null}
      </p>
      <div className={styles.compare}>
        <Side name={words.setA} shown={first} moves={moves.first} fields={firstFields} onRetry={onRetry} />
        <Side name={words.setB} shown={second} moves={moves.second} fields={secondFields} onRetry={onRetry} />
      </div>
    </>
  );
}

interface SideProps {
  readonly name: string;
  readonly shown: ShownAnswer;
  readonly moves: readonly RankMove[];
  readonly fields: readonly string[];
  readonly onRetry: () => void;
}

function Side({ name, shown, moves, fields, onRetry }: SideProps): ReactNode {
  const words = strings.search;
  const { answer, problem, isFormer } = shown;
  return (
    <section className={styles.side} aria-label={name}>
      <h2 className={styles.sideTitle}>
        {name}
        {answer === undefined ? null : <span className={styles.muted}>{words.found(answer.found, answer.foundRows)}</span>}
      </h2>
      {problem === undefined ? null : <ProblemPanel title={words.failed} problem={problem} onRetry={onRetry} compact />}
      {isFormer ? <p className={styles.muted}>{words.former}</p> : null}
      {answer === undefined ? null : <HitList answer={answer} moves={moves} fields={fields} name={name} />}
    </section>
  );
}

function HitList({
  answer,
  moves,
  fields,
  name,
}: {
  readonly answer: SearchAnswer;
  readonly moves: readonly RankMove[];
  readonly fields: readonly string[];
  readonly name: string;
}): ReactNode {
  const title = titleField(answer.hits, fields);
  if (answer.hits.length === 0) return <p className={styles.muted}>{strings.search.nothingTitle}</p>;
  return (
    <ol className={styles.cards} aria-label={`${strings.search.hits}, ${name}`} tabIndex={0}>
      {answer.hits.map((hit, place) => (
        <li key={hitKey(hit)}>
          <HitCard hit={hit} rank={place + 1} fields={fields} title={title} move={moves[place]} />
        </li>
      ))}
    </ol>
  );
}
