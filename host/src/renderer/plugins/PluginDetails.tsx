import { visibleText } from '@tabularium/sdk';
import { ActionIcon, Button, Code, Group, Menu, Modal } from '@mantine/core';
import { IconAlertTriangle, IconDots } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import type { DriverOverview } from '../../common/drivers.ts';
import { InstallSteps } from './InstallSteps.tsx';
import { textInWindowLanguage } from '../api/inWindowLanguage.ts';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import { TypeIcon } from '../ui/Marks.tsx';
import { problemOf } from '../api/problem.ts';
import { strings } from '../i18n/index.ts';
import { dismiss, isAsking, useOperations } from './operations.ts';
import { PermissionList } from './PermissionList.tsx';
import { useDriverDetails, usePublisherKeys } from './pluginQueries.ts';
import { usePluginActions } from './usePluginActions.ts';
import { sizeText } from './sizeText.ts';
import { Versions } from './Versions.tsx';
import styles from './plugins.module.css';
import { onDemand } from '../ui/onDemand.tsx';
import { DialogActions } from '../ui/DialogActions.tsx';

// With its parser of Markdown: a chunk of its own.
const Readme = onDemand(async () => (await import('./Readme.tsx')).Readme);

/** Everything about one driver, and its actions. */
export function PluginDetails({ driver }: { readonly driver: DriverOverview }): ReactNode {
  const words = strings.plugins;
  const { manifest } = driver;
  const details = useDriverDetails(driver.id);
  const known = usePublisherKeys().data ?? [];
  const resembles = known.find(({ fingerprint }) => fingerprint === driver.publisher?.fingerprint)?.resembles;
  const operation = useOperations().get(driver.id);
  const actions = usePluginActions();
  const section = useRef<HTMLElement>(null);
  const wasBusy = useRef(false);
  const isBusy = operation?.running === true;
  useEffect(() => {
    // The button that was pressed is gone or switched off now: a person who works by keyboard continues from here.
    const held = document.activeElement;
    if (wasBusy.current !== isBusy && (held === null || held === document.body || held.matches(':disabled')))
      section.current?.focus();
    wasBusy.current = isBusy;
  }, [isBusy]);
  const isInstalling = operation?.running === true && (operation.kind === 'install' || operation.kind === 'update');
  const labels = new Map(manifest.connection.fields.map(({ id, label }) => [id, label]));
  const facts: readonly (readonly [string, ReactNode])[] = [
    [
      words.publisher,
      resembles === undefined ? (
        driver.publisher?.name
      ) : (
        <>
          {driver.publisher?.name} <span className={styles.warning}>{words.trust.resembles(resembles)}</span>
        </>
      ),
    ],
    [
      words.verification,
      driver.publisher === undefined
        ? undefined
        : driver.publisher.origin === 'developerFolder'
          ? words.unsigned
          : `${words.verified} · ${words.keys.origins[driver.publisher.origin]}`,
    ],
    [words.categoryFact, words.categories[manifest.category]],
    [words.contract, manifest.sdk],
    [words.package, driver.packageName],
    [words.size, details.data?.size === undefined ? undefined : sizeText(details.data.size, details.data)],
    [
      words.fingerprint,
      driver.publisher === undefined || driver.publisher.fingerprint === '' ? undefined : (
        <Code className={styles.key}>{driver.publisher.fingerprint}</Code>
      ),
    ],
  ];
  return (
    <section ref={section} className={styles.details} aria-label={manifest.title} aria-busy={isBusy} tabIndex={0}>
      <div className={styles.head}>
        <TypeIcon path={manifest.icon} size={32} />
        <div className={styles.headText}>
          <h3>{manifest.title}</h3>
          <p>{manifest.tagline}</p>
        </div>
      </div>
      <Actions driver={driver} busy={operation?.running === true} />
      {isInstalling ? (
        <div role="status" aria-live="polite">
          <InstallSteps progress={operation.progress} />
          <Button variant="default" onClick={operation.cancel}>
            {strings.common.cancel}
          </Button>
        </div>
      ) : null}
      {operation?.problem === undefined || isAsking(operation) ? null : (
        <ProblemPanel
          compact
          title={words.failed[operation.kind](manifest.title)}
          problem={operation.problem}
          onRetry={operation.retry}
          actions={
            <Button variant="subtle" color="gray" onClick={() => dismiss(driver.id)}>
              {strings.common.dismiss}
            </Button>
          }
        />
      )}
      {driver.resembles === undefined ? null : (
        <Notice
          title={words.lookAlikeTitle}
          text={words.lookAlikeText(visibleText(driver.resembles.title), driver.resembles.packageName)}
        />
      )}
      {driver.fault === undefined ? null : (
        <Notice title={words.faultTitle} text={textInWindowLanguage(driver.fault, driver.faultOrigin)} />
      )}
      {driver.fault === undefined && driver.reason !== undefined ? (
        <p className={styles.reason}>{textInWindowLanguage(driver.reason, driver.reasonOrigin)}</p>
      ) : null}
      {driver.developerFolder === undefined ? null : (
        <Notice title={words.folderTitle} text={words.folderText(driver.developerFolder)} />
      )}
      {driver.oldSessions.length === 0 ? null : (
        <div className={styles.oldSessions} role="status">
          <span>{words.oldSessions(driver.oldSessions)}</span>
          <Button variant="default" onClick={() => actions.applyToOpen(driver)}>
            {words.applyNow}
          </Button>
        </div>
      )}
      <h4>{words.permissions}</h4>
      <PermissionList asked={manifest.permissions} labelOf={(field) => labels.get(field) ?? field} />
      <p className={styles.hint}>{words.permission.rest}</p>
      {details.data?.kernelSandboxMissing === undefined ? null : (
        <Notice
          title={words.oneWallTitle}
          text={words.oneWallText(
            textInWindowLanguage(details.data.kernelSandboxMissing, { sentence: details.data.kernelSandboxSentence }),
          )}
        />
      )}
      {driver.allowedGrants.length === 0 ? null : (
        <Group gap={8}>
          <span>{strings.grants.allowed}</span>
          <Button
            variant="default"
            size="compact-sm"
            aria-label={strings.grants.withdrawOf(manifest.title)}
            onClick={() => actions.withdraw(driver)}
          >
            {strings.grants.withdraw}
          </Button>
        </Group>
      )}
      <h4>{words.facts}</h4>
      <dl className={styles.facts}>
        {facts.map(([label, value]) =>
          value === undefined ? null : (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
      </dl>
      <Versions driver={driver} offered={details.data?.offered ?? []} busy={operation?.running === true} />
      <h4>{words.readme}</h4>
      {details.error === null ? null : (
        <ProblemPanel
          compact
          title={words.detailsFailed}
          problem={problemOf(details.error)}
          onRetry={() => void details.refetch()}
        />
      )}
      {details.data === undefined ? null : details.data.readme === undefined ? (
        <p className={styles.hint}>{words.noReadme}</p>
      ) : (
        <Readme markdown={details.data.readme} base={details.data.source} />
      )}
      {details.data?.changelog === undefined ? null : (
        <>
          <h4>{words.changelog}</h4>
          <Readme markdown={details.data.changelog} base={details.data.source} />
        </>
      )}
    </section>
  );
}

function Notice({ title, text }: { readonly title: string; readonly text: string }): ReactNode {
  return (
    <div className={styles.notice} role="alert">
      <IconAlertTriangle size={16} stroke={1.75} aria-hidden />
      <div>
        <strong>{title}</strong>
        <p>{text}</p>
      </div>
    </div>
  );
}

function Actions({ driver, busy }: { readonly driver: DriverOverview; readonly busy: boolean }): ReactNode {
  const words = strings.plugins;
  const actions = usePluginActions();
  const [removing, setRemoving] = useState(false);
  const { installedVersion, availableVersion, rollbackTo, pinned } = driver;
  const isInstalled = installedVersion !== undefined;
  const title = driver.manifest.title;
  const canInstall = !isInstalled && driver.state !== 'cannotRun';
  const canUpdate = driver.state === 'updateAvailable' && pinned === undefined && driver.disabled !== true;
  return (
    <Group gap={8} className={styles.actions}>
      {canInstall ? (
        <Button disabled={busy} onClick={() => actions.install(driver)}>
          {words.install}
        </Button>
      ) : null}
      {canUpdate ? (
        <Button disabled={busy} variant={driver.updateOffered ? 'filled' : 'default'} onClick={() => actions.update(driver)}>
          {words.update(availableVersion ?? '')}
        </Button>
      ) : null}
      {isInstalled && driver.state === 'notInstalled' ? (
        <Button disabled={busy} onClick={() => actions.install(driver, installedVersion)}>
          {words.install}
        </Button>
      ) : null}
      {rollbackTo === undefined ? null : (
        <Button disabled={busy} variant="default" onClick={() => actions.rollBack(driver)}>
          {words.rollBack(rollbackTo)}
        </Button>
      )}
      {driver.disabled === true ? (
        <Button disabled={busy} variant="default" onClick={() => actions.enable(driver)}>
          {words.enable}
        </Button>
      ) : null}
      {driver.developerFolder === undefined ? null : (
        <Button disabled={busy} variant="default" onClick={() => actions.unload(driver)}>
          {words.unload}
        </Button>
      )}
      {isInstalled ? (
        <Menu position="bottom-end" zIndex={301}>
          <Menu.Target>
            <ActionIcon disabled={busy} aria-label={words.actions(title)} title={words.actions(title)}>
              <IconDots size={16} stroke={1.75} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {driver.developerFolder !== undefined ? null : pinned === undefined ? (
              <Menu.Item onClick={() => actions.pin(driver, installedVersion)}>{words.pin(installedVersion)}</Menu.Item>
            ) : (
              <Menu.Item onClick={() => actions.unpin(driver)}>{words.unpin}</Menu.Item>
            )}
            {driver.disabled === true ? null : <Menu.Item onClick={() => actions.disable(driver)}>{words.disable}</Menu.Item>}
            {driver.developerFolder === undefined ? (
              <Menu.Item onClick={() => actions.bundle(driver)}>{words.bundle}</Menu.Item>
            ) : null}
            <Menu.Divider />
            <Menu.Item color="red" onClick={() => setRemoving(true)}>
              {words.remove}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      ) : null}
      <Modal
        opened={removing}
        onClose={() => setRemoving(false)}
        title={words.removeTitle(title)}
        size={420}
        centered
        zIndex={300}
        closeButtonProps={{ 'aria-label': strings.common.close }}
      >
        <p className={styles.removeText}>
          {words.removeText(title, driver.versions.length, [...new Set(driver.versions.flatMap(({ usedBy }) => usedBy))])}
        </p>
        <DialogActions>
          <Button variant="default" onClick={() => setRemoving(false)} data-autofocus>
            {strings.common.cancel}
          </Button>
          <Button
            color="red"
            onClick={() => {
              setRemoving(false);
              actions.remove(driver);
            }}
          >
            {words.removeConfirm}
          </Button>
        </DialogActions>
      </Modal>
    </Group>
  );
}
