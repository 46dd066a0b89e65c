/** Tests that a partner is created with its credentials or not at all, and the demo partner with its companies too. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '../platform/database/database.ts'
import { createDemoPartner } from '../simulation/demo-fixture.ts'
import { type FreshDatabase, freshDatabase } from '../testing/database/fresh-database.ts'
import { contextOf, programContext } from '../testing/gateway/test-context.ts'
import { createPartner } from './create-partner.ts'

let fresh: FreshDatabase
let database: Database<unknown>
beforeAll(async () => {
  fresh = await freshDatabase()
  database = openDatabase({ connectionString: fresh.connectionString, applicationName: 'test', connectionsMax: 2 })
})
afterAll(async () => {
  await database.close()
  await fresh.drop()
})

const stored = async () => {
  const { rows } = await database.pool.query(
    `select (select array_agg(name order by name) from partners) as partners,
       (select count(*)::int from clients) as clients, (select count(*)::int from companies) as companies,
       (select count(*)::int from audit_log) as audited`,
  )
  return rows[0]
}

test('a partner is not created when storing its credentials fails, and can be created again', async () => {
  const context = contextOf(programContext(database))
  const clientId = 'demo-partner'
  await createPartner(context, 'test', { name: 'First', clientId })
  const before = await stored()
  await expect(createPartner(context, 'test', { name: 'Second', clientId })).rejects.toThrow('client id demo-partner')
  await expect(createDemoPartner(context)).rejects.toThrow('client id demo-partner')
  expect(await stored()).toEqual(before)

  await createPartner(context, 'test', { name: 'Second' })
  await database.pool.query('delete from clients where client_id = $1', [clientId])
  await createDemoPartner(context)
  await createDemoPartner(context)
  expect(await stored()).toEqual({
    partners: ['Demo partner', 'First', 'Second'],
    clients: 2,
    companies: 4,
    audited: 13,
  })
})
