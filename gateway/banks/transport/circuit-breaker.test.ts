/** Shows what a circuit breaker stops: a resource that fails, and the bank once different resources fail. */
import { describe, expect, test } from 'vitest'
import { type CircuitBreaker, createCircuitBreaker, type EndOfCall } from './circuit-breaker.ts'

const FAILURES_MAX = 10
const orders = Array.from({ length: 50 }, (_, number) => `order-${number}`)

function open() {
  const time = { milliseconds: 0 }
  return { time, breaker: createCircuitBreaker(FAILURES_MAX, () => time.milliseconds) }
}

/** Makes the call if it is admitted, and returns whether it was. */
function call(breaker: CircuitBreaker, resource: string, end: EndOfCall): boolean {
  const admission = breaker.admit(resource)
  if (admission !== 'rejected') {
    breaker.record(resource, admission, end)
  }
  return admission !== 'rejected'
}

describe('orders that fail', () => {
  test('stop no other one, however many they are', () => {
    const { breaker } = open()
    expect(orders.every((order) => call(breaker, order, 'server-error'))).toBe(true)
    expect(call(breaker, 'order-1', 'server-error')).toBe(false)
    expect(call(breaker, 'healthy', 'answered')).toBe(true)
    // The bank answers: what failed before is called again, and does not count against the bank.
    expect(orders.every((order) => call(breaker, order, 'server-error'))).toBe(true)
    expect(breaker.admit('another')).toBe('call')
  })

  test('are called ten times in a row, then by one trial at a time with growing delays', () => {
    const { breaker, time } = open()
    for (let failure = 0; failure < FAILURES_MAX; failure += 1) {
      expect(call(breaker, 'sick', 'server-error')).toBe(true)
    }
    for (const seconds of [1, 2, 4, 8, 16, 30, 30]) {
      time.milliseconds += seconds * 1_000 - 1
      expect(breaker.admit('sick')).toBe('rejected')
      time.milliseconds += 1
      expect(breaker.admit('sick')).toBe('trial')
      expect(breaker.admit('sick')).toBe('rejected')
      breaker.record('sick', 'trial', 'server-error')
      expect(call(breaker, 'healthy', 'answered')).toBe(true)
    }
    time.milliseconds += 30_000
    expect(call(breaker, 'sick', 'answered')).toBe(true)
    expect(breaker.admit('sick')).toBe('call')
  })
})

describe('a bank of which different resources fail', () => {
  test('gets one call at a time, of what has not failed, and one trial of what has when its delay is over', () => {
    const { breaker, time } = open()
    for (const order of orders.slice(0, FAILURES_MAX)) {
      call(breaker, order, 'server-error')
    }
    expect(breaker.admit('another')).toBe('trial')
    expect([breaker.admit('third'), breaker.admit('order-1')]).toEqual(['rejected', 'rejected'])
    breaker.record('another', 'trial', 'server-error')
    expect(breaker.admit('another')).toBe('rejected')
    time.milliseconds += 1_000
    expect(orders.slice(0, FAILURES_MAX).filter((order) => call(breaker, order, 'server-error'))).toHaveLength(1)
    time.milliseconds += 2_000
    expect(call(breaker, 'order-1', 'answered')).toBe(true)
    expect(['order-1', 'order-2', 'another'].map((order) => breaker.admit(order))).toEqual(['call', 'call', 'call'])
  })

  test('is the same as one that does not answer about a single one', () => {
    const { breaker } = open()
    for (let failure = 0; failure < FAILURES_MAX; failure += 1) {
      call(breaker, 'order', 'unanswered')
    }
    expect([breaker.admit('order'), breaker.admit('another'), breaker.admit('third')]).toEqual([
      'rejected',
      'trial',
      'rejected',
    ])
  })

  test('is tried again after a trial that was not made', () => {
    const { breaker } = open()
    for (const order of orders) {
      call(breaker, order, 'server-error')
    }
    expect(call(breaker, 'healthy', 'not-made')).toBe(true)
    expect(breaker.admit('healthy')).toBe('trial')
  })
})
