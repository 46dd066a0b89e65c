/** `havn keys`: the master keys that encrypt secrets at rest, and the keys that sign access tokens. */
import { chmod, chown, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { revokeTokenKey, rotateTokenKey } from '../../gateway/auth/token-key.ts'
import type { AuditAction } from '../../gateway/operators/audit-actions.ts'
import { NO_PARTNER, writeAuditEntry } from '../../gateway/operators/audit-log.ts'
import {
  createSeal,
  generateMasterKeyLine,
  parseMasterKeys,
  type Seal,
} from '../../gateway/platform/crypto/envelope-encryption.ts'
import { inTransaction } from '../../gateway/platform/database/in-transaction.ts'
import type { ProgramContext } from '../../gateway/platform/program-context.ts'
import { resealAll } from '../../launcher/roles/reseal.ts'
import { tableOf } from './print-table.ts'
import { operatorAction } from './run-operator-command.ts'

const OWNER_ONLY = 0o600

/** Creates a key file with one key. Never overwrites: without its key, encrypted data is lost. */
async function createKeyFile(file: string): Promise<void> {
  try {
    await writeFile(file, `${generateMasterKeyLine('key-1')}\n`, { mode: OWNER_ONLY, flag: 'wx' })
  } catch (error) {
    const { message } = Object(error)
    throw new Error(`${file} could not be created; an existing key file is never overwritten (${message})`, {
      cause: error,
    })
  }
  console.log(`${file} contains a new master key. Store a copy of it, separate from the database backups.`)
}

/** Adds a new first key: programs encrypt with it after their next start, and still decrypt with the others. */
async function rotateKeyFile(file: string): Promise<void> {
  const text = await readFile(file, 'utf8')
  const ids = new Set(parseMasterKeys(text).map(({ id }) => id))
  let number = ids.size + 1
  while (ids.has(`key-${number}`)) {
    number += 1
  }
  await replaceFile(file, `${generateMasterKeyLine(`key-${number}`)}\n${text}`)
  console.log(
    `key-${number} was added. Copy this file to every host and restart all programs; do not remove the older keys yet.`,
  )
  console.log(
    'After that, run `havn keys reseal`, which re-encrypts existing data; then only older backups need the older keys.',
  )
}

/** Owner and mode stay: root rotates the key, and processes read it as a user of their own. */
async function replaceFile(file: string, text: string): Promise<void> {
  const replaced = await realpath(file)
  const { mode, uid, gid } = await stat(replaced)
  const unfinished = `${replaced}.new`
  try {
    await writeFile(unfinished, text, { mode: OWNER_ONLY })
    await chown(unfinished, uid, gid)
    await chmod(unfinished, mode)
    await rename(unfinished, replaced)
  } finally {
    await rm(unfinished, { force: true })
  }
}

async function sealOf(file: string): Promise<Seal> {
  return createSeal(parseMasterKeys(await readFile(file, 'utf8')))
}

async function recordAudit(
  context: ProgramContext,
  actor: string,
  action: AuditAction,
  subject: readonly [string, string],
): Promise<void> {
  await writeAuditEntry(context, { partnerId: NO_PARTNER, actor, action, subject })
}

type KeyFile = { readonly file: string }
const KEY_FILE = () =>
  new Option('--file <path>', 'the key file').env('HAVN_MASTER_KEY_FILE').argParser(pathOf).makeOptionMandatory()

function pathOf(text: string): string {
  if (text.trim() === '') {
    throw new InvalidArgumentError('It must be the path of the key file.')
  }
  return text.trim()
}

export function addKeyCommands(group: Command): void {
  group
    .command('create')
    .description('write a key file with a new key')
    .addOption(KEY_FILE())
    .action(({ file }: KeyFile) => createKeyFile(file))
  group
    .command('rotate')
    .description('add a new first key to a key file')
    .addOption(KEY_FILE())
    .action(({ file }: KeyFile) => rotateKeyFile(file))
  addDatabaseCommands(group)
}

function addDatabaseCommands(group: Command): void {
  group
    .command('reseal')
    .description('re-encrypt all secrets of the database with the newest key of a key file')
    .addOption(KEY_FILE())
    .action(
      operatorAction(async ({ context, actor }, { file }: KeyFile) => {
        // After an interruption the next run continues.
        const resealed = await resealAll(context, await sealOf(file))
        const rows = resealed.map(({ table, column, values }) => ({ column: `${table}.${column}`, moved: values }))
        await recordAudit(context, actor, 'master keys resealed', ['master key', 'all'])
        console.log(tableOf({ rows, whenEmpty: 'The database has no encrypted data.' }))
        console.log('All data are encrypted with the newest key. Older backups still need the older keys.')
      }),
    )
  group
    .command('rotate-token')
    .description('create a new key for signing access tokens; tokens of the older key stay valid until they expire')
    .addOption(KEY_FILE())
    .action(
      operatorAction(async ({ context, actor }, { file }: KeyFile) => {
        const seal = await sealOf(file)
        const kid = await inTransaction(context, async (context) => {
          const created = await rotateTokenKey(context, seal)
          await recordAudit(context, actor, 'token key rotated', ['token key', created])
          return created
        })
        console.log(`${kid} signs access tokens from now on.`)
      }),
    )
  group
    .command('disable-token')
    .description('reject every access token signed by a key, within five seconds')
    .argument('<kid>', "the key's id, as in {auth_url}/.well-known/jwks.json")
    .addOption(KEY_FILE())
    .action(
      operatorAction(async ({ context, actor }, kid: string, { file }: KeyFile) => {
        const seal = await sealOf(file)
        await inTransaction(context, async (context) => {
          await revokeTokenKey(context, seal, kid)
          await recordAudit(context, actor, 'token key disabled', ['token key', kid])
        })
        console.log(`Access tokens signed by ${kid} are rejected within five seconds.`)
      }),
    )
}
