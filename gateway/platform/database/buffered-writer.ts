/** Writes rows of logs in batches with COPY: they are gathered in memory up to a bound, and no work waits for them. */
import { finished } from 'node:stream/promises'
import { from as copyFrom } from 'pg-copy-streams'
import type { Database } from './database.ts'
import { asUnavailability, DatabaseUnavailable, isDatabaseUnavailable } from './database-unavailable.ts'

/** How rows are gathered and written. Rows that find no room or cannot be written are dropped. */
export type BufferedWriterSettings<Row> = {
  write(rows: readonly Row[]): Promise<void>
  /** `error` is that of the failed batch; undefined when the buffer was full. */
  onDropped(count: number, error: unknown): void
  /** Of all rows that are not written yet. */
  readonly rowsMax?: number
  readonly bytesMax?: number
}

export type BufferedWriter<Row> = {
  /** Never waits; `bytes` is what the row holds in memory. */
  add(row: Row, bytes: number): void
  /** Resolves when everything that was added before has been written or dropped. */
  flush(): Promise<void>
}

/** The more rows share a statement, the less each costs; a reader waits for them as long as for any live page. */
const GATHER_MILLISECONDS = 500
const BATCH_ROWS = 200
const ROWS_MAX = 5_000
const BYTES_MAX = 32 * 1024 * 1024

/** Rows that were added before a crash and not written yet are lost: they are a log, not a record (decision 0105). */
export function openBufferedWriter<Row>({
  write,
  onDropped,
  rowsMax = ROWS_MAX,
  bytesMax = BYTES_MAX,
}: BufferedWriterSettings<Row>): BufferedWriter<Row> {
  let waiting: { readonly row: Row; readonly bytes: number }[] = []
  const held = { rows: 0, bytes: 0 }
  let writing: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  /** A row that fails its batch is dropped alone. */
  const writeBatch = async (rows: readonly Row[]): Promise<void> => {
    try {
      await write(rows)
    } catch (error) {
      if (rows.length === 1 || isDatabaseUnavailable(error)) {
        onDropped(rows.length, error)
        return
      }
      const middle = Math.ceil(rows.length / 2)
      await writeBatch(rows.slice(0, middle))
      await writeBatch(rows.slice(middle))
    }
  }
  const writeAll = async () => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH_ROWS)
      waiting = waiting.slice(BATCH_ROWS)
      await writeBatch(batch.map(({ row }) => row))
      held.rows -= batch.length
      held.bytes -= batch.reduce((sum, { bytes }) => sum + bytes, 0)
    }
  }
  const flush = async () => {
    clearTimeout(timer)
    timer = undefined
    writing ??= writeAll().finally(() => {
      writing = undefined
      schedule()
    })
    await writing
  }
  const schedule = () => {
    if (waiting.length > 0 && timer === undefined && writing === undefined) {
      timer = setTimeout(() => void flush(), GATHER_MILLISECONDS)
    }
  }
  return {
    add: (row, bytes) => {
      if (held.rows >= rowsMax || held.bytes + bytes > bytesMax) {
        onDropped(1, undefined)
        return
      }
      held.rows += 1
      held.bytes += bytes
      waiting.push({ row, bytes })
      schedule()
    },
    flush,
  }
}

/** A value of a column; texts are read by PostgreSQL as the column's type, and a list as an array of texts. */
export type CopiedValue = string | number | boolean | null | readonly string[]

/** Where rows go. The table's own names only: nothing is quoted. */
export type CopyTarget = {
  readonly table: string
  readonly columns: readonly string[]
  /** Statements without parameters and results, which are executed in the same transaction. */
  readonly before: string
}

const SPECIAL = /[\\\t\n\r]/
const SPECIALS = /[\\\t\n\r]/g
const ESCAPED: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

/**
 * One row in the text format of COPY, in the order of the target's columns. As bytes: what waits to be written is out of
 * the way of the garbage collector.
 */
export function copyLine(values: readonly CopiedValue[]): Buffer {
  const copied: string[] = []
  for (const value of values) {
    const text = value !== null && typeof value === 'object' ? arrayText(value) : String(value)
    const escaped = SPECIAL.test(text) ? text.replaceAll(SPECIALS, (special) => ESCAPED[special] ?? special) : text
    copied.push(value === null ? '\\N' : escaped)
  }
  return Buffer.from(`${copied.join('\t')}\n`)
}

function arrayText(texts: readonly string[]): string {
  return `{${texts.map((text) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`
}

/**
 * COPY takes a third of the processor time of an insert from JSON (decision 0105). Writes all lines or none, in one round
 * trip that PostgreSQL executes as one transaction. It does not wait for the disk: a crash of the database may lose the
 * last fraction of a second.
 */
export async function copyRows(
  { pool }: Database<unknown>,
  { table, columns, before }: CopyTarget,
  lines: readonly Buffer[],
): Promise<void> {
  const client = await pool.connect()
  let failure: unknown
  try {
    const text = `set local synchronous_commit = off; ${before}; copy ${table} (${columns.join(', ')}) from stdin`
    const stream = client.query(copyFrom(text))
    stream.end(Buffer.concat(lines))
    await finished(stream)
  } catch (error) {
    // The pool translates the errors of promises only.
    failure = asUnavailability(error)
    throw failure
  } finally {
    client.release(failure instanceof DatabaseUnavailable)
  }
}
