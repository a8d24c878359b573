import { Button, Modal, SegmentedControl, Select, TextInput } from '@mantine/core';
import type { ObjectChange, ObjectKind, ObjectPlace, PlannedChange } from '@tabularium/sdk';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { api } from '../api/client.ts';
import { problemOf } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import { useTables } from '../api/queries.ts';
import { indentJson } from '../grid/model/jsonText.ts';
import { DialogActions } from '../ui/DialogActions.tsx';
import { strings } from '../i18n/index.ts';
import { notify } from '../state/notify.ts';
import { JsonCode } from '../inspector/JsonCode.tsx';
import { DiscardQuestion } from '../ui/DiscardQuestion.tsx';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import { useEscape } from '../ui/useEscape.ts';
import { isDocument, isJsonValue } from './documentText.ts';
import { ObjectFieldView } from './ObjectFieldView.tsx';
import { LIST_ABOVE } from './listAbove.ts';
import styles from './objects.module.css';
import { storedParts } from './storedParts.ts';
import { PlanView } from './PlanView.tsx';
import { shortName } from './shortName.ts';
import { searchableList } from '../ui/searchableList.ts';

type SaveObject = Extract<ObjectChange, { action: 'save' }>;

interface Props {
  readonly connectionId: string;
  readonly kind: ObjectKind;
  readonly place: ObjectPlace;
  /** The object to change; absent: a new one. */
  readonly name?: string;
  /** A change that was made up already: the dialog begins with its review. `name` is that of its object. */
  readonly draft?: SaveObject;
  /** The document that a new object begins with. */
  readonly begin?: string;
  readonly onSaved: (name: string) => void;
  /** After each try to save, also one that failed: it may have been made before its answer was lost. */
  readonly onTried: () => void;
  readonly onClose: () => void;
}

