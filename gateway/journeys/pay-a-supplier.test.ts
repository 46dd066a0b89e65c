/** The main journeys through the SDK: a partner pays a supplier, at home and abroad. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nordicBank } from '../testing/banks/nordic-banks.ts'
import { visitBank } from '../testing/browser/bank-user.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { openPaymentDriver } from '../testing/payments/payment-driver.ts'
import { crossBorderPayment } from '../testing/payments/sample-cross-border-payments.ts'
import { CALLBACK, domesticPayment, PSU } from '../testing/payments/sample-payments.ts'

const FJORDBANKEN = nordicBank('FJORNO22')

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

test('a partner pays a supplier, from the bank’s record to the settled payment', async () => {
  const { client, context } = gateway
  const company = (await client.listCompanies()).find(({ country }) => country === 'NO')
  const banks = await client.listBanks({ params: { countryCode: 'NO' } })
  const bank = banks.find(({ name }) => name === 'Fjordbanken')
  const consent = await client.createConsent({
    psu: PSU,
    body: {
      bic: bank?.bic ?? '',
      organizationNumber: company?.organizationNumber ?? '',
      userId: bank?.userId.example ?? '',
      callbackUrl: CALLBACK,
    },
  })
  expect(consent).toMatchObject({ status: 'AUTHORIZATION_REQUIRED', sca: { type: 'redirect' } })
  const afterConsent = await visitBank(urlOf(consent.sca))
  expect(afterConsent.href).toBe(`${CALLBACK}?status=success`)
  const consented = { consentId: consent.id, psu: PSU }
  expect(await client.getConsent({ consentId: consent.id })).toMatchObject({ status: 'ACCEPTED' })

  const { accounts } = await client.listAccounts(consented)
  expect(accounts.map(({ bban, ownerName }) => [bban, ownerName])).toContainEqual(['80501100017', 'Nordlys Handel AS'])
  const [account] = accounts
  const before = await client.getAccountBalance({ ...consented, params: { accountId: account?.id ?? '' } })

  const initiated = await client.initiateDomesticPayment({ ...consented, body: domesticPayment(gateway) })
  expect(initiated.paymentStatus.status).toBe('Unsigned')

  const approval = await client.approvePayments({
    ...consented,
    body: { payments: [initiated.paymentId], callbackUrl: CALLBACK },
  })
  expect(approval).toMatchObject({ status: 'STARTED' })
  const afterApproval = await visitBank(urlOf(approval.sca))
  expect(afterApproval.searchParams.get('status')).toBe('success')
  const params = { paymentId: initiated.paymentId }
  expect(await client.getPaymentApproval({ ...consented, params: { approvalId: approval.id } })).toMatchObject({
    status: 'ACCEPTED',
    payments: [{ ...params, result: 'ACCEPTED' }],
  })
  expect(await client.getPaymentStatus({ params })).toMatchObject({ status: 'InProgress' })

  await client.moveSandboxClock({ body: { advance: 'PT1H' } })
  expect(await client.getPaymentStatus({ params })).toMatchObject({ status: 'Completed' })
  const detail = await client.getPayment({ params })
  expect(detail.statusHistory.map(({ status }) => status)).toEqual(['Unsigned', 'InProgress', 'Completed'])
  expect(detail).toMatchObject({ finalStatus: true, outcomeUnknown: false, type: 'Domestic' })
  const after = await client.getAccountBalance({ ...consented, params: { accountId: account?.id ?? '' } })
  expect(Number(before.bookedBalance?.amount) - Number(after.bookedBalance?.amount)).toBe(1250)
  expect(context.clock.offsetMilliseconds()).toBeGreaterThan(0)
})

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

function urlOf(sca: { type: string; url?: string } | undefined): string {
  return sca?.url ?? ''
}
