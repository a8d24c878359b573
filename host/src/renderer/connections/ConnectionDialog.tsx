import { Modal } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import type { SavedConnection } from '../../common/connection.ts';
import type { CatalogueEntry } from '../../common/drivers.ts';
import { useApplicationInfo, useCatalogue } from '../api/queries.ts';
import { Chooser } from '../plugins/Chooser.tsx';
import { DownloadOffer } from '../plugins/DownloadOffer.tsx';
import { InstallPanel } from '../plugins/InstallPanel.tsx';
import { DiscardQuestion } from '../ui/DiscardQuestion.tsx';
import { TypeIcon } from '../ui/Marks.tsx';
import { useEscape } from '../ui/useEscape.ts';
import { strings } from '../i18n/index.ts';
import { ConnectionForm } from './ConnectionForm.tsx';
import type { RetainedView } from './retainedView.ts';
import styles from './dialog.module.css';

interface Props {
  /** The connection to edit; absent for a new one. */
  readonly saved: SavedConnection | undefined;
  readonly onSaved: (connection: SavedConnection, connect: boolean, retained: RetainedView) => void;
  readonly onClose: () => void;
}

type Step =
  | { readonly at: 'choose' }
  | { readonly at: 'offer'; readonly driver: string }
  | { readonly at: 'install'; readonly driver: string }
  | { readonly at: 'form'; readonly driver: string };

/** One dialog from choosing a type, over the offer to download its driver, to the form. */
export function ConnectionDialog({ saved, onSaved, onClose }: Props): ReactNode {
  const [step, setStep] = useState<Step>(saved === undefined ? { at: 'choose' } : { at: 'form', driver: saved.driver });
  const [dirty, setDirty] = useState<string>();
  const [asking, setAsking] = useState(false);
  const catalogue = useCatalogue();
  const info = useApplicationInfo();
  const entry = step.at === 'choose' ? undefined : catalogue.data?.entries.find((candidate) => candidate.id === step.driver);

  const body = useRef<HTMLDivElement>(null);
  const isThere = step.at === 'choose' || (entry !== undefined && info.data !== undefined);
  useEffect(() => {
    // The pressed button went with its step: without this the keyboard would be outside of the dialog.
    if (!isThere || document.activeElement !== document.body) return;
    const at = body.current?.querySelector<HTMLElement>('[data-autofocus]') ?? body.current?.querySelector<HTMLElement>('button');
    at?.focus();
  }, [step.at, isThere]);

  const choose = (chosen: CatalogueEntry): void => {
    setStep({ at: chosen.state === 'notInstalled' ? 'offer' : 'form', driver: chosen.id });
  };
  const leave = (): void => {
    if (dirty === undefined) onClose();
    // In a turn of its own: the Escape that asks here would else close the question as well.
    else setTimeout(() => setAsking(true));
  };

  useEscape(leave);

  const title =
    saved === undefined
      ? entry === undefined
        ? strings.chooser.title
        : strings.form.newTitle(entry.manifest.title)
      : strings.form.editTitle(saved.name);
  return (
    <>
      <Modal
        opened
        onClose={leave}
        closeOnEscape={false}
        closeOnClickOutside={dirty === undefined}
        size={720}
        padding={0}
        yOffset={48}
        title={
          <span className={styles.title}>
            {entry === undefined ? null : <TypeIcon path={entry.manifest.icon} size={18} />}
            {title}
            {step.at === 'form' && entry?.installedVersion !== undefined ? (
              <span className={styles.version}>{strings.form.driver(entry.installedVersion)}</span>
            ) : null}
          </span>
        }
        classNames={{ content: styles.content, header: styles.header, body: styles.body }}
        closeButtonProps={{ 'aria-label': strings.common.close }}
      >
        <div ref={body} className={styles.step}>
          {step.at === 'choose' ? <Chooser onChoose={choose} /> : null}
          {step.at === 'offer' && entry !== undefined ? (
            <DownloadOffer
              entry={entry}
              onDownload={() => setStep({ at: 'install', driver: entry.id })}
              onBack={() => setStep({ at: 'choose' })}
            />
          ) : null}
          {step.at === 'install' && entry !== undefined ? (
            <InstallPanel
              entry={entry}
              onInstalled={() => setStep({ at: 'form', driver: entry.id })}
              onCancel={() => setStep({ at: 'choose' })}
            />
          ) : null}
          {step.at === 'form' && entry !== undefined && info.data !== undefined ? (
            <ConnectionForm
              manifest={entry.manifest}
              saved={saved}
              secureStore={info.data.secureStore}
              onDirty={setDirty}
              onSaved={onSaved}
              onBack={saved === undefined && dirty === undefined ? () => setStep({ at: 'choose' }) : undefined}
            />
          ) : null}
          {step.at === 'form' && catalogue.data !== undefined && entry === undefined ? (
            <p className={styles.unknown}>{strings.start.unknownType(step.driver)}</p>
          ) : null}
        </div>
      </Modal>
      <DiscardQuestion
        opened={asking}
        text={dirty === undefined || dirty.trim() === '' ? strings.form.discardUnnamed : strings.form.discardText(dirty)}
        onKeep={() => setAsking(false)}
        onDiscard={onClose}
      />
    </>
  );
}
