/** Writes rows of logs in batches: they are gathered in memory up to a bound, and no work waits for them. */
import { isDatabaseUnavailable } from './database-unavailable.ts'

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
