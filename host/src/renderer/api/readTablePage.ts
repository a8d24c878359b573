import { PAGE_PATH } from '../../common/api.ts';
import type { ReadPageInput } from '../../common/api.ts';
import { apiUrl } from './apiUrl.ts';
import { parsePageAnswer } from './decodedPage.ts';
import type { DecodedPage } from './decodedPage.ts';
import { ReportedProblem, isReport } from './problem.ts';

/** Reads one page of rows. @throws ReportedError with the host's report */
export async function readTablePage(input: ReadPageInput, signal: AbortSignal): Promise<DecodedPage> {
  const response = await fetch(apiUrl(PAGE_PATH), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(input),
    signal,
  });
  if (!response.ok) {
    const report: unknown = await response.json();
    if (isReport(report)) throw new ReportedProblem(report);
    throw new SyntaxError("The error isn't a report.");
  }
  return parsePageAnswer(new Uint8Array(await response.arrayBuffer()));
}
