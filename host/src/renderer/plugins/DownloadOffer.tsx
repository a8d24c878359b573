import { visibleText } from '@tabularium/sdk';
import { Button, Group } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { CatalogueEntry } from '../../common/drivers.ts';
import { TypeIcon } from '../ui/Marks.tsx';
import { strings } from '../i18n/index.ts';
import styles from './chooser.module.css';
import { PermissionList } from './PermissionList.tsx';
import { useDriverDetails } from './pluginQueries.ts';
import { sizeText } from './sizeText.ts';

interface Props {
  readonly entry: CatalogueEntry;
  readonly onDownload: () => void;
  readonly onBack: () => void;
}

/** Offers the download of a driver that a new connection needs. Nothing is downloaded before the person says so. */
export function DownloadOffer({ entry, onDownload, onBack }: Props): ReactNode {
  const words = strings.install.offer;
  const { manifest, publisher, availableVersion } = entry;
  // The size comes when the registry has answered; the offer doesn't wait for it.
  const { size, author, ...details } = useDriverDetails(entry.id).data ?? {};
  const labels = new Map(manifest.connection.fields.map(({ id, label }) => [id, label]));
  const facts: readonly (readonly [string, string | undefined])[] = [
    [
      strings.plugins.publisher,
      publisher !== undefined
        ? strings.install.publisher(publisher.name, publisher.origin)
        : author === undefined
          ? words.publisherUnknown
          : words.publisherClaimed(visibleText(author)),
    ],
    [words.version, availableVersion],
    [strings.plugins.package, entry.packageName],
    [strings.plugins.size, size === undefined ? undefined : sizeText(size, details)],
  ];
  return (
    <section className={styles.offer} aria-labelledby="download-offer">
      <div className={styles.offerBody}>
        <div className={styles.installHead}>
          <TypeIcon path={manifest.icon} size={36} />
          <div>
            <h2 id="download-offer">{words.title(manifest.title)}</h2>
            <p>{words.text}</p>
          </div>
        </div>
        <dl className={styles.offerFacts}>
          {facts.map(([label, value]) =>
            value === undefined ? null : (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ),
          )}
        </dl>
        <h3 className={styles.offerTitle}>{words.asksFor}</h3>
        <PermissionList asked={manifest.permissions} labelOf={(field) => labels.get(field) ?? field} />
        <p className={styles.offerHint}>{words.checks}</p>
      </div>
      <Group className={styles.offerActions} justify="flex-end" gap={8}>
        <Button variant="subtle" color="gray" onClick={onBack}>
          {strings.common.back}
        </Button>
        <Button data-autofocus leftSection={<IconDownload size={15} stroke={1.75} />} onClick={onDownload}>
          {words.download}
        </Button>
      </Group>
    </section>
  );
}
