import { PassThrough, Readable } from 'node:stream';
import type { Command, Option } from 'commander';
import { expect, it } from 'vitest';
import { buildProgram } from './program.ts';

function allOptions(command: Command): readonly Option[] {
  return [...command.options, ...command.commands.flatMap(allOptions)];
}

it('every choice is taken in whatever letter case', () => {
  const unused = (): never => {
    throw new Error('nothing runs');
  };
  const program = buildProgram({
    terminal: { stdin: Object.assign(Readable.from([]), { isTTY: false }), stdout: new PassThrough(), stderr: new PassThrough() },
    ...{ folder: '/', version: '1.2.3', env: {}, signal: new AbortController().signal },
    ...{ link: unused, serve: unused, serveHidden: unused, serveDocumentation: unused, restore: unused },
    ...{ useSecretPlace: unused, home: unused, beginAnswer: unused, setExitCode: () => undefined },
  });
  const options = allOptions(program).filter(({ argChoices }) => argChoices !== undefined);
  expect(options.length).toBeGreaterThan(4);
  for (const { argChoices = [], parseArg, long } of options)
    for (const value of argChoices) expect([long, parseArg?.(value.toUpperCase(), undefined)]).toEqual([long, value]);
});
