import type { Language } from '../common/languages.ts';
import { plainPage } from '../runtime/http/plainPage.ts';
import { MOST_WINDOWS } from './windowAccess.ts';

interface PageText {
  readonly title: string;
  /** HTML, without values from outside. */
  readonly paragraphs: readonly string[];
}

export type TransportPageName = 'noAddress' | 'usedAddress' | 'notSignedIn' | 'tooManyWindows';

type PageTexts = Readonly<Record<TransportPageName, PageText>> & { readonly openWindow: string };

/** These pages are sent before the window's own catalogue can be. English serves a language that has none of its own. */
const TEXTS: Readonly<Partial<Record<Language, PageTexts>>> & { readonly en: PageTexts } = {
  en: {
    noAddress: {
      title: 'This page needs a one-time address',
      paragraphs: [
        'Run <code>tabularium open</code> (in a checkout: <code>npx tabularium open</code>) on this machine. It opens a window, or <code>tabularium url</code> prints an address.',
      ],
    },
    usedAddress: {
      title: 'This address was already used, or has expired',
      paragraphs: [
        'An address opens one window. If that window is still open, continue there.',
        'For a new window, run <code>tabularium open</code> (in a checkout: <code>npx tabularium open</code>) on this machine, or <code>tabularium url</code> for another address.',
      ],
    },
    notSignedIn: {
      title: 'The session of this window has expired',
      paragraphs: [
        'Tabularium keeps your tabs and staged changes.',
        'To continue, run <code>tabularium open</code> (in a checkout: <code>npx tabularium open</code>) on this machine, or <code>tabularium url</code> for a new address.',
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
    noAddress: {
      title: 'Diese Seite braucht eine Einmal-Adresse',
      paragraphs: [
        'Auf diesem Computer <code>tabularium open</code> (im Quelltext: <code>npx tabularium open</code>) ausführen. Das öffnet ein Fenster; <code>tabularium url</code> gibt eine Adresse aus.',
      ],
    },
    usedAddress: {
      title: 'Diese Adresse wurde schon benutzt oder ist abgelaufen',
      paragraphs: [
        'Eine Adresse öffnet ein Fenster. Ist dieses Fenster noch offen, dort weiterarbeiten.',
        'Für ein neues Fenster auf diesem Computer <code>tabularium open</code> (im Quelltext: <code>npx tabularium open</code>) ausführen oder mit <code>tabularium url</code> eine neue Adresse anfordern.',
      ],
    },
    notSignedIn: {
      title: 'Die Sitzung dieses Fensters ist abgelaufen',
      paragraphs: [
        'Tabularium behält Ihre Tabs und vorgemerkten Änderungen.',
        'Zum Weiterarbeiten auf diesem Computer <code>tabularium open</code> (im Quelltext: <code>npx tabularium open</code>) ausführen oder mit <code>tabularium url</code> eine neue Adresse anfordern.',
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

const spoken = (language: Language): { readonly lang: Language; readonly texts: PageTexts } => {
  const texts = TEXTS[language];
  return texts === undefined ? { lang: 'en', texts: TEXTS.en } : { lang: language, texts };
};

/** A page that the transport itself has to show: without scripts, with one style element that carries the nonce. */
export function transportPage(name: TransportPageName, language: Language, nonce: string): string {
  const { lang, texts } = spoken(language);
  const { title, paragraphs } = texts[name];
  const body = paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join('');
  return plainPage({ language: lang, title, body, nonce });
}

/** Leads to the window from a page of our own: after a link on another site, a browser sends no strict cookie with a redirect. */
export function entryPage(path: string, language: Language): string {
  const { lang, texts } = spoken(language);
  return `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=${path}"><title>Tabularium</title></head><body><p><a href="${path}">${texts.openWindow}</a></p></body></html>`;
}
