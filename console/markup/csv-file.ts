/** Answers with a list as a CSV file. */
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
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
    content: Readable.from(partsOf(lines)),
  }
}

/** Other requests are served between two parts. */
const LINES_PER_PART = 200

async function* partsOf(lines: readonly (readonly string[])[]): AsyncGenerator<string> {
  for (let first = 0; first < lines.length; first += LINES_PER_PART) {
    yield lines
      .slice(first, first + LINES_PER_PART)
      .map(csvLine)
      .join('')
    await setImmediate()
  }
}
