import { Button, Group, Loader, Modal, NativeSelect, Radio, Stack, TextInput } from '@mantine/core';
import { visibleText } from '@tabularium/sdk';
import type { TableRef } from '@tabularium/sdk';
import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import type { OpenConnectionInfo } from '../../common/api.ts';
import type { ImportField, ImportSource } from '../../common/imports.ts';
import { findTable, tableName } from '../../common/tableName.ts';
import { api } from '../api/client.ts';
import { ReportedProblem, problemOf } from '../api/problem.ts';
import { useConnections, useTables } from '../api/queries.ts';
import { strings } from '../i18n/index.ts';
import { DialogActions } from '../ui/DialogActions.tsx';
import { DiscardQuestion } from '../ui/DiscardQuestion.tsx';
import { SearchRest } from '../ui/SearchRest.tsx';
import { ImportModes } from './ImportModes.tsx';
import { reportInDriverWords } from '../api/driverTexts.ts';
import { ImportPreviewTable } from './ImportPreviewTable.tsx';
import styles from './importing.module.css';
import { NamespaceSelect } from './NamespaceSelect.tsx';
import { NewTableDefinition } from './NewTableDefinition.tsx';
import { NewTableTaken } from './NewTableTaken.tsx';
import { ProblemsOnce } from './ProblemsOnce.tsx';
import { useEscape } from '../ui/useEscape.ts';
import { useImportPreview } from './useImportPreview.ts';
import { useProblemOf } from './useProblemOf.ts';
import { useTableThere } from './useTableThere.ts';
import { useNewTableNamespace } from './useNewTableNamespace.ts';

interface Props {
  /** Of the rows. */
  readonly connection: OpenConnectionInfo;
  readonly table: TableRef;
  readonly onClose: () => void;
}

