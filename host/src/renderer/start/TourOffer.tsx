import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { problemOf } from '../api/problem.ts';
import { useFirstRun, useNoteTour } from '../api/queries.ts';
import { runCommand } from '../commands/registry.ts';
import { strings } from '../i18n/index.ts';
import { notify } from '../state/notify.ts';
import styles from './start.module.css';

/** Offers the tour of the window in a new data directory, until a person has answered in any window. It opens nothing and takes no focus. */
export function TourOffer(): ReactNode {
  const words = strings.tour;
  const firstRun = useFirstRun().data;
  const note = useNoteTour();
  if (firstRun?.offersTour !== true) return null;
  const decline = (): void =>
    note.mutate('declined', {
      onError: (error) => notify({ tab: 'none', tone: 'warning', text: `${words.notSaved} ${problemOf(error).message}` }),
    });
  return (
    <section className={styles.offer} aria-label={words.label}>
      <p>{words.offer}</p>
      <Button variant="default" size="compact-sm" onClick={() => runCommand('application.tour')}>
        {words.start}
      </Button>
      <Button variant="subtle" color="gray" size="compact-sm" onClick={decline}>
        {words.decline}
      </Button>
    </section>
  );
}
