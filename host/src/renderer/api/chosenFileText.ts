import { strings } from '../i18n/index.ts';
import { windowProblem } from './problem.ts';

/**
 * The text of a file that a person chose to import.
 *
 * @param most - bytes
 * @throws ReportedProblem for a larger file, before any of it is read, and for one that can't be read, such as one that was removed
 */
export async function chosenFileText(file: File, most: number): Promise<string> {
  const words = strings.common;
  if (file.size > most) {
    throw windowProblem('INVALID_REQUEST', words.fileTooLarge(file.name, file.size, most), words.fileTooLargeAdvice);
  }
  try {
    return await file.text();
  } catch {
    throw windowProblem('INVALID_REQUEST', words.fileUnreadable(file.name), words.fileUnreadableAdvice);
  }
}
