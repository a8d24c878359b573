import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { rangeWords } from '../editing/editFault.ts';
import { useTypedText } from '../editing/useTypedText.ts';
import { strings } from '../i18n/index.ts';
import { notify } from '../state/notify.ts';
import styles from './inspector.module.css';
import { JsonCode } from './JsonCode.tsx';
import type { JsonCodeHandle } from './JsonCode.tsx';
import type { JsonName } from './jsonNames.ts';
import { documentFromJson } from './documentFromJson.ts';
import type { EditedJson } from './editedJson.ts';
import { rowFromJson } from './rowFromJson.ts';
import type { JsonIssue } from './rowFromJson.ts';

interface Props {
  readonly text: string;
  /** Whether the text is another one than at the beginning. */
  readonly isTyped: boolean;
  readonly names: readonly JsonName[];
  readonly edited: EditedJson;
  readonly onText: (text: string) => void;
  readonly onApplied: () => void;
  readonly onCancel: () => void;
}

function messageOf(issue: JsonIssue): string {
  const words = strings.inspector;
  switch (issue.is) {
    case 'syntax':
      return words.syntax[issue.code] ?? words.syntaxOther;
    case 'notObject':
      return words.notObject;
    case 'tooDeep':
      return words.tooDeep;
    case 'unknown':
      return words.unknownField(issue.name);
    case 'undeclared':
      return words.undeclaredField(issue.name);
    case 'twice':
      return words.fieldTwice(issue.name);
    case 'ambiguous':
      return words.ambiguousField(issue.name);
    case 'null':
      return words.notNullable(issue.name);
    case 'type':
      return words.wrongType[issue.wanted](issue.name);
    case 'range':
      return words.outOfRange(issue.name, ...rangeWords(issue.range));
    case 'label':
      return words.noLabel(issue.name, strings.editing.labels(issue.labels));
    case 'readOnly':
      return words.readOnlyField(issue.name, issue.reason);
  }
}

/**
 * Stages what a text changes.
 *
 * @param isSure - whether the person has been shown the doubts about this text
 * @returns why nothing was staged; `rejected` where the status bar says it
 */
async function applied(edited: EditedJson, text: string, isSure: boolean): Promise<readonly JsonIssue[] | 'rejected'> {
  const unchanged = (): void => notify({ tone: 'plain', text: strings.inspector.unchanged });
  if (edited.is === 'document') {
    const result = documentFromJson(text, edited.columns, edited.document);
    if (!result.ok) return result.issues;
    if (result.doubts.length > 0 && !isSure) return result.doubts;
    if (result.changes.length === 0) unchanged();
    else if (!(await edited.apply(result.changes))) return 'rejected';
    return [];
  }
  const result = rowFromJson(text, edited.columns, edited.row);
  if (!result.ok) return result.issues;
  if (result.changes.length === 0) unchanged();
  else if (!(await edited.apply(result.changes))) return 'rejected';
  return [];
}

/** The row as a text to edit, held to the columns. All its changes are staged at once. */
export function JsonEditor({ text, isTyped, names, edited, onText, onApplied, onCancel }: Props): ReactNode {
  const words = strings.inspector;
  const field = useRef<JsonCodeHandle>(null);
  useTypedText(isTyped);
  const [doubted, setDoubted] = useState<string>();
  const [issues, setIssues] = useState<readonly JsonIssue[]>([]);
  const apply = async (): Promise<void> => {
    const found = await applied(edited, text, doubted === text);
    if (found === 'rejected') return;
    setIssues(found);
    setDoubted(found.every(({ is }) => is === 'undeclared') ? text : undefined);
    if (found.length === 0) onApplied();
  };
  return (
    <>
      <JsonCode
        ref={field}
        text={text}
        label={words.jsonText}
        names={names}
        isInvalid={issues.length > 0}
        edit={{ onText, onSubmit: () => void apply(), onCancel }}
      />
      {issues.length === 0 ? null : (
        <div className={styles.issues} role="alert" aria-label={words.issues}>
          <ul>
            {issues.map((issue, place) => (
              <li key={place}>
                <button type="button" onClick={() => field.current?.goTo(issue.from, issue.to)}>
                  {words.issueAt(issue.line, issue.column, messageOf(issue))}
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
      <div className={styles.actions}>
        <Button variant="default" onClick={onCancel}>
          {words.cancel}
        </Button>
        <Button onClick={() => void apply()}>{words.apply}</Button>
      </div>
    </>
  );
}
