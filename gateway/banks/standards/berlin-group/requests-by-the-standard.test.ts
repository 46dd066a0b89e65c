/** Validates requests of the connector to sandbox banks against the standard's OpenAPI file; the banks' answers are in every test. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestBank, type TestBank } from '../../../../sandbox/testing/test-bank.ts'
import { isTestedAmong } from '../../../../sandbox/testing/tested-banks.ts'
import { createXs2aRequestValidator } from '../../../../sandbox/testing/xs2a-request-validator.ts'
import type { BankCaller, Connector } from '../../connector/connector.ts'
import type { BankFetch } from '../../connector/connector-dependencies.ts'
import { connectorTools } from '../../testing/connector-tools.ts'
import { ignoreRejection, operationsAt, runEveryOperation } from '../../testing/every-operation.ts'
import { SAMPLE_AUTHORISATION_REQUEST, SAMPLE_RETURN_URLS, sampleBank } from '../../testing/samples.ts'
import { controlClient, waitForBankDay } from '../../testing/sandbox-control.ts'
import {
  ordersAt,
  SANDBOX_BICS,
  sandboxBank,
  sandboxBulk,
  sandboxCaller,
  sandboxOrder,
} from '../../testing/sandbox-samples.ts'
import { signedIn } from '../../testing/sandbox-user.ts'
import { openBankHttpClient } from '../../transport/bank-http-client.ts'
import { berlinGroup } from './connector.ts'

const ID = '019ab1c2-0000-7000-8000-000000000001'
const REQUEST = { requestId: ID, notification: SAMPLE_RETURN_URLS.notification }
const DAY = Temporal.PlainDate.from('2026-12-01')
const BULK = { bankPaymentId: ID, rail: 'account', debtorBban: '80511100017', creditorBban: 'digest' } as const
const BEGUN = { authorisationId: ID, partlySigned: false }
/** No bank answers where only requests are validated. */
const NO_ANSWER = '{}'

let sandbox: TestBank
const violationsOf = createXs2aRequestValidator()
let outgoing: ReturnType<typeof openBankHttpClient>

beforeAll(async () => {
  sandbox = await startTestBank()
  await waitForBankDay(controlClient(sandbox.bank.pagesUrl))
  outgoing = openBankHttpClient({ observer: () => undefined })
})
afterAll(async () => {
  await outgoing.close()
  await sandbox.close()
})

/** One has every product, users sign in before at another one, and in an app at the last one. */
const DISTINCT = ['VSKYNO22', 'NORDSESS', 'KATTDK22']

describe.each(SANDBOX_BICS.filter((bic) => isTestedAmong(DISTINCT, bic)))('%s', (bic) => {
  test('a consent and its reads, payments of every kind, and rejections conform to the standard', async () => {
    const { connector, validated } = validatedConnector()
    const control = controlClient(sandbox.bank.pagesUrl)
    const caller = await signedIn(connector, callerAt(bic), control, sandbox.bank)
    await runEveryOperation(connector, caller, control)
    const requested = new Set(validated.map(({ operation }) => operation))
    expect(operationsAt(caller.bank).filter((operation) => !requested.has(operation))).toEqual([])
    expect(validated.filter(({ violations }) => violations.length > 0)).toEqual([])
  })
})

// Banks differ most in these; at the tested ones they are answered, too.
test.each(SANDBOX_BICS)('the request initiatePayment of every kind at %s conforms to the standard', async (bic) => {
  const { bank } = callerAt(bic)
  for (const [index, kind] of ordersAt(bank).entries()) {
    const order = { ...sandboxOrder(bank, DAY, BigInt(index + 1)), ...kind }
    const found = await requestsOf(bic, (c, caller) => c.domesticPayments?.initiate(caller, order, REQUEST))
    expect({ kind, found }).toEqual({ kind, found: [{ operation: 'initiatePayment', violations: [] }] })
  }
})

type BulkCall = (bulks: NonNullable<Connector['bulkPayments']>, caller: BankCaller) => Promise<unknown>

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
    const [first] = await requestsOf(bic, ({ bulkPayments }, caller) => bulkPayments && call(bulkPayments, caller))
    expect(first).toEqual({ operation, violations: [] })
  })
})

test('a consent to all accounts conforms to the standard', async () => {
  const dialect = { consentAccess: 'all-accounts' } as const
  const terms = { requestId: ID, validUntil: Temporal.PlainDate.from('2027-05-20') }
  const found = await requestsOf('FJORNO22', (c, { bankConsentId: _none, ...caller }) => {
    return c.consents.create({ ...caller, bank: sampleBank({ dialect }), bankConsentId: null }, terms)
  })
  expect(found).toEqual([{ operation: 'createConsent', violations: [] }])
})

test('invalid requests are detected', () => {
  const url = 'https://xs2a.example/v1/payments/norwegian-domestic-credit-transfers'
  const body = JSON.stringify({ instructedAmount: { amount: 1 } })
  const headers = { 'content-type': 'application/json', 'x-request-id': ID, 'psu-ip-address': '192.0.2.1' }
  const violations = (changes: object) => violationsOf({ method: 'POST', url, headers, body, ...changes }).join()
  expect(violations({})).toMatch(/debtorAccount/)
  expect(violations({ headers: { ...headers, 'x-request-id': 'no-uuid' } })).toMatch(/header X-Request-ID: .*uuid/)
  expect(violations({ headers: { 'content-type': 'application/json' } })).toMatch(
    /X-Request-ID: is missing.*PSU-IP-Address: is missing/,
  )
  expect(violations({ headers: { ...headers, 'tpp-redirect-preferred': 'yes' } })).toMatch(/TPP-Redirect-Preferred/)
  expect(violations({ body: undefined })).toMatch(/the body is missing/)
  expect(violations({ headers: { ...headers, 'content-type': 'text/plain' } })).toMatch(/no body of the type text/)
  expect(violations({ url: `${url}/1/unknown` })).toMatch(/no such operation/)
})

function takesBulks(bic: string): boolean {
  return (
    sandboxBank(bic, { xs2aUrl: 'http://xs2a.example', pagesUrl: 'http://pages.example' }).profile.payroll
      ?.submissionMode === 'bulk'
  )
}

/** What is wrong with each request of a call. */
async function requestsOf(
  bic: string,
  call: (connector: Connector, caller: BankCaller) => Promise<unknown> | undefined,
) {
  const { connector, validated } = validatedConnector(NO_ANSWER)
  await call(connector, { ...callerAt(bic), bankConsentId: ID })?.catch(ignoreRejection)
  return validated
}

/** A caller whose partner sends all permitted headers of its user's session. */
function callerAt(bic: string): BankCaller {
  return { ...sandboxCaller(sandboxBank(bic, sandbox.bank)), psu: everyHeader() }
}

/** A connector, and what is wrong with its requests; `instead` is what the bank is made to answer. */
function validatedConnector(instead?: string) {
  const validated: { readonly operation: string; readonly violations: readonly string[] }[] = []
  const fetch: BankFetch = async (bank, request) => {
    validated.push({ operation: request.operation, violations: violationsOf(request) })
    return instead === undefined
      ? await outgoing.fetch(bank, request)
      : { status: 200, headers: { 'content-type': 'application/json' }, body: instead }
  }
  return { connector: berlinGroup(connectorTools({ fetch, now: () => Temporal.Now.instant() })), validated }
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
