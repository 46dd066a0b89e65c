/** Tests the latency classes: an origin is prompt while it answers within a second, and otherwise slow. */
import { expect, test } from 'vitest'
import type { Attempt } from './dispatch/webhook-dispatcher.ts'
import { trackDeliveryLoad } from './fair-scheduling.ts'

const ORIGIN = 'https://partner.example'
const PROMPT: Attempt = { kind: 'answered', status: 204, answer: '', milliseconds: 20 }
const SLOW: Attempt = { ...PROMPT, milliseconds: 1_500 }
const SILENT: Attempt = { kind: 'unanswered', error: 'no answer', milliseconds: 10_000 }
const DISABLED: Attempt = { kind: 'disabled', error: 'ours', milliseconds: 1 }

const queue = (partnerId = 'p') => ({ partnerId, origin: ORIGIN })

function paceAfter(...attempts: readonly (Attempt | undefined)[]) {
  const load = trackDeliveryLoad()
  for (const attempt of attempts) {
    load.begin(queue())(attempt)
  }
  return load.paceOf(ORIGIN)
}

test('the last answer decides, and before the first one an origin is unproven', () => {
  expect(paceAfter()).toBe('unproven')
  expect(paceAfter(PROMPT)).toBe('prompt')
  expect(paceAfter(PROMPT, SLOW)).toBe('slow')
  expect(paceAfter(PROMPT, SILENT)).toBe('slow')
  expect(paceAfter(SILENT, PROMPT)).toBe('prompt')
})

test('a disabled partner or a fault of the gateway does not change the class of the origin', () => {
  expect(paceAfter(DISABLED)).toBe('unproven')
  expect(paceAfter(undefined)).toBe('unproven')
  expect(paceAfter(PROMPT, DISABLED)).toBe('prompt')
  expect(paceAfter(SLOW, DISABLED)).toBe('slow')
})

test('a prompt origin is slow as soon as an attempt has lasted a second, and an unproven one stays unproven', () => {
  let now = 0
  const load = trackDeliveryLoad(() => now)
  load.begin(queue())(PROMPT)
  const end = load.begin(queue())
  load.begin({ partnerId: 'p', origin: 'https://new.example' })
  now = 999
  expect([load.inFlight(), load.paceOf(ORIGIN)]).toEqual([expect.anything(), 'prompt'])
  now = 1_001
  expect([load.inFlight(), load.paceOf(ORIGIN)]).toEqual([expect.anything(), 'slow'])
  expect(load.paceOf('https://new.example')).toBe('unproven')
  end(SLOW)
  load.begin(queue())(PROMPT)
  expect([load.inFlight(), load.paceOf(ORIGIN)]).toEqual([expect.anything(), 'prompt'])
})

test('deliveries in flight are listed until they end', () => {
  const load = trackDeliveryLoad()
  load.begin(queue('one'))
  load.begin(queue('one'))
  load.begin(queue('other'))(PROMPT)
  expect([...load.inFlight()]).toMatchObject([queue('one'), queue('one')])
})
