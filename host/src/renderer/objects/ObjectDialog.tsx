import { Button, Group, Modal, SegmentedControl, Select, TextInput } from '@mantine/core';
import type { ObjectChange, ObjectKind, ObjectPlace, PlannedChange } from '@tabularium/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { api } from '../api/client.ts';
import { problemOf } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import { useTables } from '../api/queries.ts';
import { indentJson } from '../grid/model/jsonText.ts';
import { strings } from '../i18n/index.ts';
import { JsonCode } from '../inspector/JsonCode.tsx';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import { isDocument } from './documentText.ts';
import { ObjectFieldView } from './ObjectFieldView.tsx';
import styles from './objects.module.css';
import { PlanView } from './PlanView.tsx';

interface Props {
  readonly connectionId: string;
  readonly kind: ObjectKind;
  readonly place: ObjectPlace;
  /** The object to change; absent: a new one. */
  readonly name?: string;
  readonly onSaved: (name: string) => void;
  readonly onClose: () => void;
}

/** Shows an object, or makes a new one: read, change as a form or as JSON, look at the requests, save. */
export function ObjectDialog(props: Props): ReactNode {
  const { connectionId, kind, place, name, onClose } = props;
  const words = strings.objects;
  const object = useQuery({
    queryKey: ['objects', connectionId, 'get', place, name],
    queryFn: ({ signal }) => api.objects.get.query({ connectionId, object: { ...place, name: name ?? '' } }, { signal }),
    enabled: name !== undefined,
    gcTime: 0,
    staleTime: Infinity,
  });
  const title = name === undefined ? words.newTitle(kind.term.one) : words.editTitle(kind.term.one, name);
  const was = name === undefined ? null : object.data?.document;
  if (was !== undefined) return <Editor {...props} title={title} was={was} />;
  return (
    <Modal opened onClose={onClose} title={title} size={640} closeButtonProps={{ 'aria-label': strings.common.close }}>
      {object.error === null ? (
        <div className={styles.pending} aria-busy />
      ) : (
        <ProblemPanel
          compact
          title={words.getFailed(name ?? '')}
          problem={problemOf(object.error)}
          onRetry={() => void object.refetch()}
        />
      )}
    </Modal>
  );
}

interface EditorProps extends Props {
  readonly title: string;
  readonly was: string | null;
}

