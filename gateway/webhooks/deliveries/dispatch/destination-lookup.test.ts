/** Tests that a DNS look-up ends in time whatever name servers do, and returns only checked addresses. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type NameServer, startNameServer } from '../../../testing/webhooks/name-server.ts'
import {
  type DestinationLookup,
  DestinationNotAllowed,
  DestinationNotFound,
  openDestinationLookup,
} from './destination-lookup.ts'
import { openDestinationPolicy } from './destination-policy.ts'

const PUBLIC = openDestinationPolicy({ allowedNetworks: [], httpAllowed: false })
/** Three seconds, and what a busy machine adds; three name servers that are asked to the end take 4.2. */
const LIMIT_MILLISECONDS = 4_000
const HOOK = new URL('https://hook.example/')
const [OPEN, OPEN_6] = ['8.8.8.8', '2001:4860:4860::8888'] as const

let servers: readonly NameServer[]
let lookup: DestinationLookup
let alone: DestinationLookup
beforeAll(async () => {
  servers = await Promise.all([startNameServer(), startNameServer(), startNameServer()])
  const addresses = servers.map(({ address }) => address)
  lookup = openDestinationLookup(PUBLIC, addresses)
  alone = openDestinationLookup(PUBLIC, addresses.slice(0, 1))
})
beforeEach(() => {
  for (const server of servers) {
    server.put('hook.example', null)
  }
})
afterAll(async () => {
  lookup.close()
  alone.close()
  await Promise.all(servers.map((server) => server.close()))
})

async function timed<Value>(promised: Promise<Value>): Promise<{ outcome: Value | unknown; milliseconds: number }> {
  const begun = performance.now()
  const outcome = await promised.catch((error: unknown) => error)
  return { outcome, milliseconds: performance.now() - begun }
}

describe('a look-up', () => {
  it('ends after three seconds when three name servers are silent', async () => {
    const { outcome, milliseconds } = await timed(lookup.find(HOOK))
    expect(outcome).toBeInstanceOf(DestinationNotFound)
    expect(milliseconds).toBeLessThan(LIMIT_MILLISECONDS)
  })

  it('finds the host when only the last of three name servers answers', async () => {
    servers[2]?.put('hook.example', [OPEN])
    const { outcome, milliseconds } = await timed(lookup.find(HOOK))
    expect(outcome).toEqual([{ address: OPEN, family: 4 }])
    expect(milliseconds).toBeLessThan(LIMIT_MILLISECONDS)
  })

  it.each([
    [4, OPEN, 6],
    [6, OPEN_6, 4],
  ] as const)(
    'of a host with IPv%i addresses does not wait for a zone that is silent about the others',
    async (family, address, silentAbout) => {
      servers[0]?.put('hook.example', [address], silentAbout)
      const { outcome, milliseconds } = await timed(alone.find(HOOK))
      expect(outcome).toEqual([{ address, family }])
      expect(milliseconds).toBeLessThan(1_000)
    },
  )

  it('waits for the other family when one has no address', async () => {
    servers[0]?.put('hook.example', [], 6)
    const { outcome, milliseconds } = await timed(alone.find(HOOK))
    expect(outcome).toBeInstanceOf(DestinationNotFound)
    expect(milliseconds).toBeGreaterThan(1_000)
    expect(milliseconds).toBeLessThan(LIMIT_MILLISECONDS)
  })

  it('rejects a forbidden address although the other family is silent, and returns none that came too late to be checked', async () => {
    servers[0]?.put('hook.example', ['10.0.0.1'], 6)
    expect((await timed(alone.find(HOOK))).outcome).toBeInstanceOf(DestinationNotAllowed)
    servers[0]?.put('hook.example', [OPEN, 'fd00::1'], 6)
    const found = await alone.find(HOOK)
    // The resolver asks again after a while, and is answered now.
    const before = servers[0]?.asked.length ?? 0
    servers[0]?.put('hook.example', [OPEN, 'fd00::1'])
    await expect.poll(() => servers[0]?.asked.length, { timeout: 5_000 }).toBeGreaterThan(before)
    expect(found).toEqual([{ address: OPEN, family: 4 }])
    await expect(alone.find(HOOK)).rejects.toBeInstanceOf(DestinationNotAllowed)
  })
})
