import { ActionIcon } from '@mantine/core';
import { IconChevronDown, IconChevronRight, IconCopy, IconRoute } from '@tabler/icons-react';
import { useCallback, useId, useMemo, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { useFixedRows } from '../grid/model/useFixedRows.ts';
import { strings } from '../i18n/index.ts';
import { copyText } from '../ui/copyText.ts';
import styles from './json.module.css';
import { childCount, nodeText, pathOf, visibleLines } from '../grid/model/jsonTree.ts';
import type { JsonNode } from '../grid/model/jsonTree.ts';

const LINE_HEIGHT = 22;
/** Open at first: the outermost levels, but no list that alone would fill the screen. */
const OPEN_DEPTH = 2;
const OPEN_CHILDREN = 60;
/** Longer text is cut before layout; the text view has it whole. */
const LONGEST = 400;

const opensByItself = (node: JsonNode, depth: number): boolean =>
  depth === 0 || (depth < OPEN_DEPTH && childCount(node) <= OPEN_CHILDREN);

function summary(node: JsonNode): string {
  if (node.is === 'object') return `{ ${strings.json.members(node.members.length)} }`;
  if (node.is === 'array') return `[ ${strings.json.items(node.items.length)} ]`;
  const text = node.is === 'text' ? JSON.stringify(node.text.slice(0, LONGEST)) : node.text.slice(0, LONGEST);
  return node.text.length > LONGEST ? `${text}…` : text;
}

interface Props {
  readonly root: JsonNode;
  readonly label: string;
}

/** JSON to open and close, with the path and the value of each part to copy. Only the lines on the screen exist. */
export function JsonTreeView({ root, label }: Props): ReactNode {
  const words = strings.json;
  const baseId = useId();
  const [turned, setTurned] = useState<ReadonlySet<number>>(new Set());
  const isOpen = useCallback(
    (node: JsonNode, depth: number): boolean => opensByItself(node, depth) !== turned.has(node.id),
    [turned],
  );
  const lines = useMemo(() => visibleLines(root, isOpen), [root, isOpen]);
  const [active, setActive] = useState(0);
  const { list, rows, showRow } = useFixedRows(lines.length, LINE_HEIGHT);

  const turn = (node: JsonNode): void =>
    setTurned((before) => {
      const after = new Set(before);
      if (!after.delete(node.id)) after.add(node.id);
      return after;
    });
  const goTo = (place: number): void => {
    const to = Math.max(0, Math.min(lines.length - 1, place));
    setActive(to);
    showRow(to);
  };
  const at = lines[Math.min(active, lines.length - 1)];
  const path = pathOf(lines, active);
  const shownPath = path === '' ? words.root : path;
  const copyValue = (): void => {
    if (at !== undefined) void copyText(nodeText(at.node), words.copiedValue(shownPath));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const line = lines[active];
    if (line === undefined) return;
    const { node, depth } = line;
    const hasChildren = childCount(node) > 0;
    const open = hasChildren && isOpen(node, depth);
    const page = Math.max(1, Math.floor((list.current?.clientHeight ?? 0) / LINE_HEIGHT) - 1);
    const moves: Readonly<Record<string, number>> = {
      ArrowUp: active - 1,
      ArrowDown: active + 1,
      Home: 0,
      End: lines.length - 1,
      PageUp: active - page,
      PageDown: active + page,
    };
    const to = moves[event.key];
    if (to !== undefined) goTo(to);
    else if (event.key === 'ArrowRight') {
      if (hasChildren && !open) turn(node);
      else if (open) goTo(active + 1);
    } else if (event.key === 'ArrowLeft') {
      if (open) turn(node);
      else goTo(lines.findLastIndex((each, place) => place < active && each.depth < depth));
    } else if ((event.key === 'Enter' || event.key === ' ') && hasChildren) turn(node);
    else if ((event.ctrlKey || event.metaKey) && event.key === 'c' && window.getSelection()?.isCollapsed !== false) copyValue();
    else return;
    event.preventDefault();
  };

  return (
    <div className={styles.view}>
      <div
        ref={list}
        className={styles.tree}
        role="tree"
        aria-label={label}
        aria-activedescendant={`${baseId}-${active}`}
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        <div role="presentation" style={{ height: lines.length * LINE_HEIGHT, position: 'relative' }}>
          {lines.slice(rows.first, rows.last + 1).map(({ node, depth, name, isItem }, offset) => {
            const place = rows.first + offset;
            const hasChildren = childCount(node) > 0;
            const open = hasChildren && isOpen(node, depth);
            const Chevron = open ? IconChevronDown : IconChevronRight;
            return (
              <div
                key={node.id}
                id={`${baseId}-${place}`}
                className={styles.treeLine}
                role="treeitem"
                aria-level={depth + 1}
                aria-expanded={hasChildren ? open : undefined}
                aria-selected={place === active}
                data-active={place === active || undefined}
                style={{ transform: `translateY(${place * LINE_HEIGHT}px)`, paddingLeft: 8 + depth * 16 }}
                onClick={() => {
                  setActive(place);
                  if (hasChildren) turn(node);
                }}
              >
                <span className={styles.treeMark}>{hasChildren ? <Chevron size={14} stroke={1.75} aria-hidden /> : null}</span>
                {name === undefined ? null : (
                  <span className={styles.treeName} data-item={isItem || undefined}>
                    {name}:
                  </span>
                )}
                <span className={styles.treeValue} data-is={node.is}>
                  {summary(node)}
                </span>
              </div>
            );
          })}
        </div>
      </div>
      <div className={styles.path}>
        <code aria-label={words.path}>{shownPath}</code>
        <ActionIcon
          size={22}
          disabled={path === ''}
          aria-label={words.copyPath}
          title={words.copyPath}
          onClick={() => void copyText(path, words.copiedPath(path))}
        >
          <IconRoute size={14} stroke={1.75} />
        </ActionIcon>
        <ActionIcon size={22} aria-label={words.copyValue} title={words.copyValue} onClick={copyValue}>
          <IconCopy size={14} stroke={1.75} />
        </ActionIcon>
      </div>
    </div>
  );
}
