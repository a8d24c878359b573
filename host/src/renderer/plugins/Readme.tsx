import { useMemo } from 'react';
import type { ReactNode } from 'react';
import type { Block, Inline } from './markdown.ts';
import { parseMarkdown } from './markdown.ts';
import styles from './plugins.module.css';

/** A readme as elements of our own: nothing in it is ever handed to the browser as HTML. */
export function Readme({ markdown }: { readonly markdown: string }): ReactNode {
  const blocks = useMemo(() => parseMarkdown(markdown), [markdown]);
  return <div className={styles.readme}>{blocks.map((block, place) => draw(block, place))}</div>;
}

function draw(block: Block, key: number): ReactNode {
  switch (block.is) {
    case 'heading':
      // Below the headings of the dialog around it.
      return block.level <= 2 ? <h4 key={key}>{line(block.content)}</h4> : <h5 key={key}>{line(block.content)}</h5>;
    case 'paragraph':
      return <p key={key}>{line(block.content)}</p>;
    case 'code':
      // It scrolls where a line is long, also for whoever has no mouse.
      return (
        <pre key={key} tabIndex={0}>
          {block.text}
        </pre>
      );
    case 'list': {
      const items = block.items.map((item, place) => <li key={place}>{line(item)}</li>);
      return block.ordered ? <ol key={key}>{items}</ol> : <ul key={key}>{items}</ul>;
    }
  }
}

function line(content: readonly Inline[]): ReactNode {
  return content.map((part, place) => {
    switch (part.is) {
      case 'text':
        return part.text;
      case 'code':
        return <code key={place}>{part.text}</code>;
      case 'strong':
        return <strong key={place}>{part.text}</strong>;
      case 'emphasis':
        return <em key={place}>{part.text}</em>;
      case 'link':
        return (
          // A driver's author chooses the words of a link. Where it leads stands beside them.
          <a key={place} href={part.href} title={part.href} target="_blank" rel="noreferrer noopener">
            {part.text === part.host ? part.text : `${part.text} (${part.host})`}
          </a>
        );
    }
  });
}
