/** Runs the rows of one test one after the other, so that they share what takes long, and an error names its row. */

/** What each row resulted in. Throws the first error, with the name of its row. */
export async function forEachRow<Row, Result>(
  rows: Iterable<Row>,
  nameOf: (row: Row) => string,
  run: (row: Row) => Promise<Result>,
): Promise<ReadonlyMap<Row, Result>> {
  const results = new Map<Row, Result>()
  for (const row of rows) {
    try {
      results.set(row, await run(row))
    } catch (error) {
      throw new Error(`${nameOf(row)}: ${error instanceof Error ? error.message : error}`, { cause: error })
    }
  }
  return results
}
