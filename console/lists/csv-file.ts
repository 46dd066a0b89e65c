/** Answers with a list as a CSV file, which is read page by page, as fast as the client takes it. */
import { csvLine } from '../../gateway/platform/csv-line.ts'
import type { ConsoleAnswer } from '../layout/console-page.ts'

/** A spreadsheet of more is unwieldy; the filters divide it. */
export const CSV_ROWS_MAX = 10_000

/** Other requests are served between two pages. */
const ROWS_PER_PAGE = 500

/** The texts of a row by the names of their columns, in this order. */
export type CsvCells<Row> = Readonly<Record<string, (row: Row) => string>>

/** A list as the console reads it, from the position that the address names. */
export type CsvList<Row, Position> = {
  /** The name of the file, without its extension. */
  readonly name: string
  readonly cells: CsvCells<Row>
  readonly after: Position | undefined
  /** Reads at most `limit` rows; `next` is where the list goes on, also after a page without rows. */
  readonly readPage: (after: Position | undefined, limit: number) => Promise<CsvPage<Row, Position>>
}

type CsvPage<Row, Position> = { readonly rows: readonly Row[]; readonly next: Position | undefined }

/** A list that cannot be read is an answer of its own, so the first page is read at once. */
export async function csvFile<Row, Position>(list: CsvList<Row, Position>): Promise<ConsoleAnswer> {
  const firstPage = await list.readPage(list.after, ROWS_PER_PAGE)
  return {
    kind: 'file',
    name: `${list.name}.csv`,
    mediaType: 'text/csv; charset=utf-8',
    content: partsOf(list, firstPage),
  }
}

/** A part for each page: a client that has gone is noticed after one without rows, too. */
async function* partsOf<Row, Position>(
  { cells, readPage }: CsvList<Row, Position>,
  firstPage: CsvPage<Row, Position>,
): AsyncGenerator<string> {
  const columns = Object.values(cells)
  let [head, page, left] = [csvLine(Object.keys(cells)), firstPage, CSV_ROWS_MAX]
  for (;;) {
    yield head + page.rows.map((row) => csvLine(columns.map((cell) => cell(row)))).join('')
    left -= page.rows.length
    if (page.next === undefined || left === 0) {
      return
    }
    head = ''
    page = await readPage(page.next, Math.min(ROWS_PER_PAGE, left))
  }
}
