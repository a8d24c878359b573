import type { Language } from '../common/languages.ts';
import { MOST_WINDOWS } from './windowAccess.ts';

interface PageText {
  readonly title: string;
  /** HTML, without values from outside. */
  readonly paragraphs: readonly string[];
}

type PageTexts = Readonly<Record<TransportPageName, PageText>> & { readonly openWindow: string };

/** These pages are sent before the window's own catalogue can be. */
const TEXTS: Readonly<Record<Language, PageTexts>> = {
  en: {
    notSignedIn: {
      title: 'The session of this window has expired',
      paragraphs: [
        'Open the address that Tabularium printed when it started. It works once.',
        'For another one, run <code>tabularium url</code> on this machine.',
      ],
    },
    tooManyWindows: {
      title: 'Too many windows are open',
      paragraphs: [
        `This host serves ${MOST_WINDOWS} windows, and all of them are in use. Close one and wait five minutes, then open this address again.`,
      ],
    },
    openWindow: 'Open the window',
  },
  de: {
    notSignedIn: {
      title: 'Die Sitzung dieses Fensters ist abgelaufen',
      paragraphs: [
        'Die Adresse öffnen, die Tabularium beim Start ausgegeben hat. Sie gilt einmal.',
        'Eine neue gibt <code>tabularium url</code> auf diesem Computer aus.',
      ],
    },
    tooManyWindows: {
      title: 'Zu viele Fenster sind offen',
      paragraphs: [
        `Dieser Host bedient ${MOST_WINDOWS} Fenster, und alle sind in Gebrauch. Eines schließen, fünf Minuten warten und diese Adresse noch einmal öffnen.`,
      ],
    },
    openWindow: 'Fenster öffnen',
  },
};

export type TransportPageName = 'notSignedIn' | 'tooManyWindows';

/** A page that the transport itself has to show: without scripts and without styles. */
export function transportPage(name: TransportPageName, language: Language): string {
  const { title, paragraphs } = TEXTS[language][name];
  const body = paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join('');
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${title}</title></head><body><h1>${title}</h1>${body}</body></html>`;
}

/** Leads to the window from a page of our own: after a link on another site, a browser sends no strict cookie with a redirect. */
export function entryPage(path: string, language: Language): string {
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=${path}"><title>Tabularium</title></head><body><p><a href="${path}">${TEXTS[language].openWindow}</a></p></body></html>`;
}
