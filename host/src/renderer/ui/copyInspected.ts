import { strings } from '../i18n/index.ts';
import { notify } from '../state/notify.ts';

/** Copies a text and says so, or why not. */
export function copyText(text: string, done: string): void {
  navigator.clipboard.writeText(text).then(
    () => notify({ tone: 'plain', text: done }),
    () => notify({ tone: 'warning', text: strings.grid.copyRefused }),
  );
}
