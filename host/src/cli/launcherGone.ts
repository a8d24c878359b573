/** Of the launcher, which starts this program as another process where Node can't replace itself. */
const LAUNCHER = 'TABULARIUM_LAUNCHER';
const LOOK_MILLISECONDS = 1_000;
/** These run until they are ended, and nothing else would end them. */
const LASTING: ReadonlySet<string> = new Set(['serve', 'docs']);

/**
 * Aborted when the launcher is gone: killed, it can't pass a signal on. Never for a program without a launcher, or a command that ends automatically.
 *
 * @param env - the variable is taken out, so that programs started from here don't take it for theirs
 */
export function launcherGone(
  env: NodeJS.ProcessEnv,
  words: readonly string[],
  options: { readonly parent?: () => number; readonly milliseconds?: number } = {},
): AbortSignal {
  const { parent = () => process.ppid, milliseconds = LOOK_MILLISECONDS } = options;
  const gone = new AbortController();
  const launcher = Number(env[LAUNCHER] ?? '');
  delete env[LAUNCHER];
  if (!Number.isSafeInteger(launcher) || launcher <= 0 || !LASTING.has(words[0] ?? '') || parent() !== launcher)
    return gone.signal;
  const timer = setInterval(() => {
    if (parent() === launcher) return;
    clearInterval(timer);
    gone.abort(new DOMException('The program that started this one is gone.', 'AbortError'));
  }, milliseconds);
  timer.unref();
  return gone.signal;
}
