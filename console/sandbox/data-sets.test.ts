/** Tests that operators load a data set by the page, which says what it deletes and shows how far it has come. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadByCommand } from '../../cli/operator/data-sets.ts'
import { signInAs, textOf } from '../../gateway/testing/console/console-user.ts'
import { storePayments } from '../../gateway/testing/console/stored-payments.ts'
import { eventually } from '../../gateway/testing/gateway/eventually.ts'
import { startTestGateway, type TestGateway } from '../../gateway/testing/gateway/test-gateway.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

test('a data set is loaded after the page has listed what will be deleted', async () => {
  await storePayments(gateway, 3)
  const browser = await signInAs(gateway, 'operator')
  expect(textOf(await browser.open('/console/sandbox'))).toContain('Data sets')
  const page = await browser.open('/console/sandbox/data-sets?name=empty')
  expect(textOf(page)).toMatch(/Nothing is ordered\..* Payments 3 .*Delete everything and load/)
  await browser.send('/console/sandbox/data-sets', { name: 'empty' })
  await eventually(async () =>
    expect(textOf(await browser.open('/console/sandbox/data-sets'))).toMatch(/Loaded last Empty State Loaded/),
  )
  const { rows } = await gateway.context.database.pool.query('select count(*)::int as payments from payments')
  expect(rows).toEqual([{ payments: 0 }])
  await browser.open('/console/sandbox/data-sets?name=empty')
  expect((await browser.send('/console/sandbox/data-sets', { name: 'everything' })).status).toBe(400)
})

test('users of a partner are not offered data sets, which concern all partners', async () => {
  const browser = await signInAs(gateway, 'partner-developer')
  expect(textOf(await browser.open('/console/sandbox'))).not.toContain('Data sets')
})

test('the command says what it would delete, and does so only when that is confirmed', async () => {
  const environment = {
    DATABASE_URL: gateway.connectionString,
    HAVN_MODE: 'sandbox',
    HAVN_MASTER_KEY_FILE: gateway.config.masterKeyFile,
    HAVN_SANDBOX_BANK_URL: gateway.bank.pagesUrl,
  }
  await expect(loadByCommand(environment, 'demo', { isConfirmed: false })).rejects.toThrow(
    /deletes \d+ partners, .* payments, .*add --yes/,
  )
})
