/** Tests which calls to banks are logged with what, how all of them are counted, and when both are deleted. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lowestIdAt, newId, newToken } from '../../platform/ids.ts'
import { openSandboxBankControl } from '../../testing/banks/sandbox-bank-control.ts'
import { visitBank } from '../../testing/browser/bank-user.ts'
import { nodesReading } from '../../testing/database/query-plan.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway/test-gateway.ts'
import { acceptedConsent, CALLBACK, domesticPayment, KARI } from '../../testing/payments/sample-payments.ts'
import { demoPartnerId } from '../../testing/webhooks/enqueue-status-change.ts'
import { summariseAnswer } from '../standards/berlin-group/transport/send-request.ts'
import { bankCallRetentionSweep, openBankCallLog } from './bank-call-log.ts'
import { listBankCalls, readBankCallFigures } from './list-bank-calls.ts'

let gateway: TestGateway
let partnerId: string
beforeAll(async () => {
  gateway = await startTestGateway()
  partnerId = await demoPartnerId(gateway)
})
afterAll(() => gateway.close())

const sql = async (text: string, values: unknown[] = []) =>
  (await gateway.context.database.pool.query(text, values)).rows

async function callsFor(id: string, ofPartner = partnerId) {
  await gateway.context.bankCallLog.flush()
  const calls = await listBankCalls(gateway.context.database, { partnerId: ofPartner, id }, { limit: 1_000 })
  return calls.toReversed()
}

/** The log lines that have all these fields. */
function linesWith(fields: Readonly<Record<string, unknown>>): readonly unknown[] {
  const lines = gateway.logLines().map((line): Record<string, unknown> => JSON.parse(line))
  return lines.filter((line) => Object.entries(fields).every(([name, value]) => line[name] === value))
}