/** Shows an object, or makes a new one: read, change as a form or as JSON, look at the requests, save. */
export function ObjectDialog(props: Props): ReactNode {
  const { connectionId, kind, place, name, draft, onClose } = props;
  const words = strings.objects;
  const isNew = draft === undefined ? name === undefined : draft.was === null;
  const object = useQuery({
    queryKey: ['objects', connectionId, 'get', place, name],
    queryFn: ({ signal }) => api.objects.get.query({ connectionId, object: { ...place, name: name ?? '' } }, { signal }),
    enabled: name !== undefined && draft === undefined,
    gcTime: 0,
    staleTime: Infinity,
  });
  const within = place.within ?? place.table?.name;
  const title =
    isNew || name === undefined ? words.newTitle(kind.term.one, within) : words.editTitle(kind.term.one, shortName(name), within);
  const was = draft === undefined ? (name === undefined ? null : object.data?.document) : draft.was;
  if (was !== undefined) return <Editor {...props} title={title} was={was} />;
  return (
    <Modal opened onClose={onClose} title={title} size={640} closeButtonProps={{ 'aria-label': strings.common.close }}>
      {object.error === null ? (
        <div className={styles.pending} aria-busy />
      ) : (
        <ProblemPanel
          compact
          title={words.getFailed(shortName(name ?? ''))}
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

function Editor({
  connectionId,
  kind,
  place,
  name,
  draft,
  begin,
  title,
  was,
  onSaved,
  onTried,
  onClose,
}: EditorProps): ReactNode {
  const words = strings.objects;
  const initial = was === null ? indentJson(begin ?? '{}') : indentJson(was);
  const [typedName, setTyped] = useState(name ?? '');
  const begun = draft === undefined ? initial : indentJson(draft.document);
  const [text, setEdited] = useState(begun);
  const [view, setView] = useState<'form' | 'json'>(kind.form.length === 0 ? 'json' : 'form');
  const [invalid, setInvalid] = useState<ReadonlySet<string>>(new Set());
  const [plan, setPlan] = useState<{ readonly change: ObjectChange; readonly plan: PlannedChange }>();
  const [problem, setProblem] = useState<Problem>();
  const [isRunning, setRunning] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const planned = useRef<HTMLDivElement>(null);
  const isLink = kind.names !== undefined;
  const isChanged = text !== initial || (was === null && typedName !== '');
  /** Whether a person would lose something that they typed. */
  const isTyped = text !== begun || (was === null && typedName !== (name ?? ''));
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
    void lookAt({ action: 'save', object, document: text, was });
  };
  const lookAt = (change: SaveObject): Promise<void> =>
    attempt(async () => setPlan({ change, plan: await api.objects.plan.mutate({ connectionId, change }) }));
  const [isBeginning, setBeginning] = useState(draft !== undefined);
  const reviewDraft = useEffectEvent(() => {
    if (draft !== undefined) void lookAt(draft).then(() => setBeginning(false));
  });
  useEffect(() => reviewDraft(), []);
  const save = (): void => {
    if (plan === undefined || isRunning) return;
    void attempt(async () => {
      const { otherwise } = await api.objects.change.mutate({ connectionId, change: plan.change }).finally(onTried);
      const { name: saved } = plan.change.object;
      onSaved(saved);
      // It takes the place of “Saved”.
      if (otherwise.length > 0) notify({ tone: 'warning', text: words.savedOtherwise(shortName(saved), storedParts(otherwise)) });
    });
  };
  const leave = (): void => {
    if (plan !== undefined && isRunning) return;
    if (!isTyped) onClose();
    // In a turn of its own: the Escape that asks here would else close the question as well.
    else setTimeout(() => setAsking(true));
  };
  useEscape(leave);
  useEffect(() => {
    // The pressed button went with the form. What is to be read has the focus, not the button that saves: a second Enter saves nothing unread.
    if (plan !== undefined) planned.current?.focus();
  }, [plan]);
  const buttons = (
    <DialogActions>
      {plan === undefined ? (
        <>
          <Button variant="default" onClick={leave}>
            {canSave ? strings.common.cancel : strings.common.close}
          </Button>
          {canSave ? (
            <Button
              key="review"
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
          <Button key="save" loading={isRunning} onClick={save}>
            {words.save(kind.term.one)}
          </Button>
        </>
      )}
    </DialogActions>
  );
  const problemView =
    problem === undefined || (nameFault !== undefined && plan === undefined) ? null : (
      <div className={styles.problem}>
        <ProblemPanel compact title={titleOfProblem(shortName(typedName), plan !== undefined, problem)} problem={problem} />
      </div>
    );
  return (
    <>
      <Modal
        opened
        onClose={leave}
        closeOnEscape={false}
        title={title}
        size={640}
        yOffset={32}
        closeButtonProps={{ 'aria-label': strings.common.close }}
      >
        {plan === undefined && isBeginning ? (
          <div className={styles.pending} aria-busy />
        ) : plan === undefined ? (
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
                      onChange={(next) => setView(next === 'json' ? 'json' : 'form')}
                      data={[
                        { value: 'form', label: words.form, disabled: !isDocument(text) },
                        { value: 'json', label: words.json },
                      ]}
                    />
                  )}
                  {view === 'form' ? (
                    <FormFields
                      connectionId={connectionId}
                      kind={kind}
                      text={text}
                      hasFocus={was !== null}
                      onText={setText}
                      onInvalid={setInvalid}
                    />
                  ) : (
                    <>
                      <JsonCode
                        text={text}
                        label={words.document}
                        isInvalid={!isDocument(text)}
                        {...(canSave ? { edit: { onText: setText, onSubmit: () => undefined, onCancel: leave } } : {})}
                      />
                      <p className={styles.fault} role="status">
                        {isDocument(text) ? null : isJsonValue(text) ? words.notObject : words.notJson}
                      </p>
                    </>
                  )}
                </>
              )}
            </div>
            {problemView}
            {buttons}
          </form>
        ) : (
          <div ref={planned} tabIndex={-1} role="group" aria-label={words.review} className={styles.planned}>
            <PlanView connectionId={connectionId} plan={plan.plan} />
            {problemView}
            {buttons}
          </div>
        )}
      </Modal>
      <DiscardQuestion
        opened={isAsking}
        text={typedName.trim() === '' ? words.discardUnnamed(kind.term.one) : words.discardText(shortName(typedName.trim()))}
        onKeep={() => setAsking(false)}
        onDiscard={onClose}
      />
    </>
  );
}

/** A save whose answer was lost may have been made. */
const UNCERTAIN: ReadonlySet<Problem['code']> = new Set(['CONNECTION_LOST', 'TIMEOUT', 'HOST_UNREACHABLE']);

function titleOfProblem(name: string, isSaved: boolean, { code }: Problem): string {
  const words = strings.objects;
  if (!isSaved) return words.reviewFailed(name);
  return UNCERTAIN.has(code) ? words.saveUncertain(name) : words.saveFailed(name);
}

interface FormProps {
  readonly connectionId: string;
  readonly kind: ObjectKind;
  readonly text: string;
  /** Whether the first field has the focus when the form opens. */
  readonly hasFocus: boolean;
  readonly onText: (text: string) => void;
  readonly onInvalid: (change: (before: ReadonlySet<string>) => ReadonlySet<string>) => void;
}

function FormFields({ connectionId, kind, text, hasFocus, onText, onInvalid }: FormProps): ReactNode {
  const tables = useTables(connectionId);
  const names = (tables.data ?? []).map(({ ref }) => ref.name);
  const mark = (id: string, isInvalid: boolean): void =>
    onInvalid((before) => (isInvalid ? new Set([...before, id]) : new Set([...before].filter((one) => one !== id))));
  return kind.form.map((field, place) => {
    const id = field.path.join('.');
    return (
      <ObjectFieldView
        key={id}
        field={field}
        text={text}
        tables={names}
        hasFocus={hasFocus && place === 0}
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
      {...searchableList}
      data-autofocus
      data={(list.data?.objects ?? []).map(({ name }) => name)}
      nothingFoundMessage={strings.objects.nothingToLink}
      comboboxProps={LIST_ABOVE}
      value={value === '' ? null : value}
      error={error ?? (list.error === null ? undefined : problemOf(list.error).message)}
      onChange={(next) => onChange(next ?? '')}
    />
  );
}
