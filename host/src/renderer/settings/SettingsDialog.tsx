import { Button, Group, Modal, NativeSelect, SegmentedControl, Switch, Tabs } from '@mantine/core';
import { IconDatabase, IconInfoCircle, IconPlug, IconPlugConnected, IconSun } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { ApplicationInfo, Preferences } from '../../common/api.ts';
import { LANGUAGES, languageChoiceSchema, languageNames } from '../../common/languages.ts';
import { textInWindowLanguage } from '../api/inWindowLanguage.ts';
import { problemOf } from '../api/problem.ts';
import { useApplicationInfo, usePreferences, useSetPreferences } from '../api/queries.ts';
import { runCommand } from '../commands/registry.ts';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import { Integrations } from '../integrations/Integrations.tsx';
import { PluginBrowser } from '../plugins/PluginBrowser.tsx';
import { SettingRow } from '../ui/SettingRow.tsx';
import { useEscape } from '../ui/useEscape.ts';
import { strings } from '../i18n/index.ts';
import { loadedChoice } from '../i18n/language.ts';
import { BackupsPane } from './BackupsPane.tsx';
import styles from './settings.module.css';
import type { SettingsSection } from '../state/layer.ts';
import { openDocumentation } from '../state/openDocumentation.ts';

interface Props {
  readonly section: SettingsSection;
  readonly onClose: () => void;
}

/** Everything about the application itself, in sections. */
export function SettingsDialog({ section, onClose }: Props): ReactNode {
  const words = strings.settings;
  useEscape(onClose);
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnEscape={false}
      title={words.title}
      size={1040}
      padding={0}
      yOffset={48}
      classNames={{ content: styles.content, header: styles.header, body: styles.body }}
      closeButtonProps={{ 'aria-label': strings.common.close }}
    >
      <Tabs defaultValue={section} orientation="vertical" className={styles.tabs} keepMounted={false}>
        <Tabs.List className={styles.sections} aria-label={words.sections}>
          <Tabs.Tab value="appearance" leftSection={<IconSun size={16} stroke={1.75} />}>
            {words.appearance}
          </Tabs.Tab>
          <Tabs.Tab value="drivers" leftSection={<IconPlug size={16} stroke={1.75} />}>
            {words.drivers}
          </Tabs.Tab>
          <Tabs.Tab value="integrations" leftSection={<IconPlugConnected size={16} stroke={1.75} />}>
            {strings.integrations.title}
          </Tabs.Tab>
          <Tabs.Tab value="data" leftSection={<IconDatabase size={16} stroke={1.75} />}>
            {strings.backups.section}
          </Tabs.Tab>
          <Tabs.Tab value="about" leftSection={<IconInfoCircle size={16} stroke={1.75} />}>
            {words.about}
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="appearance" className={styles.panel}>
          <Appearance />
        </Tabs.Panel>
        <Tabs.Panel value="drivers" className={styles.panel}>
          <PluginBrowser />
        </Tabs.Panel>
        <Tabs.Panel value="integrations" className={styles.panel}>
          <Integrations />
        </Tabs.Panel>
        <Tabs.Panel value="data" className={styles.panel}>
          <BackupsPane />
        </Tabs.Panel>
        <Tabs.Panel value="about" className={styles.panel}>
          <About
            onTour={() => {
              onClose();
              runCommand('application.tour');
            }}
          />
        </Tabs.Panel>
      </Tabs>
    </Modal>
  );
}

function Appearance(): ReactNode {
  const words = strings.settings;
  const preferences = usePreferences();
  const save = useSetPreferences();
  if (preferences.data === undefined) return null;
  const set = (change: Partial<Preferences>): void => save.mutate({ ...preferences.data, ...change });
  return (
    <>
      <SettingRow id="setting-theme" title={words.theme} help={words.themeHelp}>
        <SegmentedControl
          aria-labelledby="setting-theme"
          value={preferences.data.theme}
          onChange={(theme) => set({ theme })}
          data={(['system', 'light', 'dark'] as const).map((value) => ({ value, label: words.themes[value] }))}
        />
      </SettingRow>
      <SettingRow id="setting-density" title={words.density} help={words.densityHelp}>
        <SegmentedControl
          aria-labelledby="setting-density"
          value={preferences.data.density}
          onChange={(density) => set({ density })}
          data={(['comfortable', 'compact'] as const).map((value) => ({ value, label: words.densities[value] }))}
        />
      </SettingRow>
      {languageNames.length < 2 ? null : (
        <SettingRow id="setting-language" title={words.language} help={words.languageHelp}>
          <Group gap={8} wrap="nowrap">
            <NativeSelect
              aria-labelledby="setting-language"
              value={preferences.data.language}
              onChange={(event) => set({ language: languageChoiceSchema.catch('system').parse(event.currentTarget.value) })}
              data={[
                { value: 'system', label: words.themes.system },
                ...languageNames.map((value) => ({ value, label: LANGUAGES[value] })),
              ]}
            />
            {preferences.data.language === loadedChoice ? null : (
              <Button variant="default" onClick={() => window.location.reload()}>
                {strings.shell.reload}
              </Button>
            )}
          </Group>
        </SettingRow>
      )}
      {save.error === null ? null : <ProblemPanel compact title={words.notSaved} problem={problemOf(save.error)} />}
    </>
  );
}

function storeText(store: ApplicationInfo['secureStore']): string {
  if (store.available) return strings.settings.secureStoreAvailable(store.name);
  const missing = strings.settings.secureStoreMissing(store.name);
  return store.reason === undefined ? missing : `${missing}: ${textInWindowLanguage(store.reason, { sentence: store.sentence })}`;
}

function About({ onTour }: { readonly onTour: () => void }): ReactNode {
  const words = strings.settings;
  const info = useApplicationInfo();
  if (info.error !== null) {
    return <ProblemPanel title={words.about} problem={problemOf(info.error)} onRetry={() => void info.refetch()} />;
  }
  if (info.data === undefined) return null;
  const { newerVersion } = info.data;
  const facts: readonly (readonly [string, string])[] = [
    [words.version, info.data.version],
    ...(newerVersion === undefined ? [] : [[words.newer, words.newerAt(newerVersion.version, newerVersion.registry)] as const]),
    [words.contract, info.data.sdkContract],
    [words.home, info.data.home],
    [words.secureStore, storeText(info.data.secureStore)],
    [words.mcp, info.data.mcpUrl ?? words.mcpStopped],
  ];
  return (
    <>
      <dl className={styles.facts}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <LookForNewerVersions />
      <SettingRow id="setting-help" title={strings.tour.help} help={strings.tour.helpText}>
        <Group gap={8} wrap="nowrap">
          <Button variant="default" onClick={onTour}>
            {strings.tour.start}
          </Button>
          <Button variant="default" onClick={openDocumentation}>
            {strings.shell.documentation}
          </Button>
        </Group>
      </SettingRow>
    </>
  );
}

function LookForNewerVersions(): ReactNode {
  const words = strings.settings;
  const preferences = usePreferences();
  const save = useSetPreferences();
  const saved = preferences.data;
  if (saved === undefined) return null;
  return (
    <>
      <SettingRow id="setting-newer-versions" title={words.lookForNewer} help={words.lookForNewerHelp}>
        <Switch
          aria-labelledby="setting-newer-versions"
          checked={saved.lookForNewerVersions}
          onChange={(event) => save.mutate({ ...saved, lookForNewerVersions: event.currentTarget.checked })}
        />
      </SettingRow>
      {save.error === null ? null : <ProblemPanel compact title={words.notSaved} problem={problemOf(save.error)} />}
    </>
  );
}
