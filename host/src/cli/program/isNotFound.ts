import { ReportedError } from '../../runtime/ownerSocket/ownerProtocol.ts';
import { causeOf } from '../ownerApi.ts';

/** Whether a call failed because the database has no such thing. */
export function isNotFound(error: unknown): boolean {
  const cause = causeOf(error);
  return cause instanceof ReportedError && cause.report.code === 'NOT_FOUND';
}
