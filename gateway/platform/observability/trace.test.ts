/** Tests traces: requests, bank calls and sweep rounds reach a collector, below the caller's trace, without secrets. */

import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sampleBank } from '../../banks/testing/samples.ts'
import { openBankHttpClient } from '../../banks/transport/bank-http-client.ts'
import { openSandboxBankControl } from '../../testing/banks/sandbox-bank-control.ts'
import { visitBank } from '../../testing/browser/bank-user.ts'
import { eventually } from '../../testing/gateway/eventually.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway/test-gateway.ts'
import { acceptedConsent, CALLBACK, domesticPayment, KARI } from '../../testing/payments/sample-payments.ts'
import { startSweeps } from '../jobs/sweep-runner.ts'
import { openTrace } from './trace.ts'

type Attribute = { readonly key: string; readonly value: Readonly<Record<string, unknown>> }
type Reported = {
  readonly name: string
  readonly kind: number
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly attributes: readonly Attribute[]
  readonly status: { readonly code: number }
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
}

const CALLERS_TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const CALLERS_SPAN = '00f067aa0ba902b7'
const [SERVER_KIND, CLIENT_KIND, ERROR] = [2, 3, 2]

/** A collector that stores what it receives. */
async function openCollector() {
  const bodies: string[] = []
  const paths: string[] = []
  const headers: string[][] = []
  const server: Server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      paths.push(`${request.method} ${request.url}`)
      headers.push(Object.keys(request.headers))
      bodies.push(Buffer.concat(parts).toString())
      response.setHeader('content-type', 'application/json')
      response.end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const spans = (): Reported[] =>
    bodies.flatMap((body) =>
      JSON.parse(body).resourceSpans.flatMap((of: { scopeSpans: { spans: Reported[] }[] }) =>
        of.scopeSpans.flatMap(({ spans: reported }) => reported),
      ),
    )
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()))
  return { url: `http://127.0.0.1:${port}`, bodies, paths, headers, spans, close }
}

function attributeOf({ attributes }: Reported, key: string): string | undefined {
  const value = attributes.find((attribute) => attribute.key === key)?.value
  return value === undefined ? undefined : String(Object.values(value)[0])
}

