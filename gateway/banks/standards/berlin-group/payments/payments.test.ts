/** Shows the paths and headers of the calls to each bank about payments. */
import { describe, expect, test } from 'vitest'
import { type CreditorAccount, submittedAs } from '../../../connector/bank-order.ts'
import type { BankCaller } from '../../../connector/connector.ts'
import { SAMPLE_AUTHORISATION_REQUEST, SAMPLE_RETURN_URLS } from '../../../testing/samples.ts'
import { sandboxBank, sandboxCaller, sandboxOrder } from '../../../testing/sandbox-samples.ts'
import { scriptedBank } from '../../../testing/scripted-bank.ts'

const ID = '019ab1c2-0000-7000-8000-000000000001'
const DAY = Temporal.PlainDate.from('2026-12-01')
const PLACE = { xs2aUrl: 'http://127.0.0.1:8083', pagesUrl: 'http://127.0.0.1:8081' }
const ACCOUNT = { type: 'account', bban: '59902000010', iban: null } as const
const BANKGIRO = { type: 'bankgiro', number: '5402-9681' } as const
const PLUSGIRO = { type: 'plusgiro', number: '902003-3' } as const

describe('a payment', () => {
  test.each<[string, CreditorAccount, string]>([
    ['VASASESS', ACCOUNT, 'vasabanken/v1/payments/corporate-se-domestic-credit-transfers'],
    ['VASASESS', BANKGIRO, 'vasabanken/v1/payments/corporate-se-domestic-alias-credit-transfers'],
    ['VASASESS', PLUSGIRO, 'vasabanken/v1/payments/corporate-se-domestic-alias-credit-transfers'],
    ['MALBSESS', BANKGIRO, 'malarbanken/v1/payments/se-domestic-credit-transfers'],
    ['SAIMFIHH', ACCOUNT, 'saimaa/v1/payments/sepa-credit-transfers'],
  ])(
    'at %s to %j is submitted, read, signed and cancelled under the product of its rail',
    async (bic, account, product) => {
      const urls = (await requested(bic, account)).map(({ method, url }) => [method, new URL(url).pathname])
      const base = `/${product}`
      expect(urls).toEqual([
        ['POST', base],
        ['GET', `${base}/p1`],
        ['GET', `${base}/p1/status`],
        ['POST', `${base}/p1/authorisations`],
        ['GET', `${base}/p1/authorisations/a1`],
        ['DELETE', `${base}/p1`],
      ])
    },
  )

  test('on a rail that the bank does not have is not sent', async () => {
    await expect(requested('SKARSESS', BANKGIRO)).rejects.toMatchObject({ kind: 'unsupported-product' })
  })
})

describe('what a bank requires in addition', () => {
  test('is sent with every call: Swedbank’s own BIC and our registration', async () => {
    for (const { url, headers } of await requested('MALBSESS', BANKGIRO)) {
      expect(new URL(url).search).toBe('?bic=MALBSESS')
      expect(headers['app-id']).toBe('havn')
    }
  })

  test('is sent with the initiation only: that equal orders are intended', async () => {
    const [initiation, ...others] = await requested('FJELNO22', { type: 'account', bban: '80511200028', iban: null })
    expect(new URL(initiation?.url ?? '').search).toBe('?allowLogicalDuplicate=true')
    expect(others.map(({ url }) => new URL(url).search).join('')).toBe('')
    expect([initiation, ...others].every((request) => request?.headers['x-accept-fix'] === 'all')).toBe(true)
  })

  test('is nothing at a bank that follows the standard', async () => {
    for (const { url, headers } of await requested('FJORNO22', { type: 'account', bban: '80501200011', iban: null })) {
      expect(url).not.toContain('?')
      expect(Object.keys(headers)).not.toContain('app-id')
    }
  })
})

/** Every request during the lifecycle of a payment. */
async function requested(bic: string, account: CreditorAccount) {
  const answer = { transactionStatus: 'RCVD', paymentId: 'p1', scaStatus: 'received', authorisationId: 'a1' }
  const _links = { scaRedirect: { href: 'http://127.0.0.1:8081/sca/1' } }
  const bank = sandboxBank(bic, PLACE)
  const { connector, requested } = scriptedBank(() => ({ body: { ...answer, _links } }))
  const payments = connector.domesticPayments ?? expect.fail('The connector offers no payments')
  const caller: BankCaller = { ...sandboxCaller(bank), bankConsentId: 'c1' }
  const order = { ...sandboxOrder(bank, DAY, 125_000n), rail: account.type, creditor: { account, name: 'X' } }
  const { notification } = SAMPLE_RETURN_URLS
  const { bankPaymentId } = await payments.initiate(caller, order, { requestId: ID, notification })
  const at = submittedAs(order, bankPaymentId)
  await payments.readOrder(caller, at)
  await payments.read(caller, at, { signed: false })
  await payments.authorisations.start(caller, at, SAMPLE_AUTHORISATION_REQUEST)
  await payments.authorisations.read(caller, at, { authorisationId: 'a1', partlySigned: false })
  await payments.cancellation.cancel(caller, at, ID)
  return requested
}
