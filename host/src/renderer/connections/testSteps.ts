import type { Manifest } from '@tabularium/sdk/manifest';
import type { TestStep } from '../../common/connection.ts';
import type { ReportCode } from '../../common/errorReport.ts';
import { inManifestWords } from '../api/driverTexts.ts';
import { inWindowLanguage, sentenceInWindowLanguage } from '../api/inWindowLanguage.ts';
import { strings } from '../i18n/index.ts';

/** A step is reported when it begins and again when it ends: the later report replaces the earlier one. */
export function withStep(steps: readonly TestStep[], step: TestStep): readonly TestStep[] {
  return steps.some((known) => known.id === step.id)
    ? steps.map((known) => (known.id === step.id ? step : known))
    : [...steps, step];
}

/** The label of a step of the host is in the words of the window; a driver's finding has its own. */
export function labelOf({ id, label }: TestStep): string {
  return new Map(Object.entries(strings.form.steps)).get(id) ?? label;
}

/** The message of a step in the words of the window, with the advice of a failure. */
export function messageOf(step: TestStep, manifest: Manifest): string {
  const { message, sentence, failure, driverVersion } = step;
  if (driverVersion !== undefined) return `${manifest.title} ${driverVersion}`;
  if (failure === undefined) return sentenceInWindowLanguage(sentence) ?? message;
  const said = inManifestWords(manifest, failure);
  const translated = { message: said.message !== failure.message, advice: said.advice !== failure.advice };
  const shown = inWindowLanguage({ ...said, translated, code: failure.code as ReportCode });
  // The advice of the host is for those who are elsewhere; here the next test asks again.
  return `${shown.message} ${failure.code === 'SSH_KEY_UNKNOWN' ? strings.tunnels.hostKey.advice : shown.advice}`;
}
