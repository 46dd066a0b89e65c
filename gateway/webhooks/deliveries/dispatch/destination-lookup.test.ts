/** Tests that a DNS look-up ends in time whatever name servers do, and returns only checked addresses. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { eventually } from '../../../testing/gateway/eventually.ts'
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

const opened: { close(): unknown }[] = []
afterAll(async () => {
  await Promise.all(opened.map((each) => each.close()))
})

/** Name servers of one test, which are silent about the host, and a look-up that asks no others. */
async function startNameServers(count: number): Promise<{ servers: readonly NameServer[]; lookup: DestinationLookup }> {
  const servers = await Promise.all(Array.from({ length: count }, startNameServer))
  for (const server of servers) {
    server.put('hook.example', null)
  }
  const addresses = servers.map(({ address }) => address)
  const lookup = openDestinationLookup(PUBLIC, addresses)
  opened.push(lookup, ...servers)
  return { servers, lookup }
}

async function timed<Value>(promised: Promise<Value>): Promise<{ outcome: Value | unknown; milliseconds: number }> {
  const begun = performance.now()
  const outcome = await promised.catch((error: unknown) => error)
  return { outcome, milliseconds: performance.now() - begun }
}

describe.concurrent('a look-up', () => {
  // One after the other on one look-up: a new resolver asks the third server up to 2.8 seconds after the first one.
  describe('by three name servers', () => {
    let asked: Awaited<ReturnType<typeof startNameServers>>
    beforeAll(async () => {
      asked = await startNameServers(3)
    })
    beforeEach(() => asked.servers[2]?.put('hook.example', null))

    it('ends after three seconds when they are silent, before they have been asked twice', {
      concurrent: false,
    }, async () => {
      const { outcome } = await timed(asked.lookup.find(HOOK))
      expect(outcome).toBeInstanceOf(DestinationNotFound)
      expect(String(outcome)).toContain('no name server answered in time')
    })

    it('finds the host when only the last one answers', { concurrent: false }, async () => {
      asked.servers[2]?.put('hook.example', [OPEN])
      const { outcome, milliseconds } = await timed(asked.lookup.find(HOOK))
      expect(outcome).toEqual([{ address: OPEN, family: 4 }])
      expect(milliseconds).toBeLessThan(LIMIT_MILLISECONDS)
    })
  })

  it.each([
    [4, OPEN, 6],
    [6, OPEN_6, 4],
  ] as const)(
    'of a host with IPv%i addresses does not wait for a zone that is silent about the others',
    async (family, address, silentAbout) => {
      const { servers, lookup } = await startNameServers(1)
      servers[0]?.put('hook.example', [address], silentAbout)
      const { outcome, milliseconds } = await timed(lookup.find(HOOK))
      expect(outcome).toEqual([{ address, family }])
      expect(milliseconds).toBeLessThan(1_000)
    },
  )

  it('waits for the other family when one has no address', async () => {
    const { servers, lookup } = await startNameServers(1)
    servers[0]?.put('hook.example', [], 6)
    const { outcome, milliseconds } = await timed(lookup.find(HOOK))
    expect(outcome).toBeInstanceOf(DestinationNotFound)
    expect(milliseconds).toBeGreaterThan(1_000)
    expect(milliseconds).toBeLessThan(LIMIT_MILLISECONDS)
  })

  it('rejects a forbidden address although the other family is silent, and returns none that came too late to be checked', async () => {
    const { servers, lookup } = await startNameServers(1)
    servers[0]?.put('hook.example', ['10.0.0.1'], 6)
    expect((await timed(lookup.find(HOOK))).outcome).toBeInstanceOf(DestinationNotAllowed)
    servers[0]?.put('hook.example', [OPEN, 'fd00::1'], 6)
    const found = await lookup.find(HOOK)
    // The resolver asks again after a while, and is answered now.
    const before = servers[0]?.asked.length ?? 0
    servers[0]?.put('hook.example', [OPEN, 'fd00::1'])
    await eventually(() => expect(servers[0]?.asked.length).toBeGreaterThan(before))
    expect(found).toEqual([{ address: OPEN, family: 4 }])
    await expect(lookup.find(HOOK)).rejects.toBeInstanceOf(DestinationNotAllowed)
  })
})
