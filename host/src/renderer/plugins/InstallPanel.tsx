import { Button, Group } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useState } from 'react';
import type { ReactNode } from 'react';
import type { CatalogueEntry, InstallProgress, PublisherInfo } from '../../common/drivers.ts';
import { api } from '../api/client.ts';
import { problemOf, wasAborted } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import { useReloadDrivers } from '../api/queries.ts';
import { TypeIcon } from '../ui/Marks.tsx';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import { TrustQuestionOf } from './TrustQuestionOf.tsx';
import { strings } from '../i18n/index.ts';
import { beginActivity } from '../state/notify.ts';
import styles from './chooser.module.css';
import { InstallSteps } from './InstallSteps.tsx';
import { downloadOf } from './operations.ts';

interface Props {
  readonly entry: CatalogueEntry;
  readonly onInstalled: () => void;
  readonly onCancel: () => void;
}

/** Downloads and installs a driver as soon as it is on the screen, and shows every step. */
export function InstallPanel({ entry, onInstalled, onCancel }: Props): ReactNode {
  const [attempt, setAttempt] = useState(0);
  const [progress, setProgress] = useState<InstallProgress>();
  const [problem, setProblem] = useState<Problem>();
  const [isDeclined, setIsDeclined] = useState(false);
  const reloadDrivers = useReloadDrivers();
  const installed = useEffectEvent(() => {
    void reloadDrivers().then(onInstalled);
  });

  useEffect(() => {
    const controller = new AbortController();
    const label = strings.install.progress(entry.manifest.title);
    const activity = beginActivity(label, () => controller.abort());
    const follow = async (): Promise<void> => {
      const stream = await api.drivers.install.mutate({ driver: entry.id }, { signal: controller.signal });
      for await (const event of stream) {
        if (controller.signal.aborted) return;
        setProgress(event);
        activity.update(...downloadOf(label, event));
        if (event.step === 'installed') installed();
      }
    };
    follow()
      .catch((error: unknown) => {
        if (!wasAborted(error, controller.signal)) setProblem(problemOf(error));
      })
      .finally(() => activity.end());
    return () => controller.abort();
  }, [entry.id, entry.manifest.title, attempt]);

  const retry = (): void => {
    setProblem(undefined);
    setIsDeclined(false);
    setProgress(undefined);
    setAttempt((before) => before + 1);
  };

  const publisher = progress?.step === 'installed' ? progress.publisher : entry.publisher;
  const version = progress !== undefined && 'version' in progress ? progress.version : entry.availableVersion;
  // A question isn't a failure, and neither is a no to it.
  const isAsked = problem?.question !== undefined || problem?.grantQuestion !== undefined;
  return (
    <div className={styles.install}>
      <div className={styles.installHead}>
        <TypeIcon path={entry.manifest.icon} size={36} />
        <div>
          <h2>{strings.install.title(entry.manifest.title)}</h2>
          <p>{version === undefined ? entry.packageName : `${entry.packageName} · ${strings.install.version(version)}`}</p>
        </div>
      </div>
      {problem !== undefined && !isAsked ? (
        <ProblemPanel title={strings.install.failed} problem={problem} onRetry={retry} />
      ) : (
        <div role="status" aria-live="polite">
          {isDeclined ? <p>{strings.install.declined}</p> : <InstallSteps progress={progress} />}
        </div>
      )}
      {problem === undefined ? null : (
        <TrustQuestionOf problem={problem} onTrusted={retry} onRefused={() => setIsDeclined(true)} />
      )}
      {problem === undefined ? <Publisher publisher={publisher} /> : null}
      <Group justify="flex-end">
        {isDeclined ? <Button onClick={retry}>{strings.install.askAgain}</Button> : null}
        <Button variant="default" onClick={onCancel}>
          {problem === undefined ? strings.common.cancel : strings.common.back}
        </Button>
      </Group>
    </div>
  );
}

function Publisher({ publisher }: { readonly publisher: PublisherInfo | undefined }): ReactNode {
  return (
    <p className={styles.publisher} title={publisher?.fingerprint}>
      <IconShieldCheck size={16} stroke={1.75} aria-hidden />
      <span>
        {publisher === undefined ? null : `${strings.install.publisher(publisher.name, publisher.origin)}. `}
        {strings.install.installedAfterChecks}
      </span>
    </p>
  );
}
