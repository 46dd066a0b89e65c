/** Guarantees of fair shares: no bound is passed, and nobody goes without because somebody else is slow, or has much. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { DeliveryQueue } from './delivery-queue-store.ts'
import { type ClaimedLoad, type EndpointPace, type QueueShare, scheduleFairly } from './fair-scheduling.ts'

const LIMIT = 512
const MOST = { all: 1_024, throttled: 256, ofPartner: 512, heldUpOfPartner: 128 }
const MOST_AT: Readonly<Record<EndpointPace, number>> = { quick: 64, unproved: 8, slow: 32, failing: 4 }
/** What each partner may have beyond the other bounds, and all of them together. */
const RESERVED = { ofPartner: 4, all: 512, throttled: 384 }

const queue = (partner: number, origin: number): DeliveryQueue => ({ partnerId: `p${partner}`, origin: `o${origin}` })
const keyOf = ({ partnerId, origin }: DeliveryQueue) => `${partnerId} ${origin}`

type Claimed = Map<string, DeliveryQueue & { claimed: number }>

/** What was claimed, look after look, and never delivered. */
function loadOf(claimed: Claimed, paceOf: ClaimedLoad['paceOf'] = () => 'quick'): ClaimedLoad {
  return { claimed: () => claimed.values(), paceOf }
}

function claim(claimed: Claimed, shares: readonly QueueShare[]): void {
  for (const { take, ...which } of shares) {
    claimed.set(keyOf(which), { ...which, claimed: (claimed.get(keyOf(which))?.claimed ?? 0) + take })
  }
}

