import { randomBytes } from 'node:crypto';
import type { Language } from '../../../common/languages.ts';
import { plainPage } from '../../http/plainPage.ts';
import { WAIT_SCRIPT_PATH } from './authorizationServerMetadata.ts';

/** How far a sign-in is, as the browser shows it. */
export type PageState =
  'waiting' | 'noWindow' | 'allowed' | 'denied' | 'expired' | 'client' | 'redirect' | 'busy' | 'off' | 'invalid';

type Texts = Readonly<Record<PageState, readonly [title: string, ...paragraphs: string[]]>> & {
  readonly number: string;
  readonly back: string;
};

const OPEN = '<code>tabularium open</code>';

/** HTML, without values from outside. */
const TEXTS: Readonly<Record<Language, Texts>> = {
  en: {
    waiting: [
      'Answer in Tabularium’s window',
      'A program asks for access to your connections. Choose there what it may do.',
      'Allow it only if the window shows the same number, and if you began this sign-in.',
    ],
    noWindow: [
      'Open Tabularium’s window',
      `The question waits there. Start Tabularium, or run ${OPEN} on this computer.`,
      'Allow it only if the window shows the same number, and if you began this sign-in.',
    ],
    allowed: ['Access allowed', 'You can close this tab and continue in the program.'],
    denied: ['Access denied', 'The program got no access. You can close this tab.'],
    expired: ['This sign-in has expired', 'Nothing was allowed. Start the sign-in in the program again.'],
    client: [
      'This program isn’t registered',
      'Tabularium doesn’t know it any more. Remove its saved sign-in and let it connect again.',
    ],
    redirect: [
      'The sign-in names another address',
      'The program asked to be called back where it isn’t registered, so nothing was allowed.',
    ],
    busy: ['Too many sign-ins wait', 'Answer those in Tabularium’s window, then try again in a minute.'],
    off: [
      'Sign-in with OAuth is switched off',
      'Switch it on in Tabularium: Settings, Integrations, Server. Or create a token there.',
    ],
    invalid: ['This isn’t a sign-in', 'Start the sign-in in the program again.'],
    number: 'Number of this request',
    back: 'Return to the program',
  },
  de: {
    waiting: [
      'Im Fenster von Tabularium antworten',
      'Ein Programm bittet um Zugriff auf Ihre Verbindungen. Dort wählen Sie, was es darf.',
      'Nur erlauben, wenn das Fenster dieselbe Zahl zeigt und Sie diese Anmeldung begonnen haben.',
    ],
    noWindow: [
      'Das Fenster von Tabularium öffnen',
      `Die Frage wartet dort. Tabularium starten oder auf diesem Computer ${OPEN} ausführen.`,
      'Nur erlauben, wenn das Fenster dieselbe Zahl zeigt und Sie diese Anmeldung begonnen haben.',
    ],
    allowed: ['Zugriff erlaubt', 'Sie können diesen Tab schließen und im Programm weiterarbeiten.'],
    denied: ['Zugriff abgelehnt', 'Das Programm hat keinen Zugriff. Sie können diesen Tab schließen.'],
    expired: ['Diese Anmeldung ist abgelaufen', 'Nichts wurde erlaubt. Die Anmeldung im Programm noch einmal beginnen.'],
    client: [
      'Dieses Programm ist nicht registriert',
      'Tabularium kennt es nicht mehr. Seine gespeicherte Anmeldung entfernen und es neu verbinden lassen.',
    ],
    redirect: [
      'Die Anmeldung nennt eine andere Adresse',
      'Das Programm wollte an einer Adresse zurückgerufen werden, an der es nicht registriert ist. Nichts wurde erlaubt.',
    ],
    busy: [
      'Zu viele Anmeldungen warten',
      'Diese im Fenster von Tabularium beantworten und es in einer Minute noch einmal versuchen.',
    ],
    off: [
      'Die Anmeldung mit OAuth ist ausgeschaltet',
      'In Tabularium einschalten: Einstellungen, Integrationen, Server. Oder dort ein Token anlegen.',
    ],
    invalid: ['Das ist keine Anmeldung', 'Die Anmeldung im Programm noch einmal beginnen.'],
    number: 'Zahl dieser Anfrage',
    back: 'Zurück zum Programm',
  },
  pl: {
    waiting: [
      'Odpowiedz w oknie Tabularium',
      'Program prosi o dostęp do Twoich połączeń. Tam wybierzesz, co mu wolno.',
      'Zezwól tylko wtedy, gdy okno pokazuje ten sam numer, a logowanie zaczęto z Twojej inicjatywy.',
    ],
    noWindow: [
      'Otwórz okno Tabularium',
      `Pytanie czeka w oknie. Uruchom Tabularium albo wykonaj ${OPEN} na tym komputerze.`,
      'Zezwól tylko wtedy, gdy okno pokazuje ten sam numer, a logowanie zaczęto z Twojej inicjatywy.',
    ],
    allowed: ['Zezwolono na dostęp', 'Możesz zamknąć tę kartę i wrócić do programu.'],
    denied: ['Odmówiono dostępu', 'Program nie ma dostępu. Możesz zamknąć tę kartę.'],
    expired: ['To logowanie wygasło', 'Na nic nie zezwolono. Zacznij logowanie w programie jeszcze raz.'],
    client: [
      'Ten program nie jest zarejestrowany',
      'Tabularium już go nie zna. Usuń jego zapisane logowanie i połącz go ponownie.',
    ],
    redirect: [
      'Logowanie podaje inny adres',
      'Program podał adres zwrotny, pod którym nie jest zarejestrowany, więc na nic nie zezwolono.',
    ],
    busy: ['Czeka zbyt wiele logowań', 'Odpowiedz na nie w oknie Tabularium i spróbuj ponownie za minutę.'],
    off: [
      'Logowanie przez OAuth jest wyłączone',
      'Włącz je w Tabularium: Ustawienia, Integracje, Serwer. Możesz też utworzyć tam token.',
    ],
    invalid: ['To nie jest logowanie', 'Zacznij logowanie w programie jeszcze raz.'],
    number: 'Numer tego żądania',
    back: 'Wróć do programu',
  },
};

