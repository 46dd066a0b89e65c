/** Tests `havn after-restore` on the command line, with a real database. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { generateMasterKeyLine } from '../../gateway/platform/crypto/envelope-encryption.ts'
import { type FreshDatabase, freshDatabase } from '../../gateway/testing/database/fresh-database.ts'
import { type CommandResult, runHavnCommand } from '../../gateway/testing/gateway/havn-command.ts'

let database: FreshDatabase
let folder: string
beforeAll(async () => {
  database = await freshDatabase()
  folder = await mkdtemp(join(tmpdir(), 'havn-after-restore-'))
  await writeFile(join(folder, 'master.key'), generateMasterKeyLine('test'))
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})

async function afterRestore(...options: string[]): Promise<CommandResult> {
  const env = {
    DATABASE_URL: database.connectionString,
    HAVN_MASTER_KEY_FILE: join(folder, 'master.key'),
    HAVN_MODE: 'sandbox',
    HAVN_OPERATOR: 'Ingrid',
  }
  return await runHavnCommand(['after-restore', ...options], env)
}

it('says that gateways start last: before that, a repeated request would order again what the bank holds', async () => {
  const { code, out } = await afterRestore('--to', '2026-11-23T09:42:00Z')
  expect(code).toBe(0)
  const order = ['Start workers now', 'run havn reconcile', 'Start gateways after that'].map((step) =>
    out.indexOf(step),
  )
  expect(order).not.toContain(-1)
  expect(order).toEqual(order.toSorted((one, other) => one - other))
})

it.each([
  [[], 'Give either --to'],
  [['--to', '2026-11-23', '--nothing-lost'], 'Give either --to'],
  [['--to', 'yesterday'], 'not yesterday'],
  [['--to', '2999-01-01'], 'in the past'],
])('rejects %j', async (options, error) => {
  expect(await afterRestore(...options)).toMatchObject({ code: 1, out: '', error: expect.stringContaining(error) })
})
