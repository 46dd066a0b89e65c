/** Tests that neither a partner nor all partners together hold more entry streams than permitted, and none for ever. */
import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { type EntryStreamLimits, entryStreamLimiter } from './limit-entry-streams.ts'

const LIMITS: EntryStreamLimits = { perPartnerMax: 2, perProcessMax: 3, millisecondsMax: 60_000 }

async function* pieces(...texts: readonly string[]): AsyncGenerator<string> {
  yield* texts
}

/** Streams of which the first chunk has been read. */
async function open(bound: ReturnType<typeof entryStreamLimiter>, ...partners: readonly string[]) {
  const readings = partners.map((partner) => bound(partner, pieces('a', 'b')))
  for (const reading of readings) {
    expect(await reading.next()).toEqual({ done: false, value: 'a' })
  }
  return readings
}

const rejected = { reasonCode: 'too-many-requests', extras: { retryAfterSeconds: expect.any(Number) } }

describe('an entry stream', () => {
  test('beyond the limit of its partner is rejected before anything is read; another partner’s is not', async () => {
    const bound = entryStreamLimiter(LIMITS)
    await open(bound, 'one', 'one')
    let read = false
    const unread = (async function* () {
      read = true
      yield 'a'
    })()
    await expect(bound('one', unread).next()).rejects.toMatchObject(rejected)
    expect(read).toBe(false)
    await open(bound, 'other')
  })

  test('beyond the limit of the process is rejected for every partner', async () => {
    const bound = entryStreamLimiter(LIMITS)
    await open(bound, 'one', 'one', 'other')
    await expect(bound('third', pieces('a')).next()).rejects.toMatchObject(rejected)
  })

  test.each([
    ['has ended', (reading: AsyncGenerator<string>) => Array.fromAsync(reading)],
    ['was abandoned', (reading: AsyncGenerator<string>) => reading.return(undefined)],
    ['has failed', (reading: AsyncGenerator<string>) => reading.throw(new Error('lost')).catch(() => undefined)],
  ])('that %s frees its slot', async (_how, end) => {
    const bound = entryStreamLimiter(LIMITS)
    const [first] = await open(bound, 'one', 'one')
    await end(first ?? expect.fail('There is no reading'))
    await open(bound, 'one')
  })

  test('that takes too long is aborted, and is not an error of ours', async () => {
    const bound = entryStreamLimiter({ ...LIMITS, millisecondsMax: 1 })
    const slow = (async function* () {
      await setTimeout(20)
      yield 'a'
    })()
    await expect(Array.fromAsync(bound('one', slow))).rejects.toMatchObject({ reasonCode: 'unavailable' })
  })
})
