import { Button, SegmentedControl, Select } from '@mantine/core';
import type { OperationForm } from '@tabularium/sdk';
import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { useTables } from '../api/queries.ts';
import { indentJson } from '../grid/model/jsonText.ts';
import { DialogActions } from '../ui/DialogActions.tsx';
import { strings } from '../i18n/index.ts';
import { JsonCode } from '../inspector/JsonCode.tsx';
import { isDocument, isJsonValue } from '../objects/documentText.ts';
import { ObjectFieldView } from '../objects/ObjectFieldView.tsx';
import styles from './operations.module.css';

interface Props {
  readonly connectionId: string;
  readonly help: string;
  readonly form: OperationForm;
  /** The input: the text of a JSON object. */
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onPreset: (document: string) => void;
  readonly onReview: () => void;
  readonly onCancel: () => void;
}

/** The input of an operation, as a form or as JSON. */
export function OperationInput({ connectionId, help, form, text, onText, onPreset, onReview, onCancel }: Props): ReactNode {
  const words = strings.operations;
  const tables = useTables(connectionId);
  const [view, setView] = useState<'form' | 'json'>('form');
  const [invalid, setInvalid] = useState<ReadonlySet<string>>(new Set());
  const [preset, setPreset] = useState<string | null>(null);
  const names = (tables.data ?? []).map(({ ref }) => ref.name);
  const fault = !isDocument(text) || invalid.size > 0 ? strings.objects.notJson : undefined;
  const mark = (id: string, isInvalid: boolean): void =>
    setInvalid((before) => (isInvalid ? new Set([...before, id]) : new Set([...before].filter((one) => one !== id))));
  const review = (event: FormEvent): void => {
    event.preventDefault();
    if (fault === undefined) onReview();
  };
  return (
    <form noValidate onSubmit={review}>
      {help === '' ? null : <p className={styles.help}>{help}</p>}
      <div className={styles.fields}>
        {form.presets.length === 0 ? null : (
          <Select
            size="xs"
            label={words.preset}
            clearable
            allowDeselect={false}
            data={form.presets.map(({ id, label }) => ({ value: id, label }))}
            value={preset}
            onChange={(next) => {
              setPreset(next);
              setInvalid(new Set());
              onPreset(form.presets.find(({ id }) => id === next)?.document ?? form.document);
            }}
          />
        )}
        <SegmentedControl
          size="xs"
          aria-label={strings.objects.view}
          value={view}
          // A form can't show a text that isn't an object.
          onChange={(next) => setView(next === 'json' ? 'json' : 'form')}
          data={[
            { value: 'form', label: strings.objects.form, disabled: !isDocument(text) },
            { value: 'json', label: strings.objects.json },
          ]}
        />
        {view === 'form' ? (
          form.fields.map((field, place) => (
            <ObjectFieldView
              // A preset has other values, also in fields that keep a text of their own.
              key={`${preset ?? ''} ${field.path.join('.')}`}
              field={field}
              text={text}
              tables={names}
              hasFocus={place === 0}
              onText={onText}
              onInvalid={(isInvalid) => mark(field.path.join('.'), isInvalid)}
            />
          ))
        ) : (
          <>
            <JsonCode
              text={text === form.document ? indentJson(text) : text}
              label={words.input}
              isInvalid={!isDocument(text)}
              edit={{ onText, onSubmit: () => undefined, onCancel }}
            />
            <p className={styles.fault} role="status">
              {isDocument(text) ? null : isJsonValue(text) ? strings.objects.notObject : strings.objects.notJson}
            </p>
          </>
        )}
      </div>
      <DialogActions>
        <Button variant="default" onClick={onCancel}>
          {strings.common.cancel}
        </Button>
        <Button type="submit" disabled={fault !== undefined} title={fault}>
          {strings.objects.review}
        </Button>
      </DialogActions>
    </form>
  );
}
