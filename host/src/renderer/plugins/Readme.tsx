import { useMemo } from 'react';
import type { ReactNode } from 'react';
import type { Block, Inline, Row } from './markdown.ts';
import { parseMarkdown, textOf } from './markdown.ts';
import styles from './readme.module.css';

interface ReadmeProps {
  readonly markdown: string;
  /** Where its relative links begin; absent: they are text. */
  readonly base?: string | undefined;
}

/** A readme or a changelog as elements of our own: nothing in it is ever handed to the browser as HTML. */
export function Readme({ markdown, base }: ReadmeProps): ReactNode {
  const content = useMemo(() => parseMarkdown(markdown, base), [markdown, base]);
  return <div className={styles.readme}>{blocks(content)}</div>;
}

function blocks(content: readonly Block[]): ReactNode {
  return content.map((block, place) => draw(block, place));
}

function draw(block: Block, key: number): ReactNode {
  switch (block.is) {
    case 'heading':
      // Below the headings of the dialog around it.
      return block.level <= 2 ? <h4 key={key}>{line(block.content)}</h4> : <h5 key={key}>{line(block.content)}</h5>;
    case 'paragraph':
      return <p key={key}>{line(block.content)}</p>;
    case 'line':
      return <span key={key}>{line(block.content)}</span>;
    case 'code':
      // A long line scrolls, and the keyboard can scroll what it can focus.
      return (
        <pre key={key} tabIndex={0}>
          {block.text}
        </pre>
      );
    case 'list': {
      const items = block.items.map((item, place) => <li key={place}>{blocks(item)}</li>);
      return block.ordered ? (
        <ol key={key} start={block.start}>
          {items}
        </ol>
      ) : (
        <ul key={key}>{items}</ul>
      );
    }
    case 'quote':
      return <blockquote key={key}>{blocks(block.content)}</blockquote>;
    case 'table':
      return (
        <div key={key} className={styles.table} tabIndex={0}>
          <table>
            <thead>{block.head.map((row, place) => tableRow(row, place, 'th'))}</thead>
            <tbody>{block.body.map((row, place) => tableRow(row, place, 'td'))}</tbody>
          </table>
        </div>
      );
    case 'rule':
      return <hr key={key} />;
  }
}

function tableRow(row: Row, key: number, Cell: 'th' | 'td'): ReactNode {
  return (
    <tr key={key}>
      {row.map((cell, place) => (
        <Cell key={place}>{line(cell)}</Cell>
      ))}
    </tr>
  );
}

function line(content: readonly Inline[]): ReactNode {
  return content.map((part, place) => {
    switch (part.is) {
      case 'text':
        return part.text;
      case 'code':
        return <code key={place}>{part.text}</code>;
      case 'break':
        return <br key={place} />;
      case 'strong':
        return <strong key={place}>{line(part.content)}</strong>;
      case 'emphasis':
        return <em key={place}>{line(part.content)}</em>;
      case 'struck':
        return <s key={place}>{line(part.content)}</s>;
      case 'link': {
        const text = textOf(part.content).trim();
        return (
          // A driver's author chooses the text of a link. Its destination is beside it.
          <a key={place} href={part.href} title={part.href} target="_blank" rel="noreferrer noopener">
            {text === '' ? null : line(part.content)}
            {text === part.destination ? null : text === '' ? part.destination : ` (${part.destination})`}
          </a>
        );
      }
    }
  });
}
