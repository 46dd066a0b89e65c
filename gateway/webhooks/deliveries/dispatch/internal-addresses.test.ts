/** Tests that deliveries never reach this installation or its database, also where a sandbox permits the network. */
import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestGateway } from '../../../testing/gateway/test-gateway.ts'
import { demoPartnerId, enqueueStatusChange } from '../../../testing/webhooks/enqueue-status-change.ts'
import { type NameServer, startNameServer } from '../../../testing/webhooks/name-server.ts'
import { openDestinationPolicy } from './destination-policy.ts'
import { type InternalAddressSettings, internalAddresses } from './internal-addresses.ts'
import { openWebhookDispatcher } from './webhook-dispatcher.ts'

/** A gateway on another machine; each test puts one of its addresses on this one. */
const ELSEWHERE: InternalAddressSettings = {
  baseUrl: 'https://api.havn.example',
  authUrl: 'https://login.havn.example:8443',
  onboardingUrl: 'https://api.havn.example',
  databaseUrl: 'postgres://havn@192.0.2.1/havn',
  sandboxXs2aUrl: null,
  sandboxBankUrl: null,
  sandboxIdentityUrl: null,
  sandboxIdentityControlUrl: null,
  sandboxFxUrl: null,
  fx: null,
  tracesUrl: null,
  port: 0,
  operatorPort: 0,
  workerPort: 0,
}

let listener: Server
let port: number
let connections = 0
let nameServer: NameServer
beforeAll(async () => {
  nameServer = await startNameServer()
  nameServer.put('hook.example', ['127.0.0.1'])
  listener = createServer((socket) => {
    connections += 1
    socket.destroy()
  })
  await new Promise<void>((resolve) => listener.listen(0, '::', resolve))
  port = (listener.address() as AddressInfo).port
})
afterAll(async () => {
  await nameServer.close()
  await new Promise((resolve) => listener.close(resolve))
})

/** How an attempt ends, and whether a connection was made. */
async function post(
  config: Partial<InternalAddressSettings>,
  host: string,
): Promise<{ kind: string; connected: boolean }> {
  const dispatch = openWebhookDispatcher({
    allowedNetworks: ['127.0.0.0/8', '::1'],
    httpAllowed: true,
    trustedCertificates: null,
    nameServers: [nameServer.address],
    own: internalAddresses({ ...ELSEWHERE, ...config }),
  })
  const before = connections
  try {
    const { kind } = await dispatch.post({ target: `http://${host}:${port}/hook`, headers: {}, body: '{}' })
    return { kind, connected: connections > before }
  } finally {
    await dispatch.close()
  }
}

const HOSTS = [
  '127.0.0.1',
  '127.1',
  '0x7f000001',
  'localhost',
  'LOCALHOST.',
  'hook.example',
  '127.9.9.9',
  '[::1]',
  '[::ffff:127.0.0.1]',
]
const REFUSED = { kind: 'refused', connected: false }

describe('an internal address', () => {
  test.each(HOSTS)('is rejected as %s without a connection, although the network is allowed', async (host) => {
    expect(await post({ port }, host)).toEqual(REFUSED)
  })

  const settings: Readonly<Record<string, () => Partial<InternalAddressSettings>>> = {
    'the gateway': () => ({ port }),
    'the operators’ port': () => ({ operatorPort: port }),
    'the worker’s port': () => ({ workerPort: port }),
    'the address partners know': () => ({ baseUrl: `http://127.0.0.1:${port}` }),
    'the authorisation server': () => ({ authUrl: `http://localhost:${port}` }),
    'the database': () => ({ databaseUrl: `postgres://havn:secret@localhost:${port}/havn` }),
    'the database by address': () => ({ databaseUrl: `postgresql://havn@[::1]:${port}/havn` }),
    'the sandbox bank': () => ({ sandboxBankUrl: `http://127.0.0.1:${port}` }),
    'the sandbox bank’s XS2A': () => ({ sandboxXs2aUrl: `https://127.0.0.1:${port}` }),
    'the sandbox’s identity provider': () => ({ sandboxIdentityUrl: `http://127.0.0.1:${port}` }),
    'the identity provider’s control API': () => ({ sandboxIdentityControlUrl: `http://127.0.0.1:${port}` }),
    'the sandbox’s FX provider': () => ({ sandboxFxUrl: `http://localhost:${port}` }),
    'the collector of traces': () => ({ tracesUrl: `http://127.0.0.1:${port}` }),
  }
  test.each(Object.keys(settings))('is %s', async (name) => {
    expect(await post(settings[name]?.() ?? {}, '127.0.0.1')).toEqual(REFUSED)
  })

  test('is not that of another server on the same machine', async () => {
    const config = { port: port === 1 ? 2 : port - 1, databaseUrl: 'postgres://havn@localhost/havn' }
    expect(await post(config, '127.0.0.1')).toEqual({ kind: 'unanswered', connected: true })
  })
})

describe('the public address', () => {
  const { read, isInternalAddress } = openDestinationPolicy({
    allowedNetworks: [],
    httpAllowed: false,
    own: internalAddresses({ ...ELSEWHERE, onboardingUrl: 'https://8.8.8.8' }),
  })
  test.each([
    'https://api.havn.example/hook',
    'https://API.Havn.example.:443/',
    'https://login.havn.example:8443/hook',
    'https://8.8.8.8/hook',
    'https://0x08080808/hook',
  ])('is no destination: %s', (target) => {
    expect(read(target)).toEqual({ problem: 'The address belongs to Havn itself' })
  })

  test.each(['https://api.havn.example:8443/', 'https://login.havn.example/', 'https://erp.example:8080/hook'])(
    'is not %s',
    (target) => expect(read(target)).toHaveProperty('url'),
  )

  test('may be at a public address that it shares with partners', async () => {
    expect(await isInternalAddress('8.8.8.8', 443)).toBe(false)
  })

  test('can be subscribed like any other, and is rejected at delivery', async () => {
    const gateway = await startTestGateway({
      settings: { HAVN_WEBHOOK_HTTP: '1', HAVN_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' },
    })
    try {
      const targetUrl = `${gateway.config.baseUrl}/api/v2/payments`
      const { id } = await gateway.client.createWebhookSubscription({
        body: { targetUrl, eventTypes: ['PAYMENT_STATUS'] },
      })
      await enqueueStatusChange(gateway, await demoPartnerId(gateway))
      await gateway.sweep()
      const { deliveries } = await gateway.client.listWebhookDeliveries({ params: { id } })
      expect(deliveries).toMatchObject([
        { status: 'Refused', attemptsMade: 1, lastError: 'The address belongs to Havn itself', nextAttemptAt: null },
      ])
    } finally {
      await gateway.close()
    }
  })
})
