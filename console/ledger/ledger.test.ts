/** Tests the check of the ledger in the console. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { NO_PARTNER } from '../../gateway/operators/audit-log.ts'
import { newId } from '../../gateway/platform/ids.ts'
import { signInAs, textOf } from '../../gateway/testing/console/console-user.ts'
import { startTestGateway, type TestGateway } from '../../gateway/testing/gateway/test-gateway.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

const sql = (text: string, values: readonly unknown[] = []) => gateway.context.database.pool.query(text, [...values])

it('the ledger is checked on request, and what does not balance is listed', async () => {
  const browser = await signInAs(gateway, 'operator-reader')
  expect(textOf(await browser.open('/console/ledger'))).not.toContain('balances.')
  expect(textOf(await browser.send('/console/ledger/check'))).toMatch(/Checked \S+ \S+ The ledger balances\.$/)
  const entry = newId()
  await sql(
    `insert into fx_ledger_lines (partner_id, entry_id, subject_id, event, at, account, currency, minor)
     values ($1, $2, $3, 'booked', now(), 'payer', 'NOK', 1250)`,
    [NO_PARTNER, entry, newId()],
  )
  await browser.open('/console/ledger')
  const found = textOf(await browser.send('/console/ledger/check'))
  expect(found.replaceAll('\u00a0', ' ')).toContain(`${entry} ${NO_PARTNER} 12,50 NOK the entry does not balance`)
  await sql('delete from fx_ledger_lines where entry_id = $1', [entry])
})
