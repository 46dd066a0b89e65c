/** Tests fair scheduling: no limit is exceeded, and no partner waits because another is slow or has many deliveries. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { randomCases } from '../../../setup/random-cases.ts'
import type { DeliveryQueue, QueueClaim } from '../store/delivery-claim-store.ts'
import { CONNECTIONS_PER_ORIGIN_MAX } from './dispatch/connection-pools.ts'
import { type DeliveryLoad, IN_FLIGHT_PER_PACE_MAX, type OriginPace, scheduleFairly } from './fair-scheduling.ts'

const LIMIT = 512
const PACES: readonly OriginPace[] = ['prompt', 'unproven', 'slow']
/** What each partner may have in flight beyond the limits. */
const RESERVED = 4

type PaceOf = DeliveryLoad['paceOf']
const allPrompt: PaceOf = () => 'prompt'
const queue = (partner: number, origin: number): DeliveryQueue => ({ partnerId: `p${partner}`, origin: `o${origin}` })
const queues = (count: number, of: (index: number) => DeliveryQueue) => Array.from({ length: count }, (_, at) => of(at))
const expand = (claims: readonly QueueClaim[]) =>
  claims.flatMap(({ take, ...of }) => Array.from({ length: take }, () => of))
const schedule = (ready: readonly DeliveryQueue[], inFlight: readonly DeliveryQueue[], paceOf = allPrompt) =>
  scheduleFairly(ready, { inFlight: () => inFlight, paceOf }, LIMIT)

/** Claims in each poll, while none of the deliveries ends. */
function fill(ready: readonly DeliveryQueue[], paceOf = allPrompt, before: readonly DeliveryQueue[] = []) {
  const inFlight = [...before]
  for (let poll = 0; poll < 10; poll += 1) {
    inFlight.push(...expand(schedule(ready, inFlight, paceOf)))
  }
  return inFlight
}

const pairs = fc.uniqueArray(fc.tuple(fc.nat({ max: 6 }), fc.nat({ max: 30 })), { selector: String, maxLength: 60 })
const paces = fc.array(fc.constantFrom(...PACES), { minLength: 31, maxLength: 31 }).map(
  (each): PaceOf =>
    (origin) =>
      each[Number(origin.slice(1))] ?? 'prompt',
)

test('limits apply to each origin and each latency class, except for a few deliveries of each partner', () => {
  fc.assert(
    fc.property(pairs, paces, fc.integer({ min: 1, max: LIMIT }), (chosen, paceOf, limit) => {
      const ready = chosen.map(([partner, origin]) => queue(partner, origin))
      const inFlight: DeliveryQueue[] = []
      for (let poll = 0; poll < 10; poll += 1) {
        const claims = scheduleFairly(ready, { inFlight: () => inFlight, paceOf }, limit)
        expect(claims.every(({ take }) => take > 0)).toBe(true)
        const claimed = expand(claims)
        expect(claimed.length).toBeLessThanOrEqual(limit)
        inFlight.push(...claimed)
      }
      const partners = new Set(ready.map(({ partnerId }) => partnerId)).size
      for (const pace of PACES) {
        const ofPace = inFlight.filter(({ origin }) => paceOf(origin) === pace)
        expect(ofPace.length).toBeLessThanOrEqual(IN_FLIGHT_PER_PACE_MAX + partners * RESERVED)
      }
      for (const { origin } of ready) {
        expect(inFlight.filter((each) => each.origin === origin).length).toBeLessThanOrEqual(CONNECTIONS_PER_ORIGIN_MAX)
      }
    }),
    { numRuns: randomCases(500) },
  )
})

test('capacity is used: a single queue gets every connection of its origin, and many queues the whole capacity', () => {
  expect(schedule([queue(0, 0)], [])).toEqual([{ ...queue(0, 0), take: CONNECTIONS_PER_ORIGIN_MAX }])
  expect(fill(queues(20, (at) => queue(at, at)))).toHaveLength(IN_FLIGHT_PER_PACE_MAX)
})

test('a partner without deliveries in flight gets capacity, whatever others have in flight', () => {
  fc.assert(
    fc.property(pairs, paces, fc.nat({ max: 30 }), (chosen, paceOf, origin) => {
      const others = chosen.map(([partner, at]) => queue(partner, at)).filter((each) => each.origin !== `o${origin}`)
      const idle = queue(9, origin)
      const claims = schedule([...others, idle], fill(others, paceOf), paceOf)
      expect(expand(claims).filter(({ partnerId }) => partnerId === 'p9').length).toBeGreaterThanOrEqual(RESERVED)
    }),
    { numRuns: randomCases(1_000) },
  )
})