/** Where the rows of a table are copied to, with its first rows and what is sent. The copy itself continues in the status bar. */
export function CopyDialog({ connection: { connectionId: sourceId, manifest }, table: from, onClose }: Props): ReactNode {
  const words = strings.importing;
  const term = manifest.terms.table.one;
  const connections = useConnections().data ?? [];
  const [connectionId, setConnectionId] = useState(sourceId);
  const [create, setCreate] = useState(true);
  const [name, setName] = useState('');
  const [mapping, setMapping] = useState<readonly ImportField[]>();
  const [mode, setMode] = useState<string>();
  const [definition, setDefinition] = useState<string>();
  const [typedName, setTypedName] = useState('');
  const [tried, setTried] = useState(false);
  /** Attempts that failed. */
  const [attempts, setAttempts] = useState(0);
  const [busy, setBusy] = useState(false);
  const [asksDiscard, setAsksDiscard] = useState(false);
  const tables = useTables(connectionId);
  const there = create ? undefined : findTable(tables.data ?? [], name.trim())?.ref;
  const place = useNewTableNamespace(connectionId, create);
  const target: TableRef = there ?? { namespace: place.chosen, name: name.trim() };
  const found = useTableThere(connectionId, create ? target : undefined);
  const [problem, setProblem] = useProblemOf(
    JSON.stringify([connectionId, create, target, mapping, mode, definition, typedName]),
  );
  const isPlaced = !create || place.namespaces !== undefined;
  const isNamed = create ? target.name !== '' && isPlaced : there !== undefined;
  const source: ImportSource = {
    is: 'table',
    connectionId: sourceId,
    table: { namespace: [...from.namespace], name: from.name },
  };
  const [asked] = useState(() => source);
  const {
    preview,
    problem: sourceProblem,
    isLoading,
  } = useImportPreview({
    ...{ connectionId, table: target, create, format: undefined, mapping, mode },
    source: isNamed ? asked : undefined,
  });
  const shown = isNamed ? preview : undefined;
  const shownDefinition = definition ?? shown?.definition;
  const usedMapping = mapping ?? shown?.suggested;
  const chosenMode = shown?.form?.modes.find(({ id }) => id === mode) ?? shown?.form?.modes[0];
  const confirm = create ? undefined : shown?.copy?.confirm;
  const isConfirmed = confirm === undefined || typedName === confirm;
  const readOnly = connections.find(({ id }) => id === connectionId)?.access.readOnly === true;

  const changed = (): void => {
    setMapping(undefined);
    setMode(undefined);
    setDefinition(undefined);
    setTypedName('');
  };
  const start = async (): Promise<void> => {
    setTried(true);
    if (!isNamed || !isConfirmed || found.there !== undefined || (create && shownDefinition === undefined)) return;
    setBusy(true);
    setProblem(undefined);
    try {
      await api.imports.start.mutate({
        connectionId,
        table: { namespace: [...target.namespace], name: target.name },
        source,
        ...(usedMapping === undefined ? {} : { mapping: usedMapping.filter((field) => field.target !== '') }),
        ...(create ? { definition: shownDefinition } : { typedName, ...(mode === undefined ? {} : { mode }) }),
      });
      if (create) found.reread();
      onClose();
    } catch (error) {
      setProblem(problemOf(error));
      setBusy(false);
      if (!create) return;
      setAttempts((count) => count + 1);
      found.reread();
    }
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!busy) void start();
  };
  const leave = (): void => {
    const isChanged = mapping !== undefined || definition !== undefined || name !== '';
    // In a turn of its own: the Escape that asks would else answer, too.
    if (isChanged && !busy) setTimeout(() => setAsksDiscard(true));
    else onClose();
  };
  useEscape(leave);
  const problems = [
    { title: words.planFailed, problem: place.problem },
    { title: words.copyFailed, problem: tables.error === null ? undefined : problemOf(tables.error) },
    { title: words.copyFailed, problem: isNamed ? sourceProblem : undefined },
    {
      title: words.definitionFailed,
      problem:
        shown?.definitionProblem === undefined
          ? undefined
          : problemOf(new ReportedProblem(reportInDriverWords(connectionId, shown.definitionProblem))),
    },
    { title: words.copyFailed, problem },
  ];
  const asText = (mapping === undefined ? (shown?.suggested ?? []) : []).filter(({ type }) => type === 'text');
  return (
    <>
      <Modal
        opened
        onClose={leave}
        closeOnEscape={false}
        title={words.copyTitle(visibleText(tableName(from), 'name', 200))}
        size={920}
        centered
        closeButtonProps={{ 'aria-label': strings.common.close }}
      >
        <form onSubmit={submit} noValidate>
          <Stack gap={14}>
            <NativeSelect
              size="xs"
              label={words.copyTo}
              value={connectionId}
              error={readOnly ? strings.shell.readOnlyMode : undefined}
              onChange={(event) => {
                setConnectionId(event.currentTarget.value);
                changed();
              }}
              data={connections.map((one) => ({ value: one.id, label: one.name }))}
              data-autofocus
            />
            <Radio.Group
              label={words.copyInto}
              value={create ? 'new' : 'there'}
              onChange={(value) => {
                setCreate(value === 'new');
                changed();
              }}
            >
              <Group gap={16} mt={4}>
                <Radio size="xs" value="new" label={words.copyNew(term)} />
                <Radio size="xs" value="there" label={words.copyThere(term)} />
              </Group>
            </Radio.Group>
            {create ? (
              <>
                <NamespaceSelect place={place} onChange={changed} />
                <TextInput
                  size="xs"
                  label={words.name}
                  value={name}
                  error={tried && target.name === '' ? words.nameMissing : undefined}
                  onChange={(event) => {
                    setName(event.currentTarget.value);
                    setDefinition(undefined);
                  }}
                />
              </>
            ) : (
              <NativeSelect
                size="xs"
                label={term}
                value={there === undefined ? '' : tableName(there)}
                error={tried && !isNamed ? words.copyTableMissing : undefined}
                onChange={(event) => {
                  setName(event.currentTarget.value);
                  changed();
                }}
                data={['', ...(tables.data ?? []).filter(({ kind }) => kind === 'table').map(({ ref }) => tableName(ref))]}
              />
            )}
            {create ? null : <SearchRest connectionId={connectionId} term={manifest.terms.container} />}
            {create ? (
              <NewTableTaken
                table={target}
                found={found}
                hasFailed={problem !== undefined && problem.code !== 'CONFLICT'}
                goInto={words.copyIntoIt}
                onGoInto={(ref) => {
                  setCreate(false);
                  setName(tableName(ref));
                  changed();
                }}
              />
            ) : null}
            <ProblemsOnce problems={problems} />
            {isLoading && shown === undefined && isNamed ? (
              <Group gap={8} role="status">
                <Loader size={14} /> {words.looking}
              </Group>
            ) : null}
            {shown?.copy === undefined ? null : (
              <>
                <p className={styles.previewText} role="status">
                  {shown.copy.rows === undefined
                    ? ''
                    : words.copyRows(
                        words.copyRowCount(shown.copy.rows.rows, shown.copy.rows.exact),
                        visibleText(shown.copy.connection, 'name', 200),
                      )}{' '}
                  {shown.copy.rowsThere === undefined
                    ? ''
                    : words.copyThereRows(words.copyRowCount(shown.copy.rowsThere.rows, shown.copy.rowsThere.exact))}{' '}
                  {asText.length === 0 ? '' : words.copyAsText(asText.map((field) => field.source).join(', '))}
                </p>
                {create && shown.copy.leftOut !== undefined ? (
                  <ul className={styles.leftOut} aria-label={words.leftOut}>
                    {shown.copy.leftOut.map(({ part, names, count }) => (
                      <li key={part}>{words.leftOutPart(words.parts[part], names.join(', '), count - names.length)}</li>
                    ))}
                  </ul>
                ) : null}
                <ImportPreviewTable
                  connectionId={connectionId}
                  preview={shown}
                  fields={mapping ?? shown.fields}
                  onFields={setMapping}
                />
                {create && found.there !== undefined ? null : create ? (
                  <NewTableDefinition
                    connectionId={connectionId}
                    table={target}
                    definition={shownDefinition}
                    isLike={shown.copy.isLike}
                    said={problems.map((one) => one.problem?.message)}
                    attempts={attempts}
                    onDefinition={setDefinition}
                  />
                ) : shown.form === undefined ? null : (
                  <ImportModes connectionId={connectionId} form={shown.form} mode={mode} onMode={setMode} />
                )}
                {confirm === undefined ? null : (
                  <TextInput
                    label={words.copyTypeName(visibleText(confirm, 'name', 1_000))}
                    value={typedName}
                    autoComplete="off"
                    spellCheck={false}
                    onChange={(event) => setTypedName(event.currentTarget.value)}
                  />
                )}
              </>
            )}
            <DialogActions>
              <Button variant="default" onClick={leave}>
                {strings.common.cancel}
              </Button>
              <Button
                type="submit"
                loading={busy}
                disabled={
                  readOnly ||
                  !isPlaced ||
                  found.there !== undefined ||
                  (isNamed && (shown === undefined || isLoading || !isConfirmed || (create && shownDefinition === undefined)))
                }
                {...(chosenMode?.effect === 'destructive' ? { color: 'red' } : {})}
              >
                {create ? words.copyStartNew : words.copyStart}
              </Button>
            </DialogActions>
          </Stack>
        </form>
      </Modal>
      <DiscardQuestion opened={asksDiscard} text={words.discard} onKeep={() => setAsksDiscard(false)} onDiscard={onClose} />
    </>
  );
}
