/** Journey: a cross-border payment through the SDK, from the country's requirements to the account entry. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nordicBank } from '../testing/banks/nordic-banks.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { openPaymentDriver, type PaymentDriver } from '../testing/payments/payment-driver.ts'
import { crossBorderPayment } from '../testing/payments/sample-cross-border-payments.ts'

const BANK = nordicBank('FJORNO22')

let gateway: TestGateway
let payer: PaymentDriver
beforeAll(async () => {
  gateway = await startTestGateway()
  payer = openPaymentDriver(gateway)
})
afterAll(() => gateway.close())

test('a partner pays a supplier in Germany in euro, from the requirements of Germany to the entry on the account', async () => {
  const { client } = gateway
  await payer.nextMorning()
  const consented = await payer.consentOf(BANK)
  const [bank] = (await client.listBanks({ params: { countryCode: 'NO' } })).filter(({ bic }) => bic === BANK.bic)
  expect(bank?.supportedProducts).toContain('PAYMENT_CROSS_BORDER')
  const demands = await client.getPaymentRequirement({ params: { country: 'DE' } })
  expect(demands).toMatchObject({ supported: true, account: { identifier: 'iban' }, bic: { required: true } })

  const { accounts } = await client.listAccounts(consented)
  const account = accounts.find(({ currency }) => currency === 'EUR')
  const body = crossBorderPayment(gateway, BANK, { bban: account?.bban ?? '', currency: 'EUR' })
  const { paymentId, paymentStatus } = await client.initiateCrossBorderPayment({ ...consented, body })
  expect(paymentStatus.status).toBe('Unsigned')
  expect(await payer.sign(BANK, paymentId)).toMatchObject({ status: 'InProgress' })
  await client.moveSandboxClock({ body: { advance: 'PT1H' } })

  const { endToEndId } = body.metadata
  const { payments } = await client.listPayments({ query: { endToEndId } })
  expect(payments).toMatchObject([
    { paymentId, type: 'CrossBorder', amount: body.amount, to: body.to, paymentStatus: { status: 'Completed' } },
  ])
  const detail = await client.getPayment({ params: { paymentId } })
  expect(detail.statusHistory.map(({ status }) => status)).toEqual(['Unsigned', 'InProgress', 'Completed'])
  const today = gateway.context.clock.today('Europe/Oslo').toString()
  const { accountEntries } = await client.listAccountEntries({
    ...consented,
    params: { accountId: account?.id ?? '' },
    query: { fromDate: today, toDate: today },
  })
  expect(accountEntries).toMatchObject([
    { type: 'DEBIT', postedAmount: { amount: Number(body.amount.amount), currency: 'EUR' }, paymentId },
  ])
})
