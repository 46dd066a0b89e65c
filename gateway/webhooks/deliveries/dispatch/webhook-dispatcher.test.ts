/** Tests one attempt at a real HTTPS endpoint: what arrives, how each response or failure counts, and its limits. */
import { createServer, type Server, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { eventually } from '../../../testing/gateway/eventually.ts'
import { type NameServer, startNameServer } from '../../../testing/webhooks/name-server.ts'
import {
  type ReceiverBehaviour,
  startWebhookReceiver,
  type WebhookReceiver,
} from '../../../testing/webhooks/webhook-receiver.ts'
import {
  makeTestAuthority,
  type TestAuthority,
  THIS_MACHINE,
} from '../../../testing/webhooks/webhook-receiver-certificates.ts'
import { CONNECTIONS_PER_ORIGIN_MAX } from './connection-pools.ts'
import {
  type Attempt,
  type DispatchSettings,
  openWebhookDispatcher,
  type WebhookDispatcher,
} from './webhook-dispatcher.ts'

const LOOPBACK = { allowedNetworks: ['127.0.0.1'], httpAllowed: false }
const SOON = { attemptMilliseconds: 400 }
const UNANSWERED = { kind: 'unanswered', error: expect.any(String) }

let receiver: WebhookReceiver
let dispatch: WebhookDispatcher
let quick: WebhookDispatcher
beforeAll(async () => {
  receiver = await startWebhookReceiver({ origins: 2 })
  dispatch = openTo(receiver)
  quick = openTo(receiver, { limits: SOON })
})
afterEach(() => receiver.behave((response) => response.writeHead(204).end()))
afterAll(async () => {
  await receiver.close()
  await dispatch.close()
  await quick.close()
})

function openTo({ authority }: WebhookReceiver, settings: Partial<DispatchSettings> = {}): WebhookDispatcher {
  return openWebhookDispatcher({ ...LOOPBACK, trustedCertificates: authority, ...settings })
}

const posting = (path = '/hook', origin = receiver.origin) => ({
  target: `${origin}${path}`,
  headers: { 'content-type': 'application/json' },
  body: '{"id":"1"}',
})
const post = (path?: string): Promise<Attempt> => dispatch.post(posting(path))

describe('an attempt', () => {
  it('sends body and headers byte for byte, and returns status and text', async () => {
    receiver.behave((response) => response.writeHead(201, { 'content-type': 'text/plain' }).end('tatt imot: æøå\0'))
    const [body, headers] = ['{"name":"Blåbær \\u0000 🚂"}', { 'x-svc-webhook-id': '17', authorization: 'Bearer ä' }]
    expect(await dispatch.post({ target: `${receiver.origin}/hook/ø?a=%20b`, headers, body })).toEqual({
      kind: 'answered',
      status: 201,
      answer: 'tatt imot: æøå\u{fffd}',
      milliseconds: expect.any(Number),
    })
    const [last] = receiver.received.slice(-1)
    expect(last?.path).toBe('/hook/%C3%B8?a=%20b')
    expect(last?.body.toString()).toBe(body)
    expect(last?.headers).toMatchObject({ 'x-svc-webhook-id': '17', 'content-length': String(Buffer.byteLength(body)) })
  })

  it.each([200, 204, 299, 400, 404, 408, 410, 429, 500, 503, 599])('returns status %i', async (status) => {
    receiver.behave((response) => response.writeHead(status).end())
    expect(await post()).toMatchObject({ kind: 'answered', status, answer: '' })
  })

  it.each([301, 302, 303, 307, 308])('does not follow a redirect with %i', async (status) => {
    const elsewhere = `${receiver.origins[1]}/elsewhere`
    receiver.behave((response) => response.writeHead(status, { location: elsewhere }).end())
    expect(await post()).toMatchObject({ kind: 'answered', status })
    expect(receiver.received.map(({ path }) => path)).not.toContain('/elsewhere')
  })

  it('waits for the final response after interim ones', async () => {
    receiver.behave((response) => {
      response.writeProcessing()
      response.writeEarlyHints({ link: '</style.css>; rel=preload' })
      response.writeHead(202).end()
    })
    expect(await post()).toMatchObject({ kind: 'answered', status: 202 })
  })

  it('reuses connections, and opens as many as are needed at a time up to the limit', async () => {
    const before = receiver.connections()
    await post()
    await post()
    await post()
    expect(receiver.connections() - before).toBeLessThanOrEqual(1)
    const many = await startWebhookReceiver({ origins: 2 })
    const way = openTo(many)
    const waiting: (() => void)[] = []
    many.behave((response) => void waiting.push(() => response.writeHead(204).end()), many.origins[0])
    const held = Array.from({ length: CONNECTIONS_PER_ORIGIN_MAX * 2 }, () => way.post(posting('/', many.origins[0])))
    await eventually(() => expect(waiting).toHaveLength(CONNECTIONS_PER_ORIGIN_MAX))
    // Another origin does not wait for this one.
    expect(await way.post(posting('/', many.origins[1]))).toMatchObject({ status: 204 })
    expect(many.connections()).toBe(CONNECTIONS_PER_ORIGIN_MAX + 1)
    for (let done = 0; done < held.length; done += 1) {
      await eventually(() => expect(waiting.length).toBeGreaterThan(0))
      waiting.shift()?.()
    }
    expect((await Promise.all(held)).every(({ kind }) => kind === 'answered')).toBe(true)
    await many.close()
    await way.close()
  })

  it('limits the origins with open connections, and closes those of the least recently used', async () => {
    const three = await startWebhookReceiver({ origins: 3 })
    const way = openTo(three, { limits: { poolsMax: 2 } })
    const opened = async (...indexes: readonly number[]) => {
      const before = three.connections()
      for (const index of indexes) {
        expect(await way.post(posting('/', three.origins[index]))).toMatchObject({ status: 204 })
      }
      return three.connections() - before
    }
    expect(await opened(0, 1, 0)).toBe(2)
    expect(await opened(2)).toBe(1)
    expect(await opened(0, 2)).toBe(0)
    expect(await opened(1)).toBe(1)
    await way.close()
    await three.close()
  })

  it('ends before the dispatcher closes', async () => {
    const way = openTo(receiver)
    let answer: (() => void) | undefined
    receiver.behave((response) => {
      answer = () => response.writeHead(204).end()
    })
    const attempt = way.post(posting())
    await eventually(() => expect(answer).toBeDefined())
    const closed = way.close()
    answer?.()
    expect(await attempt).toMatchObject({ status: 204 })
    await closed
  })
})

describe('an answer', () => {
  it('is read to its first kilobyte and no further', async () => {
    let written = 0
    receiver.behave((response, _received, socket) => {
      response.writeHead(200)
      const pour = () => {
        while (!socket.destroyed && response.write('a'.repeat(1000))) {
          written += 1000
        }
      }
      response.on('drain', pour)
      pour()
    })
    expect(await post()).toMatchObject({ kind: 'answered', status: 200, answer: 'a'.repeat(1024) })
    const atEnd = written
    // The connection is gone with the answer: nothing pours into this machine's memory.
    expect(await post()).toMatchObject({ kind: 'answered' })
    expect(atEnd).toBeLessThan(16_000_000)
  })

  it('that is truncated in the middle of a character loses only that character', async () => {
    receiver.behave((response) => response.writeHead(200).end(`${'a'.repeat(1023)}å`))
    expect(await post()).toMatchObject({ kind: 'answered', answer: 'a'.repeat(1023) })
  })

  it('counts once its status has arrived, although its body breaks off or does not end', async () => {
    receiver.behave((response, _received, socket) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('half', () => socket.destroy())
    })
    expect(await post()).toMatchObject({ kind: 'answered', status: 200 })
    receiver.behave((response) => void response.writeHead(500).write('never ends'))
    expect(await quick.post(posting())).toMatchObject({ kind: 'answered', status: 500, answer: 'never ends' })
  })

  it.each<[string, ReceiverBehaviour]>([
    ['none, and the connection closed', (_response, _received, socket) => socket.destroy()],
    ['headers larger than any', (response) => response.writeHead(200, { 'x-large': 'x'.repeat(20_000) }).end()],
    ['no HTTP', (_response, _received, socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n')],
    ['none at all', () => undefined],
    ['half a head', (_response, _received, socket) => void socket.write('HTTP/1.1 200 OK\r\nx-half: ')],
  ])('that is %s is no answer', async (_name, behaviour) => {
    receiver.behave(behaviour)
    expect(await quick.post(posting())).toMatchObject(UNANSWERED)
  })
})

/** They take seconds, at the same time: each has a receiver of its own. */
describe.concurrent('a time limit', () => {
  it('closes an unused connection before five seconds, when servers may be about to close it', async () => {
    const idle = await startWebhookReceiver()
    const closed = new Promise<number>((resolve) => {
      idle.behave((response, _received, socket) => {
        const begun = performance.now()
        socket.once('end', () => resolve(performance.now() - begun))
        // The response does not say how long the server would keep the connection open.
        response.writeHead(204, { 'keep-alive': 'x' }).end()
      })
    })
    const way = openTo(idle)
    await way.post(posting('/hook', idle.origin))
    const milliseconds = await closed
    expect(milliseconds).toBeGreaterThan(500)
    expect(milliseconds).toBeLessThan(4_800)
    await way.close()
    await idle.close()
  })

  it('of ten seconds in total ends an attempt, however often bytes arrive', async () => {
    const slow = await startWebhookReceiver({ origins: 2 })
    const way = openTo(slow)
    const begun = performance.now()
    slow.behave(() => undefined)
    slow.behave((_response, _received, socket) => drip(socket, 'HTTP/1.1 200 OK\r\nx-drip: '), slow.origins[1])
    const attempts = await Promise.all(slow.origins.map((origin) => way.post(posting('/', origin))))
    expect(attempts).toMatchObject([UNANSWERED, UNANSWERED])
    expect(performance.now() - begun).toBeGreaterThan(9_900)
    expect(performance.now() - begun).toBeLessThan(19_000)
    await way.close()
    await slow.close()
  })
})

/** One byte after the other, each well before any limit between bytes. */
function drip(socket: Socket, text: string): void {
  let at = 0
  const timer = setInterval(() => socket.write(text[at++] ?? 'x'), 50)
  socket.once('close', () => clearInterval(timer))
}

describe('a connection', () => {
  const servedBy = (names: readonly string[], wanted?: { readonly expired: boolean }) =>
    startWebhookReceiver({ identity: (authority) => authority.issue(names, wanted) })

  it.each<[string, () => Promise<WebhookReceiver>]>([
    ['for another name', () => servedBy(['DNS:other.example'])],
    ['that has expired', () => servedBy(THIS_MACHINE, { expired: true })],
  ])('with a certificate %s carries nothing', async (_name, start) => {
    const other = await start()
    const way = openTo(other)
    expect(await way.post(posting('/', other.origin))).toMatchObject(UNANSWERED)
    expect(other.received).toEqual([])
    await way.close()
    await other.close()
  })

  it('with a certificate of an unknown authority sends nothing, whatever the environment says', async () => {
    const authority: TestAuthority = await makeTestAuthority()
    const other = await startWebhookReceiver({ identity: () => authority.issue(THIS_MACHINE) })
    const ways = [openTo(other), openTo(other, { trustedCertificates: null })]
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    for (const way of ways) {
      expect(await way.post(posting('/', other.origin))).toMatchObject(UNANSWERED)
      await way.close()
    }
    vi.unstubAllEnvs()
    expect(other.received).toEqual([])
    await other.close()
    await authority.remove()
  })

  it('to a port without TLS, or to a closed port, sends nothing', async () => {
    const plain = await startWebhookReceiver({ plainHttp: true })
    const target = plain.origin.replace('http:', 'https:')
    expect(await quick.post(posting('/', target))).toMatchObject(UNANSWERED)
    expect(plain.received).toEqual([])
    await plain.close()
    expect(await quick.post(posting('/', target))).toMatchObject(UNANSWERED)
  })

  it('uses plain http where the sandbox allows it', async () => {
    const plain = await startWebhookReceiver({ plainHttp: true })
    expect(await dispatch.post(posting('/', plain.origin))).toMatchObject({ kind: 'refused' })
    const way = openTo(plain, { httpAllowed: true })
    expect(await way.post(posting('/', plain.origin))).toMatchObject({ kind: 'answered', status: 204 })
    await way.close()
    await plain.close()
  })

  it('uses no proxy', async () => {
    const proxy = await startWebhookReceiver({ plainHttp: true })
    for (const name of ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy']) {
      vi.stubEnv(name, proxy.origin)
    }
    vi.stubEnv('NODE_USE_ENV_PROXY', '1')
    const way = openTo(receiver)
    expect(await way.post(posting())).toMatchObject({ kind: 'answered', status: 204 })
    vi.unstubAllEnvs()
    expect(proxy.connections()).toBe(0)
    await way.close()
    await proxy.close()
  })
})

describe('a host name', () => {
  let nameServer: NameServer
  let inside: Server
  let insideConnections = 0
  let named: WebhookReceiver
  beforeAll(async () => {
    nameServer = await startNameServer()
    named = await startWebhookReceiver({ identity: (authority) => authority.issue(['DNS:hook.example']) })
    inside = createServer((socket) => {
      insideConnections += 1
      socket.destroy()
    })
    // The same port at an address that is not allowed: where a rebound name would lead.
    const port = Number(new URL(named.origin).port)
    await new Promise<void>((resolve) => inside.listen(port, '127.0.0.2', resolve))
  })
  afterAll(async () => {
    await nameServer.close()
    await named.close()
    await new Promise((resolve) => inside.close(resolve))
  })
  const open = (settings: Partial<DispatchSettings> = {}) =>
    openTo(named, { nameServers: [nameServer.address], ...settings })
  const hook = () => posting('/hook', `https://hook.example:${new URL(named.origin).port}`)

  it('that resolves to an internal address after it was checked is not connected to, on open connections or new ones', async () => {
    nameServer.put('hook.example', ['127.0.0.1'])
    const way = open()
    expect(await way.post(hook())).toMatchObject({ kind: 'answered', status: 204 })
    nameServer.put('hook.example', ['127.0.0.2'])
    named.behave((response, _received, socket) => response.writeHead(204).end(() => socket.destroy()))
    for (const _each of [1, 2, 3]) {
      expect(await way.post(hook())).toMatchObject({ kind: 'answered', status: 204 })
    }
    expect(nameServer.asked.filter((name) => name === 'hook.example')).toHaveLength(2)
    expect(insideConnections).toBe(0)
    await way.close()
  })

  it('is checked again after its time-to-live, and rejected once it resolves to an internal address', async () => {
    nameServer.put('hook.example', ['127.0.0.1'])
    const way = open({ limits: { addressMilliseconds: 50 } })
    expect(await way.post(hook())).toMatchObject({ kind: 'answered', status: 204 })
    nameServer.put('hook.example', ['127.0.0.2'])
    await eventually(async () => expect(await way.post(hook())).toMatchObject({ kind: 'refused' }))
    nameServer.put('hook.example', ['127.0.0.1', '127.0.0.2'])
    expect(await way.post(hook())).toMatchObject({ kind: 'refused' })
    nameServer.put('hook.example', ['127.0.0.1'])
    expect(await way.post(hook())).toMatchObject({ kind: 'answered', status: 204 })
    expect(insideConnections).toBe(0)
    await way.close()
  })

  it('whose name server is silent delays no other, and ends in time', async () => {
    nameServer.put('silent.example', null)
    nameServer.put('hook.example', ['127.0.0.1'])
    const way = open({ limits: SOON })
    const silent = Array.from({ length: 20 }, (_, at) => {
      nameServer.put(`${at}.silent.example`, null)
      return way.post({ ...hook(), target: `https://${at}.silent.example/` })
    })
    expect(await way.post(hook())).toMatchObject({ kind: 'answered', status: 204 })
    for (const attempt of await Promise.all(silent)) {
      expect(attempt).toMatchObject(UNANSWERED)
      expect(attempt.milliseconds).toBeLessThan(2 * SOON.attemptMilliseconds)
    }
    await way.close()
  })
})
