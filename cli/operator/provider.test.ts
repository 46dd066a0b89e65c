/** Tests `havn provider check`: its output before the first quote of a partner, and its exit status. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { generateMasterKeyLine } from '../../gateway/platform/crypto/envelope-encryption.ts'
import { type FreshDatabase, freshDatabase } from '../../gateway/testing/database/fresh-database.ts'
import { type FxProviderFixture, openFxProviderFixture } from '../../gateway/testing/fx/fx-provider-fixture.ts'

const HAVN = fileURLToPath(new URL('../havn.ts', import.meta.url))

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

/** The output and the exit code. */
function check(settings: Readonly<Record<string, string>>): Promise<{ code: unknown; reported: string }> {
  const env = {
    PATH: process.env['PATH'],
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    HAVN_MODE: 'sandbox',
    DATABASE_URL: database.connectionString,
    HAVN_MASTER_KEY_FILE: join(folder, 'master.key'),
    ...settings,
  }
  return new Promise((resolve) => {
    execFile(process.execPath, [HAVN, 'provider', 'check'], { env }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, reported: stdout + stderr }),
    )
  })
}

it('prints an account and a price for each country', async () => {
  const { code, reported } = await check(fx.settings)
  expect(reported).toMatch(/NO +NOK +NO3380590100009 +\d+\.\d\d/)
  expect(reported).toMatch(/FI +EUR +FI8979907790000006 +\d+\.\d\d/)
  expect(code).toBe(0)
})

it('exits with 1 if the provider rejects the login, and does not print the key', async () => {
  const { code, reported } = await check({ ...fx.settings, HAVN_FX_API_KEY: 'x'.repeat(64) })
  expect(reported).toContain('login-rejected: The provider answered 401')
  expect(reported).not.toContain('xxx')
  expect(code).toBe(1)
})

it('exits with 1 if no provider is configured', async () => {
  const { code, reported } = await check({})
  expect(reported).toContain('havn: No FX provider is configured: HAVN_FX_PROVIDER is none')
  expect(code).toBe(1)
})
