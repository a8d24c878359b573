import { wholeStart } from '@tabularium/sdk';
import { Alert, Button, Checkbox, Group, Modal, Progress, Radio, SegmentedControl, Stack } from '@mantine/core';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { MOST_STAGED_ROWS } from '../../../common/editing.ts';
import type { PasteStart } from '../model/pasteStart.ts';
import { strings } from '../../i18n/index.ts';
import { PASTE_FORMATS, looksLikeHeader, readAs, withHeader } from '../../editing/clipboardTable.ts';
import type { PasteFormat, PastedTable } from '../../editing/clipboardTable.ts';
import { isBrokenJson } from '../../editing/isBrokenJson.ts';
import type { JsonFault } from '../../editing/jsonFault.ts';
import type { SliceOptions } from '../../editing/inSlices.ts';
import type { StagingOptions } from '../../editing/useStage.ts';
import styles from './paste.module.css';
import type { PastePlan } from '../../editing/pastePlan.ts';
import { PastePreview } from './PastePreview.tsx';
import { DialogActions } from '../../ui/DialogActions.tsx';

/** Names of members that are listed. */
const MOST_LISTED = 5;
/** Planning that takes longer says how far it is. */
const QUIET_MILLISECONDS = 500;
/** Characters of a field that are drawn. */
const MOST_SHOWN = 120;

interface Props {
  readonly table: { readonly name: string; readonly columns: readonly string[] };
  readonly text: string;
  /** The text as it was read already. */
  readonly read: PastedTable;
  /** Where the text goes; undefined where no cell is active, so that it can only be new rows. */
  readonly start: PasteStart | undefined;
  /** The same as a person reads it. The line is counted from 1. */
  readonly startsAt: { readonly line: number; readonly column: string } | undefined;
  readonly plan: (table: PastedTable, start: PasteStart | undefined, slices: SliceOptions) => Promise<PastePlan | undefined>;
  readonly onStage: (plan: PastePlan, options: StagingOptions) => Promise<boolean>;
  readonly onClose: () => void;
}

const shortened = (text: string): string => (text.length > MOST_SHOWN ? `${wholeStart(text, MOST_SHOWN)}…` : text);

