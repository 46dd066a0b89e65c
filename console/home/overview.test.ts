/** Tests the overview: what it counts, for whom, and the first steps of a developer. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createPartner } from '../../gateway/auth/create-partner.ts'
import { newId } from '../../gateway/platform/ids.ts'
import { signInAs, textOf } from '../../gateway/testing/console/console-user.ts'
import { storePayments } from '../../gateway/testing/console/stored-payments.ts'
import { demoPartnerId, enqueueStatusChange } from '../../gateway/testing/webhooks/enqueue-status-change.ts'
import { startWebhookGateway, type WebhookGateway } from '../../gateway/testing/webhooks/webhook-gateway.ts'
import { COUNTED_MAX, countPayments } from './overview-store.ts'

let webhooks: WebhookGateway
beforeAll(async () => {
  webhooks = await startWebhookGateway()
})
afterAll(() => webhooks.close())
beforeEach(async () => {
  const { pool } = webhooks.gateway.context.database
  await pool.query('delete from payments')
  await pool.query('delete from webhook_deliveries')
})

async function overviewOf(role: Parameters<typeof signInAs>[1]): Promise<string> {
  return textOf(await (await signInAs(webhooks.gateway, role)).open('/console'))
}

describe('the figures', () => {
  it('count the payments that wait, of the user’s partner or of all for operators', async () => {
    const { partner } = await createPartner(webhooks.gateway.context, 'test', { name: newId() })
    await storePayments(webhooks.gateway, 3)
    await storePayments(webhooks.gateway, 2, { status: 'Rejected' })
    await storePayments(webhooks.gateway, 4, { partnerId: partner.id })
    expect(await overviewOf('partner-finance')).toMatch(/3 Unsigned 0 CustomerActionRequired 0 InProgress 2 Rejected/)
    expect(await overviewOf('operator-reader')).toMatch(/7 Unsigned 0 CustomerActionRequired 0 InProgress 2 Rejected/)
  })

  it('lead to the list behind them', async () => {
    const browser = await signInAs(webhooks.gateway, 'partner-finance')
    await storePayments(webhooks.gateway, 2, { status: 'Rejected', prefix: 'REJECTED' })
    const { html } = await browser.open('/console')
    expect(html).toContain('href="/console/payments?status&#61;Rejected"')
    expect(textOf(await browser.open('/console/payments?status=Rejected'))).toContain('REJECTED-2')
    const operator = await (await signInAs(webhooks.gateway, 'operator-reader')).open('/console')
    expect(operator.html).toContain('href="/console/tasks"><strong>0</strong>')
  })

  it('stop counting at a thousand', async () => {
    await storePayments(webhooks.gateway, COUNTED_MAX + 5)
    const partnerId = await demoPartnerId(webhooks.gateway)
    expect(await countPayments(webhooks.gateway.context.database, partnerId, 'Unsigned')).toBe(COUNTED_MAX)
    expect(await overviewOf('partner-finance')).toContain('1 000 or more')
  })

  it('show deliveries that wait, and since when, and no salaries', async () => {
    await webhooks.subscribe('/waiting')
    await enqueueStatusChange(webhooks.gateway, await demoPartnerId(webhooks.gateway))
    expect(await overviewOf('partner-developer')).toMatch(
      /1 deliveries wait to be sent the oldest since \d{2}\.\d{2}\.\d{4}/,
    )
    await storePayments(webhooks.gateway, 1)
    await webhooks.gateway.context.database.pool.query('update payments set payroll_id = gen_random_uuid()')
    expect(await overviewOf('operator')).toMatch(/0 Unsigned/)
  })

  it('name the banks that fail', async () => {
    const { context } = webhooks.gateway
    expect(await overviewOf('partner-payroll')).toMatch(/All \d+ banks are operational/)
    for (let call = 0; call < 20; call += 1) {
      await context.banks.recordCall('FJORNO22', 'failed', 'others')
    }
    expect(await overviewOf('partner-payroll')).toMatch(/Banks Fjordbanken \(FJORNO22\) (Degraded|Down)/)
    await context.banks.resetFailures()
  })
})
