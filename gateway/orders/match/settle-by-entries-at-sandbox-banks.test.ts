/** Tests at the sandbox banks that payments are completed by their entry on the account where no status reports it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nordicBank } from '../../testing/banks/nordic-banks.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway/test-gateway.ts'
import { openPaymentDriver, type PaymentDriver } from '../../testing/payments/payment-driver.ts'

let gateway: TestGateway
let payer: PaymentDriver
beforeAll(async () => {
  gateway = await startTestGateway()
  payer = openPaymentDriver(gateway)
})
afterAll(() => gateway.close())

test.each(['SKARSESS', 'AURAFIHH'])(
  '%s never reports settlement, and its payment is Completed by its entry',
  async (bic) => {
    const bank = nordicBank(bic)
    await payer.nextMorning()
    const { paymentId } = await payer.order(bank)
    expect(await payer.sign(bank, paymentId)).toMatchObject({ status: 'InProgress' })
    expect(await payer.settled(paymentId)).toMatchObject({ status: 'Completed' })
    const { pool } = gateway.context.database
    const { rows } = await pool.query<{ bankStatus: string; settledBy: string | null }>(
      'select bank_status as "bankStatus", settled_by as "settledBy" from payments where id = $1',
      [paymentId],
    )
    expect(rows).toEqual([{ bankStatus: expect.stringMatching(/^AC(CP|SP)$/), settledBy: expect.any(String) }])
  },
)
