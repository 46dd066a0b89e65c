/** Validates every kind of request of the connector to every bank with Prism and the standard's OpenAPI file. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isTestedBank } from '../../../../sandbox/testing/tested-banks.ts'
import { forEachRow } from '../../../testing/for-each-row.ts'
import { BankError } from '../../connector/bank-error.ts'
import { type DomesticOrder, submittedAs } from '../../connector/bank-order.ts'
import type { BankCaller, Connector } from '../../connector/connector.ts'
import type { BankFetch } from '../../connector/connector-dependencies.ts'
import { type Prism, startPrism, violationsOf } from '../../testing/prism.ts'
import { SAMPLE_AUTHORISATION_REQUEST, SAMPLE_RETURN_URLS, sampleBank, sampleCaller } from '../../testing/samples.ts'
import {
  ordersAt,
  SANDBOX_BICS,
  sandboxBank,
  sandboxBulk,
  sandboxCaller,
  sandboxOrder,
} from '../../testing/sandbox-samples.ts'
import { openBankHttpClient } from '../../transport/bank-http-client.ts'
import { berlinGroup } from './connector.ts'

type Validated = { readonly operation: string; readonly violations: readonly string[] }

const ID = '019ab1c2-0000-7000-8000-000000000001'
const REQUEST = { requestId: ID, notification: SAMPLE_RETURN_URLS.notification }
const TERMS = { requestId: ID, validUntil: Temporal.PlainDate.from('2027-05-20') }
const DAY = Temporal.PlainDate.from('2026-12-01')
const DAYS = { from: DAY, to: DAY }
const IN_APP = { back: SAMPLE_RETURN_URLS, preferred: 'qr' } as const
const BULK = { bankPaymentId: ID, rail: 'account', debtorBban: '80511100017', creditorBban: 'digest' } as const
const BEGUN = { authorisationId: ID, partlySigned: false }

/**
 * Prism's generated page of entries breaks so many rules that it stops counting, and it generates a rejection instead.
 */
const INVENT_REJECTION: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  getTransactions: { prefer: 'code=401' },
}

let prism: Prism
let outgoing: ReturnType<typeof openBankHttpClient>
let validated: Validated[] = []

beforeAll(async () => {
  prism = await startPrism()
  outgoing = openBankHttpClient({ observer: () => undefined })
})
afterAll(async () => {
  await outgoing.close()
  await prism.close()
})

type BulkCall = (bulks: NonNullable<Connector['bulkPayments']>, caller: BankCaller) => Promise<unknown>
type Call = (connector: Connector, caller: BankCaller, order: DomesticOrder) => Promise<unknown> | undefined

const calls: readonly [string, string, Call][] = [
  ['getPayment', '', (c, caller, order) => c.domesticPayments?.readOrder(caller, placed(order))],
  ['getPaymentStatus', '', (c, caller, order) => c.domesticPayments?.read(caller, placed(order), { signed: true })],
  [
    'getPaymentStatus',
    'without the user',
    (c, caller, order) => c.domesticPayments?.read({ ...caller, psu: null }, placed(order), { signed: true }),
  ],
  [
    'startPaymentAuthorisation',
    '',
    (c, caller, order) => c.domesticPayments?.authorisations.start(caller, placed(order), SAMPLE_AUTHORISATION_REQUEST),
  ],
  [
    'getPaymentAuthorisation',
    '',
    (c, caller, order) =>
      c.domesticPayments?.authorisations.read(caller, placed(order), { authorisationId: ID, partlySigned: false }),
  ],
  [
    'startPaymentAuthorisation',
    'with a code preferred',
    (c, caller, order) => c.domesticPayments?.authorisations.start(caller, placed(order), IN_APP),
  ],
  [
    'startPaymentCancellationAuthorisation',
    '',
    (c, caller, order) =>
      c.domesticPayments?.cancellation.authorisations.start(caller, placed(order), SAMPLE_AUTHORISATION_REQUEST),
  ],
  [
    'getPaymentCancellationAuthorisation',
    '',
    (c, caller, order) => c.domesticPayments?.cancellation.authorisations.read(caller, placed(order), BEGUN),
  ],
  ['createSigningBasket', '', (c, caller, order) => c.baskets?.create(caller, basketOf(order))],
  ['deleteSigningBasket', '', (c, caller) => c.baskets?.drop(caller, ID)],
  ['startSigningBasketAuthorisation', '', (c, caller) => c.baskets?.authorisations.start(caller, ID, IN_APP)],
  ['getSigningBasketAuthorisation', '', (c, caller) => c.baskets?.authorisations.read(caller, ID, BEGUN)],
  ['cancelPayment', '', (c, caller, order) => c.domesticPayments?.cancellation.cancel(caller, placed(order), ID)],
  ['createConsent', '', (c, caller) => c.consents.create({ ...caller, bankConsentId: null }, TERMS)],
  ['getConsent', '', (c, caller) => c.consents.read(caller, ID)],
  [
    'startConsentAuthorisation',
    '',
    (c, caller) => c.consents.authorisations.start(caller, ID, SAMPLE_AUTHORISATION_REQUEST),
  ],
  [
    'getConsentAuthorisation',
    '',
    (c, caller) => c.consents.authorisations.read(caller, ID, { authorisationId: ID, partlySigned: false }),
  ],
  ['deleteConsent', '', (c, caller) => c.consents.revoke(caller, ID)],
  ['getAccounts', '', (c, caller) => c.accounts?.list(caller)],
  ['getAccounts', 'without the user', (c, caller) => c.accounts?.list({ ...caller, psu: null })],
  ['getBalances', '', (c, caller) => c.accounts?.balance(caller, ID)],
  ['getTransactions', '', (c, caller) => c.accounts?.bookedEntries(caller, ID, DAYS)],
]