describe('a gateway with a collector', () => {
  let collector: Awaited<ReturnType<typeof openCollector>>
  let gateway: TestGateway
  const secrets: string[] = []
  const requestIdsAtBank: string[] = []

  beforeAll(async () => {
    collector = await openCollector()
    gateway = await startTestGateway({ settings: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } })
    await walkJourney()
    await gateway.close()
  })
  afterAll(() => collector.close())

  async function walkJourney(): Promise<void> {
    const consent = await acceptedConsent(gateway)
    const { paymentId } = await gateway.client.initiateDomesticPayment({ ...consent, body: domesticPayment(gateway) })
    const body = { payments: [paymentId], callbackUrl: CALLBACK }
    requestIdsAtBank.push(...(await openSandboxBankControl(gateway.bank).payments()).map(({ requestId }) => requestId))
    const { sca } = await gateway.client.approvePayments({ ...consent, body })
    const url = sca?.type === 'redirect' ? sca.url : ''
    await visitBank(url)
    const token = await gateway.token()
    secrets.push(KARI, token, new URL(url).pathname.split('/').at(-1) ?? '', consent.consentId, paymentId)
    await gateway.fetch(`/api/v2/payments/${paymentId}/status`, {
      headers: { authorization: `Bearer ${token}`, traceparent: `00-${CALLERS_TRACE}-${CALLERS_SPAN}-01` },
    })
    await gateway.fetch('/api/country-unknown', { headers: { traceparent: '00-zz-not-a-trace-01' } })
    await gateway.context.database.pool.query('update payments set poll_at = created_at, lease_until = null')
    const sweeps = startSweeps(gateway.sweeps, gateway.context)
    await eventually(async () => {
      const { rows } = await gateway.context.database.pool.query('select 1 from payments where poll_at = created_at')
      expect(rows).toEqual([])
    })
    await sweeps.stop()
  }

  it('exports its spans to the traces path of the endpoint when it stops, at the latest', () => {
    expect([...new Set(collector.paths)]).toEqual(['POST /v1/traces'])
    expect(collector.bodies[0]).toContain('"service.name"')
    expect(collector.spans().length).toBeGreaterThan(10)
  })

  it('records of a request its route and status, never its path', () => {
    const reported = collector.spans().filter(({ kind }) => kind === SERVER_KIND)
    const approve = reported.find(({ name }) => name === 'POST /api/v2/payments/approve')
    expect(approve && attributeOf(approve, 'http.response.status_code')).toBe('200')
    expect(reported.map(({ name }) => name)).toContain('POST /signing/:partnerId/:scaSessionId/:token')
    expect(reported.every((span) => /^[0-9a-f-]{36}$/.test(attributeOf(span, 'havn.request_id') ?? ''))).toBe(true)
  })

  it('continues the trace of the caller, and starts its own when the caller sends no valid one', () => {
    const inCallers = collector.spans().filter(({ traceId }) => traceId === CALLERS_TRACE)
    const request = inCallers.find(({ kind }) => kind === SERVER_KIND)
    expect(request).toMatchObject({ name: 'GET /api/v2/payments/:paymentId/status', parentSpanId: CALLERS_SPAN })
    const unsound = collector.spans().find(({ name }) => name === 'GET unknown')
    expect(unsound?.parentSpanId ?? '').toBe('')
    expect(unsound?.traceId).toMatch(/^[0-9a-f]{32}$/)
  })

  it('records a bank call below the request that needed it, with bank, operation and status', () => {
    const spans = collector.spans()
    const call = spans.find(({ name }) => name === 'bank initiatePayment')
    const parent = spans.find(({ spanId }) => spanId === call?.parentSpanId)
    expect(parent).toMatchObject({ name: 'POST /api/v2/payments', traceId: call?.traceId })
    expect(call?.kind).toBe(CLIENT_KIND)
    const reported = ['havn.bank', 'havn.operation', 'havn.outcome'].map((key) => call && attributeOf(call, key))
    expect(reported).toEqual(['FJORNO22', 'initiatePayment', '201'])
    // What the bank has received, below the span with the id that the partner has.
    expect(requestIdsAtBank).toEqual([call && attributeOf(call, 'havn.bank_request_id')])
    expect(parent && attributeOf(parent, 'havn.request_id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(BigInt(call?.endTimeUnixNano ?? 0)).toBeGreaterThanOrEqual(BigInt(call?.startTimeUnixNano ?? 1))
  })

  it('records a round of a sweep that found something, with its bank calls below, and no idle one', () => {
    const spans = collector.spans()
    const rounds = spans.filter(({ name }) => name.startsWith('sweep '))
    const polling = rounds.find(({ name }) => name === 'sweep payment polling')
    expect(polling && attributeOf(polling, 'havn.rows')).toBe('1')
    expect(spans.find(({ parentSpanId }) => parentSpanId === polling?.spanId)?.name).toBe('bank getPaymentStatus')
    expect(rounds.filter((span) => attributeOf(span, 'havn.rows') === undefined)).toEqual([])
  })

  it('contains no token, user, consent or payment', () => {
    const everything = collector.bodies.join('\n')
    expect(secrets.filter((secret) => everything.includes(secret))).toEqual([])
    expect(secrets.every((secret) => secret.length > 10)).toBe(true)
  })
})

describe('openTrace', () => {
  it('marks failures as failed, and stops although the collector is not available', async () => {
    const collector = await openCollector()
    const trace = await openTrace(collector.url, 'havn test')
    trace.addCall({ name: 'bank getAccounts', milliseconds: 5, failed: true }, {})
    trace.beginRound('payment polling').end({}, true)
    await trace.close()
    expect(collector.spans().map(({ status }) => status.code)).toEqual([ERROR, ERROR])
    await collector.close()
    const lost = await openTrace(collector.url, 'havn test')
    lost.addCall({ name: 'bank getAccounts', milliseconds: 5, failed: false }, {})
    await lost.close()
  })
})

describe('a bank', () => {
  it('gets nothing of the trace below which it is called', async () => {
    const collector = await openCollector()
    const trace = await openTrace(collector.url, 'havn test')
    const banks = openBankHttpClient({ observer: () => undefined })
    const headers = { accept: 'application/json' }
    const call = () => banks.fetch(sampleBank(), { operation: 'x', method: 'GET', url: `${collector.url}/v1`, headers })
    await trace.beginRequest('x', `00-${CALLERS_TRACE}-${CALLERS_SPAN}-01`, {}).within(call)
    expect(collector.paths).toEqual(['GET /v1'])
    expect(collector.headers[0]?.filter((name) => /trace|baggage|b3/.test(name))).toEqual([])
    await banks.close()
    await trace.close()
    await collector.close()
  })
})
