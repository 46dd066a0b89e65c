/** Guarantees of fair shares: no bound is passed, and nobody goes without because somebody else is slow, or has much. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Lane, LaneShare } from './delivery-work-store.ts'
import { fairShares, type Load, type Pace } from './fair-shares.ts'

const LIMIT = 512
const MOST = { all: 512, heldUp: 256, ofPartner: 256, heldUpOfPartner: 128 }
const MOST_AT = { quick: 64, slow: 32, failing: 4 }

const lane = (partner: number, origin: number): Lane => ({ partnerId: `p${partner}`, origin: `o${origin}` })
const keyOf = ({ partnerId, origin }: Lane) => `${partnerId} ${origin}`

/** What was claimed, look after look, and never delivered. */
function loadOf(claimed: Map<string, number>, paceOf: Load['paceOf'] = () => 'quick'): Load {
  return { claimedIn: (which) => claimed.get(keyOf(which)) ?? 0, paceOf }
}

function claim(claimed: Map<string, number>, shares: readonly LaneShare[]): void {
  for (const share of shares) {
    claimed.set(keyOf(share), (claimed.get(keyOf(share)) ?? 0) + share.take)
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

test('never more than there is room for: in all, of a partner, at an origin, of those that are held up', () => {
  const pairs = fc.uniqueArray(fc.tuple(fc.nat({ max: 4 }), fc.nat({ max: 30 })), { selector: String, maxLength: 60 })
  const paces = fc.array(fc.constantFrom<Pace>('quick', 'slow', 'failing'), { minLength: 31, maxLength: 31 })
  fc.assert(
    fc.property(pairs, paces, fc.integer({ min: 1, max: LIMIT }), (lanesAsked, paceOfEach, limit) => {
      const lanes = lanesAsked.map(([partner, origin]) => lane(partner, origin))
      const paceOf = (origin: string) => paceOfEach[Number(origin.slice(1))] ?? 'quick'
      const claimed = new Map<string, number>()
      for (let look = 0; look < 20; look += 1) {
        const shares = fairShares(lanes, loadOf(claimed, paceOf), limit)
        expect(shares.every(({ take }) => Number.isInteger(take) && take > 0)).toBe(true)
        expect(sum(shares.map(({ take }) => take))).toBeLessThanOrEqual(limit)
        claim(claimed, shares)
      }
      const count = (which: (each: Lane) => boolean) =>
        sum(lanes.filter(which).map((each) => claimed.get(keyOf(each)) ?? 0))
      const isHeldUp = ({ origin }: Lane) => paceOf(origin) !== 'quick'
      expect(count(() => true)).toBeLessThanOrEqual(MOST.all)
      expect(count(isHeldUp)).toBeLessThanOrEqual(MOST.heldUp)
      for (const { partnerId, origin } of lanes) {
        const isPartners = (each: Lane) => each.partnerId === partnerId
        expect(count(isPartners)).toBeLessThanOrEqual(MOST.ofPartner)
        expect(count((each) => isPartners(each) && isHeldUp(each))).toBeLessThanOrEqual(MOST.heldUpOfPartner)
        expect(count((each) => each.origin === origin)).toBeLessThanOrEqual(MOST_AT[paceOf(origin)])
      }
    }),
  )
})

test('sixty lanes that are all idle get something each', () => {
  const lanes = Array.from({ length: 60 }, (_, index) => lane(index % 2, index))
  expect(fairShares(lanes, loadOf(new Map()), LIMIT)).toHaveLength(60)
})

test('slow and failing origins leave places to quick ones, of the same partner and of others', () => {
  const slow = Array.from({ length: 100 }, (_, index) => lane(index % 3, index))
  const [sameQuick, otherQuick] = [lane(0, 1000), lane(9, 1001)]
  const paceOf = (origin: string) => (Number(origin.slice(1)) < 1000 ? 'slow' : 'quick')
  const claimed = new Map<string, number>()
  for (let look = 0; look < 50; look += 1) {
    claim(claimed, fairShares(slow, loadOf(claimed, paceOf), LIMIT))
  }
  expect(sum([...claimed.values()])).toBe(MOST.heldUp)
  expect(fairShares([...slow, sameQuick, otherQuick], loadOf(claimed, paceOf), LIMIT)).toEqual([
    { ...sameQuick, take: 8 },
    { ...otherQuick, take: 8 },
  ])
})

test('quick origins with a backlog do not keep a slow one from its turn', () => {
  const backlog = Array.from({ length: 6 }, (_, index) => lane(index, index))
  const slow = lane(7, 7)
  const claimed = new Map<string, number>()
  for (let look = 0; look < 50; look += 1) {
    claim(claimed, fairShares(backlog, loadOf(claimed), LIMIT))
  }
  const paceOf = (origin: string) => (origin === slow.origin ? 'slow' : 'quick')
  expect(fairShares([...backlog, slow], loadOf(claimed, paceOf), LIMIT)).toEqual([{ ...slow, take: 32 }])
})

test('an origin with hardly any room waits until there is more', () => {
  const [one] = [lane(0, 0)]
  expect(fairShares([one], loadOf(new Map([[keyOf(one), 50]])), LIMIT)).toEqual([])
  expect(fairShares([one], loadOf(new Map([[keyOf(one), 48]])), LIMIT)).toEqual([{ ...one, take: 16 }])
})
