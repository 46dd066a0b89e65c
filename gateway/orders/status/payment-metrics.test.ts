/** Tests the metrics of payments and banks. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../../testing/gateway/test-gateway.ts'
import { acceptedConsent, domesticPayment } from '../../testing/payments/sample-payments.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

/** Returns what a scraper reads; the sandbox serves it on the port of the API. */
async function scrape(): Promise<string> {
  return await (await fetch(`${gateway.url}/metrics`)).text()
}

test('a scrape returns the number of open payments, the delay of their polls and the state of banks', async () => {
  const consent = await acceptedConsent(gateway)
  const { paymentId } = await gateway.client.initiateDomesticPayment({ ...consent, body: domesticPayment(gateway) })
  const { pool } = gateway.context.database
  const behind = gateway.context.clock.now().subtract({ seconds: 100 }).toString()
  await pool.query('update payments set poll_at = $2 where id = $1', [paymentId, behind])
  const paused = gateway.context.clock.real().add({ seconds: 60 }).toString()
  await pool.query("update banks set paused_until = $1, failures = 3, failing_since = $1 where bic = 'FJORNO22'", [
    paused,
  ])
  gateway.passWallTime(5)
  const text = await scrape()
  expect(text).toContain('havn_bank_status{bank="FJORNO22",status="Paused"} 1')
  expect(text).toContain('havn_payments_open{status="Unsigned",age="hour"} 1')
  expect(Number(/^havn_payment_poll_lag_seconds (.+)$/m.exec(text)?.[1])).toBeGreaterThanOrEqual(100)
  expect(text).toMatch(/havn_bank_status\{bank="FJORNO22",status="(Operational|Degraded)"\} 1/)
})
