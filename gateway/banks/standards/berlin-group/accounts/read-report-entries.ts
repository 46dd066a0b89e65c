/** Reads one transaction report from a stream: its entries in batches, and at the end the JSON around them. */
import { InvalidJsonError, JsonLimitError } from '../../../../platform/json/json-bytes.ts'
import { BYTES_PER_VALUE } from '../../../../platform/json/json-document.ts'
import { streamJson } from '../../../../platform/json/read-json.ts'
import { parseJson } from '../../../../platform/parse-json.ts'

/** The JSON of an entry, and its list. */
export type ReportEntry = { readonly list: (typeof LISTS)[number]; readonly value: unknown }

/** Thrown for invalid JSON, and for reports above their limits. */
export class UnreadableReport extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'UnreadableReport'
  }
}

const LISTS = ['booked', 'pending'] as const
const LEVELS_MAX = 64
/** A batch entry with all its transactions has some hundred kilobytes. */
const HELD_BYTES_MAX = 4 * 1024 * 1024
/** Entries are passed on when there are about as many, or as many bytes of them. */
const ENTRIES_AT_ONCE = 500
const BYTES_AT_ONCE = 256 * 1024

/** Returns the report with empty lists. Ending the iteration closes the stream. */
export async function* readReportEntries(
  parts: AsyncIterable<Uint8Array>,
): AsyncGenerator<readonly ReportEntry[], unknown> {
  const report = streamJson(parts, {
    readPiece: parsePiece,
    levelsMax: LEVELS_MAX,
    valuesMax: HELD_BYTES_MAX / BYTES_PER_VALUE,
    lists: LISTS.map((list) => ['transactions', list]),
    heldBytesMax: HELD_BYTES_MAX,
  })
  let ready: ReportEntry[] = []
  let bytes = 0
  try {
    for (let step = await report.next(); ; step = await report.next()) {
      if (step.done === true) {
        yield ready
        return step.value
      }
      const { path, elements } = step.value
      const list = path.includes('booked') ? 'booked' : 'pending'
      ready.push(...elements.map((value) => ({ list, value }) as const))
      bytes += step.value.bytes
      if (ready.length >= ENTRIES_AT_ONCE || bytes >= BYTES_AT_ONCE) {
        yield ready
        ready = []
        bytes = 0
      }
    }
  } catch (error) {
    const isUnreadable = error instanceof InvalidJsonError || error instanceof JsonLimitError
    throw isUnreadable ? new UnreadableReport(error.message, error) : error
  } finally {
    await report.return(undefined)
  }
}

function parsePiece(text: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    throw new UnreadableReport('The report is not JSON', error)
  }
}
