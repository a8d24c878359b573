import { useEffect, useId, useRef } from 'react';
import { createStore, useStore } from 'zustand';
import type { StoreApi } from 'zustand';
import { strings } from '../i18n/index.ts';
import { desktop } from '../state/desktop.ts';
import { KEY_MAP, isKeyId, keysOf } from '../../common/keyMap.ts';
import type { CommandGroup, KeyId } from '../../common/keyMap.ts';
import { isPressed, onMac } from './keys.ts';
import type { KeyPress } from './keys.ts';

interface CommonCommand {
  /** Why it cannot be run now, as a sentence; absent when it can. */
  readonly disabled?: string | undefined;
  /** Other words by which people look for it. */
  readonly aliases?: string | undefined;
  readonly run: () => void;
}

/** An action of the window. One with keys has its name and its place in the keyboard map; others bring their own. */
export type WindowCommand =
  | (CommonCommand & { readonly id: KeyId })
  | (CommonCommand & { readonly id: string; readonly group: CommandGroup; readonly title: string });

/** A command as the palette, the list of shortcuts and the menus of the desktop shell see it. */
export interface KnownCommand {
  readonly id: string;
  readonly group: CommandGroup;
  readonly title: string;
  readonly aliases: string;
  readonly keys: readonly string[];
  readonly disabled: string | undefined;
  readonly run: () => void;
}

/** Whether the window is in the desktop shell, which has keys that a browser keeps for itself. */
export function inDesktop(): boolean {
  return desktop() !== undefined;
}

function toKnown(command: WindowCommand): KnownCommand {
  const own = 'title' in command ? { group: command.group, title: command.title } : undefined;
  const entry = isKeyId(command.id)
    ? { group: KEY_MAP[command.id].group, title: strings.commands.keyNames[command.id] }
    : undefined;
  const { group, title } = own ?? entry ?? { group: 'application' as const, title: command.id };
  return {
    id: command.id,
    group,
    title,
    aliases: command.aliases ?? '',
    keys: isKeyId(command.id) ? keysOf(command.id, inDesktop()) : [],
    disabled: command.disabled,
    run: command.run,
  };
}

/** The commands of all parts of the window now. */
export interface Commands {
  /** By their owner. */
  readonly contributions: ReadonlyMap<string, readonly WindowCommand[]>;
  /** A command that several parts offer is the one of the part that came last, so that ids stay single. */
  readonly knownCommands: () => readonly KnownCommand[];
  /** Offers commands under a name of their owner, in place of what that owner offered before. The returned function takes them back. */
  readonly contribute: (owner: string, commands: readonly WindowCommand[]) => () => void;
  readonly takeBack: (owner: string) => void;
}

export function createCommandsStore(): StoreApi<Commands> {
  // Made when it is first asked for: most changes are followed by another one before that.
  let known: { readonly of: Commands['contributions']; readonly commands: readonly KnownCommand[] } | undefined;
  return createStore((set, get) => ({
    contributions: new Map(),
    knownCommands() {
      const { contributions } = get();
      if (known?.of !== contributions) {
        const byId = new Map<string, KnownCommand>();
        for (const commands of contributions.values()) for (const command of commands) byId.set(command.id, toKnown(command));
        known = { of: contributions, commands: [...byId.values()] };
      }
      return known.commands;
    },
    contribute(owner, commands) {
      set(({ contributions }) => ({ contributions: new Map(contributions).set(owner, commands) }));
      return () => get().takeBack(owner);
    },
    takeBack(owner) {
      const contributions = new Map(get().contributions);
      if (contributions.delete(owner)) set({ contributions });
    },
  }));
}

const offered = createCommandsStore();

export const { knownCommands, contribute } = offered.getState();
const { takeBack } = offered.getState();

/** Runs a command by its id. False when no part offers it now, or when it is disabled. */
export function runCommand(id: string): boolean {
  const command = knownCommands().find((candidate) => candidate.id === id);
  if (command === undefined || command.disabled !== undefined) return false;
  command.run();
  return true;
}

/** The command that these keys run, among those whose keys the window itself dispatches. */
export function commandOf(event: KeyPress, isMac = onMac()): KnownCommand | undefined {
  return knownCommands().find(
    ({ id, keys }) => isKeyId(id) && KEY_MAP[id].byPart === undefined && keys.some((chord) => isPressed(chord, event, isMac)),
  );
}

const same = (before: readonly WindowCommand[], now: readonly WindowCommand[]): boolean =>
  before.length === now.length &&
  before.every((command, place) => {
    const other = now[place];
    if (other === undefined || command.id !== other.id || command.disabled !== other.disabled) return false;
    const title = 'title' in command ? command.title : undefined;
    return title === ('title' in other ? other.title : undefined) && command.aliases === other.aliases;
  });

/**
 * Offers commands while the calling component is mounted. `isActive` false takes them back, for a part that is there but not on the screen
 * (a tab in the background). `run` may close over anything: the newest one is always taken.
 */
export function useCommands(commands: readonly WindowCommand[], isActive = true): void {
  const owner = useId();
  const newest = useRef(commands);
  const last = useRef<readonly WindowCommand[]>(undefined);
  useEffect(() => {
    newest.current = commands;
    if (!isActive) {
      last.current = undefined;
      takeBack(owner);
      return;
    }
    if (last.current !== undefined && same(last.current, commands)) return;
    last.current = commands;
    contribute(
      owner,
      commands.map((command, place) => ({ ...command, run: () => newest.current[place]?.run() })),
    );
  });
  useEffect(
    () => () => {
      last.current = undefined;
      takeBack(owner);
    },
    [owner],
  );
}

/** The available commands, followed as they change. */
export function useKnownCommands(): readonly KnownCommand[] {
  return useStore(offered, knownCommands);
}
