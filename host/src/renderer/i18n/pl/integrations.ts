import { formatMessage } from '../formatMessage.ts';
import type { PartialStrings } from '../partialStrings.ts';

/** The question about a client that signs in: a person must understand it before allowing anything. */
export const integrations: PartialStrings['integrations'] = {
  server: {
    oauth: 'Logowanie przez OAuth',
    oauthHelp:
      'Klienci HTTP mogą prosić o dostęp w przeglądarce. Zezwalasz na niego tutaj, w tym oknie. Wyłączenie kończy ich dostęp.',
  },
  dialog: { client: 'Klient' },
  consent: {
    title: (client: string) => `Zezwolić „${client}” na połączenie?`,
    number: 'Przeglądarka musi pokazywać ten sam numer. Jeśli pokazuje inny albo nie zaczęto logowania, odmów.',
    choices: 'Prośba i uprawnienia',
    clientSays: (name: string) => `${name}, według jego własnych słów`,
    redirect: 'Wraca do',
    asksFor: 'Prosi o',
    asksForNothing: 'Nic szczególnego',
    expires: 'Odpowiedz do',
    choose: 'Wybierz połączenia',
    days: (days: number) =>
      formatMessage('{days, plural, one {Za # dzień} few {Za # dni} many {Za # dni} other {Za # dnia}}', { days }),
    revoke: 'Dostęp można cofnąć w każdej chwili: Settings, Integrations, Authentication.',
    allow: 'Zezwól',
    deny: 'Odmów',
    gone: 'To logowanie wygasło, więc na nic nie zezwolono.',
  },
};
