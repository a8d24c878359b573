import { Button, SegmentedControl } from '@mantine/core';
import type { Cell } from '@tabularium/sdk';
import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import type { GridColumn } from '../grid/model/gridColumns.ts';
import { JsonTreeView } from './JsonTreeView.tsx';
import { parseTree } from './jsonTree.ts';
import type { JsonNode } from './jsonTree.ts';
import { strings } from '../i18n/index.ts';
import { BoundedText } from './BoundedText.tsx';
import { copyText } from '../ui/copyText.ts';
import styles from './inspector.module.css';
import { rowJson } from './rowJson.ts';

/** A larger row is shown as text: a tree of it would take seconds. */
const LARGEST_TREE = 2_000_000;

interface Props {
  readonly columns: readonly GridColumn[];
  readonly places: readonly number[];
  readonly row: readonly Cell[];
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
export function JsonView({ columns, places, row, refusal, onEdit }: Props): ReactNode {
  const words = strings.inspector;
  const [shape, setShape] = useState<'tree' | 'text'>('tree');
  const text = useMemo(() => rowJson(columns, row, places), [columns, row, places]);
  const tree = useMemo(() => (shape === 'tree' ? treeOf(text) : undefined), [shape, text]);
  if (places.length === 0) return <p className={styles.reason}>{words.noMatch}</p>;
  return (
    <>
      {tree === undefined ? (
        <BoundedText text={text} label={words.jsonText} onCopyAll={() => void copyText(rowJson(columns, row), words.copiedRow)} />
      ) : (
        <JsonTreeView root={tree} label={words.jsonText} />
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
