/** A main journey through the SDK: a partner pays a supplier abroad; `pay-a-supplier-browser.test.ts` pays one at home. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nordicBank } from '../testing/banks/nordic-banks.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { openPaymentDriver } from '../testing/payments/payment-driver.ts'
import { crossBorderPayment } from '../testing/payments/sample-cross-border-payments.ts'

const FJORDBANKEN = nordicBank('FJORNO22')

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

test('a partner pays a supplier in Germany in euro, from the requirements of Germany to the entry on the account', async () => {
  const { client } = gateway
  const payer = openPaymentDriver(gateway)
  await payer.nextMorning()
  const consented = await payer.consentOf(FJORDBANKEN)
  const [bank] = (await client.listBanks({ params: { countryCode: 'NO' } })).filter(
    ({ bic }) => bic === FJORDBANKEN.bic,
  )
  expect(bank?.supportedProducts).toContain('PAYMENT_CROSS_BORDER')
  const demands = await client.getPaymentRequirement({ params: { country: 'DE' } })
  expect(demands).toMatchObject({ supported: true, account: { identifier: 'iban' }, bic: { required: true } })

  const { accounts } = await client.listAccounts(consented)
  const account = accounts.find(({ currency }) => currency === 'EUR')
  const body = crossBorderPayment(gateway, FJORDBANKEN, { bban: account?.bban ?? '', currency: 'EUR' })
  const { paymentId, paymentStatus } = await client.initiateCrossBorderPayment({ ...consented, body })
  expect(paymentStatus.status).toBe('Unsigned')
  expect(await payer.sign(FJORDBANKEN, paymentId)).toMatchObject({ status: 'InProgress' })
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
