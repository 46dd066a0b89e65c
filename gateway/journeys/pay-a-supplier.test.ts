/** The main journey through the SDK: a partner pays a supplier. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { visitBank } from '../testing/browser/bank-user.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { CALLBACK, domesticPayment, PSU } from '../testing/payments/sample-payments.ts'

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

function urlOf(sca: { type: string; url?: string } | undefined): string {
  return sca?.url ?? ''
}
