import type { Command } from 'commander';

/** Words of other programs for what a command here is named. Of several the first that exists. */
const OTHER_WORDS: Readonly<Record<string, readonly string[]>> = {
  ...{ uninstall: ['remove'], delete: ['remove', 'revoke'], rm: ['remove', 'revoke'], del: ['remove'], drop: ['remove'] },
  ...{ ls: ['list', 'tables'], show: ['list', 'get'], create: ['add'], new: ['add', 'create'], upgrade: ['update'] },
  ...{ start: ['open', 'serve'], run: ['open', 'serve'], ui: ['open'], gui: ['open'], daemon: ['serve'], server: ['serve'] },
  ...{ check: ['doctor'], status: ['health', 'doctor'], sql: ['query'], dump: ['export'], load: ['import'] },
  ...{ enable: ['on'], disable: ['off'], docs: ['documentation'], log: ['logs'] },
};
/** Options of other commands, and of other programs, for what an option of this one is named. */
const OTHER_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  ...{ '--output': ['--file'], '--out': ['--output', '--file'], '-o': ['--output', '--file'], '--file': ['--output'] },
  ...{ '-f': ['--file', '--follow', '--output'], '--force': ['--overwrite'] },
};
/** A word with so many letters wrong is another word. */
const MOST_WRONG = 2;
const FOLLOWED: ReadonlySet<string> = new Set(['tail', 'follow', 'watch']);

/** The command that words name, as far as they do, and the words after it. */
function commandAt(
  program: Command,
  words: readonly string[],
): { readonly path: readonly Command[]; readonly rest: readonly string[] } {
  const path: Command[] = [];
  let within = program;
  for (const [place, word] of words.entries()) {
    const next = within.commands.find((each) => each.name() === word || each.aliases().includes(word));
    if (next === undefined) return { path, rest: words.slice(place) };
    path.push(next);
    within = next;
  }
  return { path, rest: [] };
}

/** The whole commands that a wrong word may mean; none where nothing is near. */
export function suggestedCommands(program: Command, words: readonly string[]): readonly string[] {
  const { path, rest } = commandAt(program, words);
  const wrong = rest[0]?.toLowerCase();
  if (wrong === undefined || wrong.startsWith('-')) return [];
  const group = path.at(-1) ?? program;
  const before = ['tabularium', ...path.map((command) => command.name())];
  // Also of the command that is meant where a group alone is named.
  const options = [group, ...group.commands].flatMap((command) => command.options);
  if (FOLLOWED.has(wrong) && options.some(({ long }) => long === '--follow')) return [[...before, '--follow'].join(' ')];
  const names = group.commands.map((command) => command.name());
  const known = (OTHER_WORDS[wrong] ?? []).filter((name) => names.includes(name));
  const near = names.filter((name) => distance(name, wrong) <= Math.min(MOST_WRONG, Math.floor(name.length / 2)));
  return (known.length > 0 ? known : near).map((name) => [...before, name].join(' '));
}

/** `help connections add` as `connections add --help`: commander's own shows the help of the first word alone. */
export function wordsOfHelp(program: Command, words: readonly string[]): readonly string[] {
  const [first, ...named] = words;
  if (first !== 'help' || named.length === 0) return words;
  return commandAt(program, named).rest.length === 0 ? [...named, '--help'] : words;
}

/** The likely meaning of an option that there isn’t: another one, or a text that begins with a dash. Undefined where neither is likely. */
export function meantByOption(program: Command, words: readonly string[], option: string): string | undefined {
  const command = commandAt(program, words).path.at(-1);
  if (command === undefined) return undefined;
  const known = new Set(command.options.flatMap(({ long, hidden }) => (hidden ? [] : [long])));
  const meant = (OTHER_OPTIONS[option] ?? []).find((other) => known.has(other));
  if (meant !== undefined) return `Did you mean ${meant}?`;
  const looksLikeText = !/^--[a-z][a-z-]*$/.test(option);
  return looksLikeText && command.registeredArguments.length > 0 ? 'Write -- before a text that begins with a dash.' : undefined;
}

/** Letters to change, add or leave out. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, place) => place);
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1];
    for (let place = 1; place <= other.length; place += 1) {
      const change = (row[place - 1] ?? 0) + (letter === other[place - 1] ? 0 : 1);
      next.push(Math.min((row[place] ?? 0) + 1, (next[place - 1] ?? 0) + 1, change));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
