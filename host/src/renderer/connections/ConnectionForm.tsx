import { Button, Group, Tabs, TextInput } from '@mantine/core';
import type { Manifest } from '@tabularium/sdk/manifest';
import { useEffect, useRef, useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import type { ApplicationInfo } from '../../common/api.ts';
import type { SavedConnection } from '../../common/connection.ts';
import type { SecretQuestion } from '../../common/secretQuestion.ts';
import { api } from '../api/client.ts';
import { problemOf } from '../api/problem.ts';
import { SESSION_ENDS_AGREED } from '../api/sessionEnds.ts';
import type { Problem } from '../api/problem.ts';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import { HostKeyDialog } from '../ui/HostKeyDialog.tsx';
import { SecretDialog } from '../ui/SecretDialog.tsx';
import { strings } from '../i18n/index.ts';
import { connectionColorNames, dotVariable } from '../ui/theme.ts';
import { AccessPane } from './AccessPane.tsx';
import styles from './form.module.css';
import { GroupField } from './GroupField.tsx';
import { connectionFields } from './connectionFields.ts';
import { DestinationLine } from './DestinationLine.tsx';
import { FormFieldView } from './FormFieldView.tsx';
import { SignInField } from './SignInField.tsx';
import { signInWaysOf } from './signInWaysOf.ts';
import { useFormSignIn } from './useFormSignIn.ts';
import {
  NAME_FIELD,
  draftFor,
  fieldLines,
  isElsewhere,
  isFieldVisible,
  paneOf,
  paneOfField,
  panesOf,
  toConnectionInput,
  validate,
} from './formModel.ts';
import type { FormDraft, FormProblems, Pane, SecretDraft } from './formModel.ts';
import { withPortSuggestion } from './portSuggestion.ts';
import { keepsSession } from '../../common/keepsSession.ts';
import { retainedView } from './retainedView.ts';
import type { RetainedView } from './retainedView.ts';
import { endTransactions } from '../state/openTransactions.ts';
import { closeTyped } from '../state/typedTexts.ts';
import { splitAddress } from './splitAddress.ts';
import { testFaults } from './testFaults.ts';
import { TestResults } from './TestResults.tsx';
import { useConnectionTest } from './useConnectionTest.ts';

interface Props {
  readonly manifest: Manifest;
  readonly saved: SavedConnection | undefined;
  readonly secureStore: ApplicationInfo['secureStore'];
  readonly onDirty: (name: string) => void;
  readonly onSaved: (connection: SavedConnection, connect: boolean, retained: RetainedView) => void;
  onBack: (() => void) | undefined;
}

/** The connection form, drawn from the manifest: the driver need not be there. */
export function ConnectionForm({ manifest, saved, secureStore, onDirty, onSaved, onBack }: Props): ReactNode {
  const [draft, setDraft] = useState<FormDraft>(() => draftFor(manifest, saved, secureStore.available));
  /** The fields that the person has changed. */
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [pane, setPane] = useState<Pane>('general');
  // A saved connection whose values a newer check finds invalid says so at once; a new form lets the person type first.
  const [wasChecked, setWasChecked] = useState(() => saved !== undefined && Object.keys(validate(manifest, draft)).length > 0);
  const [refused, setRefused] = useState<FormProblems>({});
  const [saving, setSaving] = useState<'save' | 'connect'>();
  const [problem, setProblem] = useState<Problem>();
  /** The question before a stored credential is sent elsewhere, and the action after a yes. */
  const [asked, setAsked] = useState<{
    readonly question: SecretQuestion;
    readonly goOn: (code: string) => Promise<void> | void;
  }>();
  const { test, run, stop, forget } = useConnectionTest();
  const [refusedTest, setRefusedTest] = useState<Problem>();
  const testQuestion = test.problem === refusedTest ? undefined : test.problem?.secretQuestion;
  const hostKeyQuestion = test.problem === refusedTest ? undefined : test.problem?.hostKeyQuestion;
  /** Of the answer that the running test was given: a second question leaves it answered. */
  const testCode = useRef<string>(undefined);
  const form = useRef<HTMLFormElement>(null);
  const [faultsShown, setFaultsShown] = useState(0);
  useEffect(() => {
    if (faultsShown > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [faultsShown]);

  // As it is saved and tested: Enter in the port's field doesn't leave it first.
  const settled = withPortSuggestion(manifest, draft, touched);
  const found = validate(manifest, settled);
  const problems: FormProblems = { ...testFaults(manifest, test.steps), ...refused, ...(wasChecked ? found : {}) };
  const change = (next: Partial<FormDraft>, field?: string): void => {
    const changed = { ...draft, ...next };
    setDraft(changed);
    onDirty(changed.name);
    if (field !== undefined) setTouched((before) => new Set([...before, field]));
    if (next.settings !== undefined || next.secrets !== undefined) forget();
    if (field !== undefined && refused[field] !== undefined) {
      setRefused(Object.fromEntries(Object.entries(refused).filter(([id]) => id !== field)));
    }
  };

  const onSecret = (field: string, secret: SecretDraft): void => {
    setDraft((before) => ({ ...before, secrets: { ...before.secrets, [field]: secret } }));
    onDirty(draft.name);
    setTouched((before) => new Set([...before, field]));
    forget();
    setRefused(Object.fromEntries(Object.entries(refused).filter(([id]) => id !== field)));
  };
  const { row: signInRow, settle } = useFormSignIn({
    manifest,
    saved,
    input: toConnectionInput(manifest, settled),
    keepIn: secureStore.available ? 'store' : 'session',
    onDraft: onSecret,
  });

  /** Whether everything is filled in; else the keyboard is put into the first field at fault. */
  const check = (): boolean => {
    setWasChecked(true);
    const first = Object.keys(found)[0];
    if (first === undefined) return true;
    setPane(paneOf(manifest, first));
    setFaultsShown((count) => count + 1);
    return false;
  };

  const save = (connect: boolean): void => {
    if (!check()) return;
    const goOn = (): void => void saveNow(connect);
    if (saved === undefined) {
      goOn();
      return;
    }
    const input = toConnectionInput(manifest, settled);
    const retained = retainedView(saved, input);
    const isClosed = !keepsSession(saved, input);
    const endSessions = (): void =>
      void endTransactions({
        kind: 'end',
        goOn,
        // Where the host keeps its session open, this window alone draws its tabs again.
        isEnded: ({ connectionId, otherWindow }) =>
          connectionId === saved.id && (isClosed || (retained === 'tabs' && otherWindow === undefined)),
      });
    if (retained === 'tabs') closeTyped(saved.id, endSessions);
    else endSessions();
  };

  const saveNow = async (connect: boolean, code?: string): Promise<void> => {
    setSaving(connect ? 'connect' : 'save');
    setProblem(undefined);
    try {
      const input = toConnectionInput(manifest, settled);
      const connection =
        saved === undefined
          ? await api.connections.create.mutate(input)
          : await api.connections.update.mutate(
              { connectionId: saved.id, input, ...(code === undefined ? {} : { code }) },
              SESSION_ENDS_AGREED,
            );
      settle();
      onSaved(connection, connect, saved === undefined ? 'tabs' : retainedView(saved, input));
    } catch (error) {
      const report = problemOf(error);
      if (report.secretQuestion !== undefined) {
        setAsked({ question: report.secretQuestion, goOn: (answer) => saveNow(connect, answer) });
        return;
      }
      const field = report.code === 'CONNECTION_NAME_TAKEN' ? NAME_FIELD : report.details.field;
      if (field !== undefined && (field === NAME_FIELD || connectionFields(manifest).some(({ id }) => id === field))) {
        setRefused({ [field]: report.message });
        setPane(paneOf(manifest, field));
      } else setProblem(report);
    } finally {
      setSaving(undefined);
    }
  };

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save(true);
  };

  const startTest = (code?: string): void => {
    testCode.current = code;
    run(
      { ...toConnectionInput(manifest, settled), name: draft.name.trim() === '' ? manifest.title : draft.name.trim() },
      saved?.id,
      code,
    );
  };

  const runTest = (): void => {
    // A test needs no name yet.
    const { [NAME_FIELD]: _name, ...others } = found;
    if (Object.keys(others).length > 0) check();
    else startTest();
  };

  const showSignIn = (): void => {
    if (signInRow === undefined) return;
    setPane(paneOf(manifest, signInRow.credential.field));
    signInRow.signIn.start(signInWaysOf(signInRow.credential)[0]);
  };

  const problemCount = (of: Pane): number =>
    Object.keys(problems).filter((id) => (id === NAME_FIELD ? 'general' : paneOf(manifest, id)) === of).length;
  const total = Object.keys(problems).length;

  return (
    <form ref={form} className={styles.form} onSubmit={submit} noValidate>
      <div className={styles.scroll}>
        <Tabs
          value={pane}
          onChange={(value) => setPane(panesOf(manifest).find((candidate) => candidate === value) ?? 'general')}
          className={styles.tabs}
          keepMounted={false}
        >
          <Tabs.List>
            {panesOf(manifest).map((name) => (
              <Tabs.Tab key={name} value={name}>
                {strings.form.panes[name]}
                {problemCount(name) === 0 ? null : (
                  <span className={styles.paneProblems} role="img" aria-label={strings.form.paneErrors(problemCount(name))} />
                )}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {panesOf(manifest).map((name) => (
            <Tabs.Panel key={name} value={name} className={styles.pane}>
              {name === 'general' ? (
                <>
                  <TextInput
                    label={strings.form.name}
                    placeholder={strings.form.namePlaceholder}
                    required
                    value={draft.name}
                    error={problems[NAME_FIELD]}
                    onChange={(event) => change({ name: event.currentTarget.value }, NAME_FIELD)}
                    autoComplete="off"
                    data-autofocus
                  />
                  <div className={styles.line} data-pair>
                    <ColorChoice value={draft.color} onChange={(color) => change({ color })} />
                    <GroupField value={draft.group} onChange={(group) => change({ group })} />
                  </div>
                </>
              ) : null}
              {fieldLines(
                connectionFields(manifest).filter(
                  (field) => paneOfField(field) === name && isFieldVisible(field, manifest, draft),
                ),
              ).map((line) => (
                <div key={line[0]?.id} className={styles.line} data-pair={line.length === 2 || undefined}>
                  {line.map((field) =>
                    signInRow?.credential.field === field.id ? (
                      <SignInField
                        key={field.id}
                        label={field.label}
                        {...signInRow}
                        draft={draft.secrets[field.id]}
                        isElsewhere={isElsewhere(manifest, draft, field.id)}
                        error={problems[field.id]}
                      />
                    ) : (
                      <FormFieldView
                        key={field.id}
                        field={field}
                        draft={draft}
                        error={problems[field.id]}
                        savedSecret={saved?.secrets[field.id]}
                        secureStore={secureStore}
                        onValue={(id, value) => change({ settings: { ...draft.settings, [id]: value } }, id)}
                        onLeave={() => setDraft(settled)}
                        onValues={(values) => change({ settings: { ...draft.settings, ...values } }, field.id)}
                        onAddress={(id, text) => {
                          const parts = splitAddress(manifest, id, text);
                          if (parts !== undefined) {
                            change({ settings: { ...draft.settings, ...parts } }, id);
                            setTouched((before) => new Set([...before, ...Object.keys(parts)]));
                          }
                          return parts !== undefined;
                        }}
                        onSecret={onSecret}
                      />
                    ),
                  )}
                </div>
              ))}
              {name === 'advanced' ? <AccessPane access={draft.access} onChange={(access) => change({ access })} /> : null}
            </Tabs.Panel>
          ))}
        </Tabs>
        <div className={styles.below}>
          {problem === undefined ? null : <ProblemPanel compact title={strings.form.save} problem={problem} />}
          <TestResults
            manifest={manifest}
            test={test}
            signIn={signInRow === undefined ? undefined : { field: signInRow.credential.field, onStart: showSignIn }}
          />
        </div>
      </div>
      {asked === undefined ? null : (
        <SecretDialog
          question={asked.question}
          onConfirm={async () => {
            setAsked(undefined);
            await asked.goOn(asked.question.code);
          }}
          onRefuse={() => setAsked(undefined)}
        />
      )}
      {asked !== undefined || testQuestion === undefined ? null : (
        <SecretDialog
          question={testQuestion}
          onConfirm={async () => startTest(testQuestion.code)}
          onRefuse={() => setRefusedTest(test.problem)}
        />
      )}
      {hostKeyQuestion === undefined ? null : (
        <HostKeyDialog
          key={hostKeyQuestion.code}
          question={hostKeyQuestion}
          onAccepted={() => startTest(testCode.current)}
          onRefuse={() => setRefusedTest(test.problem)}
        />
      )}
      <DestinationLine manifest={manifest} draft={draft} problems={found} />
      <div className={styles.actions}>
        {test.state === 'running' ? (
          <Button variant="default" onClick={stop}>
            {strings.form.stopTest}
          </Button>
        ) : (
          <Button variant="default" onClick={runTest}>
            {test.state === 'idle' ? strings.form.test : strings.form.testAgain}
          </Button>
        )}
        <span className={styles.fix} role="status">
          {total === 0 ? null : strings.form.fix(total)}
        </span>
        <Group gap={8} wrap="nowrap">
          {onBack === undefined ? null : (
            <Button variant="subtle" color="gray" onClick={onBack}>
              {strings.common.back}
            </Button>
          )}
          <Button variant="default" loading={saving === 'save'} disabled={saving !== undefined} onClick={() => save(false)}>
            {strings.form.save}
          </Button>
          <Button type="submit" loading={saving === 'connect'} disabled={saving !== undefined}>
            {strings.form.saveAndConnect}
          </Button>
        </Group>
      </div>
    </form>
  );
}

function ColorChoice({
  value,
  onChange,
}: {
  readonly value: FormDraft['color'];
  readonly onChange: (color: FormDraft['color']) => void;
}): ReactNode {
  return (
    <fieldset className={styles.colors}>
      <legend>{strings.form.color}</legend>
      {connectionColorNames.map((name) => (
        <label key={name} className={styles.color} title={strings.form.colors[name]}>
          <input
            type="radio"
            name="connection-color"
            value={name}
            checked={name === value}
            aria-label={strings.form.colors[name]}
            onChange={() => onChange(name)}
          />
          <span style={{ background: dotVariable(name) }} aria-hidden />
        </label>
      ))}
    </fieldset>
  );
}
