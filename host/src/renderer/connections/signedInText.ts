import type { SignInState } from '../../common/signInSteps.ts';
import { strings } from '../i18n/index.ts';

/** As whom a person is signed in, and until when. */
export function signedInText({ account, until, storedIn }: Omit<SignInState, 'is'>): {
  readonly title: string;
  readonly text: string;
} {
  const words = strings.signIn;
  const title = account === undefined ? words.signedIn : words.signedInAs(account);
  if (storedIn === 'session') return { title, text: words.untilStop };
  return { title, text: until === undefined ? words.untilSignedOut : words.until(until) };
}
