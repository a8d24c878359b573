import { build } from './build.ts';
import { check } from './check.ts';
import type { Command } from './command.ts';
import { dev } from './dev.ts';
import { createKey, exportKey, listKeys, showKey } from './keys.ts';
import { pack, publish, sign } from './release.ts';

/** Every command, in the order in which an author needs them. */
export const COMMANDS: readonly Command[] = [dev, build, check, createKey, listKeys, showKey, exportKey, pack, sign, publish];