test('partners share alike, however many origins each has, and a partner’s origins share alike', () => {
  const ready = [...queues(100, (at) => queue(0, at)), queue(1, 200), queue(2, 201), queue(2, 202)]
  const claims = schedule(ready, [])
  const of = (partner: number) => claims.filter(({ partnerId }) => partnerId === `p${partner}`)
  expect(expand(of(1))).toHaveLength(CONNECTIONS_PER_ORIGIN_MAX)
  expect(of(2)).toEqual([
    { ...queue(2, 201), take: CONNECTIONS_PER_ORIGIN_MAX },
    { ...queue(2, 202), take: CONNECTIONS_PER_ORIGIN_MAX },
  ])
  expect(expand(of(0))).toHaveLength(IN_FLIGHT_PER_PACE_MAX - 3 * CONNECTIONS_PER_ORIGIN_MAX)
  expect(Math.max(...of(0).map(({ take }) => take))).toBe(
    Math.ceil((IN_FLIGHT_PER_PACE_MAX - 3 * CONNECTIONS_PER_ORIGIN_MAX) / 100),
  )
})

test('the partner with the fewest in flight gets free slots first, and of its queues the one with the fewest', () => {
  const [busy, idle] = [queue(0, 0), queue(1, 1)]
  const inFlight = [...queues(5, () => busy), ...queues(2, () => idle)]
  const claims = scheduleFairly([busy, idle, queue(1, 2)], { inFlight: () => inFlight, paceOf: allPrompt }, 3)
  expect(new Map(claims.map((each) => [each.origin, each.take]))).toEqual(
    new Map([
      ['o2', 2],
      ['o1', 1],
    ]),
  )
})

test('origins that do not answer take no capacity from those that do, however many partners have them', () => {
  const crowd = fc.record({
    slow: fc.integer({ min: 0, max: 600 }),
    unproven: fc.integer({ min: 0, max: 600 }),
    prompt: fc.integer({ min: 1, max: 40 }),
  })
  const paceOf: PaceOf = (origin) => PACES.find((pace) => origin.startsWith(pace)) ?? 'unproven'
  const of = (pace: OriginPace, count: number) =>
    queues(count, (at) => ({ partnerId: `${pace} ${at}`, origin: `${pace} ${at}` }))
  fc.assert(
    fc.property(crowd, ({ slow, unproven, prompt }) => {
      const stuck = fill([...of('slow', slow), ...of('unproven', unproven)], paceOf)
      expect(stuck.length).toBeLessThanOrEqual(4 * IN_FLIGHT_PER_PACE_MAX)
      const claims = schedule(of('prompt', prompt), stuck, paceOf)
      const each = Math.min(CONNECTIONS_PER_ORIGIN_MAX, Math.floor(IN_FLIGHT_PER_PACE_MAX / prompt))
      expect(claims).toHaveLength(prompt)
      expect(Math.min(...claims.map(({ take }) => take))).toBeGreaterThanOrEqual(each)
    }),
    { numRuns: randomCases(200) },
  )
})

test('an unproven origin has capacity next to six hundred partners whose origins do not answer', () => {
  const dead = queues(600, (at) => queue(at, at))
  const fresh = queue(1000, 1000)
  const paceOf: PaceOf = (origin) => (origin === fresh.origin ? 'unproven' : 'slow')
  const inFlight = fill(dead, paceOf)
  expect(inFlight).toHaveLength(2 * IN_FLIGHT_PER_PACE_MAX)
  expect(new Set(inFlight.map(({ partnerId }) => partnerId)).size).toBe(2 * IN_FLIGHT_PER_PACE_MAX)
  expect(schedule([...dead, fresh], inFlight, paceOf)).toEqual([{ ...fresh, take: CONNECTIONS_PER_ORIGIN_MAX }])
})

test('slow origins of a partner leave capacity to its prompt ones', () => {
  const slow = queues(100, (at) => queue(0, at))
  const prompt = queue(0, 1000)
  const paceOf: PaceOf = (origin) => (origin === prompt.origin ? 'prompt' : 'slow')
  expect(schedule([...slow, prompt], fill(slow, paceOf), paceOf)).toEqual([
    { ...prompt, take: CONNECTIONS_PER_ORIGIN_MAX },
  ])
})

test('partners that share an origin share its connections', () => {
  const ready = queues(4, (at) => queue(at, 0))
  expect(schedule(ready, [])).toEqual(ready.map((each) => ({ ...each, take: CONNECTIONS_PER_ORIGIN_MAX / 4 })))
})
