import { CliError } from './cliError.ts';

/** The folder that relative paths start from. @throws CliError `PROJECT_INVALID` where it was removed while a shell is in it */
export function currentFolder(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new CliError(
      'PROJECT_INVALID',
      'The folder that this command runs in no longer exists.',
      'Change to a folder that exists, and try again.',
      { cause },
    );
  }
}
