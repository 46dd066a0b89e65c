/** `havn keys`: the master keys that seal secrets at rest, and the keys that sign access tokens. */
import { readFile, rename, writeFile } from 'node:fs/promises'
import { rotateTokenKey, withdrawTokenKey } from '../../gateway/auth/token-key.ts'
import { resealAll } from '../../gateway/composition/reseal.ts'
import { NO_PARTNER } from '../../gateway/operators/audit-entry.ts'
import { writeAudit } from '../../gateway/operators/write-audit-entry.ts'
import {
  newMasterKey,
  parseMasterKeys,
  type Seal,
  sealWith,
} from '../../gateway/platform/crypto/envelope-encryption.ts'
import type { Surroundings } from './operator-context.ts'
import { tableOf } from './print-table.ts'

const OWNER_ONLY = 0o600

/** Writes a key file with one key. Refuses to overwrite: without its key, what was sealed is lost. */
export async function createKeyFile(file: string): Promise<void> {
  try {
    await writeFile(file, `${newMasterKey('key-1')}\n`, { mode: OWNER_ONLY, flag: 'wx' })
  } catch (error) {
    throw new Error(`${file} could not be created; an existing key file is never overwritten`, { cause: error })
  }
  console.log(`${file} holds a new master key. Keep a copy of it apart from the database's backups.`)
}

/** Puts a new key before the others: it seals from the next start of the programs on, the others still open. */
export async function rotateKeyFile(file: string): Promise<void> {
  const text = await readFile(file, 'utf8')
  const ids = new Set(parseMasterKeys(text).map(({ id }) => id))
  let number = ids.size + 1
  while (ids.has(`key-${number}`)) {
    number += 1
  }
  const unfinished = `${file}.new`
  await writeFile(unfinished, `${newMasterKey(`key-${number}`)}\n${text}`, { mode: OWNER_ONLY })
  await rename(unfinished, file)
  console.log(`key-${number} was added. Give this file to every program, then restart them; keep the older keys in it.`)
  console.log(
    'Once all have restarted, `havn keys reseal` moves what is sealed already; after that the older keys may go.',
  )
}

/** Moves every sealed value to the newest key. Interrupted, it goes on where it stood when it is given again. */
export async function resealDatabase(context: Surroundings, actor: string, file: string): Promise<void> {
  const resealed = await resealAll({ ...context, seal: await sealOf(file) })
  const rows = resealed.map(({ table, column, values }) => [`${table}.${column}`, String(values)])
  await note(context, actor, 'master keys resealed', ['master key', 'all'])
  console.log(tableOf(['column', 'moved'], rows, 'Nothing is sealed.'))
  console.log('Everything in the database is under the newest key. Backups made before still need the older ones.')
}

/** Makes a new key for access tokens; every gateway signs with it within five seconds. */
export async function rotateTokenSigning(context: Surroundings, actor: string, file: string): Promise<void> {
  const kid = await rotateTokenKey({ ...context, seal: await sealOf(file) })
  await note(context, actor, 'token key rotated', ['token key', kid])
  console.log(`${kid} signs access tokens from now on.`)
}

/** Has every token of a key refused; whoever holds one asks for another. */
export async function disableTokenSigning(
  context: Surroundings,
  actor: string,
  { file, kid }: { readonly file: string; readonly kid: string },
): Promise<void> {
  await withdrawTokenKey({ ...context, seal: await sealOf(file) }, kid)
  await note(context, actor, 'token key disabled', ['token key', kid])
  console.log(`Access tokens signed by ${kid} are refused within five seconds.`)
}

async function sealOf(file: string): Promise<Seal> {
  return sealWith(parseMasterKeys(await readFile(file, 'utf8')))
}

async function note(
  context: Surroundings,
  actor: string,
  action: string,
  subject: readonly [string, string],
): Promise<void> {
  await writeAudit(context, { partnerId: NO_PARTNER, actor, action, subject })
}
