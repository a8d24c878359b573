import { NotUtf8, utf8Text } from '../../common/utf8Text.ts';
import { strings } from '../i18n/index.ts';
import { windowProblem } from './problem.ts';

/**
 * The text of a file that a person chose to import.
 *
 * @param most - bytes
 * @throws ReportedProblem for a larger file, before any of it is read, for one that can't be read, such as one that was removed, and for one that isn't UTF-8
 */
export async function chosenFileText(file: File, most: number): Promise<string> {
  const words = strings.common;
  if (file.size > most) {
    throw windowProblem('INVALID_REQUEST', words.fileTooLarge(file.name, file.size, most), words.fileTooLargeAdvice);
  }
  try {
    return utf8Text(new Uint8Array(await file.arrayBuffer()));
  } catch (error) {
    if (error instanceof NotUtf8)
      throw windowProblem('INVALID_REQUEST', words.fileNotUtf8(file.name, error.line), words.fileNotUtf8Advice);
    throw windowProblem('INVALID_REQUEST', words.fileUnreadable(file.name), words.fileUnreadableAdvice);
  }
}
