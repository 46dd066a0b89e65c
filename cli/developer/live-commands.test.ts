/** Tests `havn listen`, `havn replay` and `havn logs` against a gateway, its inbox and an endpoint on this machine. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../../gateway/testing/gateway/eventually.ts'
import { runHavnCommand } from '../../gateway/testing/gateway/havn-command.ts'
import { startTestGateway, type TestGateway } from '../../gateway/testing/gateway/test-gateway.ts'
import { demoPartnerId, enqueueStatusChange } from '../../gateway/testing/webhooks/enqueue-status-change.ts'
import { verifyWebhook } from '../../sdk/index.ts'

const CREDENTIALS = { HAVN_CLIENT_ID: 'demo-partner', HAVN_CLIENT_SECRET: 'demo-partner-secret' }

let gateway: TestGateway
let partnerId: string
beforeAll(async () => {
  gateway = await startTestGateway()
  partnerId = await demoPartnerId(gateway)
})
afterAll(() => gateway.close())

const havn = (...words: string[]) => runHavnCommand(words, { HAVN_URL: gateway.url, ...CREDENTIALS })
const jsonLines = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
const enabledSubscriptions = async () =>
  (await gateway.client.listWebhookSubscriptions()).filter(({ enabled }) => enabled)

/** Starts listening, waits for its subscription, and makes an event. */
async function listenToOne(...words: string[]) {
  const ended = havn('listen', '--count', '1', ...words)
  await eventually(async () => expect(await enabledSubscriptions()).toHaveLength(1))
  const change = await enqueueStatusChange(gateway, partnerId, 'Completed')
  await gateway.sweep()
  return { ...(await ended), change }
}

/** An endpoint of a developer, which answers with this status. */
async function startEndpoint(status: number) {
  const received: { headers: IncomingHttpHeaders; body: string }[] = []
  const server: Server = createServer(async (request, response) => {
    const body = (await request.toArray()).join('')
    received.push({ headers: request.headers, body })
    response.writeHead(status).end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return { url: `http://127.0.0.1:${port}/hooks`, received, close: () => server.close() }
}

describe('havn listen', () => {
  it('prints a delivery, verified, and forwards it unchanged; its subscription ends with it', async () => {
    const endpoint = await startEndpoint(202)
    const { code, out, error, change } = await listenToOne('--forward', endpoint.url)
    endpoint.close()
    expect([code, out]).toEqual([0, expect.stringMatching(/PAYMENT_STATUS_COMPLETED {2}verified\n {2}event \S+ {2}/)])
    expect(out).toContain(`paymentId ${change.paymentId}`)
    expect(out).toMatch(/→ answered 202 in \d+ ms/)
    const [, secret = ''] = /for this time only: (\S+)/.exec(error) ?? []
    const [{ headers, body } = { headers: {}, body: '' }, ...rest] = endpoint.received
    expect(rest).toEqual([])
    expect(verifyWebhook(body, headers, secret)).toMatchObject({ verified: true })
    expect(await enabledSubscriptions()).toEqual([])
  })

  it('reports an endpoint that is not there, as JSON, too', async () => {
    const endpoint = await startEndpoint(200)
    endpoint.close()
    const { code, out, error } = await listenToOne('--forward', endpoint.url, '--events', 'PAYMENT_STATUS', '--json')
    expect([code, error]).toEqual([0, ''])
    expect(jsonLines(out)).toEqual([
      expect.objectContaining({
        eventType: 'PAYMENT_STATUS_COMPLETED',
        verified: true,
        forwarded: { error: 'ECONNREFUSED', milliseconds: expect.any(Number) },
      }),
    ])
  })

  it.each([
    [['--events', 'PAYMENTS'], 'There is no event type "PAYMENTS"'],
    [['--forward', 'localhost:3000'], '--forward must be an http or https URL'],
    [['--count', '0'], 'It must be a whole number'],
  ])('rejects %j before it subscribes', async (words, message) => {
    const { code, error } = await havn('listen', ...words)
    expect([code, error]).toEqual([1, expect.stringContaining(message)])
    expect(await enabledSubscriptions()).toEqual([])
  })
})

it('havn replay queues events of a window or one delivery again, and says when there is nothing', async () => {
  const { url } = await gateway.client.openSandboxInbox()
  const body = { targetUrl: url, eventTypes: ['CONSENT' as const, 'PAYMENT_STATUS_REJECTED' as const] }
  const { id } = await gateway.client.createWebhookSubscription({ body })
  const since = gateway.context.clock.now().toString()
  const nothing = await havn('replay', id, '--since', since)
  expect([nothing.code, nothing.out]).toEqual([0, expect.stringContaining('Nothing is delivered again')])
  await enqueueStatusChange(gateway, partnerId, 'Rejected')
  await gateway.sweep()
  const again = await havn('replay', id, '--since', since, '--json')
  expect(jsonLines(again.out)).toEqual([{ events: 1, deliveries: 1 }])
  await gateway.sweep()
  const [delivery] = (await gateway.client.listWebhookDeliveries({ params: { id } })).deliveries
  const one = await havn('replay', id, '--delivery', delivery?.id ?? '')
  expect([one.code, one.out]).toEqual([0, expect.stringMatching(/^Delivery \S+ is queued\n$/)])
  await gateway.sweep()
  const received = (await gateway.client.listSandboxInboxDeliveries()).map(({ body: text }) => JSON.parse(text).id)
  expect([received.length, new Set(received).size]).toEqual([5, 3])
  const neither = await havn('replay', id)
  expect([neither.code, neither.error]).toEqual([1, expect.stringContaining('either --since')])
  const unknown = await havn('replay', partnerId, '--since', since)
  expect(unknown.code).toBe(2)
  await gateway.client.disableWebhookSubscription({ params: { id } })
})

describe('havn logs', () => {
  it('prints requests by filter, one with its bodies, and as a curl command', async () => {
    const params = { paymentId: crypto.randomUUID() }
    await expect(gateway.client.getPayment({ params })).rejects.toMatchObject({ status: 404 })
    const path = `/api/v2/payments/${params.paymentId}`
    const found = await eventually(async () => {
      const tailed = await havn('logs', 'tail', '--no-follow', '--path', path, '--status', '4xx', '--json')
      const lines = tailed.out === '' ? [] : jsonLines(tailed.out)
      expect(lines).toHaveLength(1)
      return lines[0]
    })
    expect(found).toMatchObject({ status: 404, method: 'GET', path })
    const shown = await havn('logs', 'show', found.svcRequestId)
    expect(shown.out).toMatch(/^\S+ {2}GET \/api\/v2\/payments\/\S+\n404 in \d+ ms/)
    expect(shown.out).toContain(`curl --request GET '${gateway.url}${path}'`)
    const text = await havn('logs', 'tail', '--no-follow', '--path', path)
    expect(text.out).toMatch(new RegExp(`  404  GET    ${path}  \\d+ ms  ${found.svcRequestId}`))
  })

  it('says when there is no such request', async () => {
    const none = await havn('logs', 'tail', '--no-follow', '--code', 'NoSuchCode')
    expect([none.code, none.out, none.error]).toEqual([0, '', 'There is no such request\n'])
    const unknown = await havn('logs', 'show', crypto.randomUUID())
    expect([unknown.code, unknown.error]).toEqual([2, expect.stringContaining('request')])
    const wrong = await havn('logs', 'tail', '--last', '501')
    expect([wrong.code, wrong.error]).toEqual([1, expect.stringContaining('from 1 to 500')])
  })
})
