import { strings } from '../i18n/index.ts';
import { notify } from '../state/notify.ts';

/** Copies a text, and reports success or the browser's denial. */
export async function copyText(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notify({ tone: 'plain', text: done });
  } catch {
    notify({ tone: 'warning', text: strings.grid.copyRefused });
  }
}
