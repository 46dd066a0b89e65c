/** Tests `havn consent` on the command line, with a real database. */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { movableClock } from '../../gateway/platform/clock.ts'
import { newId } from '../../gateway/platform/ids.ts'
import { type FreshDatabase, freshDatabase } from '../../gateway/testing/database/fresh-database.ts'
import { runHavnCommand } from '../../gateway/testing/gateway/havn-command.ts'

/** Each command is a process of its own; a busy machine takes seconds for one. */
const TEST_MILLISECONDS = 90_000

let database: FreshDatabase
let client: pg.Client
beforeAll(async () => {
  database = await freshDatabase()
  client = new pg.Client(database.connectionString)
  await client.connect()
  await havn('partner', 'create', 'Nordkontor')
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

async function havn(...words: string[]): Promise<string> {
  const env = { DATABASE_URL: database.connectionString, HAVN_OPERATOR: 'Ingrid' }
  const { out, error } = await runHavnCommand(words, env)
  return out + error
}

/** Creates a valid consent that expires in that many days; returns its id. */
async function consentFor(days: number, user: string): Promise<string> {
  const id = newId()
  await client.query(
    `insert into consents (partner_id, id, company_id, bic, country_code, organisation_number, status, user_id_masked,
       callback_url, valid_until, created_at, updated_at)
     select id, $1, $1, 'FJORNO22', 'NO', '987654325', 'ACCEPTED', $2, 'https://erp.example/', $3, $4, $4 from partners`,
    [
      id,
      user,
      now()
        .add({ hours: days * 24 })
        .toString(),
      now().toString(),
    ],
  )
  return id
}

const now = () => movableClock().now()

describe('havn consent expiring', { timeout: TEST_MILLISECONDS }, () => {
  it('lists those of the next seven days, the earliest first, and whether they were renewed', async () => {
    await consentFor(8, '•••45')
    expect(await havn('consent', 'expiring')).toBe('No consent expires within seven days.\n')
    const [later, sooner] = [await consentFor(6, '•••45'), await consentFor(1, '•••21')]
    const lines = (await havn('consent', 'expiring')).trim().split('\n')
    expect(lines.map((line) => line.split(/ {2,}/).slice(1))).toEqual([
      ['PARTNER', 'BANK', 'COMPANY', 'USER', 'RENEWED', 'CONSENT'],
      ['Nordkontor', 'FJORNO22', 'NO 987654325', '•••21', 'no', sooner],
      ['Nordkontor', 'FJORNO22', 'NO 987654325', '•••45', 'yes', later],
    ])
  })
})
