import type { Page } from 'playwright-core';

const LABELS = {
  en: { settings: 'Settings', choice: 'Language', reload: 'Reload the window' },
  de: { settings: 'Einstellungen', choice: 'Sprache', reload: 'Fenster neu laden' },
} as const;
const NAMES = { en: 'English', de: 'Deutsch' } as const;

type Language = keyof typeof NAMES;

/** The language that a window has now. */
export async function languageOf(page: Page): Promise<Language> {
  await page.getByRole('button', { name: /^(?:Settings|Einstellungen)$/ }).waitFor();
  return (await page.evaluate(() => document.documentElement.lang)) === 'de' ? 'de' : 'en';
}

/** Chooses the language of all windows in the settings, and reloads this one, unless it has that language already. */
export async function speak(page: Page, language: Language): Promise<void> {
  const current = await languageOf(page);
  if (current === language) return;
  const { settings, choice, reload } = LABELS[current];
  await page.getByRole('button', { name: settings }).click();
  const dialog = page.getByRole('dialog', { name: settings });
  await dialog.getByRole('combobox', { name: choice }).selectOption(NAMES[language]);
  await dialog.getByRole('button', { name: reload }).click();
  await page.getByRole('button', { name: LABELS[language].settings }).waitFor();
}
