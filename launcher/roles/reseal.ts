/** Re-encrypts all sealed values with the newest master key while the programs run; resumable. */
import pg from 'pg'
import { HEADER_BYTES, type Seal } from '../../gateway/platform/crypto/envelope-encryption.ts'
import type { ProgramContext } from '../../gateway/platform/program-context.ts'
import { SEALED_COLUMNS, type SealedColumn } from './sealed-columns.ts'

/** The number of re-encrypted values of one column. */
export type Resealed = { readonly table: string; readonly column: string; readonly values: number }

/** `header` is null where nothing is to be done. */
type Row = { readonly header: Buffer | null; readonly key: readonly string[] }
type OldRow = Row & { readonly header: Buffer }
/**
 * Of whatever key, so that no statement takes long where few values are under an older one. Values are written one by
 * one, so that no lock is held for long.
 */
const BATCH_ROWS = 500
const { escapeIdentifier } = pg

/** Re-encrypts all columns in turn. Throws when a value cannot be decrypted, naming its row. */
export async function resealAll({ database }: ProgramContext, seal: Seal): Promise<readonly Resealed[]> {
  const resealed: Resealed[] = []
  for (const sealed of SEALED_COLUMNS) {
    const { table, column } = sealed
    resealed.push({ table, column, values: await resealColumn(database.pool, seal, sealed) })
  }
  return resealed
}

async function resealColumn(pool: pg.Pool, seal: Seal, column: SealedColumn): Promise<number> {
  let values = 0
  let rows = await readBatch(pool, seal, column, undefined)
  while (rows.length > 0) {
    for (const { header, key } of rows) {
      values += header !== null && (await resealValue(pool, seal, column, { header, key })) ? 1 : 0
    }
    rows = await readBatch(pool, seal, column, rows.at(-1))
  }
  return values
}

/** In the order of the primary key, with the headers of values under older keys: a value may be a document. */
async function readBatch(
  pool: pg.Pool,
  seal: Seal,
  sealedColumn: SealedColumn,
  after: Row | undefined,
): Promise<Row[]> {
  const key = sealedColumn.key.map(escapeIdentifier).join(', ')
  const column = escapeIdentifier(sealedColumn.column)
  const afterKey =
    after === undefined ? '' : `where (${key}) > (${sealedColumn.key.map((_, n) => `$${n + 2}`).join(', ')})`
  const { rows } = await pool.query<Row>(
    `select case when substring(${column} for ${seal.prefix.length}) <> $1 then substring(${column} for ${HEADER_BYTES}) end as header,
       array[${sealedColumn.key.map((name) => `${escapeIdentifier(name)}::text`).join(', ')}] as key
     from ${escapeIdentifier(sealedColumn.table)} ${afterKey} order by ${key} limit ${BATCH_ROWS}`,
    [seal.prefix, ...(after?.key ?? [])],
  )
  return rows
}

/** A value that was changed concurrently is under the newest key already, or deleted. */
async function resealValue(
  pool: pg.Pool,
  seal: Seal,
  sealedColumn: SealedColumn,
  { header, key }: OldRow,
): Promise<boolean> {
  const column = escapeIdentifier(sealedColumn.column)
  const sameRow = sealedColumn.key.map((name, n) => `${escapeIdentifier(name)} = $${n + 3}`).join(' and ')
  const { rowCount } = await pool.query(
    `update ${escapeIdentifier(sealedColumn.table)} set ${column} = $1::bytea || substring(${column} from ${HEADER_BYTES + 1})
     where substring(${column} for ${HEADER_BYTES}) = $2 and ${sameRow}`,
    [reseal(seal, sealedColumn, { header, key }), header, ...key],
  )
  return rowCount === 1
}

function reseal(seal: Seal, sealedColumn: SealedColumn, { header, key }: OldRow): Buffer {
  try {
    return seal.resealHeader(header, sealedColumn.purposeOf(key))
  } catch (error) {
    throw new Error(`${sealedColumn.table}.${sealedColumn.column} of ${key.join(' ')} cannot be decrypted`, {
      cause: error,
    })
  }
}
