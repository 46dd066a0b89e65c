/** Validates requests and answers between the connector and sandbox banks with Prism and the standard's OpenAPI file. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestBank, type TestBank } from '../../../../sandbox/testing/test-bank.ts'
import { isTestedBank } from '../../../../sandbox/testing/tested-banks.ts'
import type { BankCaller, Connector } from '../../connector/connector.ts'
import type { BankFetch } from '../../connector/connector-dependencies.ts'
import { ignoreRejection, operationsAt, runEveryOperation } from '../../testing/every-operation.ts'
import { type Prism, startPrism, violationsOf } from '../../testing/prism.ts'
import { SAMPLE_AUTHORISATION_REQUEST, SAMPLE_RETURN_URLS, sampleBank } from '../../testing/samples.ts'
import { controlClient, waitForBankDay } from '../../testing/sandbox-control.ts'
import { BANK_HEADER, INSTEAD_HEADER, type SandboxProxy, startSandboxProxy } from '../../testing/sandbox-proxy.ts'
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
let forwarder: SandboxProxy
let prism: Prism
let outgoing: ReturnType<typeof openBankHttpClient>

beforeAll(async () => {
  sandbox = await startTestBank()
  await waitForBankDay(controlClient(sandbox.bank.pagesUrl))
  forwarder = await startSandboxProxy()
  prism = await startPrism(forwarder.address)
  outgoing = openBankHttpClient({ observer: () => undefined })
})
afterAll(async () => {
  await outgoing.close()
  await prism.close()
  await forwarder.close()
  await sandbox.close()
})

describe.each(SANDBOX_BICS.filter(isTestedBank))('%s', (bic) => {
  test('a consent and its reads, payments of every kind, and rejections conform to the standard', async () => {
    const { connector, validated } = validatedConnector(bic)
    const control = controlClient(sandbox.bank.pagesUrl)
    const caller = await signedIn(connector, callerAt(bic), control, sandbox.bank)
    await runEveryOperation(connector, caller, control)
    const requested = new Set(validated.map(({ operation }) => operation))
    expect(operationsAt(caller.bank).filter((operation) => !requested.has(operation))).toEqual([])
    expect(validated.filter(({ violations }) => violations.length > 0)).toEqual([])
  })
})

test('invalid responses are detected', async () => {
  const { connector, validated } = validatedConnector('FJORNO22', '{"consentId":7}')
  await connector.consents.read(callerAt('FJORNO22'), 'c1').catch(ignoreRejection)
  expect(validated[0]?.violations.join()).toMatch(/consentStatus/)
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
    const bank = { ...sampleBank({ dialect }), address: prism.address }
    return c.consents.create({ ...caller, bank, bankConsentId: null }, terms)
  })
  expect(found).toEqual([{ operation: 'createConsent', violations: [] }])
})

test('invalid requests are detected', async () => {
  const bank = { ...sampleBank(), address: prism.address }
  const url = `${prism.address}/v1/payments/norwegian-domestic-credit-transfers`
  const body = JSON.stringify({ instructedAmount: { amount: 1 } })
  const headers = { 'content-type': 'application/json', [INSTEAD_HEADER]: NO_ANSWER }
  const answer = await outgoing.fetch(bank, { operation: 'probe', method: 'POST', url, headers, body })
  expect(violationsOf(answer.headers, 'request').join()).toMatch(/x-request-id/)
  const known = { ...headers, 'x-request-id': ID, 'psu-ip-address': '192.0.2.1' }
  const other = await outgoing.fetch(bank, { operation: 'probe', method: 'POST', url, headers: known, body })
  expect(violationsOf(other.headers, 'request').join()).toMatch(/debtorAccount/)
})

function takesBulks(bic: string): boolean {
  return (
    sandboxBank(bic, { xs2aUrl: 'http://xs2a.example', pagesUrl: 'http://pages.example' }).profile.payroll
      ?.submissionMode === 'bulk'
  )
}

/** Prism's result for each request of a call. */
async function requestsOf(
  bic: string,
  call: (connector: Connector, caller: BankCaller) => Promise<unknown> | undefined,
) {
  const { connector, validated } = validatedConnector(bic, NO_ANSWER, ['request'])
  await call(connector, { ...callerAt(bic), bankConsentId: ID })?.catch(ignoreRejection)
  return validated
}

/** A caller whose partner sends all permitted headers of its user's session. */
function callerAt(bic: string): BankCaller {
  const bank = sandboxBank(bic, sandbox.bank)
  const linkHosts = [...bank.linkHosts, new URL(bank.address).host]
  return { ...sandboxCaller({ ...bank, linkHosts, address: prism.address }), psu: everyHeader() }
}

/** A connector whose calls pass through Prism, and what that finds; `instead` is what the bank is made to answer. */
function validatedConnector(
  bic: string,
  instead?: string,
  sides: readonly ('request' | 'response')[] = ['request', 'response'],
) {
  const validated: { readonly operation: string; readonly violations: readonly string[] }[] = []
  const { address } = sandboxBank(bic, sandbox.bank)
  const fetch: BankFetch = async (bank, request) => {
    const headers = {
      ...request.headers,
      [BANK_HEADER]: address,
      ...(instead === undefined ? {} : { [INSTEAD_HEADER]: instead }),
    }
    const response = await outgoing.fetch(bank, { ...request, headers })
    const violations = sides.flatMap((side) => violationsOf(response.headers, side))
    validated.push({ operation: request.operation, violations })
    return response
  }
  return { connector: berlinGroup({ fetch, now: () => Temporal.Now.instant() }), validated }
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
