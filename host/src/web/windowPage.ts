import { z } from 'zod';
import { ROUTER_PATH, preferencesSchema } from '../common/api.ts';
import type { Preferences } from '../common/api.ts';
import { speak } from '../common/languages.ts';
import type { Language } from '../common/languages.ts';
import type { FetchHandler } from '../common/fetchHandler.ts';
import { withNonce } from './securityHeaders.ts';

/** How the page begins, as it was built. */
const ROOT = '<html lang="en">';

const answerSchema = z.object({ result: z.object({ data: preferencesSchema }) });

/**
 * The language of a page that the transport shows without the window: the one that the person chose, else the first one that the browser
 * prefers.
 */
export async function pageLanguage(acceptLanguage: string | undefined, api: FetchHandler, origin: string): Promise<Language> {
  const { language } = await preferencesOf(api, origin);
  return speak(language, tagsOf(acceptLanguage)).language;
}

/** The tags of an `Accept-Language` header, the preferred one first. A header of 16 KiB at most is read, as the server's limit says. */
function tagsOf(header = ''): readonly string[] {
  return header
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.split(';').map((text) => text.trim());
      const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
      return { tag, quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    .toSorted((left, right) => right.quality - left.quality)
    .map(({ tag }) => tag);
}

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

/** The window's page for a window that is not let in yet: it shows the way back and asks the runtime nothing. */
export function returningPage(html: string, nonce: string): string {
  return withNonce(html.replace(ROOT, '<html lang="en" data-returning>'), nonce);
}
