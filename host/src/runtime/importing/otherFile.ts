import { HostError } from '../../common/errors.ts';

/** Bytes in which a kind of file is recognized: names of the first entries of an archive are among them. */
const OTHER_FILE_HEAD = 4_096;

interface OtherFile {
  /** The first bytes, in Latin-1. */
  readonly begins: string;
  /** Text among the first bytes that it needs besides. */
  readonly holds?: RegExp;
  readonly name: string;
  readonly advice: string;
}

const FROM_SPREADSHEET = 'Save the sheet as CSV in UTF-8 with the program that it comes from, and import that file.';

const OTHER_FILES: readonly OtherFile[] = [
  {
    begins: 'PK\u0003\u0004',
    holds: /\[Content_Types\]\.xml|_rels\/|docProps\/|xl\/|opendocument\.spreadsheet|Index\/Document\.iwa/,
    name: 'a spreadsheet or another document of an office program',
    advice: FROM_SPREADSHEET,
  },
  { begins: 'PK\u0003\u0004', name: 'a ZIP archive', advice: 'Unpack it, and import a file of it.' },
  {
    begins: '\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1',
    name: 'a spreadsheet or another document of an office program',
    advice: FROM_SPREADSHEET,
  },
  { begins: 'PAR1', name: 'a Parquet file', advice: 'Convert it to CSV or JSON lines, and import that file.' },
  {
    begins: 'SQLite format 3\u0000',
    name: 'a SQLite database',
    advice: 'Add a connection to it, and copy its tables from there.',
  },
  { begins: '%PDF-', name: 'a PDF document', advice: 'Import a CSV or JSON file.' },
];

/** Refuses a file that isn't text at all, by its first bytes. @throws HostError `INVALID_REQUEST` naming what it is */
export function refuseOtherFile(head: Uint8Array): void {
  const text = Buffer.from(head.subarray(0, OTHER_FILE_HEAD)).toString('latin1');
  const found = OTHER_FILES.find(({ begins, holds }) => text.startsWith(begins) && (holds === undefined || holds.test(text)));
  if (found === undefined) return;
  throw new HostError('INVALID_REQUEST', `The file is ${found.name}, and rows are imported from CSV and JSON.`, {
    details: { advice: found.advice },
  });
}
