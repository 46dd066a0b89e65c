/** Tests the reconciliation with banks in the console: its form, its errors and its result. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signInAs, textOf } from '../../gateway/testing/console/console-user.ts'
import { startTestGateway, type TestGateway } from '../../gateway/testing/gateway/test-gateway.ts'
import { acceptedConsent } from '../../gateway/testing/payments/sample-payments.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
  await acceptedConsent(gateway)
})
afterAll(() => gateway.close())

test('banks are compared on request, and each mistake is shown with its field', async () => {
  const browser = await signInAs(gateway, 'operator')
  await browser.open('/console/reconciliation')
  const rejected = textOf(await browser.send('/console/reconciliation/run', { from: '', bank: 'NOBANK22' }))
  expect(rejected).toContain('Not the BIC of a bank in the directory')
  const from = gateway.context.clock.real().toString().slice(0, 10)
  // The user clicks twice: banks are read once.
  const clicks = [0, 1].map(() => browser.send('/console/reconciliation/run', { from, bank: 'FJORNO22' }))
  const [, answer = expect.fail()] = await Promise.all(clicks)
  const done = textOf(answer)
  expect(done).toContain('Nothing was found that the database does not hold.')
  expect(done).toContain('without-ids: entries of this bank do not name orders')
  const { rows } = await gateway.context.database.pool.query(
    `select count(*)::int as count from audit_log where action = 'banks reconciled'`,
  )
  expect(rows).toEqual([{ count: 1 }])
})
