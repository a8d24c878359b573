import { IconPlugConnected, IconPuzzle, IconUpload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import type { Layer } from '../state/layer.ts';
import styles from './start.module.css';

interface Props {
  /** Whether the connections that a start brings along are there. */
  readonly hasSamples: boolean;
  readonly onLayer: (layer: Layer) => void;
}

const ICON = { size: 18, stroke: 1.5, 'aria-hidden': true } as const;

/** Below the list: the samples in a sentence, and three things to do next. */
export function NextSteps({ hasSamples, onLayer }: Props): ReactNode {
  const words = strings.start.next;
  const steps = [
    { icon: <IconUpload {...ICON} />, ...words.import, open: () => onLayer({ is: 'import' }) },
    { icon: <IconPuzzle {...ICON} />, ...words.drivers, open: () => onLayer({ is: 'settings', section: 'drivers' }) },
    { icon: <IconPlugConnected {...ICON} />, ...words.clients, open: () => onLayer({ is: 'settings', section: 'integrations' }) },
  ];
  return (
    <section className={styles.next} aria-label={words.title}>
      {hasSamples ? <p className={styles.samples}>{words.samples}</p> : null}
      <h2>{words.title}</h2>
      <ul>
        {steps.map(({ icon, label, text, open }) => (
          <li key={label}>
            <button type="button" onClick={open}>
              {icon}
              <span>
                <strong>{label}</strong>
                <span>{text}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
