/** Tests where deliveries never go: 150 and more forbidden addresses, in all notations and behind names. */
import type { AddressInfo } from 'node:net'
import { createServer, isIPv6, type Server } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type OpenedSockets, recordOpenedSockets } from '../../../testing/opened-sockets.ts'
import { type NameServer, startNameServer } from '../../../testing/webhooks/name-server.ts'
import {
  CLOSED_HOST_SPELLINGS,
  CLOSED_IPV4,
  CLOSED_IPV6,
  INVALID_TARGETS,
  OPEN_ADDRESSES,
  OPEN_TARGETS,
} from '../../../testing/webhooks/webhook-destinations.ts'
import { openDestinationPolicy } from './destination-policy.ts'
import { openWebhookDispatcher, type WebhookDispatcher } from './webhook-dispatcher.ts'

const PRODUCTION = { allowedNetworks: [], httpAllowed: false, trustedCertificates: null }
const EVERY_CLOSED = [...CLOSED_IPV4, ...CLOSED_IPV6]
const inUrl = (address: string) => (isIPv6(address) ? `[${address}]` : address)

let listener: Server
let port: number
let connections = 0
let nameServer: NameServer
let dispatch: WebhookDispatcher
let opened: OpenedSockets
beforeAll(async () => {
  nameServer = await startNameServer()
  listener = createServer((socket) => {
    connections += 1
    socket.destroy()
  })
  await new Promise<void>((resolve) => listener.listen(0, '::', resolve))
  port = (listener.address() as AddressInfo).port
  dispatch = openWebhookDispatcher({ ...PRODUCTION, nameServers: [nameServer.address] })
  opened = recordOpenedSockets()
})
beforeEach(() => void opened.sockets.splice(0))
afterAll(async () => {
  opened.close()
  await dispatch.close()
  await nameServer.close()
  await new Promise((resolve) => listener.close(resolve))
})

const post = (target: string) => opened.during(() => dispatch.post({ target, headers: {}, body: '{}' }))
const expectRefusedUntouched = async (target: string) => {
  expect(await post(target), target).toMatchObject({ kind: 'refused' })
  expect(opened.sockets, `${target} had a socket opened`).toEqual([])
  expect(connections).toBe(0)
}

describe('a destination', () => {
  it('is listed 150 times and more', () => {
    expect(new Set([...EVERY_CLOSED, ...CLOSED_HOST_SPELLINGS, ...INVALID_TARGETS]).size).toBeGreaterThanOrEqual(150)
  })

  it('at a forbidden address is rejected before any packet, in any spelling', async () => {
    for (const host of [...EVERY_CLOSED.map(inUrl), ...CLOSED_HOST_SPELLINGS]) {
      await expectRefusedUntouched(`https://${host}:${port}/hook`)
    }
  })

  it('that is no canonical URL is rejected before any packet', async () => {
    const { read } = openDestinationPolicy(PRODUCTION)
    for (const target of INVALID_TARGETS) {
      expect(read(target), target).toMatchObject({ problem: expect.any(String) })
      await expectRefusedUntouched(target)
    }
  })

  it('whose name resolves to a forbidden address is rejected before any connection', async () => {
    for (const [index, address] of EVERY_CLOSED.entries()) {
      const host = `hook${index}.example`
      nameServer.put(host, [address])
      await expectRefusedUntouched(`https://${host}:${port}/${address}`)
      expect(nameServer.asked).toContain(host)
    }
  })

  it('is rejected when one of several addresses of its name is forbidden', async () => {
    nameServer.put('mixed.example', ['8.8.8.8', '2001:4860:4860::8888', '10.0.0.1'])
    await expectRefusedUntouched(`https://mixed.example:${port}/hook`)
    nameServer.put('mixed.example', ['8.8.8.8', 'fd00::1'])
    await expectRefusedUntouched(`https://mixed.example:${port}/hook`)
  })

  it('is retried when its name has no address at the moment', async () => {
    expect(await post('https://nowhere.example/hook')).toMatchObject({ kind: 'unanswered' })
    nameServer.put('empty.example', [])
    expect(await post('https://empty.example/hook')).toMatchObject({ kind: 'unanswered' })
    expect(opened.sockets).toEqual([])
  })

  it('at a public address may be connected to', () => {
    expect(OPEN_ADDRESSES.filter((address) => !openDestinationPolicy(PRODUCTION).permits(address))).toEqual([])
  })

  it('is accepted as any canonical URL', () => {
    const { read } = openDestinationPolicy(PRODUCTION)
    for (const target of OPEN_TARGETS) {
      expect(read(target), target).toHaveProperty('url', new URL(target))
    }
  })
})

describe('in the sandbox', () => {
  it('networks can be allowed by name, and no others with them', () => {
    const { permits } = openDestinationPolicy({
      allowedNetworks: ['127.0.0.0/8', '::1', 'fd00::/8'],
      httpAllowed: true,
    })
    const [allowed, others] = [
      ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1', 'fd12::1', '8.8.8.8'],
      ['10.0.0.1', '::2', 'fe80::1', '169.254.169.254', '128.0.0.0.1', ''],
    ]
    expect(allowed.filter(permits)).toEqual(allowed)
    expect(others.filter(permits)).toEqual([])
  })

  it('http can be allowed, on this machine only', () => {
    const { read } = openDestinationPolicy({ allowedNetworks: [], httpAllowed: true })
    for (const host of ['127.0.0.1', '127.8.8.8', '2130706433', 'localhost', 'LOCALHOST', '[::1]', '[0:0::1]']) {
      expect(read(`http://${host}:3000/hook`), host).toHaveProperty('url')
    }
    const others = [
      'erp.example',
      '192.168.0.9',
      '203.0.113.9',
      '[::2]',
      'localhost.example',
      '127.0.0.1.nip.io',
      '0.0.0.0',
    ]
    for (const host of others) {
      expect(read(`http://${host}:3000/hook`), host).toHaveProperty('problem')
    }
    expect(read('ftp://127.0.0.1/hook')).toHaveProperty('problem')
  })

  it.each(['10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0/8', 'fd00::/129', 'localhost', '', '*', '10.0.0.0/-1'])(
    'the network %j stops the start',
    (network) => {
      expect(() => openDestinationPolicy({ allowedNetworks: [network], httpAllowed: false })).toThrow('not a network')
    },
  )
})