const STATUS: Readonly<Partial<Record<PageState, number>>> = {
  client: 400,
  redirect: 400,
  invalid: 400,
  expired: 410,
  off: 403,
  busy: 429,
};

/** A question that the page is about. */
export interface ShownRequest {
  readonly id: string;
  readonly number: string;
  /** An address of this machine that the client registered, with an answer for it. */
  readonly back?: string;
}

/** The page in the browser's tab. It has no control that allows anything: a page elsewhere could press it. */
export function authorizationPage(state: PageState, language: Language, about?: ShownRequest): Response {
  const texts = TEXTS[language];
  const [title, ...paragraphs] = texts[state];
  const isPending = state === 'waiting' || state === 'noWindow';
  const nonce = randomBytes(18).toString('base64');
  const number =
    about !== undefined && isPending
      ? `<p class="number" aria-label="${texts.number}: ${about.number}"><span>${texts.number}</span><strong>${about.number}</strong></p>`
      : '';
  const back = about?.back === undefined ? '' : `<p><a href="${escapeHtml(about.back)}" rel="noreferrer">${texts.back}</a></p>`;
  const script =
    about !== undefined && isPending
      ? `<script src="${WAIT_SCRIPT_PATH}" data-request="${about.id}" data-shown="${state}" defer></script>`
      : '';
  const body = `<div role="status">${paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join('')}</div>${number}${back}`;
  return new Response(plainPage({ language, title, body, nonce, head: script }), {
    status: STATUS[state] ?? 200,
    headers: {
      ...PAGE_HEADERS,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': [
        "default-src 'none'",
        "script-src 'self'",
        "connect-src 'self'",
        `style-src 'nonce-${nonce}'`,
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'none'",
      ].join('; '),
    },
  });
}

/** For everything that a browser shows or follows. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** Looks once a second how far the request is, and loads the page again when that is something else. */
export const WAIT_SCRIPT = `'use strict';
const { request, shown } = document.currentScript.dataset;
const look = async () => {
  try {
    const answer = await fetch('/authorize/state?request=' + encodeURIComponent(request), { cache: 'no-store' });
    if (answer.ok && (await answer.text()) !== shown) return location.reload();
  } catch {
    // The host restarts, or is gone.
  }
  setTimeout(look, 1000);
};
setTimeout(look, 1000);
`;

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
