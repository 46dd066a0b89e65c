/** Guarantees of what is remembered of origins: quick is who has shown it, and one good answer makes nobody so. */
import { expect, test } from 'vitest'
import { trackDeliveryLoad } from './delivery-load.ts'
import type { Attempt } from './dispatch/webhook-dispatcher.ts'

const ORIGIN = 'https://partner.example'
const QUICK: Attempt = { kind: 'answered', status: 204, answer: '', milliseconds: 20 }
const SLOW: Attempt = { ...QUICK, milliseconds: 1_500 }
const SILENT: Attempt = { kind: 'unanswered', error: 'no answer', milliseconds: 10_000 }
const FAULT: Attempt = { kind: 'fault', error: 'ours', milliseconds: 1 }

const delivery = (partnerId = 'p') => ({ partnerId, origin: ORIGIN, queue: `${partnerId} ${ORIGIN}` })

function paceAfter(...attempts: readonly Attempt[]) {
  const load = trackDeliveryLoad()
  for (const attempt of attempts) {
    load.take(delivery())
    load.leave(delivery(), attempt)
  }
  return load.paceOf(ORIGIN)
}

test('an origin is quick after three quick answers in a row, and unproved before', () => {
  expect(paceAfter()).toBe('unproved')
  expect(paceAfter(QUICK, QUICK)).toBe('unproved')
  expect(paceAfter(QUICK, QUICK, QUICK)).toBe('quick')
})

test('one quick answer does not make up for a slow one, nor for none at all', () => {
  const proved = [QUICK, QUICK, QUICK]
  expect(paceAfter(...proved, SLOW)).toBe('slow')
  expect(paceAfter(...proved, SLOW, QUICK, QUICK)).toBe('slow')
  expect(paceAfter(...proved, SLOW, QUICK, SLOW, QUICK, QUICK)).toBe('slow')
  expect(paceAfter(...proved, SILENT, QUICK, QUICK)).toBe('failing')
  expect(paceAfter(...proved, SILENT, ...proved)).toBe('quick')
})

test('a fault of ours says nothing of the origin', () => {
  expect(paceAfter(QUICK, QUICK, FAULT, QUICK)).toBe('quick')
  expect(paceAfter(FAULT)).toBe('unproved')
})

test('what is claimed is listed by lane, and no more once it was left', () => {
  const load = trackDeliveryLoad()
  load.take(delivery('one'))
  load.take(delivery('one'))
  load.take(delivery('other'))
  load.leave(delivery('other'))
  expect([...load.claimed()]).toEqual([{ partnerId: 'one', origin: ORIGIN, claimed: 2 }])
})
