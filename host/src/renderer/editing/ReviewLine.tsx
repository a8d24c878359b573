import { ActionIcon, Button, Checkbox } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import type { Column } from '@tabularium/sdk';
import type { ReactNode } from 'react';
import { lackingFields } from '../../common/lackingFields.ts';
import type { Meanwhile, ReviewedChange, Settlement, StagedRow } from '../../common/editing.ts';
import { shownText } from '../grid/model/cellText.ts';
import { strings } from '../i18n/index.ts';
import { StateBadge } from '../ui/Marks.tsx';
import { columnAtFault, ofColumn } from './columnAtFault.ts';
import styles from './editing.module.css';
import { MeanwhileChoice } from './MeanwhileChoice.tsx';
import { missingFields } from './missingFields.ts';
import { ReviewedCells } from './ReviewedCells.tsx';
import { refusals, saveProblemText } from './saveProblemText.ts';
import type { SavedRowOutcome } from './saveState.ts';

const words = strings.editing;

/** Whether a change that may have been made is sent again. */
export interface SendAgain {
  readonly isSent: boolean;
  readonly onChange: (isSent: boolean) => void;
}

interface Props {
  readonly connectionId: string;
  readonly change: ReviewedChange;
  readonly columns: readonly Column[];
  readonly outcome: SavedRowOutcome | undefined;
  readonly isSending: boolean;
  /** Whether it can't be saved as it is. */
  readonly isHeld: boolean;
  /** The save made no change at all, because it could not make every one. */
  readonly madeNothing: boolean;
  /** Leads to the row, see {@link ReviewDialog}. */
  readonly showIn: ((row: StagedRow, column: string | undefined) => (() => void) | undefined) | undefined;
  /** The row as it is staged; undefined once it is saved. */
  readonly staged: StagedRow | undefined;
  /** Only for a change that may have been made. */
  readonly again: SendAgain | undefined;
  readonly onDiscard: (() => void) | undefined;
  readonly onSettle: ((choice: Settlement['choice'], shown: Meanwhile) => void) | undefined;
}

/** One change: its values, the request, what became of it, and what somebody else did to the row. */
export function ReviewLine({
  connectionId,
  change,
  columns,
  outcome,
  isSending,
  isHeld,
  madeNothing,
  showIn,
  staged,
  again,
  onDiscard,
  onSettle,
}: Props): ReactNode {
  const { prepared } = change;
  const problem = staged?.problem ?? outcome?.problem;
  const meanwhile = problem?.meanwhile;
  const lacking = lackingFields(change, columns);
  // The host says of a row that lacks values the same as this line.
  const faults = refusals(connectionId, change).filter(({ column }, index) =>
    lacking.length === 0 ? true : index > 0 || (column !== undefined && !lacking.includes(column)),
  );
  // A change that failed because it can't be sent has the same reason twice.
  const isSaidAlready = !prepared.ready && [prepared, ...(change.more ?? [])].some(({ message }) => message === problem?.message);
  const reason = problem === undefined ? undefined : saveProblemText(connectionId, problem);
  // The outcome that the host noted is known also where the end of its save was not heard.
  const known = outcome?.outcome ?? problem?.outcome;
  const state =
    known === undefined
      ? madeNothing && staged !== undefined
        ? words.outcomes.notMade
        : undefined
      : meanwhile === undefined
        ? words.outcomes[known]
        : words.meanwhile.outcome;
  const failing = columnAtFault(change, problem);
  const column = (prepared.ready ? undefined : prepared.column) ?? failing ?? lacking[0];
  const isSaid = reason === undefined || meanwhile !== undefined || lacking.length > 0 || isSaidAlready;
  /** Beside the value at fault, where the change has it. */
  const isBeside = !isSaid && isHeld && change.kind !== 'delete' && change.cells.some((cell) => cell.column === failing);
  const show = staged === undefined || !isHeld ? undefined : showIn?.(staged, column);
  return (
    <li
      className={styles.reviewLine}
      data-outcome={known}
      data-kind={change.kind}
      data-held={isHeld || undefined}
      tabIndex={isHeld ? -1 : undefined}
    >
      <div className={styles.reviewHead}>
        <StateBadge tone={change.kind === 'delete' ? 'warning' : 'accent'}>{words.kinds[change.kind]}</StateBadge>
        <span className={styles.rowKey}>{change.key?.map((cell) => shownText(cell, 'text').text).join(', ')}</span>
        {state === undefined ? null : <StateBadge tone={known === 'saved' ? 'good' : 'warning'}>{state}</StateBadge>}
        {isSending && known === undefined ? <StateBadge tone="plain">{words.outcomes.sending}</StateBadge> : null}
        <span className={styles.space} />
        {show === undefined ? null : (
          <Button size="compact-xs" variant="subtle" onClick={show}>
            {words.showInTable}
          </Button>
        )}
        {onDiscard === undefined ? null : (
          <ActionIcon size={24} aria-label={words.discardRow} title={words.discardRow} onClick={onDiscard}>
            <IconArrowBackUp size={14} stroke={1.75} />
          </ActionIcon>
        )}
      </div>
      {meanwhile === undefined ? null : (
        <MeanwhileChoice
          kind={change.kind}
          meanwhile={meanwhile}
          missing={missingFields(staged, columns)}
          onChoice={onSettle === undefined ? undefined : (choice) => onSettle(choice, meanwhile)}
        />
      )}
      <ReviewedCells
        change={change}
        meanwhile={meanwhile}
        columns={columns}
        faults={isHeld ? [column, ...lacking, ...faults.map((fault) => fault.column)] : []}
        reason={isBeside ? { column: failing, text: ofColumn(failing, reason) } : undefined}
      />
      {prepared.ready && lacking.length === 0 ? (
        <pre className={styles.request} tabIndex={0}>
          {prepared.text}
        </pre>
      ) : (
        <>
          {lacking.length === 0 ? null : <p className={styles.reason}>{words.lacks(lacking)}</p>}
          {faults.map((fault) => (
            <p key={`${fault.column ?? ''} ${fault.message}`} className={styles.reason}>
              {words.notReady(ofColumn(fault.column, fault.message))}
            </p>
          ))}
        </>
      )}
      {isSaid || isBeside ? null : (
        <p className={styles.reason} role="alert">
          {ofColumn(failing, reason)}
        </p>
      )}
      {again === undefined ? null : (
        <Checkbox
          size="xs"
          label={change.kind === 'insert' ? words.insertAgain : words.sendAgain}
          checked={again.isSent}
          onChange={({ currentTarget }) => again.onChange(currentTarget.checked)}
        />
      )}
    </li>
  );
}
