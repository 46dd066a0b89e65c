/** Shows that the purpose code is sent to every bank whose product has the field. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testedBanks } from '../testing/banks/nordic-banks.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { openPaymentDriver, type PaymentDriver } from '../testing/payments/payment-driver.ts'

const PURPOSES = ['SUPP', 'TAXS', 'SALA', 'VATX', 'OTHR'] as const
/** Banks whose product has no field for a purpose code. */
const WITHOUT = ['MALBSESS']

let gateway: TestGateway
let payer: PaymentDriver
beforeAll(async () => {
  gateway = await startTestGateway()
  payer = openPaymentDriver(gateway)
  await payer.nextMorning()
})
afterAll(() => gateway.close())

test.each(testedBanks)('$bic has the purpose code of each payment as the partner gave it', async (bank) => {
  const { currency } = bank
  for (const [n, purposeCode] of PURPOSES.entries()) {
    // Amounts differ, because some banks reject an order that equals an earlier one.
    const { paymentId } = await payer.order(bank, { purposeCode, amount: { amount: `${n + 1}.00`, currency } })
    expect(await gateway.client.getPayment({ params: { paymentId } })).toMatchObject({ purposeCode })
    expect(await heldAtBank(paymentId)).toBe(WITHOUT.includes(bank.bic) ? null : purposeCode)
  }
})

/** The purpose in the order as the bank received it. */
async function heldAtBank(paymentId: string): Promise<string | null | undefined> {
  const { rows } = await gateway.context.database.pool.query<{ purpose: string | null }>(
    `select held.body->>'purposeCode' as purpose from sandbox_bank.payments held
     join payments ours on ours.bank_payment_id = held.id::text and ours.bic = held.bank
     where ours.id = $1`,
    [paymentId],
  )
  return rows[0]?.purpose
}