/** Claims look after look, until nothing more is given. */
function fill(queues: readonly DeliveryQueue[], paceOf: ClaimedLoad['paceOf'] = () => 'quick'): Claimed {
  const claimed: Claimed = new Map()
  for (let look = 0; look < 50; look += 1) {
    claim(claimed, scheduleFairly(queues, loadOf(claimed, paceOf), LIMIT))
  }
  return claimed
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
const total = (claimed: Claimed) => sum([...claimed.values()].map((each) => each.claimed))

const pairs = fc.uniqueArray(fc.tuple(fc.nat({ max: 4 }), fc.nat({ max: 30 })), { selector: String, maxLength: 60 })
const paces = fc
  .array(fc.constantFrom<EndpointPace>('quick', 'unproved', 'slow', 'failing'), { minLength: 31, maxLength: 31 })
  .map((each) => (origin: string) => each[Number(origin.slice(1))] ?? 'quick')

test('never more than there is room for, but for a few of each partner: in all, of a partner, at an origin, held up', () => {
  fc.assert(
    fc.property(pairs, paces, fc.integer({ min: 1, max: LIMIT }), (lanesAsked, paceOf, limit) => {
      const queues = lanesAsked.map(([partner, origin]) => queue(partner, origin))
      const claimed: Claimed = new Map()
      for (let look = 0; look < 20; look += 1) {
        const shares = scheduleFairly(queues, loadOf(claimed, paceOf), limit)
        expect(shares.every(({ take }) => Number.isInteger(take) && take > 0)).toBe(true)
        expect(sum(shares.map(({ take }) => take))).toBeLessThanOrEqual(limit)
        claim(claimed, shares)
      }
      const count = (which: (each: DeliveryQueue) => boolean) =>
        sum([...claimed.values()].filter(which).map((each) => each.claimed))
      const isHeldUp = ({ origin }: DeliveryQueue) => paceOf(origin) !== 'quick'
      const reserved = RESERVED.ofPartner * new Set(queues.map(({ partnerId }) => partnerId)).size
      expect(count(() => true)).toBeLessThanOrEqual(MOST.all + reserved)
      expect(count(isHeldUp)).toBeLessThanOrEqual(MOST.throttled + reserved)
      for (const { partnerId, origin } of queues) {
        const isPartners = (each: DeliveryQueue) => each.partnerId === partnerId
        expect(count(isPartners)).toBeLessThanOrEqual(MOST.ofPartner)
        expect(count((each) => isPartners(each) && isHeldUp(each))).toBeLessThanOrEqual(MOST.heldUpOfPartner)
        expect(count((each) => each.origin === origin)).toBeLessThanOrEqual(MOST_AT[paceOf(origin)] + reserved)
      }
    }),
  )
})

test('a partner that has nothing under way gets a share, whatever the load of others and however its endpoints answer', () => {
  fc.assert(
    fc.property(pairs, paces, fc.nat({ max: 30 }), (lanesAsked, paceOf, origin) => {
      const others = lanesAsked.map(([partner, at]) => queue(partner, at))
      const idle = queue(9, origin)
      const shares = scheduleFairly([...others, idle], loadOf(fill(others, paceOf), paceOf), LIMIT)
      const its = shares.filter(({ partnerId }) => partnerId === idle.partnerId)
      expect(sum(its.map(({ take }) => take))).toBeGreaterThanOrEqual(RESERVED.ofPartner)
    }),
    { numRuns: 300 },
  )
})

test('two partners with a hundred origins each leave a third one its share, and what is held in memory stays bounded', () => {
  const queues = Array.from({ length: 200 }, (_, index) => queue(index % 2, index))
  const claimed = fill(queues)
  expect(total(claimed)).toBe(MOST.all)
  const third = queue(2, 1000)
  expect(scheduleFairly([...queues, third], loadOf(claimed), LIMIT)).toEqual([{ ...third, take: RESERVED.ofPartner }])
  const crowd = Array.from({ length: 900 }, (_, index) => queue(index, index))
  expect(total(fill([...crowd, ...queues]))).toBeLessThanOrEqual(MOST.all + RESERVED.all)
})

test('partners whose endpoints answer have room, however many have endpoints that do not', () => {
  const crowds = fc.record({
    throttled: fc.integer({ min: 0, max: 600 }),
    quick: fc.integer({ min: 1, max: 40 }),
    pace: fc.array(fc.constantFrom<EndpointPace>('unproved', 'slow', 'failing'), { minLength: 7, maxLength: 7 }),
    each: fc.integer({ min: 1, max: 3 }),
  })
  const isQuick = ({ origin }: DeliveryQueue) => origin.startsWith('quick')
  fc.assert(
    fc.property(crowds, ({ throttled, quick, pace, each }) => {
      const paceOf = (origin: string) =>
        origin.startsWith('quick') ? 'quick' : (pace[Number(origin.slice(1)) % pace.length] ?? 'slow')
      const dead = Array.from({ length: throttled * each }, (_, index) => queue(index % throttled, index))
      const alive = Array.from({ length: quick }, (_, index) => ({ partnerId: `q${index}`, origin: `quick${index}` }))
      const claimed = fill(dead, paceOf)
      expect(total(claimed)).toBeLessThanOrEqual(MOST.throttled + RESERVED.throttled)
      const theirs = scheduleFairly([...dead, ...alive], loadOf(claimed, paceOf), LIMIT).filter(isQuick)
      expect(theirs).toHaveLength(quick)
      expect(Math.min(...theirs.map(({ take }) => take))).toBeGreaterThanOrEqual(RESERVED.ofPartner)
      const together = fill([...dead, ...alive], paceOf)
      const ofQuick = sum([...together.values()].filter(isQuick).map((its) => its.claimed))
      expect(ofQuick).toBeGreaterThanOrEqual(Math.min(MOST.all - MOST.throttled, quick * MOST_AT.quick) * 0.75)
      expect(total(together)).toBeLessThanOrEqual(MOST.all + RESERVED.all)
    }),
    { numRuns: 40 },
  )
})

test('a partner with an origin that has still to prove itself has room beside six hundred that do not answer', () => {
  const dead = Array.from({ length: 600 }, (_, index) => queue(index, index))
  const fresh = queue(1000, 1000)
  const paceOf = (origin: string) => (origin === fresh.origin ? 'unproved' : 'failing')
  const claimed = fill(dead, paceOf)
  // The last of what is reserved goes to one delivery of each.
  expect(claimed.size).toBeGreaterThan(200)
  expect(scheduleFairly([...dead, fresh], loadOf(claimed, paceOf), LIMIT)).toEqual([
    { ...fresh, take: RESERVED.ofPartner },
  ])
})

test('what is claimed counts although its lane has nothing more that is ready', () => {
  const claimed = fill(Array.from({ length: 100 }, (_, index) => queue(index % 2, index)))
  const [same, other] = [queue(0, 200), queue(5, 201)]
  expect(scheduleFairly([same, other], loadOf(claimed), LIMIT)).toEqual([{ ...other, take: RESERVED.ofPartner }])
})

test('the partner with fewest under way comes first, and its second origin not before others have had a share', () => {
  const claimed: Claimed = new Map([[keyOf(queue(0, 0)), { ...queue(0, 0), claimed: 20 }]])
  const queues = [queue(0, 0), queue(0, 1), queue(1, 2), queue(1, 3), queue(2, 4)]
  const shares = scheduleFairly(queues, loadOf(claimed), 300)
  expect(shares.map(keyOf)).toEqual(['p1 o2', 'p2 o4', 'p0 o1', 'p1 o3', 'p0 o0'])
})

test('an origin that has proved nothing yet gets a few, however many there are of them', () => {
  const unproved = Array.from({ length: 200 }, (_, index) => queue(index % 4, index))
  const claimed = fill(unproved, () => 'unproved')
  expect(total(claimed)).toBe(MOST.throttled)
  expect(Math.max(...[...claimed.values()].map((each) => each.claimed))).toBe(MOST_AT.unproved)
})

test('sixty lanes that are all idle get something each', () => {
  const queues = Array.from({ length: 60 }, (_, index) => queue(index % 2, index))
  expect(scheduleFairly(queues, loadOf(new Map()), LIMIT)).toHaveLength(60)
})

test('slow and failing origins leave places to quick ones, of the same partner and of others', () => {
  const slow = Array.from({ length: 100 }, (_, index) => queue(index % 3, index))
  const [sameQuick, otherQuick] = [queue(0, 1000), queue(9, 1001)]
  const paceOf = (origin: string) => (Number(origin.slice(1)) < 1000 ? 'slow' : 'quick')
  const claimed = fill(slow, paceOf)
  expect(total(claimed)).toBe(MOST.throttled)
  expect(scheduleFairly([...slow, sameQuick, otherQuick], loadOf(claimed, paceOf), LIMIT)).toEqual([
    { ...otherQuick, take: 8 },
    { ...sameQuick, take: 8 },
  ])
})

test('quick origins with a backlog do not keep a slow one from its turn', () => {
  const backlog = Array.from({ length: 6 }, (_, index) => queue(index, index))
  const slow = queue(7, 7)
  const paceOf = (origin: string) => (origin === slow.origin ? 'slow' : 'quick')
  expect(scheduleFairly([...backlog, slow], loadOf(fill(backlog), paceOf), LIMIT)).toEqual([{ ...slow, take: 32 }])
})

test('an origin with hardly any room waits until there is more', () => {
  const one = queue(0, 0)
  const having = (claimed: number) => loadOf(new Map([[keyOf(one), { ...one, claimed }]]))
  expect(scheduleFairly([one], having(50), LIMIT)).toEqual([])
  expect(scheduleFairly([one], having(48), LIMIT)).toEqual([{ ...one, take: 16 }])
})
