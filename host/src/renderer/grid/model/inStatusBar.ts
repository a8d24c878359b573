import { problemOf, wasAborted } from '../../api/problem.ts';
import { beginActivity, connectionOf, currentTab, notify } from '../../state/notify.ts';

const QUIET_MILLISECONDS = 150;

/** Work that takes longer than a moment is said in the status bar, with a way to stop it. Undefined when it failed, with the reason there, or was stopped. */
export async function inStatusBar<T>(text: string, work: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
  const controller = new AbortController();
  const tab = currentTab();
  let end: (() => void) | undefined;
  const timer = setTimeout(() => {
    end = beginActivity(text, () => controller.abort(), connectionOf(tab)).end;
  }, QUIET_MILLISECONDS);
  try {
    return await work(controller.signal);
  } catch (error) {
    if (!wasAborted(error, controller.signal)) notify({ tab, tone: 'warning', text: problemOf(error).message });
    return undefined;
  } finally {
    clearTimeout(timer);
    end?.();
  }
}
