import { Button } from '@mantine/core';
import type { Cell } from '@tabularium/sdk';
import { useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import { notify } from '../state/notify.ts';
import styles from './inspector.module.css';
import { rowFromJson } from './rowFromJson.ts';
import type { JsonChange, JsonColumn, JsonIssue } from './rowFromJson.ts';

interface Props {
  readonly text: string;
  readonly columns: readonly JsonColumn[];
  /** The row as it was when editing began. */
  readonly row: readonly Cell[];
  readonly onText: (text: string) => void;
  readonly onApply: (changes: readonly JsonChange[]) => void;
  readonly onClose: () => void;
}

function messageOf(issue: JsonIssue): string {
  const words = strings.inspector;
  switch (issue.is) {
    case 'syntax':
      return words.syntax[issue.code] ?? words.syntaxOther;
    case 'notObject':
      return words.notObject;
    case 'unknown':
      return words.unknownField(issue.name);
    case 'twice':
      return words.fieldTwice(issue.name);
    case 'null':
      return words.notNullable(issue.name);
    case 'type':
      return words.wrongType[issue.wanted](issue.name);
    case 'readOnly':
      return words.readOnlyField(issue.name, issue.reason);
  }
}

/** The row as a text to edit, held to the columns. All its changes are staged at once. */
export function JsonEditor({ text, columns, row, onText, onApply, onClose }: Props): ReactNode {
  const words = strings.inspector;
  const field = useRef<HTMLTextAreaElement>(null);
  const [issues, setIssues] = useState<readonly JsonIssue[]>([]);
  const apply = (): void => {
    const result = rowFromJson(text, columns, row);
    if (!result.ok) {
      setIssues(result.issues);
      return;
    }
    if (result.changes.length === 0) notify({ tone: 'plain', text: words.unchanged });
    else onApply(result.changes);
    onClose();
  };
  const goTo = ({ from, to }: JsonIssue): void => {
    field.current?.focus();
    field.current?.setSelectionRange(from, Math.max(to, from + 1));
  };
  return (
    <>
      <textarea
        ref={field}
        className={styles.editor}
        aria-label={words.jsonText}
        aria-invalid={issues.length > 0}
        spellCheck={false}
        autoFocus
        value={text}
        onChange={(event) => onText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) apply();
          if (event.key !== 'Escape') return;
          event.stopPropagation();
          onClose();
        }}
      />
      {issues.length === 0 ? null : (
        <div className={styles.issues} role="alert" aria-label={words.issues}>
          <ul>
            {issues.map((issue, place) => (
              <li key={place}>
                <button type="button" onClick={() => goTo(issue)}>
                  {words.issueAt(issue.line, issue.column, messageOf(issue))}
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
      <div className={styles.actions}>
        <Button variant="default" onClick={onClose}>
          {words.cancel}
        </Button>
        <Button onClick={apply}>{words.apply}</Button>
      </div>
    </>
  );
}
