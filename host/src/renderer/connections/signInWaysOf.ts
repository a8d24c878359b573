import type { SignInCredential } from '@tabularium/sdk/manifest';
import type { SignInWay } from '../../common/signInSteps.ts';

/** The ways to sign in that a driver has, the usual one first. */
export function signInWaysOf({ authorizationUrl, deviceUrl }: SignInCredential): readonly SignInWay[] {
  return [
    ...(authorizationUrl === undefined ? [] : (['browser'] as const)),
    ...(deviceUrl === undefined ? [] : (['device'] as const)),
  ];
}
