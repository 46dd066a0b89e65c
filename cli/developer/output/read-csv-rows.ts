/** Reads rows of CSV while they arrive, by the names of the header line. */
import { Readable } from 'node:stream'
import { parse } from 'csv-parse'
import { textOfCell } from '../../../gateway/platform/csv-line.ts'

/** Yields each row as an object; a stream that fails rejects. */
export async function* readCsvRows(
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<Readonly<Record<string, string>>> {
  const rows = Readable.from(stream).pipe(parse({ columns: true, bom: true, cast: textOfCell }))
  yield* rows
}
