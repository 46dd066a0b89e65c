/** Tests `havn provider check`: its output before the first quote of a partner, and its exit status. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { generateMasterKeyLine } from '../../gateway/platform/crypto/envelope-encryption.ts'
import { type FreshDatabase, freshDatabase } from '../../gateway/testing/database/fresh-database.ts'
import { type FxProviderFixture, openFxProviderFixture } from '../../gateway/testing/fx/fx-provider-fixture.ts'
import { type CommandResult, runHavnCommand, runHavnProgram } from '../../gateway/testing/gateway/havn-command.ts'

let folder: string
let database: FreshDatabase
let fx: FxProviderFixture
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'havn-provider-'))
  await writeFile(join(folder, 'master.key'), generateMasterKeyLine('test'))
  database = await freshDatabase()
  fx = await openFxProviderFixture()
  await fx.control('/clock', { now: '2027-03-02T09:00:00Z' })
})
afterAll(async () => {
  await fx.close()
  await database.drop()
  await rm(folder, { recursive: true })
})

function environment(settings: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return {
    HAVN_MODE: 'sandbox',
    DATABASE_URL: database.connectionString,
    HAVN_MASTER_KEY_FILE: join(folder, 'master.key'),
    ...settings,
  }
}

async function check(settings: Readonly<Record<string, string>>): Promise<CommandResult> {
  return await runHavnCommand(['provider', 'check'], environment(settings))
}

it('prints an account and a price for each country, as a program that ends by itself', async () => {
  const reported = await runHavnProgram(['provider', 'check'], environment(fx.settings))
  expect(reported).toMatch(/NO +NOK +NO3380590100009 +\d+\.\d\d/)
  expect(reported).toMatch(/FI +EUR +FI8979907790000006 +\d+\.\d\d/)
})

it('exits with 1 if the provider rejects the login, and does not print the key', async () => {
  const { code, out, error } = await check({ ...fx.settings, HAVN_FX_API_KEY: 'x'.repeat(64) })
  expect(out + error).toContain('login-rejected: The provider answered 401')
  expect(out + error).not.toContain('xxx')
  expect(code).toBe(1)
})

it('exits with 1 if no provider is configured', async () => {
  const { code, error } = await check({})
  expect(error).toContain('havn: No FX provider is configured: HAVN_FX_PROVIDER is none')
  expect(code).toBe(1)
})