/** A preview of the changes from the clipboard, field by field, before they are staged. */
export function PasteDialog(props: Props): ReactNode {
  const { text, read: guessed, start, startsAt, plan, onStage, onClose } = props;
  const words = strings.paste;
  const [format, setFormat] = useState<PasteFormat>(guessed.format);
  const table = useMemo(() => (format === guessed.format ? guessed : (readAs(text, format) ?? guessed)), [text, format, guessed]);
  const [header, setHeader] = useState<boolean>();
  const hasHeader = header ?? looksLikeHeader(table, props.table.columns);
  const [asRows, setAsRows] = useState(start === undefined || guessed.names !== undefined);
  const [planned, setPlanned] = useState<PastePlan>();
  const [isUnread, setIsUnread] = useState(false);
  const [done, setDone] = useState<number>();
  const [staging, setStaging] = useState<AbortController>();
  const [isSlow, setIsSlow] = useState(false);
  const [isCancelled, setCancelled] = useState(false);
  const [rejection, setRejection] = useState<string>();
  const isBusy = staging !== undefined;

  const source = useMemo(() => (hasHeader && table.format !== 'json' ? withHeader(table) : table), [table, hasHeader]);
  const isTooLong = source.rows.length > MOST_STAGED_ROWS;
  // The plan is made of the rows as they are when a choice is made: nothing changes under the reader's eyes.
  const planner = useRef(plan);
  useEffect(() => {
    planner.current = plan;
  });
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    setPlanned(undefined);
    setIsUnread(false);
    setDone(undefined);
    if (isTooLong) return undefined;
    const loud = performance.now() + QUIET_MILLISECONDS;
    const onProgress = (lines: number): void => {
      if (performance.now() >= loud) setDone(lines);
    };
    void planner.current(source, asRows ? undefined : start, { signal, onProgress }).then((next) => {
      if (signal.aborted) return;
      setPlanned(next);
      setDone(undefined);
      setIsUnread(next === undefined);
    });
    return () => controller.abort();
  }, [source, asRows, start, isTooLong]);

  const isPlanned = planned !== undefined && planned.edits.length > 0;
  const submit = (): void => {
    if (planned === undefined || !isPlanned || isBusy) return;
    const controller = new AbortController();
    setStaging(controller);
    setRejection(undefined);
    const slow = setTimeout(() => setIsSlow(true), QUIET_MILLISECONDS);
    void onStage(planned, { signal: controller.signal, onRejected: setRejection }).then((isStaged) => {
      clearTimeout(slow);
      setIsSlow(false);
      setCancelled(false);
      setStaging(undefined);
      if (isStaged) onClose();
    });
  };
  const close = (): void => {
    if (!isBusy) {
      onClose();
      return;
    }
    setCancelled(true);
    staging.abort();
  };
  const formats = PASTE_FORMATS.filter((one) => one !== 'json' || guessed.format === 'json');
  return (
    <Modal
      opened
      onClose={close}
      title={words.title(props.table.name)}
      size={820}
      centered
      closeButtonProps={{ 'aria-label': strings.common.close }}
    >
      <Stack gap={12}>
        <BrokenJson text={text} />
        <Group gap={16} align="end">
          <div>
            <span className={styles.label} id="paste-format">
              {words.format}
            </span>
            <SegmentedControl
              aria-labelledby="paste-format"
              value={format}
              onChange={(value) => {
                setFormat(formats.find((one) => one === value) ?? format);
                setHeader(undefined);
              }}
              data={formats.map((value) => ({ value, label: words.formats[value] }))}
            />
          </div>
          {table.format === 'json' ? null : (
            <Checkbox
              size="xs"
              mb={6}
              label={words.header}
              checked={hasHeader}
              onChange={(event) => setHeader(event.currentTarget.checked)}
            />
          )}
        </Group>
        <Radio.Group label={words.into} value={asRows ? 'rows' : 'cells'} onChange={(value) => setAsRows(value === 'rows')}>
          <Stack gap={6} mt={4}>
            {startsAt === undefined ? null : (
              <Radio size="xs" value="cells" label={words.intoCells(startsAt.line, startsAt.column)} description={words.noRoom} />
            )}
            <Radio size="xs" value="rows" label={words.asRows} />
          </Stack>
        </Radio.Group>
        <PastePreview planned={planned} source={source} />
        <p className={styles.counts} role="status">
          {isTooLong ? `${strings.selection.tooManyRows(MOST_STAGED_ROWS)} ${words.tooManyAdvice}` : null}
          {isUnread ? words.unreadRow : null}
          {done === undefined ? null : words.planning(done, source.rows.length)}
          {isSlow ? `${isCancelled ? words.takingBack : words.staging} ` : null}
          {planned === undefined
            ? null
            : planned.edits.length === 0
              ? planned.faults === 0
                ? words.unchanged
                : words.nothingFits
              : words.counts(planned.cells, planned.newRows)}
          {isPlanned && source.format === 'json' && planned.rows.some(({ target }) => target !== undefined)
            ? ` ${words.membersStay}`
            : null}
          {planned === undefined || planned.undeclared.length === 0 ? null : (
            <span className={styles.undeclared}>
              {words.undeclared(planned.undeclared.length, planned.undeclared.slice(0, MOST_LISTED).map(shortened))}
            </span>
          )}
          {planned === undefined || planned.faults === 0 ? null : <strong>{words.faults(planned.faults)}</strong>}
        </p>
        {isSlow ? <Progress value={100} animated size="sm" aria-label={words.staging} /> : null}
        {rejection === undefined ? null : (
          <Alert color="red" role="alert">
            {rejection}
          </Alert>
        )}
        <DialogActions>
          <Button variant="default" disabled={isCancelled} onClick={close}>
            {strings.common.cancel}
          </Button>
          <Button
            // Not disabled while there is no plan yet: it has the focus from the start, so that Enter stages what was seen.
            data-autofocus
            data-disabled={!isPlanned || undefined}
            aria-disabled={!isPlanned}
            loading={isBusy}
            onClick={submit}
          >
            {planned === undefined || planned.faults === 0 ? stageText(planned) : words.stageRest(planned.cells, planned.faults)}
          </Button>
        </DialogActions>
      </Stack>
    </Modal>
  );
}

/** Rows without a value have no cell to count. */
function stageText(planned: PastePlan | undefined): string {
  const { cells, newRows } = planned ?? { cells: 0, newRows: 0 };
  return cells === 0 && newRows > 0 ? strings.paste.stageRows(newRows) : strings.paste.stage(cells);
}

/** Where a text that begins like JSON stops being it. Without this, a lost comma would make values of braces. */
function BrokenJson({ text }: { readonly text: string }): ReactNode {
  const isBroken = useMemo(() => isBrokenJson(text), [text]);
  const [fault, setFault] = useState<JsonFault>();
  useEffect(() => {
    let isCurrent = true;
    setFault(undefined);
    if (!isBroken) return undefined;
    // The parser with places is loaded for this alone.
    void import('../../editing/jsonFault.ts').then(({ jsonFault }) => {
      if (isCurrent) setFault(jsonFault(text));
    });
    return () => {
      isCurrent = false;
    };
  }, [text, isBroken]);
  if (!isBroken) return null;
  const words = strings.paste.brokenJson;
  const { syntax, syntaxOther } = strings.inspector;
  return (
    <Alert color="orange" title={words.title} role="alert">
      {fault === undefined ? null : `${words.at(fault.line, fault.character, syntax[fault.code] ?? syntaxOther)} `}
      {words.advice}
    </Alert>
  );
}
