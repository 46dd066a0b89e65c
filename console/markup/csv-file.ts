/** Answers with a list as a CSV file. */
import { csvLine } from '../../gateway/platform/csv-line.ts'
import type { ConsoleAnswer } from '../layout/console-page.ts'

/** A spreadsheet of more is unwieldy; the filters divide it. */
export const CSV_ROWS_MAX = 10_000

/** `name` is that of the file, without its extension; the first line has the names of the columns. */
export function csvFile(name: string, lines: readonly (readonly string[])[]): ConsoleAnswer {
  return {
    kind: 'file',
    name: `${name}.csv`,
    mediaType: 'text/csv; charset=utf-8',
    content: lines.map(csvLine).join(''),
  }
}
