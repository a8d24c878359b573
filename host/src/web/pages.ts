import type { Language } from '../common/languages.ts';
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
        'Run <code>tabularium open</code> on this machine. It opens a window, or <code>tabularium url</code> prints an address.',
      ],
    },
    usedAddress: {
      title: 'This address was already used, or has expired',
      paragraphs: [
        'An address opens one window. If that window is still open, continue there.',
        'For a new window, run <code>tabularium open</code> on this machine, or <code>tabularium url</code> for another address.',
      ],
    },
    notSignedIn: {
      title: 'The session of this window has expired',
      paragraphs: [
        'Tabularium keeps your tabs and staged changes.',
        'To continue, run <code>tabularium open</code> on this machine, or <code>tabularium url</code> for a new address.',
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
        'Auf diesem Computer <code>tabularium open</code> ausführen. Das öffnet ein Fenster; <code>tabularium url</code> gibt eine Adresse aus.',
      ],
    },
    usedAddress: {
      title: 'Diese Adresse wurde schon benutzt oder ist abgelaufen',
      paragraphs: [
        'Eine Adresse öffnet ein Fenster. Ist dieses Fenster noch offen, dort weiterarbeiten.',
        'Für ein neues Fenster auf diesem Computer <code>tabularium open</code> ausführen oder mit <code>tabularium url</code> eine neue Adresse anfordern.',
      ],
    },
    notSignedIn: {
      title: 'Die Sitzung dieses Fensters ist abgelaufen',
      paragraphs: [
        'Tabularium behält Ihre Tabs und vorgemerkten Änderungen.',
        'Zum Weiterarbeiten auf diesem Computer <code>tabularium open</code> ausführen oder mit <code>tabularium url</code> eine neue Adresse anfordern.',
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

/** The window's own colours and type, for both colour schemes. */
const STYLE = `
:root { color-scheme: light dark; --ground: #fff; --text: #1b1f24; --dim: #59636e; --line: #d1d9e0; --code: #f1f3f5; }
@media (prefers-color-scheme: dark) { :root { --ground: #16191d; --text: #e6e9ed; --dim: #9aa4af; --line: #343a41; --code: #22272d; } }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--ground); color: var(--text);
  font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 30rem; margin: 1.5rem; padding: 1.5rem 2rem; border: 1px solid var(--line); border-radius: 8px; }
h1 { margin: 0 0 0.75rem; font-size: 20px; line-height: 1.3; font-weight: 600; }
p { margin: 0.5rem 0 0; color: var(--dim); }
code { padding: 0.1em 0.35em; border-radius: 4px; background: var(--code); color: var(--text); font-size: 13px; }
`;

const spoken = (language: Language): { readonly lang: Language; readonly texts: PageTexts } => {
  const texts = TEXTS[language];
  return texts === undefined ? { lang: 'en', texts: TEXTS.en } : { lang: language, texts };
};

/** A page that the transport itself has to show: without scripts, with one style element that carries the nonce. */
export function transportPage(name: TransportPageName, language: Language, nonce: string): string {
  const { lang, texts } = spoken(language);
  const { title, paragraphs } = texts[name];
  const body = paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join('');
  return (
    `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">` +
    `<title>${title}</title><style nonce="${nonce}">${STYLE}</style></head><body><main><h1>${title}</h1>${body}</main></body></html>`
  );
}

/** Leads to the window from a page of our own: after a link on another site, a browser sends no strict cookie with a redirect. */
export function entryPage(path: string, language: Language): string {
  const { lang, texts } = spoken(language);
  return `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=${path}"><title>Tabularium</title></head><body><p><a href="${path}">${texts.openWindow}</a></p></body></html>`;
}
