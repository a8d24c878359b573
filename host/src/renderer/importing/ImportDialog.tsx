import { Button, Checkbox, Group, Loader, Modal, NativeSelect, SegmentedControl, Stack, TextInput } from '@mantine/core';
import type { TableRef } from '@tabularium/sdk';
import { useEffect, useRef, useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import type { OpenConnectionInfo } from '../../common/api.ts';
import { importFileFormatSchema } from '../../common/imports.ts';
import type { ImportField, ImportFormatChoice, ImportSource } from '../../common/imports.ts';
import { tableName } from '../../common/tableName.ts';
import { api } from '../api/client.ts';
import { ReportedProblem, problemOf } from '../api/problem.ts';
import { DialogActions } from '../ui/DialogActions.tsx';
import { strings } from '../i18n/index.ts';
import { DiscardQuestion } from '../ui/DiscardQuestion.tsx';
import { ImportFilePicker } from './ImportFilePicker.tsx';
import { ImportModes } from './ImportModes.tsx';
import { reportInDriverWords } from '../api/driverTexts.ts';
import { ImportPreviewTable, rejectedIn } from './ImportPreviewTable.tsx';
import styles from './importing.module.css';
import { NamespaceSelect } from './NamespaceSelect.tsx';
import { NewTableDefinition } from './NewTableDefinition.tsx';
import { NewTableTaken } from './NewTableTaken.tsx';
import { ProblemsOnce } from './ProblemsOnce.tsx';
import type { WantedImport } from './openImport.ts';
import { removeUpload, uploadFile } from './uploadFile.ts';
import { useEscape } from '../ui/useEscape.ts';
import { useImportPreview } from './useImportPreview.ts';
import { useProblemOf } from './useProblemOf.ts';
import { useTableThere } from './useTableThere.ts';
import { useNewTableNamespace } from './useNewTableNamespace.ts';

interface Props {
  readonly connection: OpenConnectionInfo;
  readonly wanted: WantedImport;
  readonly onClose: () => void;
}

const SEPARATORS = [',', ';', '\t', '|'] as const;

/** The file, format, mapping and mode of an import, with its first rows and its request. The import itself continues in the status bar. */
export function ImportDialog({ connection, wanted, onClose }: Props): ReactNode {
  const { connectionId, manifest } = connection;
  const words = strings.importing;
  const term = manifest.terms.table.one;
  /** The table that could not be created because it is there, and gets the rows. */
  const [there, setThere] = useState<TableRef>();
  const into = wanted.table ?? there;
  const create = into === undefined;
  const [newName, setNewName] = useState('');
  const [name, setName] = useState<string>();
  const [sent, setSent] = useState<number>();
  const [source, setSource] = useState<ImportSource | undefined>(wanted.rejected);
  const [format, setFormat] = useState<ImportFormatChoice>();
  const [mapping, setMapping] = useState<readonly ImportField[]>();
  const [mode, setMode] = useState<string | undefined>(wanted.mode);
  const [definition, setDefinition] = useState<string>();
  const [asksDiscard, setAsksDiscard] = useState(false);
  const [busy, setBusy] = useState(false);
  const [tried, setTried] = useState(false);
  /** Attempts that failed. */
  const [attempts, setAttempts] = useState(0);
  const sending = useRef<AbortController>(undefined);
  const started = useRef(false);
  const latest = useRef(source);
  latest.current = source;

  const place = useNewTableNamespace(connectionId, create);
  const table = into ?? { namespace: place.chosen, name: newName.trim() };
  const found = useTableThere(connectionId, create ? table : undefined);
  const [problem, setProblem] = useProblemOf(JSON.stringify([source, create, table, format, mapping, mode, definition]));
  const isPlaced = !create || place.namespaces !== undefined;
  const asked = { connectionId, table, create, source: isPlaced ? source : undefined, format, mapping, mode };
  const { preview, problem: fileProblem, isLoading } = useImportPreview(asked);
  const usedMapping = mapping ?? preview?.suggested;
  const shownDefinition = definition ?? preview?.definition;

  const take = (file: File): void => {
    sending.current?.abort();
    const controller = new AbortController();
    sending.current = controller;
    if (source !== undefined) removeUpload(source);
    setSource(undefined);
    setFormat(undefined);
    setMapping(undefined);
    setDefinition(undefined);
    setProblem(undefined);
    setName(file.name);
    setSent(0);
    uploadFile(file, setSent, controller.signal).then(
      (found) => {
        if (controller.signal.aborted) return removeUpload(found);
        setSent(undefined);
        setSource(found);
      },
      (error: unknown) => {
        if (controller.signal.aborted) return;
        setSent(undefined);
        setProblem(problemOf(error));
      },
    );
  };
  const takeFirst = useRef(take);
  const { file: dropped } = wanted;
  useEffect(() => {
    if (dropped !== undefined) takeFirst.current(dropped);
    return () => {
      sending.current?.abort();
      if (!started.current && latest.current !== undefined) removeUpload(latest.current);
    };
  }, [dropped]);

  const start = async (): Promise<void> => {
    setTried(true);
    if (source === undefined || (create && (table.name === '' || shownDefinition === undefined))) return;
    if (found.there !== undefined) return;
    setBusy(true);
    setProblem(undefined);
    try {
      await api.imports.start.mutate({
        connectionId,
        table: { namespace: [...table.namespace], name: table.name },
        source,
        ...(format === undefined ? {} : { format }),
        ...(usedMapping === undefined ? {} : { mapping: usedMapping.filter(({ target }) => target !== '') }),
        ...(mode === undefined ? {} : { mode }),
        ...(create && shownDefinition !== undefined ? { definition: shownDefinition } : {}),
      });
      started.current = true;
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
  const isChanged = [format, mapping, definition].some((one) => one !== undefined) || mode !== wanted.mode || newName !== '';
  const leave = (): void => {
    // In a turn of its own: the Escape that asks would else answer, too.
    if (isChanged && !busy) setTimeout(() => setAsksDiscard(true));
    else onClose();
  };
  useEscape(leave);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void start();
  };
  const problems = [
    { title: words.planFailed, problem: place.problem },
    { title: words.fileFailed, problem: fileProblem },
    {
      title: words.definitionFailed,
      problem:
        preview?.definitionProblem === undefined
          ? undefined
          : problemOf(new ReportedProblem(reportInDriverWords(connectionId, preview.definitionProblem))),
    },
    { title: words.failed, problem },
  ];
  const chosenMode = preview?.form?.modes.find(({ id }) => id === mode) ?? preview?.form?.modes[0];
  const shownFormat = preview?.format;
  const shownRows = preview?.rows.length ?? 0;
  const rejected = preview === undefined ? 0 : rejectedIn(preview);

  return (
    <>
      <Modal
        opened
        onClose={leave}
        closeOnEscape={false}
        title={create ? words.titleNew(term) : words.title(tableName(table))}
        size={920}
        centered
        closeButtonProps={{ 'aria-label': strings.common.close }}
      >
        <form onSubmit={submit} noValidate>
          <Stack gap={14}>
            {wanted.rejected === undefined ? <ImportFilePicker name={name} sent={sent} onFile={take} /> : null}
            {isLoading && preview === undefined ? (
              <Group gap={8} role="status">
                <Loader size={14} /> {words.looking}
              </Group>
            ) : null}
            <ProblemsOnce problems={problems} />
            {preview === undefined || shownFormat === undefined || source === undefined ? null : (
              <>
                <Group gap={12} align="flex-end">
                  <div>
                    <span className={styles.label} id="import-format">
                      {words.format}
                    </span>
                    <SegmentedControl
                      aria-labelledby="import-format"
                      value={shownFormat.format}
                      onChange={(value) => {
                        const known = importFileFormatSchema.safeParse(value);
                        if (known.success) setFormat({ ...format, format: known.data });
                        setMapping(undefined);
                      }}
                      data={importFileFormatSchema.options
                        .filter((value) => value !== 'rejected' || shownFormat.format === 'rejected')
                        .map((value) => ({ value, label: words.formats[value] }))}
                    />
                  </div>
                  {shownFormat.format === 'csv' ? (
                    <>
                      <NativeSelect
                        size="xs"
                        label={words.separator}
                        value={shownFormat.separator}
                        onChange={(event) => {
                          const known = SEPARATORS.find((one) => one === event.currentTarget.value);
                          if (known !== undefined) setFormat({ ...format, format: 'csv', separator: known });
                          setMapping(undefined);
                        }}
                        data={SEPARATORS.map((value) => ({ value, label: words.separators[value] }))}
                      />
                      <Checkbox
                        size="xs"
                        label={words.header}
                        checked={shownFormat.header}
                        onChange={(event) => {
                          setFormat({ ...format, format: 'csv', header: event.currentTarget.checked });
                          setMapping(undefined);
                        }}
                      />
                    </>
                  ) : null}
                </Group>
                <ImportPreviewTable
                  connectionId={connectionId}
                  preview={preview}
                  fields={mapping ?? preview.fields}
                  onFields={setMapping}
                />
                {create ? (
                  <>
                    <NamespaceSelect place={place} onChange={() => setDefinition(undefined)} />
                    <TextInput
                      size="xs"
                      label={words.name}
                      value={newName}
                      error={tried && newName.trim() === '' ? words.nameMissing : undefined}
                      onChange={(event) => {
                        setNewName(event.currentTarget.value);
                        setDefinition(undefined);
                      }}
                    />
                    <NewTableTaken
                      table={table}
                      found={found}
                      hasFailed={problem !== undefined && problem.code !== 'CONFLICT'}
                      goInto={words.importIntoIt}
                      onGoInto={(ref) => {
                        setThere(ref);
                        setMapping(undefined);
                        setDefinition(undefined);
                      }}
                    />
                    {found.there === undefined ? (
                      <NewTableDefinition
                        connectionId={connectionId}
                        table={table}
                        definition={shownDefinition}
                        isLike={false}
                        onDefinition={setDefinition}
                        said={problems.map((one) => one.problem?.message)}
                        attempts={attempts}
                      />
                    ) : null}
                  </>
                ) : preview.form === undefined ? null : (
                  <ImportModes connectionId={connectionId} form={preview.form} mode={mode} onMode={setMode} />
                )}
              </>
            )}
            <DialogActions>
              {rejected === 0 || rejected * 2 < shownRows ? null : (
                <span className={styles.mostRejected} role="status">
                  {words.mostRejected(rejected, shownRows)}
                </span>
              )}
              <Button variant="default" onClick={leave}>
                {strings.common.cancel}
              </Button>
              <Button
                type="submit"
                loading={busy}
                disabled={
                  preview === undefined ||
                  source === undefined ||
                  isLoading ||
                  found.there !== undefined ||
                  (create && shownDefinition === undefined)
                }
                {...(chosenMode?.effect === 'destructive' ? { color: 'red' } : {})}
              >
                {create ? words.startNew : words.start}
              </Button>
            </DialogActions>
          </Stack>
        </form>
      </Modal>
      <DiscardQuestion opened={asksDiscard} text={words.discard} onKeep={() => setAsksDiscard(false)} onDiscard={onClose} />
    </>
  );
}
