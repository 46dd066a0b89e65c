/** Writes rows of logs in batches: they are gathered in memory up to a bound, and no work waits for them. */

/** How rows are gathered and written. A row that finds no room, and those of a batch that fails, are dropped. */
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

  const writeAll = async () => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH_ROWS)
      waiting = waiting.slice(BATCH_ROWS)
      await write(batch.map(({ row }) => row)).catch((error: unknown) => onDropped(batch.length, error))
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
