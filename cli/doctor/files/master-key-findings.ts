/** Checks the master key: its form, its strength, and that it decrypts what is stored. */
import { readFile } from 'node:fs/promises'
import pg from 'pg'
import {
  createSeal,
  type MasterKeys,
  parseMasterKeys,
  type Seal,
} from '../../../gateway/platform/crypto/envelope-encryption.ts'
import { SEALED_COLUMNS, type SealedColumn } from '../../../launcher/roles/sealed-columns.ts'
import { checksOf, type DatabaseSession, type Finding, findingsOf } from '../check.ts'

const { error, note } = checksOf('operating/keys.md')
const WHERE = 'HAVN_MASTER_KEY_FILE'
/** 32 random bytes have at least 22 different values in all but one of a million keys. */
const DIFFERENT_BYTES_MIN = 20
/** A password or a text that was encoded. */
const PRINTABLE = /^[\x20-\x7e]+$/
const { escapeIdentifier } = pg

export const MASTER_KEY_CHECKS = {
  'master-key-invalid': error('the master key file has the wrong form'),
  'master-key-weak': error('a master key is not random'),
  'master-key-wrong': error('the master key does not decrypt the stored data'),
  'master-key-old': note('stored data are encrypted with an older key of the file'),
}

/** What is wrong with the key; a missing file is the finding of another check. */
export async function masterKeyFindings(file: string, database: DatabaseSession): Promise<readonly Finding[]> {
  const text = await readFile(file, 'utf8').catch(() => undefined)
  const keys = text === undefined ? undefined : keysIn(text)
  if (keys === undefined) {
    return []
  }
  if (keys instanceof Error) {
    const action = 'Restore the file from its copy. For a new installation: havn keys create'
    return [{ check: 'master-key-invalid', problem: keys.message, where: WHERE, action }]
  }
  const weak = keys.filter(
    ({ key }) => new Set(key).size < DIFFERENT_BYTES_MIN || PRINTABLE.test(key.toString('latin1')),
  )
  return [
    ...weak.map(({ id }) => ({
      check: 'master-key-weak',
      problem: `The key ${id} is not random: it can be guessed`,
      where: WHERE,
      action: 'havn keys rotate, restart all processes, then havn keys reseal, and remove its line',
    })),
    ...('pool' in database ? await storedFindings(database.pool, keys) : []),
  ]
}

function keysIn(text: string): MasterKeys | Error {
  try {
    return parseMasterKeys(text)
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** The oldest and the newest value of each sealed column, by its key. */
async function storedFindings(pool: pg.Pool, keys: MasterKeys): Promise<readonly Finding[]> {
  const seal = createSeal(keys)
  const wrong: string[] = []
  const old: string[] = []
  for (const column of SEALED_COLUMNS) {
    const outcomes = (await sampleOf(pool, column)).map((row) => outcomeOf(seal, column, row))
    const name = `${column.table}.${column.column}`
    wrong.push(...(outcomes.includes('wrong') ? [name] : []))
    old.push(...(outcomes.includes('old') ? [name] : []))
  }
  const [newest] = keys
  return [
    ...findingsOf('master-key-wrong', wrong.length > 0, () => ({
      problem: `The keys ${keys.map(({ id }) => id).join(', ')} do not decrypt ${wrong.join(', ')}`,
      where: WHERE,
      action: 'Restore the key file that belongs to this database; without it these data are lost.',
    })),
    ...findingsOf('master-key-old', old.length > 0, () => ({
      problem: `${old.join(', ')} has values that are not encrypted with the newest key ${newest?.id}`,
      where: WHERE,
      action: 'havn keys reseal',
    })),
  ]
}

type Row = { readonly sealed: Buffer; readonly key: readonly string[] }

/** Empty where the table is missing or may not be read, which are findings of other checks. */
async function sampleOf(pool: pg.Pool, { table, column, key }: SealedColumn): Promise<readonly Row[]> {
  const names = key.map(escapeIdentifier)
  const select = (direction: 'asc' | 'desc') =>
    `(select ${escapeIdentifier(column)} as sealed, array[${names.map((name) => `${name}::text`).join(', ')}] as key
      from ${escapeIdentifier(table)} where ${escapeIdentifier(column)} is not null
      order by ${names.map((name) => `${name} ${direction}`).join(', ')} limit 1)`
  return await pool.query<Row>(`${select('asc')} union all ${select('desc')}`).then(
    ({ rows }) => rows,
    () => [],
  )
}

function outcomeOf(seal: Seal, column: SealedColumn, { sealed, key }: Row): 'newest' | 'old' | 'wrong' {
  try {
    seal.open(sealed, column.purposeOf(key))
    return sealed.subarray(0, seal.prefix.length).equals(seal.prefix) ? 'newest' : 'old'
  } catch {
    return 'wrong'
  }
}