function Editor({ connectionId, kind, place, name, title, was, onSaved, onClose }: EditorProps): ReactNode {
  const words = strings.objects;
  const initial = was === null ? '{}' : indentJson(was);
  const [typedName, setTyped] = useState(name ?? '');
  const [text, setEdited] = useState(initial);
  const [view, setView] = useState<'form' | 'json'>(kind.form.length === 0 ? 'json' : 'form');
  const [invalid, setInvalid] = useState<ReadonlySet<string>>(new Set());
  const [plan, setPlan] = useState<{ readonly change: ObjectChange; readonly plan: PlannedChange }>();
  const [problem, setProblem] = useState<Problem>();
  const [isRunning, setRunning] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const isLink = kind.names !== undefined;
  const isChanged = text !== initial || (was === null && typedName !== '');
  const canSave = kind.save.allowed;
  const nameFault = problem?.details.field === 'name' ? problem.message : undefined;
  const missing = typedName.trim() === '' ? words.nameMissing : undefined;
  const fault = !isDocument(text) || invalid.size > 0 ? words.notJson : undefined;

  // A fault is said of the text that was tried.
  const setText = (next: string): void => {
    setEdited(next);
    setProblem(undefined);
  };
  const setTypedName = (next: string): void => {
    setTyped(next);
    setProblem(undefined);
  };
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    setRunning(true);
    setProblem(undefined);
    try {
      await work();
    } catch (error) {
      setProblem(problemOf(error));
    }
    setRunning(false);
  };
  const review = (event: FormEvent): void => {
    event.preventDefault();
    if (isRunning || !canSave || fault !== undefined || missing !== undefined || !(isChanged || was === null)) return;
    const object = { ...place, name: was === null ? typedName.trim() : (name ?? '') };
    const change: ObjectChange = { action: 'save', object, document: text, was };
    void attempt(async () => setPlan({ change, plan: await api.objects.plan.mutate({ connectionId, change }) }));
  };
  const save = (): void => {
    if (plan === undefined || isRunning) return;
    void attempt(async () => {
      await api.objects.change.mutate({ connectionId, change: plan.change });
      onSaved(plan.change.object.name);
    });
  };
  // Typed text is not lost to one key: leaving asks once.
  const leave = (): void => (isChanged && !isLeaving ? setLeaving(true) : onClose());
  const buttons = (
    <Group justify="flex-end" gap={8} mt={12}>
      {isLeaving ? <span className={styles.leaving}>{words.unsaved}</span> : null}
      {plan === undefined ? (
        <>
          <Button variant="default" color={isLeaving ? 'red' : undefined} onClick={leave}>
            {isLeaving ? words.discard : canSave ? strings.common.cancel : strings.common.close}
          </Button>
          {isLeaving ? <Button onClick={() => setLeaving(false)}>{words.keepEditing}</Button> : null}
          {canSave && !isLeaving ? (
            <Button
              type="submit"
              loading={isRunning}
              disabled={fault !== undefined || missing !== undefined || (was !== null && !isChanged)}
              title={missing ?? fault}
            >
              {words.review}
            </Button>
          ) : null}
        </>
      ) : (
        <>
          <Button variant="default" onClick={() => setPlan(undefined)} disabled={isRunning}>
            {strings.common.back}
          </Button>
          <Button data-autofocus loading={isRunning} onClick={save}>
            {words.save(kind.term.one)}
          </Button>
        </>
      )}
    </Group>
  );
  const problemView =
    problem === undefined || (nameFault !== undefined && plan === undefined) ? null : (
      <div className={styles.problem}>
        <ProblemPanel compact title={words.saveFailed(typedName)} problem={problem} />
      </div>
    );
  return (
    <Modal opened onClose={leave} title={title} size={640} yOffset={32} closeButtonProps={{ 'aria-label': strings.common.close }}>
      {plan === undefined ? (
        <form noValidate onSubmit={review}>
          <p className={styles.help}>{kind.save.allowed ? kind.help : kind.save.reason}</p>
          <div className={styles.fields}>
            {isLink && was === null ? (
              <LinkName
                connectionId={connectionId}
                kind={kind.names ?? ''}
                label={kind.term.one}
                value={typedName}
                error={nameFault}
                onChange={setTypedName}
              />
            ) : (
              <TextInput
                size="xs"
                label={words.name}
                withAsterisk
                autoComplete="off"
                maxLength={1_000}
                data-autofocus={was === null || undefined}
                readOnly={was !== null}
                value={typedName}
                error={nameFault}
                onChange={(event) => setTypedName(event.currentTarget.value)}
              />
            )}
            {isLink ? null : (
              <>
                {kind.form.length === 0 ? null : (
                  <SegmentedControl
                    size="xs"
                    aria-label={words.view}
                    value={view}
                    // A form can't show a text that isn't an object.
                    onChange={(next) => setView(next === 'json' || !isDocument(text) ? 'json' : 'form')}
                    data={[
                      { value: 'form', label: words.form },
                      { value: 'json', label: words.json },
                    ]}
                  />
                )}
                {view === 'form' ? (
                  <FormFields connectionId={connectionId} kind={kind} text={text} onText={setText} onInvalid={setInvalid} />
                ) : (
                  <JsonCode
                    text={text}
                    label={words.document}
                    isInvalid={!isDocument(text)}
                    {...(canSave ? { edit: { onText: setText, onSubmit: () => undefined, onCancel: leave } } : {})}
                  />
                )}
              </>
            )}
          </div>
          {problemView}
          {buttons}
        </form>
      ) : (
        <>
          <PlanView connectionId={connectionId} plan={plan.plan} />
          {problemView}
          {buttons}
        </>
      )}
    </Modal>
  );
}

interface FormProps {
  readonly connectionId: string;
  readonly kind: ObjectKind;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onInvalid: (change: (before: ReadonlySet<string>) => ReadonlySet<string>) => void;
}

function FormFields({ connectionId, kind, text, onText, onInvalid }: FormProps): ReactNode {
  const tables = useTables(connectionId);
  const names = (tables.data ?? []).map(({ ref }) => ref.name);
  const mark = (id: string, isInvalid: boolean): void =>
    onInvalid((before) => (isInvalid ? new Set([...before, id]) : new Set([...before].filter((one) => one !== id))));
  return kind.form.map((field) => {
    const id = field.path.join('.');
    return (
      <ObjectFieldView
        key={id}
        field={field}
        text={text}
        tables={names}
        onText={onText}
        onInvalid={(isInvalid) => mark(id, isInvalid)}
      />
    );
  });
}

interface LinkNameProps {
  readonly connectionId: string;
  readonly kind: string;
  readonly label: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (name: string) => void;
}

/** The name of one of the server's objects, for a link. */
function LinkName({ connectionId, kind, label, value, error, onChange }: LinkNameProps): ReactNode {
  const list = useQuery({
    queryKey: ['objects', connectionId, 'names', kind],
    queryFn: ({ signal }) => api.objects.list.query({ connectionId, place: { kind } }, { signal }),
    staleTime: 0,
  });
  return (
    <Select
      size="xs"
      label={label}
      withAsterisk
      searchable
      data-autofocus
      data={(list.data?.objects ?? []).map(({ name }) => name)}
      nothingFoundMessage={strings.objects.nothingToLink}
      value={value === '' ? null : value}
      error={error ?? (list.error === null ? undefined : problemOf(list.error).message)}
      onChange={(next) => onChange(next ?? '')}
    />
  );
}
