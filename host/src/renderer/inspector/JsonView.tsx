import { Button, SegmentedControl } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { JsonTreeView } from './JsonTreeView.tsx';
import { parseTree } from '../grid/model/jsonTree.ts';
import type { JsonNode } from '../grid/model/jsonTree.ts';
import { strings } from '../i18n/index.ts';
import { BoundedText } from './BoundedText.tsx';
import styles from './inspector.module.css';
import { onDemand } from '../ui/onDemand.tsx';

// The editor is needed only once somebody looks at a row as JSON.
const JsonCode = onDemand(async () => (await import('./JsonCode.tsx')).JsonCode, <div className={styles.body} aria-busy />);

/** A larger row is shown as text: a tree of it would take seconds. */
const LARGEST_TREE = 2_000_000;

interface Props {
  /** The row as JSON, as far as it is shown. */
  readonly text: string;
  /** Copies the whole row. */
  readonly onCopyAll: () => void;
  /** Why nothing of the row can be changed. */
  readonly refusal: string | undefined;
  readonly onEdit: () => void;
}

function treeOf(text: string): JsonNode | undefined {
  if (text.length > LARGEST_TREE) return undefined;
  try {
    return parseTree(text);
  } catch {
    return undefined;
  }
}

/** The row as JSON: a tree, or a text to read. */
export function JsonView({ text, onCopyAll, refusal, onEdit }: Props): ReactNode {
  const words = strings.inspector;
  const [shape, setShape] = useState<'tree' | 'text'>('text');
  const tree = useMemo(() => (shape === 'tree' ? treeOf(text) : undefined), [shape, text]);
  return (
    <>
      {tree !== undefined ? (
        <JsonTreeView root={tree} label={words.jsonText} />
      ) : text.length > LARGEST_TREE ? (
        <BoundedText text={text} label={words.jsonText} onCopyAll={onCopyAll} />
      ) : (
        <JsonCode text={text} label={words.jsonText} />
      )}
      {refusal === undefined ? null : <p className={styles.reason}>{refusal}</p>}
      <div className={styles.actions}>
        <SegmentedControl
          aria-label={words.jsonShape}
          value={shape}
          onChange={(value) => setShape(value === 'text' ? 'text' : 'tree')}
          data={[
            { value: 'tree', label: words.tree },
            { value: 'text', label: words.text },
          ]}
        />
        <span className={styles.space} />
        <Button variant="default" disabled={refusal !== undefined} title={refusal} onClick={onEdit}>
          {words.editJson}
        </Button>
      </div>
    </>
  );
}
