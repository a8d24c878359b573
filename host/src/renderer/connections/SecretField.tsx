import { Button, Group, Input, PasswordInput, SegmentedControl, TextInput } from '@mantine/core';
import type { FormField } from '@tabularium/sdk/manifest';
import { useRef } from 'react';
import type { ReactNode } from 'react';
import type { ApplicationInfo } from '../../common/api.ts';
import type { SecretReference } from '../../common/connection.ts';
import { textInWindowLanguage } from '../api/inWindowLanguage.ts';
import { strings } from '../i18n/index.ts';
import styles from './form.module.css';
import { emptySecret } from './formModel.ts';
import type { SecretDraft, SecretPlace } from './formModel.ts';

interface Props {
  readonly field: FormField;
  readonly draft: SecretDraft;
  /** Where the saved value is, if there is one. */
  readonly saved: SecretReference | undefined;
  readonly secureStore: ApplicationInfo['secureStore'];
  readonly error: string | undefined;
  readonly onChange: (draft: SecretDraft) => void;
}

function whereSaved(saved: SecretReference, storeName: string): string {
  switch (saved.kind) {
    case 'store':
      return strings.form.secret.savedInStore(storeName);
    case 'session':
      return strings.form.secret.savedForSession;
    case 'environment':
      return strings.form.secret.fromEnvironment(saved.variable);
  }
}

function helpFor(place: SecretPlace, storeName: string): string {
  switch (place) {
    case 'store':
      return strings.form.secret.storeHelp(storeName);
    case 'session':
      return strings.form.secret.sessionHelp;
    case 'environment':
      return strings.form.secret.environmentHelp;
  }
}

/** A credential: what is entered for it, and where it is kept. A saved one is never shown again. */
export function SecretField({ field, draft, saved, secureStore, error, onChange }: Props): ReactNode {
  const words = strings.form.secret;
  /** A button that goes when it is pressed hands the focus on: else a pasted key would land in the first field of the form, for all to read. */
  const handsOn = useRef(false);
  const replaceBy = (next: SecretDraft): void => {
    handsOn.current = true;
    onChange(next);
  };
  if (saved !== undefined && draft.mode !== 'set') {
    const isStored = draft.mode === 'keep';
    return (
      <Input.Wrapper label={field.label} required={field.required} error={error} labelElement="div" size="xs">
        <div className={styles.savedSecret} data-removed={!isStored || undefined}>
          <span>{isStored ? whereSaved(saved, secureStore.name) : words.willBeForgotten}</span>
          <Group gap={4} wrap="nowrap">
            {isStored ? (
              <>
                <Button
                  size="compact-xs"
                  variant="default"
                  autoFocus={handsOn.current}
                  onClick={() => replaceBy(emptySecret(secureStore.available))}
                >
                  {words.replace}
                </Button>
                {field.required ? null : (
                  <Button size="compact-xs" variant="subtle" color="gray" onClick={() => replaceBy({ mode: 'remove' })}>
                    {words.forget}
                  </Button>
                )}
              </>
            ) : (
              <Button size="compact-xs" variant="default" autoFocus={handsOn.current} onClick={() => replaceBy({ mode: 'keep' })}>
                {words.keepOld}
              </Button>
            )}
          </Group>
        </div>
      </Input.Wrapper>
    );
  }
  const set = draft.mode === 'set' ? draft : { mode: 'set' as const, place: 'session' as const, value: '', variable: '' };
  return (
    <div className={styles.secret}>
      {set.place === 'environment' ? (
        <TextInput
          label={field.label}
          required={field.required}
          autoFocus={handsOn.current}
          value={set.variable}
          placeholder={words.variablePlaceholder}
          aria-label={`${field.label}: ${words.variable}`}
          error={error}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => onChange({ ...set, variable: event.currentTarget.value })}
        />
      ) : (
        <PasswordInput
          label={field.label}
          required={field.required}
          autoFocus={handsOn.current}
          value={set.value}
          placeholder={field.placeholder}
          description={/^\s|\s$/.test(set.value) ? words.blankAtEnd : field.help}
          error={error}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => onChange({ ...set, value: event.currentTarget.value })}
        />
      )}
      <div className={styles.keepIn}>
        <span className={styles.keepInLabel} id={`${field.id}-keep-in`}>
          {words.keepIn}
        </span>
        <SegmentedControl
          aria-labelledby={`${field.id}-keep-in`}
          value={set.place}
          onChange={(place) => onChange({ ...set, place })}
          data={[
            { value: 'store' as const, label: words.store, disabled: !secureStore.available },
            { value: 'session' as const, label: words.session },
            { value: 'environment' as const, label: words.environment },
          ]}
        />
        {saved === undefined ? null : (
          <Button size="compact-xs" variant="subtle" color="gray" onClick={() => replaceBy({ mode: 'keep' })}>
            {words.keepOld}
          </Button>
        )}
      </div>
      <p className={styles.secretHelp}>{helpFor(set.place, secureStore.name)}</p>
      {secureStore.available ? null : (
        <p className={styles.storeMissing}>
          {secureStore.reason === undefined
            ? words.unavailableNoReason
            : words.unavailable(textInWindowLanguage(secureStore.reason, { sentence: secureStore.sentence }))}{' '}
          {words.neverClear}
        </p>
      )}
    </div>
  );
}
