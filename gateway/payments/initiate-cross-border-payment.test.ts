/** Tests that cross-border payments reach their banks as ordered, and are completed. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { banksOfEachKind } from '../../sandbox/testing/tested-banks.ts'
import { nordicBank } from '../testing/banks/nordic-banks.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { openPaymentDriver, type PaymentDriver } from '../testing/payments/payment-driver.ts'
import { crossBorderPayment } from '../testing/payments/sample-cross-border-payments.ts'

let gateway: TestGateway
let payer: PaymentDriver
beforeAll(async () => {
  gateway = await startTestGateway()
  payer = openPaymentDriver(gateway)
  await payer.nextMorning()
})
afterAll(() => gateway.close())

/** In euro and dollar, at a bank of another currency and at one of the euro. */
const KINDS = [
  ['FJORNO22', '80501100076', 'EUR'],
  ['SAIMFIHH', '40550001000062', 'USD'],
] as const
const OTHERS = [
  ['FJORNO22', '80501100084', 'USD'],
  ['VSKYNO22', '80521100072', 'EUR'],
  ['MALBSESS', '79901000076', 'EUR'],
  ['ORESDK22', '59600001100066', 'EUR'],
] as const

describe('a payment from an account in another currency', () => {
  test.each(banksOfEachKind<(typeof KINDS | typeof OTHERS)[number]>(KINDS, OTHERS))(
    'at %s from %s in %s is accepted, signed and completed',
    async (bic, bban, currency) => {
      const bank = nordicBank(bic)
      const consented = await payer.consentOf(bank)
      const body = crossBorderPayment(gateway, bank, { bban, currency })
      const { paymentId, paymentStatus, ...more } = await gateway.client.initiateCrossBorderPayment({
        ...consented,
        body,
      })
      expect(paymentStatus.status).toBe('Unsigned')
      expect(more).toEqual({})
      expect(await payer.sign(bank, paymentId)).toMatchObject({ status: 'InProgress' })
      expect(await payer.settled(paymentId)).toMatchObject({ status: 'Completed' })
      expect(await gateway.client.getPayment({ params: { paymentId } })).toMatchObject({
        type: 'CrossBorder',
        ...body,
        finalStatus: true,
      })
      await payer.nextMorning()
    },
  )
})
