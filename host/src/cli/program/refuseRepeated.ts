import type { Command } from 'commander';
import { UsageError } from '../usageError.ts';

/**
 * Refuses an option with a value that is given twice to a command or one below it: the first value would be lost without an error. An option may be repeated
 * whose values are added to those before.
 *
 * @throws UsageError while a command line is read
 */
export function refuseRepeated(command: Command): void {
  for (const option of command.options.filter(({ required, optional }) => required || optional)) {
    let before: { readonly value: unknown } | undefined;
    command.on(`option:${option.name()}`, () => {
      const value: unknown = command.getOptionValue(option.attributeName());
      if (before !== undefined && !continues(value, before.value))
        throw new UsageError(`${option.long ?? option.name()} is given twice, and takes one value.`);
      before = { value };
    });
  }
  for (const below of command.commands) refuseRepeated(below);
}

function continues(value: unknown, before: unknown): boolean {
  return (
    Array.isArray(value) &&
    Array.isArray(before) &&
    value.length > before.length &&
    before.every((each, index) => each === value[index])
  );
}
