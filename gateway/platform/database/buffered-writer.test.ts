/** Tests the buffer of rows for which no work waits: its bounds, its batches, and what a failure loses. */
import { expect, test } from 'vitest'
import { openBufferedWriter } from './buffered-writer.ts'
import { DatabaseUnavailable } from './database-unavailable.ts'

/** A writer whose statements end when the test says so. */
function open(limits: { readonly rowsMax?: number; readonly bytesMax?: number } = {}) {
  const batches: { readonly rows: readonly number[]; readonly end: PromiseWithResolvers<void> }[] = []
  const dropped: { readonly count: number; readonly error: unknown }[] = []
  const writer = openBufferedWriter<number>({
    write: (rows) => {
      const end = Promise.withResolvers<void>()
      batches.push({ rows, end })
      return end.promise
    },
    onDropped: (count, error) => dropped.push({ count, error }),
    ...limits,
  })
  return { writer, batches, dropped }
}

test('holds so many rows and bytes, those that are being written included, and counts what it drops', async () => {
  const { writer, batches, dropped } = open({ rowsMax: 3, bytesMax: 100 })
  writer.add(1, 10)
  const flushed = writer.flush()
  writer.add(2, 10)
  writer.add(3, 81)
  writer.add(4, 10)
  writer.add(5, 10)
  expect(batches.map(({ rows }) => rows)).toEqual([[1]])
  expect(dropped).toEqual([
    { count: 1, error: undefined },
    { count: 1, error: undefined },
  ])
  batches[0]?.end.resolve()
  await new Promise(setImmediate)
  batches[1]?.end.resolve()
  await flushed
  expect(batches.map(({ rows }) => rows)).toEqual([[1], [2, 4]])
  writer.add(6, 100)
  expect(dropped).toHaveLength(2)
})

test('rows are written some time after they were added, also after a flush of nothing', async () => {
  const written = Promise.withResolvers<readonly number[]>()
  const writer = openBufferedWriter<number>({
    write: async (rows) => written.resolve(rows),
    onDropped: () => undefined,
  })
  await writer.flush()
  writer.add(1, 1)
  writer.add(2, 1)
  expect(await written.promise).toEqual([1, 2])
})

test('a batch is dropped while the database is unavailable, and the next one is written', async () => {
  const { writer, batches, dropped } = open()
  for (let row = 0; row < 201; row += 1) {
    writer.add(row, 1)
  }
  const flushed = writer.flush()
  const error = new DatabaseUnavailable(new Error('The database is away'))
  batches[0]?.end.reject(error)
  await new Promise(setImmediate)
  expect(batches.map(({ rows }) => rows.length)).toEqual([200, 1])
  batches[1]?.end.resolve()
  await flushed
  expect(dropped).toEqual([{ count: 200, error }])
})

test('a row that fails its batch is dropped alone', async () => {
  const written: number[] = []
  const dropped: number[] = []
  const writer = openBufferedWriter<number>({
    write: async (rows) => {
      if (rows.includes(7)) {
        throw new Error('The row is invalid')
      }
      written.push(...rows)
    },
    onDropped: (count) => void dropped.push(count),
  })
  const rows = Array.from({ length: 50 }, (_, row) => row)
  for (const row of rows) {
    writer.add(row, 1)
  }
  await writer.flush()
  expect(written).toEqual(rows.filter((row) => row !== 7))
  expect(dropped).toEqual([1])
})