describe('the calls for a payment', () => {
  test('are logged in their order, with the status in the answer, and without a query', async () => {
    const { client } = gateway
    const consent = await acceptedConsent(gateway)
    const { paymentId } = await client.initiateDomesticPayment({ ...consent, body: domesticPayment(gateway) })
    const { sca } = await client.approvePayments({ ...consent, body: { payments: [paymentId], callbackUrl: CALLBACK } })
    await visitBank(sca?.type === 'redirect' ? sca.url : '', { userId: KARI })
    await gateway.sweep()
    const [initiation, ...others] = await callsFor(paymentId)
    expect(initiation).toMatchObject({
      operation: 'initiatePayment',
      method: 'POST',
      path: expect.stringMatching(/^\/fjordbanken\/v1\/payments\/[\w-]+$/),
      status: 201,
      error: null,
      bankText: 'RCVD',
    })
    const [stored] = await sql('select bank_request_id from payments where id = $1', [paymentId])
    expect(initiation?.requestId).toBe(stored.bank_request_id)
    expect(initiation?.milliseconds).toBeGreaterThan(0)
    const operations = others.map(({ operation }) => operation)
    expect(operations).toEqual(expect.arrayContaining(['startPaymentAuthorisation', 'getPaymentStatus']))
    expect(others.every(({ path }) => !path.includes('?'))).toBe(true)
    expect(await callsFor(paymentId, newId())).toEqual([])
  })

  test('are found from the id that the partner has in the response, with the id that the bank has received', async () => {
    const consent = await acceptedConsent(gateway)
    const headers = {
      authorization: `Bearer ${await gateway.token()}`,
      'content-type': 'application/json',
      'consent-id': consent.consentId,
      'psu-ip-address': consent.psu.ipAddress,
      'psu-user-agent': consent.psu.userAgent,
    }
    const body = JSON.stringify(domesticPayment(gateway))
    const response = await gateway.fetch('/api/v2/payments', { method: 'POST', headers, body })
    const requestId = response.headers.get('svc-request-id')
    const { paymentId } = JSON.parse(await response.text())
    expect(linesWith({ requestId, msg: 'answered' })).toMatchObject([{ status: 200 }])
    await gateway.context.requestLog.flush()
    expect(await sql('select subject_id from request_log where id = $1', [requestId])).toEqual([
      { subject_id: paymentId },
    ])
    await sql('update payments set poll_at = created_at where id = $1', [paymentId])
    await gateway.sweep()
    const calls = await callsFor(paymentId)
    const atBank = await openSandboxBankControl(gateway.bank).payments()
    expect(atBank.map((payment) => payment.requestId)).toContain(calls[0]?.requestId)
    // The polls of the worker, too.
    expect(calls.map(({ operation }) => operation)).toEqual(['initiatePayment', 'getPaymentStatus'])
    for (const call of calls) {
      const line = { msg: 'a bank was called', operation: call.operation, requestId: call.requestId }
      expect(linesWith(line)).toMatchObject([{ paymentIds: [paymentId] }])
    }
  })

  test('are found from the id of an event that was delivered', async () => {
    const { client } = gateway
    const consent = await acceptedConsent(gateway)
    const { paymentId } = await client.initiateDomesticPayment({ ...consent, body: domesticPayment(gateway) })
    const { sca } = await client.approvePayments({ ...consent, body: { payments: [paymentId], callbackUrl: CALLBACK } })
    await visitBank(sca?.type === 'redirect' ? sca.url : '', { userId: KARI })
    await gateway.sweep()
    const { events } = await client.listWebhookEvents({})
    const event = events.find((one) => JSON.stringify(one).includes(paymentId))
    const [line] = linesWith({ msg: 'an event was enqueued', eventId: event?.id })
    expect(line).toMatchObject({ paymentIds: [paymentId] })
    const calls = await callsFor(paymentId)
    expect(linesWith({ msg: 'a bank was called', requestId: calls.at(-1)?.requestId })).toMatchObject([
      { paymentIds: [paymentId] },
    ])
  })

  test('are logged also when the bank rejects, or does not answer', async () => {
    const control = openSandboxBankControl(gateway.bank)
    const consent = await acceptedConsent(gateway)
    await control.injectFault({ operation: 'initiatePayment', effect: 'status', status: 503 })
    const rejected = gateway.client.initiateDomesticPayment({ ...consent, body: domesticPayment(gateway) })
    await expect(rejected).rejects.toThrow()
    await control.clearFaults()
    await gateway.context.banks.resetFailures()
    await gateway.context.bankCallLog.flush()
    const [last] = await sql('select operation, status from bank_calls order by id desc limit 1')
    expect(last).toEqual({ operation: 'initiatePayment', status: 503 })
  })

  test('are logged for each of them when they are for several, without the tokens of links', async () => {
    const ids = [newId(), newId()]
    const url = `https://bank.example/v1/signing-baskets/1/${newToken()}?code=secret`
    const about = { partnerId, paymentIds: ids }
    const request = { operation: 'createBasket', method: 'POST', url, headers: {}, about } as const
    const ended = { milliseconds: 5, status: 201, outcome: 'answered' } as const
    const call = { bank: 'FJORNO22', operation: 'createBasket', requestId: null, ...ended }
    gateway.context.bankCallLog.record(call, { request, response: null, failedBefore: false })
    for (const id of ids) {
      expect((await callsFor(id)).map(({ path }) => path)).toEqual(['/v1/signing-baskets/1/[redacted]'])
    }
  })

  test('are read by the primary key', async () => {
    const [plan] = await sql(
      `explain (format json) select * from bank_calls where partner_id = $1 and payment_id = $2 order by id desc limit 100`,
      [partnerId, newId()],
    )
    const nodes = nodesReading('bank_calls', plan['QUERY PLAN'][0].Plan)
    expect(nodes.map((node) => Object(node)['Index Name'])).toEqual(['bank_calls_pkey'])
  })

  test('are not logged by a log that is switched off', async () => {
    const off = openBankCallLog({ ...gateway.context, config: { bankCallLog: false } })
    const [before] = await sql('select count(*) from bank_calls')
    off.record({} as Parameters<typeof off.record>[0], {} as Parameters<typeof off.record>[1])
    await off.flush()
    expect(await sql('select count(*) from bank_calls')).toEqual([before])
  })
})

