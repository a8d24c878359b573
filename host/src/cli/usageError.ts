/** The command line itself is wrong: nothing has been done. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
