/** Moves every sealed value to the newest master key, while the programs run; begun again, it goes on where it stood. */
import pg from 'pg'
import type { Context } from '../context.ts'
import { SEALED_COLUMNS, type SealedColumn } from './sealed-columns.ts'

/** What was done of one column. */
export type Resealed = { readonly table: string; readonly column: string; readonly values: number }

type Row = { readonly sealed: Buffer; readonly key: readonly string[] }
type Surroundings = Pick<Context, 'database' | 'seal'>

/** So many values are read at once; each is written by itself, so that nobody waits for a lock of ours. */
const BATCH_ROWS = 500
const { escapeIdentifier } = pg

/** Reseals all columns, one after the other. Throws when a value does not open, naming its row. */
export async function resealAll(context: Surroundings): Promise<readonly Resealed[]> {
  const done: Resealed[] = []
  for (const column of SEALED_COLUMNS) {
    done.push({ table: column.table, column: column.column, values: await resealColumn(context, column) })
  }
  return done
}

async function resealColumn(context: Surroundings, column: SealedColumn): Promise<number> {
  let values = 0
  let rows = await readBatch(context, column, undefined)
  while (rows.length > 0) {
    for (const row of rows) {
      values += (await resealValue(context, column, row)) ? 1 : 0
    }
    rows = await readBatch(context, column, rows.at(-1))
  }
  return values
}

/** Values under older keys, in the order of the primary key. */
async function readBatch({ database, seal }: Surroundings, of: SealedColumn, after: Row | undefined): Promise<Row[]> {
  const key = of.key.map(escapeIdentifier).join(', ')
  const column = escapeIdentifier(of.column)
  const behind = after === undefined ? '' : `and (${key}) > (${of.key.map((_, n) => `$${n + 2}`).join(', ')})`
  const { rows } = await database.pool.query<Row>(
    `select ${column} as sealed, array[${of.key.map((name) => `${escapeIdentifier(name)}::text`).join(', ')}] as key
     from ${escapeIdentifier(of.table)}
     where ${column} is not null and substring(${column} for ${seal.prefix.length}) <> $1 ${behind}
     order by ${key} limit ${BATCH_ROWS}`,
    [seal.prefix, ...(after?.key ?? [])],
  )
  return rows
}

/** A value that somebody changed meanwhile is under the newest key already, or gone. */
async function resealValue({ database, seal }: Surroundings, of: SealedColumn, { sealed, key }: Row): Promise<boolean> {
  const column = escapeIdentifier(of.column)
  const sameRow = of.key.map((name, n) => `${escapeIdentifier(name)} = $${n + 3}`).join(' and ')
  const { rowCount } = await database.pool.query(
    `update ${escapeIdentifier(of.table)} set ${column} = $1 where ${column} = $2 and ${sameRow}`,
    [reseal(seal, of, { sealed, key }), sealed, ...key],
  )
  return rowCount === 1
}

function reseal(seal: Context['seal'], of: SealedColumn, { sealed, key }: Row): Buffer {
  try {
    return seal.reseal(sealed, of.purposeOf(Object.fromEntries(of.key.map((name, n) => [name, key[n] ?? '']))))
  } catch (error) {
    throw new Error(`${of.table}.${of.column} of ${key.join(' ')} does not open`, { cause: error })
  }
}
