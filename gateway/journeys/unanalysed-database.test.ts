/** Shows that the queries of a payment use indexes in a database that was never analysed. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nordicBank } from '../testing/banks/nordic-banks.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { openPaymentDriver } from '../testing/payments/payment-driver.ts'

const PAYMENTS = 20
/** The tables that grow with every payment. */
const GROWING = [
  'approval_payments',
  'approvals',
  'events',
  'idempotency',
  'payment_history',
  'payments',
  'sca_steps',
  'sca_sessions',
  'webhook_deliveries',
  // The sandbox bank's.
  'authorisations',
]

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

test('ordering, signing, polling and listing payments scans no whole table', async () => {
  const payer = openPaymentDriver(gateway)
  const banks = ['FJORNO22', 'HAVBNO22', 'MALBSESS'].map(nordicBank)
  for (const bank of banks) {
    await payer.order(bank)
  }
  const before = await readWhole()
  for (const bank of banks) {
    const orders = Array.from({ length: PAYMENTS }, (_, n) =>
      payer.order(bank, { amount: { amount: `${n + 1}.00`, currency: bank.currency } }),
    )
    const [first] = await Promise.all(orders)
    await payer.sign(bank, first?.paymentId ?? '')
  }
  await gateway.client.listPayments()
  const after = await readWhole()
  const grown = [...after].filter(([table, scans]) => scans > (before.get(table) ?? 0n)).map(([table]) => table)
  expect(grown).toEqual([])
})

/** How often each growing table was scanned sequentially, at the gateway and at the bank. */
async function readWhole(): Promise<ReadonlyMap<string, bigint>> {
  const { query } = gateway.context.database
  // The statistics of idle connections appear a second later; the test does not wait for them, as scans of the other
  // connections show as well.
  await sql`select pg_stat_force_next_flush()`.execute(query)
  const { rows } = await sql<{ table: string; scans: bigint }>`
    select schemaname || '.' || relname as "table", seq_scan as scans from pg_stat_user_tables
    where relname = any(${GROWING})`.execute(query)
  return new Map(rows.map(({ table, scans }) => [table, scans]))
}
