import { Button, VisuallyHidden } from '@mantine/core';
import { IconChevronDown, IconChevronRight, IconCopy } from '@tabler/icons-react';
import type { SearchHit } from '@tabularium/sdk';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { JsonCode } from '../inspector/JsonCode.tsx';
import { strings } from '../i18n/index.ts';
import { copyText } from '../ui/copyText.ts';
import { formatJson } from '../console/formatJson.ts';
import type { RankMove } from './rankMoves.ts';
import { fieldText, readHitDocument } from './hitFields.ts';
import { HitPictures } from './HitPictures.tsx';
import styles from './search.module.css';

interface Props {
  readonly hit: SearchHit;
  /** From 1 on. */
  readonly rank: number;
  /** The fields that were searched. */
  readonly fields: readonly string[];
  /** The one of them that is the hit's title. */
  readonly title: string;
  /** The change of its rank, where two searches are compared. */
  readonly move?: RankMove | undefined;
  /** The place of its grade, where hits are judged. */
  readonly grading?: ReactNode;
  /** The place of the menu that pins and hides it, where there are rules. */
  readonly placing?: ReactNode;
}

/** Fields of a hit that has no highlights. */
const PLAIN_FIELDS = 3;

/** One hit: its rank, the places of the words, its score and marks; on request how it came about, and the document. */
export function HitCard({ hit, rank, fields, title: usual, move, grading, placing }: Props): ReactNode {
  const words = strings.search;
  const [open, setOpen] = useState<'explanation' | 'document'>();
  const document = readHitDocument(hit);
  const id = hit.key.map((cell) => (Array.isArray(cell) ? String(cell[1]) : String(cell))).join(', ');
  // A row of another table may lack the field that heads the others.
  const first = hit.table === undefined || fieldText(document, usual) !== undefined ? usual : (hit.highlights[0]?.field ?? usual);
  const lines = hit.highlights.filter(({ field }) => field !== first);
  const plain = hit.highlights.length > 0 ? [] : fields.filter((field) => field !== first).slice(0, PLAIN_FIELDS);
  const toggle = (what: 'explanation' | 'document') => (): void => setOpen((before) => (before === what ? undefined : what));
  return (
    <article className={styles.card} aria-label={`${rank}. ${fieldText(document, first) ?? id}`}>
      <div className={styles.rank}>
        <span aria-hidden>{rank}</span>
        {move === undefined ? null : <Move move={move} />}
      </div>
      <div className={styles.cardBody}>
        <h3 className={styles.cardTitle}>
          <Highlighted hit={hit} field={first} fallback={fieldText(document, first) ?? id} />
          {hit.table === undefined ? null : (
            <span className={styles.badge} title={words.fromTable(hit.table.name)}>
              {hit.table.name}
            </span>
          )}
          {hit.marks.map(({ label, detail }) => (
            <span key={label} className={styles.badge} title={detail}>
              {label}
            </span>
          ))}
        </h3>
        {lines.map(({ field, parts }, place) => (
          <p key={`${field} ${place}`} className={styles.line}>
            <span className={styles.lineField}>{field}</span>
            <Parts parts={parts} />
          </p>
        ))}
        {plain.map((field) => {
          const text = fieldText(document, field);
          return text === undefined ? null : (
            <p key={field} className={styles.line}>
              <span className={styles.lineField}>{field}</span>
              {text}
            </p>
          );
        })}
        <div className={styles.cardFoot}>
          <span className={styles.muted}>{id}</span>
          {hit.score === undefined ? null : <span className={styles.muted}>{words.scoreOf(hit.score)}</span>}
          <HitPictures document={document} />
          {grading}
          {placing}
          <Button
            size="compact-xs"
            variant="subtle"
            aria-expanded={open === 'explanation'}
            leftSection={open === 'explanation' ? <IconChevronDown size={12} /> : <IconChevronRight size={12} />}
            onClick={toggle('explanation')}
          >
            {words.explain}
          </Button>
          <Button
            size="compact-xs"
            variant="subtle"
            aria-expanded={open === 'document'}
            leftSection={open === 'document' ? <IconChevronDown size={12} /> : <IconChevronRight size={12} />}
            onClick={toggle('document')}
          >
            {words.document}
          </Button>
          {open === 'document' ? (
            <Button
              size="compact-xs"
              variant="subtle"
              leftSection={<IconCopy size={12} />}
              onClick={() => void copyText(prettyText(hit), words.copiedDocument)}
            >
              {words.copyDocument}
            </Button>
          ) : null}
        </div>
        {open === 'explanation' ? <Explanation hit={hit} rank={rank} /> : null}
        {open === 'document' ? (
          <div className={styles.document}>
            <JsonCode text={prettyText(hit)} label={words.documentOf(rank)} />
          </div>
        ) : null}
      </div>
    </article>
  );
}

/** The change of a rank: a sign to see, a sentence to hear. */
function Move({ move: { kind, places } }: { readonly move: RankMove }): ReactNode {
  const words = strings.search.moves;
  if (kind === 'same') return null;
  const sign = kind === 'gained' ? '+' : kind === 'lost' ? '−' : places > 0 ? `▲${places}` : `▼${-places}`;
  const said =
    kind === 'gained' ? words.gained : kind === 'lost' ? words.lost : places > 0 ? words.up(places) : words.down(-places);
  return (
    <span className={styles.move} data-kind={kind === 'moved' ? (places > 0 ? 'up' : 'down') : kind} title={said}>
      <span aria-hidden>{sign}</span>
      <VisuallyHidden>{said}</VisuallyHidden>
    </span>
  );
}

function Explanation({ hit, rank }: { readonly hit: SearchHit; readonly rank: number }): ReactNode {
  const words = strings.search;
  const details = hit.marks.flatMap(({ detail }) => detail ?? []);
  return (
    <dl className={styles.explanation} aria-label={words.explainTitle(rank)}>
      {hit.explanation.length === 0 && hit.score === undefined ? <dt>{words.noScore}</dt> : null}
      {details.map((detail) => (
        <dt key={detail} className={styles.explanationNote}>
          {detail}
        </dt>
      ))}
      {hit.explanation.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A field's text with its matches, or the text alone. */
export function Highlighted({
  hit,
  field,
  fallback,
}: {
  readonly hit: SearchHit;
  readonly field: string;
  readonly fallback: string;
}): ReactNode {
  const found = hit.highlights.find((one) => one.field === field);
  return found === undefined ? <span>{fallback}</span> : <Parts parts={found.parts} />;
}

function Parts({ parts }: { readonly parts: SearchHit['highlights'][number]['parts'] }): ReactNode {
  return (
    <span>
      {parts.map(({ text, isMatch }, place) =>
        // Parts have no names, and never change places.
        isMatch ? <mark key={place}>{text}</mark> : <span key={place}>{text}</span>,
      )}
    </span>
  );
}

function prettyText({ document }: SearchHit): string {
  return formatJson(document) ?? document;
}
