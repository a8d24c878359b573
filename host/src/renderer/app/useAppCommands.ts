import type { Preferences } from '../../common/api.ts';
import type { SavedConnection } from '../../common/connection.ts';
import { canSignOut, signOut } from '../api/hostLink/signOut.ts';
import { problemOf } from '../api/problem.ts';
import { usePreferences, useSetPreferences } from '../api/queries.ts';
import { useCommands } from '../commands/registry.ts';
import type { WindowCommand } from '../commands/registry.ts';
import type { SettingsSection } from '../state/layer.ts';
import { endTransactions } from '../state/openTransactions.ts';
import { strings } from '../i18n/index.ts';
import { notify } from '../state/notify.ts';
import { newWindowRefusal, openNewWindow } from '../state/newWindow.ts';
import { openDocumentation } from '../state/openDocumentation.ts';
import { focusRegion } from './regions.ts';

interface Actions {
  /** The connection on the screen. */
  readonly shown: SavedConnection | undefined;
  readonly isOpen: boolean;
  readonly showPalette: (scope: 'everything' | 'connections') => void;
  readonly showShortcuts: () => void;
  readonly showSettings: (section: SettingsSection) => void;
  readonly showList: () => void;
  /** Or why it can't be started now. */
  readonly tour: (() => void) | string;
  readonly newConnection: () => void;
  readonly editConnection: (connection: SavedConnection) => void;
  readonly duplicateConnection: (connection: SavedConnection) => void;
  readonly closeConnection: (connection: SavedConnection) => void;
  readonly importConnections: () => void;
  readonly exportConnections: () => void;
  readonly toggleSidebar: () => void;
  readonly findInSidebar: () => void;
}

const sayWhyNot = (error: unknown): void => notify({ tab: 'none', tone: 'warning', text: problemOf(error).message });

const SECTIONS = ['appearance', 'drivers', 'integrations', 'data', 'about'] as const;

/** The commands that are there whatever is on the screen. */
export function useAppCommands(actions: Actions): void {
  const { shown, isOpen } = actions;
  const words = strings.shell;
  const preferences = usePreferences().data;
  const setPreferences = useSetPreferences();
  const noConnection = shown === undefined ? words.noConnection : undefined;
  const notOpen = isOpen ? undefined : words.noConnection;
  const withShown = (act: (connection: SavedConnection) => void) => (): void => (shown === undefined ? undefined : act(shown));
  const prefer = (change: Partial<Preferences>): void => {
    if (preferences !== undefined) setPreferences.mutate({ ...preferences, ...change });
  };
  const sectionNames = {
    appearance: strings.settings.appearance,
    drivers: strings.settings.drivers,
    integrations: strings.integrations.title,
    data: strings.backups.section,
    about: strings.settings.about,
  };
  const commands: WindowCommand[] = [
    { id: 'connection.new', run: actions.newConnection },
    { id: 'connection.switch', run: () => actions.showPalette('connections') },
    { id: 'connection.list', run: actions.showList },
    {
      id: 'connection.edit',
      group: 'connection',
      title: words.editConnection,
      disabled: noConnection,
      run: withShown(actions.editConnection),
    },
    {
      id: 'connection.duplicate',
      group: 'connection',
      title: words.duplicateConnection,
      disabled: noConnection,
      run: withShown(actions.duplicateConnection),
    },
    {
      id: 'connection.close',
      group: 'connection',
      title: words.closeConnection,
      disabled: noConnection,
      run: withShown(actions.closeConnection),
    },
    {
      id: 'connection.newWindow',
      disabled: noConnection ?? newWindowRefusal(),
      run: withShown(({ id }) => openNewWindow(id)),
    },
    { id: 'connection.import', group: 'connection', title: words.importConnections, run: actions.importConnections },
    { id: 'connection.export', group: 'connection', title: words.exportConnections, run: actions.exportConnections },
    { id: 'sidebar.find', disabled: notOpen, run: actions.findInSidebar },
    { id: 'sidebar.toggle', disabled: notOpen, run: actions.toggleSidebar },
    { id: 'view.focusNext', run: () => focusRegion(1) },
    { id: 'view.focusPrevious', run: () => focusRegion(-1) },
    ...(['system', 'light', 'dark'] as const).map<WindowCommand>((theme) => ({
      id: `view.theme.${theme}`,
      group: 'view',
      title: words.themeIs(strings.settings.themes[theme]),
      disabled: preferences?.theme === theme ? words.isChosen : undefined,
      run: () => prefer({ theme }),
    })),
    ...(['comfortable', 'compact'] as const).map<WindowCommand>((density) => ({
      id: `view.density.${density}`,
      group: 'view',
      title: words.densityIs(strings.settings.densities[density]),
      disabled: preferences?.density === density ? words.isChosen : undefined,
      run: () => prefer({ density }),
    })),
    { id: 'application.palette', run: () => actions.showPalette('everything') },
    { id: 'application.shortcuts', run: actions.showShortcuts },
    {
      id: 'application.documentation',
      group: 'application',
      title: words.documentation,
      aliases: words.documentationAliases,
      run: openDocumentation,
    },
    {
      id: 'application.tour',
      group: 'application',
      title: strings.tour.start,
      aliases: strings.tour.aliases,
      disabled: typeof actions.tour === 'string' ? actions.tour : undefined,
      run: () => (typeof actions.tour === 'string' ? undefined : actions.tour()),
    },
    { id: 'application.settings', run: () => actions.showSettings('appearance') },
    ...SECTIONS.slice(1).map<WindowCommand>((section) => ({
      id: `application.settings.${section}`,
      group: 'application',
      title: words.settingsOf(sectionNames[section]),
      run: () => actions.showSettings(section),
    })),
    {
      id: 'application.newWindow',
      group: 'application',
      title: words.newWindow,
      disabled: newWindowRefusal(),
      run: () => openNewWindow(),
    },
    ...(canSignOut()
      ? [
          {
            id: 'application.signOut',
            group: 'application' as const,
            title: words.signOut,
            run: () =>
              // Windows with the same address have the same session.
              void endTransactions({ kind: 'end', isEnded: () => true, goOn: () => void signOut().catch(sayWhyNot) }),
          },
        ]
      : []),
    { id: 'application.reload', group: 'application', title: words.reload, run: () => window.location.reload() },
  ];
  useCommands(commands);
}
