import { z } from 'zod';
import { ROUTER_PATH, preferencesSchema } from '../common/api.ts';
import type { Preferences } from '../common/api.ts';
import type { FetchHandler } from '../common/fetchHandler.ts';
import { withNonce } from './securityHeaders.ts';

/** How the page begins, as it was built. */
const ROOT = '<html lang="en">';

const answerSchema = z.object({ result: z.object({ data: preferencesSchema }) });

/** The person's choices; without any from the runtime, the defaults of a new home. */
async function preferencesOf(api: FetchHandler, origin: string): Promise<Preferences> {
  try {
    const answer = await api(new Request(new URL(`${ROUTER_PATH}/application.preferences`, origin)));
    return answerSchema.parse(await answer.json()).result.data;
  } catch {
    return preferencesSchema.parse({});
  }
}

/**
 * The window's page, with its nonce, and with what the person chose: so the first frame has their colours, density and language, and the page
 * needs no inline script for that.
 */
export async function windowPage(html: string, nonce: string, api: FetchHandler, origin: string): Promise<string> {
  const { theme, density, language } = await preferencesOf(api, origin);
  const scheme = theme === 'system' ? '' : ` data-mantine-color-scheme="${theme}"`;
  const root = `<html lang="en" data-theme="${theme}" data-density="${density}" data-language="${language}"${scheme}>`;
  return withNonce(html.replace(ROOT, root), nonce);
}
