import type { KeyStore } from '../keys/keyStore.ts';
import type { Terminal } from '../terminal.ts';

/** An option of a command. */
export interface OptionSpec {
  readonly type: 'string' | 'boolean';
  /** The placeholder of the value in the help. */
  readonly value?: string;
  readonly help: string;
}

export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

/** The options that were given, by name. */
export type OptionValues<Specs extends OptionSpecs> = {
  readonly [Name in keyof Specs]: Specs[Name]['type'] extends 'boolean' ? boolean : string | undefined;
};

/** The services and streams of a command. */
export interface CommandContext {
  readonly terminal: Terminal;
  readonly env: NodeJS.ProcessEnv;
  /** Where it was started. */
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly keys: KeyStore;
  readonly json: boolean;
  /** Progress for a person; nothing with `--json`. */
  readonly say: (line: string) => void;
}

/** The result of a command. */
export interface Outcome {
  /** One object, for `--json`. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** The same for people. */
  readonly text: string;
  /** Default: 0. */
  readonly exitCode?: number;
}

/** A command, with what its help and its reference say of it. */
export interface Command {
  /** `keys create` */
  readonly name: string;
  readonly summary: string;
  /** The arguments after the name, such as `[ARCHIVE]`. */
  readonly operands?: string;
  readonly most: number;
  readonly options: OptionSpecs;
  /** Whether the command takes arguments after `--`. */
  readonly takesRest?: boolean;
  run(input: CommandInput, context: CommandContext): Promise<Outcome>;
}

interface CommandInput {
  readonly operands: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
  readonly rest: readonly string[];
}

/** Makes a command whose options are typed by their specifications. */
export function defineCommand<const Specs extends OptionSpecs>(
  command: Omit<Command, 'run' | 'options' | 'most'> & {
    readonly most?: number;
    readonly options: Specs;
    readonly run: (
      input: { readonly operands: readonly string[]; readonly options: OptionValues<Specs>; readonly rest: readonly string[] },
      context: CommandContext,
    ) => Promise<Outcome>;
  },
): Command {
  return {
    most: 0,
    ...command,
    // The program gives every option of the specification, and none else.
    run: (input, context) => command.run({ ...input, options: input.options as OptionValues<Specs> }, context),
  };
}

/** Options that several commands have. */
export const FOLDER_OPTION = {
  folder: { type: 'string', value: 'DIR', help: 'the folder of the driver (default: this one)' },
} as const;

export const KEY_OPTIONS = {
  key: { type: 'string', value: 'ID|FILE', help: 'the key to sign with (default: the only one)' },
  'passphrase-env': { type: 'string', value: 'NAME', help: 'the environment variable that holds the passphrase of the key' },
  'passphrase-stdin': { type: 'boolean', help: 'read the passphrase from standard input' },
} as const;
