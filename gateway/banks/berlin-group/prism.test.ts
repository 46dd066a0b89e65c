/** Lets Prism judge every kind of request that the connector can make by the standard's own description. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBankFetch } from '../bank-fetch.ts'
import { BankRefusal } from '../bank-refusal.ts'
import type { BankCaller, BankFetch, Connector } from '../connector.ts'
import { type Prism, startPrism, violationsOf } from '../testing/prism.ts'
import { SAMPLE_RETURN, sampleBank, sampleCaller, sampleOrder } from '../testing/samples.ts'
import { berlinGroup } from './connector.ts'

type Judged = { readonly operation: string; readonly violations: readonly string[] }

const ID = '019ab1c2-0000-7000-8000-000000000001'
const REQUEST = { requestId: ID, notification: SAMPLE_RETURN.notification }
const TERMS = { requestId: ID, validUntil: Temporal.PlainDate.from('2027-05-20') }

let prism: Prism
let outgoing: ReturnType<typeof openBankFetch>
let judged: Judged[] = []

beforeAll(async () => {
  prism = await startPrism()
  outgoing = openBankFetch({ observer: () => undefined })
})
afterAll(async () => {
  await outgoing.close()
  await prism.close()
})

describe('requests of the connector', () => {
  test.each<[string, string, (connector: Connector, caller: BankCaller) => Promise<unknown> | undefined]>([
    ['initiatePayment', 'with a message', (c, caller) => c.domesticPayments?.initiate(caller, sampleOrder(), REQUEST)],
    [
      'initiatePayment',
      'with a KID',
      (c, caller) => {
        const order = sampleOrder({ remittance: { type: 'ocr', value: '2345676' }, purposeCode: 'SUPP' })
        return c.domesticPayments?.initiate(caller, order, REQUEST)
      },
    ],
    [
      'initiatePayment',
      'with nothing to say',
      (c, caller) => c.domesticPayments?.initiate(caller, sampleOrder({ remittance: null }), REQUEST),
    ],
    ['getPayment', '', (c, caller) => c.domesticPayments?.readOrder(caller, ID)],
    ['getPaymentStatus', '', (c, caller) => c.domesticPayments?.read(caller, ID, { signed: true })],
    [
      'getPaymentStatus',
      'while the user is away',
      (c, caller) => c.domesticPayments?.read({ ...caller, psu: null }, ID, { signed: true }),
    ],
    ['startPaymentAuthorisation', '', (c, caller) => c.domesticPayments?.startAuthorisation(caller, ID, SAMPLE_RETURN)],
    ['getPaymentAuthorisation', '', (c, caller) => c.domesticPayments?.readAuthorisation(caller, ID, ID)],
    ['cancelPayment', '', (c, caller) => c.domesticPayments?.cancel(caller, ID, ID)],
    ['createConsent', '', (c, caller) => c.consents.create({ ...caller, bankConsentId: null }, TERMS)],
    [
      'createConsent',
      'to all accounts',
      (c, caller) => {
        const bank = sampleBank({ ...caller.bank, dialect: { consentAccess: 'all-accounts' } })
        return c.consents.create({ ...caller, bankConsentId: null, bank: { ...bank, address: prism.address } }, TERMS)
      },
    ],
    ['getConsent', '', (c, caller) => c.consents.read(caller, ID)],
    ['startConsentAuthorisation', '', (c, caller) => c.consents.startAuthorisation(caller, ID, SAMPLE_RETURN)],
    ['getConsentAuthorisation', '', (c, caller) => c.consents.readAuthorisation(caller, ID, ID)],
    ['deleteConsent', '', (c, caller) => c.consents.revoke(caller, ID)],
    ['getAccounts', '', (c, caller) => c.accounts?.list(caller)],
    ['getAccounts', 'while the user is away', (c, caller) => c.accounts?.list({ ...caller, psu: null })],
    ['getBalances', '', (c, caller) => c.accounts?.balance(caller, ID)],
  ])('%s %s is as the standard demands', async (operation, _how, call) => {
    judged = []
    const caller = sampleCaller({ bank: { ...sampleBank(), address: prism.address }, psu: everyHeader() })
    await call(berlinGroup({ fetch: judging(outgoing.fetch), now: () => Temporal.Now.instant() }), caller)?.catch(
      ignoreRefusal,
    )
    expect(judged).toEqual([{ operation, violations: [] }])
  })

  test('that are not are noticed', async () => {
    const bank = { ...sampleBank(), address: prism.address }
    const url = `${prism.address}/v1/payments/norwegian-domestic-credit-transfers`
    const body = JSON.stringify({ instructedAmount: { amount: 1 } })
    const headers = { 'content-type': 'application/json' }
    const answer = await outgoing.fetch(bank, { operation: 'probe', method: 'POST', url, headers, body })
    expect(violationsOf(answer.headers).join()).toMatch(/x-request-id/)
    const known = { ...headers, 'x-request-id': ID, 'psu-ip-address': '192.0.2.1' }
    const other = await outgoing.fetch(bank, { operation: 'probe', method: 'POST', url, headers: known, body })
    expect(violationsOf(other.headers).join()).toMatch(/debtorAccount/)
  })
})

/** All that a partner may tell of its user's session. */
function everyHeader() {
  return {
    // The standard's file knows no IPv6, though its users come by it.
    ipAddress: '192.0.2.10',
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64)',
    headers: {
      'psu-ip-port': '50123',
      'psu-accept': 'text/html',
      'psu-accept-charset': 'utf-8',
      'psu-accept-encoding': 'gzip',
      'psu-accept-language': 'nb-NO',
      'psu-http-method': 'POST',
      'psu-device-id': ID,
      'psu-geo-location': 'GEO:52.506931;13.144558',
    },
  }
}

/** Keeps what Prism says of each request. */
function judging(fetch: BankFetch): BankFetch {
  return async (bank, request) => {
    const response = await fetch(bank, request)
    judged.push({ operation: request.operation, violations: violationsOf(response.headers) })
    return response
  }
}

/** Prism's invented answers are mostly of no use; a mistake of ours is not forgiven. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof BankRefusal)) {
    throw error
  }
}