test.each(SANDBOX_BICS)('initiatePayment of every kind at %s conforms to the standard', async (bic) => {
  const { bank } = callerAt(bic)
  for (const [index, kind] of ordersAt(bank).entries()) {
    const order = { ...sandboxOrder(bank, DAY, BigInt(index + 1)), ...kind }
    const found = await validate(bic, (c, caller) => c.domesticPayments?.initiate(caller, order, REQUEST))
    expect({ kind, found }).toEqual({ kind, found: [{ operation: 'initiatePayment', violations: [] }] })
  }
})

// Banks differ less in these, which have no body or a short one.
test.each(SANDBOX_BICS.filter(isTestedBank))('every other request to %s conforms to the standard', async (bic) => {
  const shown = ([operation, how]: (typeof calls)[number]) => `${operation} ${how}`
  await forEachRow(calls, shown, async ([operation, , call]) => {
    const [first] = await validate(bic, call)
    expect(first).toEqual({ operation, violations: [] })
  })
})

const bulkCalls: readonly [string, BulkCall][] = [
  ['initiateBulkPayment', (bulks, caller) => bulks.initiate(caller, sandboxBulk(caller.bank, DAY, 7n), REQUEST)],
  ['getBulkPayment', (bulks, caller) => bulks.readOrder(caller, BULK)],
  ['getBulkPaymentStatus', (bulks, caller) => bulks.read(caller, BULK, { signed: true, elements: [] })],
  [
    'startBulkPaymentAuthorisation',
    (bulks, caller) => bulks.authorisations.start(caller, BULK, SAMPLE_AUTHORISATION_REQUEST),
  ],
  ['getBulkPaymentAuthorisation', (bulks, caller) => bulks.authorisations.read(caller, BULK, BEGUN)],
  ['cancelBulkPayment', (bulks, caller) => bulks.cancellation.cancel(caller, BULK, ID)],
  [
    'startBulkPaymentCancellationAuthorisation',
    (bulks, caller) => bulks.cancellation.authorisations.start(caller, BULK, SAMPLE_AUTHORISATION_REQUEST),
  ],
]

describe.each(SANDBOX_BICS.filter(takesBulks))('requests about bulks to %s', (bic) => {
  test.each(bulkCalls)('%s conform to the standard', async (operation, call) => {
    const [first] = await validate(bic, ({ bulkPayments }, caller) => bulkPayments && call(bulkPayments, caller))
    expect(first).toEqual({ operation, violations: [] })
  })
})

test('a consent to all accounts conforms to the standard', async () => {
  const bank = { ...sampleBank({ dialect: { consentAccess: 'all-accounts' } }), address: prism.address }
  const caller = sampleCaller({ bank, bankConsentId: null, psu: everyHeader() })
  validated = []
  await connector().consents.create(caller, TERMS).catch(ignoreRejection)
  expect(validated).toEqual([{ operation: 'createConsent', violations: [] }])
})

test('invalid requests are detected', async () => {
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

function takesBulks(bic: string): boolean {
  return (
    sandboxBank(bic, { xs2aUrl: 'http://xs2a.example', pagesUrl: 'http://pages.example' }).profile.payroll
      ?.submissionMode === 'bulk'
  )
}

/** Prism's result for each request of a call, the first one first. */
async function validate(bic: string, call: Call): Promise<readonly Validated[]> {
  validated = []
  const caller = callerAt(bic)
  await call(connector(), caller, sandboxOrder(caller.bank, DAY, 1n))?.catch(ignoreRejection)
  return validated
}

/** A caller whose partner sends all permitted headers of its user's session. */
function callerAt(bic: string): BankCaller {
  const bank = { ...sandboxBank(bic, { xs2aUrl: prism.address, pagesUrl: prism.address }), address: prism.address }
  return { ...sandboxCaller(bank), bankConsentId: ID, psu: everyHeader() }
}

function placed(order: DomesticOrder) {
  return submittedAs(order, ID)
}

function basketOf(order: DomesticOrder) {
  return { payments: [placed(order)], requestId: ID, back: SAMPLE_RETURN_URLS }
}

function connector(): Connector {
  return berlinGroup({ fetch: judging(outgoing.fetch), now: () => Temporal.Now.instant() })
}

function everyHeader() {
  return {
    // The standard's file has no IPv6 addresses, although users have them.
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

/** Stores Prism's result for each request. */
function judging(fetch: BankFetch): BankFetch {
  return async (bank, request) => {
    const headers = { ...request.headers, ...INVENT_REJECTION[request.operation] }
    const response = await fetch(bank, { ...request, headers })
    validated.push({ operation: request.operation, violations: violationsOf(response.headers) })
    return response
  }
}

/** Prism's generated responses are mostly useless; an error of ours is reported all the same. */
function ignoreRejection(error: unknown): void {
  if (!(error instanceof BankError)) {
    throw error
  }
}
