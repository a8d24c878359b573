import type { Page } from 'playwright-core';

/** Words that no German sentence has. Those that German shares, such as `in` and `an`, say nothing. */
const ENGLISH = /\b(?:the|and|is|are|not|to|with|this|that|you|from|for|or|has|have|were|by|cannot|of|no|yet|it|its|be|been)\b/i;

/** Labels and sentences on the screen with an English word in them. Data, code and a driver's README are not the window's texts. */
export async function englishTexts(page: Page): Promise<readonly string[]> {
  const texts = await page.evaluate(() => {
    const data =
      '[role="grid"], [role="tree"], .cm-editor, code, pre, kbd, textarea, mark, [role="article"], article, [class*="_readme_"], [class*="_facetValue_"]';
    return [...document.querySelectorAll('body *')]
      .filter((element) => element.closest(data) === null && element.checkVisibility())
      .flatMap((element) => [
        ...[...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE).map(({ nodeValue }) => nodeValue ?? ''),
        ...['aria-label', 'title', 'placeholder'].map((name) => element.getAttribute(name) ?? ''),
      ])
      .map((text) => text.trim());
  });
  return [...new Set(texts)].filter((text) => ENGLISH.test(text));
}