describe('all calls', () => {
  const call = { bank: 'FJORNO22', operation: 'getConsent', requestId: null, outcome: 'answered' } as const
  const exchange = {
    request: { operation: 'getConsent', method: 'GET', url: 'x:', headers: {} },
    response: null,
    failedBefore: false,
  } as const

  test('are counted, also those that are for no payment, and failures apart from answers', async () => {
    await sql('delete from bank_call_counts')
    const { bankCallLog } = gateway.context
    for (let n = 0; n < 98; n += 1) {
      bankCallLog.record({ ...call, milliseconds: 10, status: 200 }, exchange)
    }
    bankCallLog.record({ ...call, milliseconds: 2_000, status: 404 }, exchange)
    bankCallLog.record({ ...call, outcome: 'failed', milliseconds: 9_000, error: 'No answer', sent: true }, exchange)
    await bankCallLog.flush()
    bankCallLog.record({ ...call, milliseconds: 10, status: 200 }, exchange)
    await bankCallLog.flush()
    const figures = await readBankCallFigures(gateway.context, 'FJORNO22')
    expect([figures.calls, figures.answered]).toEqual([101, 100])
    expect(Math.abs((figures.p50Milliseconds ?? 0) - 10)).toBeLessThan(1)
    expect(Math.abs((figures.p95Milliseconds ?? 0) - 10)).toBeLessThan(1)
    expect((await readBankCallFigures(gateway.context, 'UNKNOWN1')).p50Milliseconds).toBe(null)
  })

  test('have percentiles that are exact to five per cent', async () => {
    for (const milliseconds of [1, 3, 47, 600, 29_999]) {
      await sql('delete from bank_call_counts')
      gateway.context.bankCallLog.record({ ...call, milliseconds, status: 200 }, exchange)
      await gateway.context.bankCallLog.flush()
      const found = (await readBankCallFigures(gateway.context, 'FJORNO22')).p95Milliseconds ?? 0
      expect(Math.abs(found - milliseconds) / milliseconds, String(milliseconds)).toBeLessThanOrEqual(0.05)
    }
  })
})

test.each([
  [200, '{"transactionStatus":"ACSC"}', 'ACSC'],
  [201, '{"transactionStatus": "RCVD","paymentId":"1","_links":{"scaRedirect":{"href":"https://x/secret"}}}', 'RCVD'],
  [200, '{"scaStatus":"finalised"}', 'finalised'],
  [204, '', null],
  [
    400,
    '{"tppMessages":[{"category":"ERROR","code":"FORMAT_ERROR","text":"Account 86011117947 is closed"}]}',
    'FORMAT_ERROR: Account … is closed',
  ],
  [500, '<html>', null],
])('of an answer %i %s is logged %j', (status, body, text) => {
  expect(summariseAnswer({ status, body, headers: {} })).toBe(text)
})

test('calls and counts are deleted after 30 days', async () => {
  await sql('delete from bank_calls')
  await sql('delete from bank_call_counts')
  const real = gateway.context.clock.real()
  for (const days of [29, 31]) {
    const at = real.subtract({ hours: 24 * days })
    await sql(
      `insert into bank_calls values ($1, $2, $3, 'FJORNO22', $4, 'getPayment', 'GET', '/', 200, null, 1, null, null)`,
      [partnerId, newId(), lowestIdAt(at), at.toString()],
    )
    await sql(`insert into bank_call_counts values ('FJORNO22', $1, 'answered', 1, 1)`, [at.toString()])
  }
  expect(await bankCallRetentionSweep(gateway.context).run(50)).toBe(2)
  expect(await bankCallRetentionSweep(gateway.context).run(50)).toBe(0)
  expect(await sql('select id from bank_calls')).toHaveLength(1)
  expect(await sql('select hour from bank_call_counts')).toHaveLength(1)
})
