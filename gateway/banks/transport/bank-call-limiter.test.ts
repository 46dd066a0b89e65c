/** Shows the limits of concurrent and queued calls, the queue timeout, and the circuit breakers. */
import { describe, expect, test, vi } from 'vitest'
import { eventually } from '../../testing/gateway/eventually.ts'
import { BankUnreachable } from '../connector/bank-error.ts'
import type { BankResponse } from '../connector/connector-dependencies.ts'
import { type BankCallLimiterSettings, createBankCallLimiter } from './bank-call-limits.ts'

const LIMITS: BankCallLimiterSettings = {
  callsPerBankMax: 2,
  queuePerBankMax: 2,
  queueMilliseconds: 10_000,
  failuresInRowMax: 3,
}
const OTHER = { operation: 'getPaymentStatus' }
const answer = (status = 200): BankResponse => ({ status, headers: {}, body: '' })

/** Calls that last until the test ends them. */
function held(gate: ReturnType<typeof createBankCallLimiter>) {
  const begun: string[] = []
  const ends: (() => void)[] = []
  const call = (name: string, bic = 'A') =>
    gate.pass(bic, OTHER, () => {
      begun.push(name)
      const ended = Promise.withResolvers<BankResponse>()
      ends.push(() => ended.resolve(answer()))
      return ended.promise
    })
  return { begun, call, endOne: () => ends.shift()?.() }
}

const TURNED_AWAY = { name: 'BankUnreachable', sent: false }

describe('calls to one bank', () => {
  test('run up to the limit, the next when one ends, in order', async () => {
    const { begun, call, endOne } = held(createBankCallLimiter(LIMITS))
    const calls = ['first', 'second', 'third', 'fourth'].map((name) => call(name))
    await eventually(() => expect(begun).toEqual(['first', 'second']))
    endOne()
    await eventually(() => expect(begun).toEqual(['first', 'second', 'third']))
    for (let number = 0; number < 3; number += 1) {
      endOne()
      await eventually(() => expect(begun.length).toBeGreaterThanOrEqual(Math.min(number + 3, 4)))
    }
    endOne()
    expect(await Promise.all(calls)).toHaveLength(4)
  })

  test('are rejected, unsent, when too many wait', async () => {
    const { begun, call, endOne } = held(createBankCallLimiter(LIMITS))
    const calls = ['a', 'b', 'c', 'd'].map((name) => call(name))
    await expect(call('e')).rejects.toMatchObject(TURNED_AWAY)
    while (begun.length < 4) {
      endOne()
      await new Promise(setImmediate)
    }
    endOne()
    endOne()
    expect(await Promise.all(calls)).toHaveLength(4)
    expect(begun).not.toContain('e')
  })

  test('are rejected, unsent, when they waited too long, and are not made afterwards', async () => {
    const { begun, call, endOne } = held(createBankCallLimiter({ ...LIMITS, callsPerBankMax: 1, queueMilliseconds: 5 }))
    const first = call('first')
    await expect(call('second')).rejects.toMatchObject(TURNED_AWAY)
    await expect(call('third')).rejects.toThrow('queue timeout has passed')
    endOne()
    await first
    const fourth = call('fourth')
    await eventually(() => expect(begun).toEqual(['first', 'fourth']))
    endOne()
    await fourth
  })

  test('do not delay calls to other banks', async () => {
    const { call, begun, endOne } = held(createBankCallLimiter({ ...LIMITS, callsPerBankMax: 1, queuePerBankMax: 0 }))
    const calls = [call('a', 'A'), call('b', 'B')]
    await expect(call('c', 'A')).rejects.toMatchObject(TURNED_AWAY)
    expect(begun).toEqual(['a', 'b'])
    endOne()
    endOne()
    await Promise.all(calls)
  })
})

describe('orders that get no answer', () => {
  const unread = (order: string) => ({ operation: 'getPaymentStatus', resource: order, unattended: true })
  const orders = Array.from({ length: 50 }, (_, number) => `order-${number}`)

  test('take few of the slots when they are read again in the background, so that others are read meanwhile', async () => {
    const gate = createBankCallLimiter({ ...LIMITS, callsPerBankMax: 50, queuePerBankMax: 0, failuresInRowMax: 100 })
    for (const order of orders) {
      await gate.pass('A', unread(order), () => Promise.reject(new BankUnreachable('timeout', true))).catch(() => null)
    }
    const timeout = Promise.withResolvers<BankResponse>()
    const again = orders.map((order) => gate.pass('A', unread(order), () => timeout.promise))
    const rejected = again.slice(10).map((call) => expect(call).rejects.toMatchObject(TURNED_AWAY))
    await Promise.all(rejected)
    expect(await gate.pass('A', unread('healthy'), async () => answer())).toMatchObject({ status: 200 })
    // A user who waits is no background job.
    expect(await gate.pass('A', { ...OTHER, resource: 'order-20' }, async () => answer())).toMatchObject({
      status: 200,
    })
    timeout.resolve(answer())
    await Promise.all(again.slice(0, 10))
    expect(await gate.pass('A', unread('order-30'), async () => answer())).toMatchObject({ status: 200 })
  })

  test.each([500, 408, 429])(
    'and those that are answered with %i are known as failing until they are answered',
    async (status) => {
      const gate = createBankCallLimiter(LIMITS)
      const known: boolean[] = []
      const call = (resource: string, response: number) =>
        gate.pass('A', { ...OTHER, resource }, async (failedBefore) => {
          known.push(failedBefore)
          return answer(response)
        })
      for (const [order, response] of [
        ['sick', status],
        ['sick', status],
        ['sick', 200],
        ['sick', 200],
        ['other', 200],
      ] as const) {
        await call(order, response)
      }
      expect(known).toEqual([false, true, true, false, false])
    },
  )
})

describe('a bank that fails every call', () => {
  const away = async (): Promise<BankResponse> => {
    throw new BankUnreachable('nobody there', true)
  }

  test.each([
    ['does not respond', away],
    ['responds with errors', async () => answer(503)],
  ])(
    'because it %s is not called for a moment, then with one call, and as before when that succeeds',
    async (_how, failing) => {
      vi.useFakeTimers({ toFake: ['Date', 'performance'] })
      try {
        const gate = createBankCallLimiter(LIMITS)
        for (let failure = 0; failure < LIMITS.failuresInRowMax; failure += 1) {
          await gate.pass('A', OTHER, failing).catch(() => undefined)
        }
        const called = vi.fn(async () => answer())
        await expect(gate.pass('A', OTHER, called)).rejects.toMatchObject(TURNED_AWAY)
        expect(called).not.toHaveBeenCalled()
        expect(await gate.pass('B', OTHER, async () => answer())).toMatchObject({ status: 200 })
        vi.advanceTimersByTime(1_001)
        // A clock of the machine that is put back does not keep it waiting.
        vi.setSystemTime(0)
        const trial = Promise.withResolvers<BankResponse>()
        const tried = gate.pass('A', OTHER, () => trial.promise)
        await expect(gate.pass('A', OTHER, called)).rejects.toMatchObject(TURNED_AWAY)
        trial.resolve(answer())
        await tried
        expect(await gate.pass('A', OTHER, called)).toMatchObject({ status: 200 })
      } finally {
        vi.useRealTimers()
      }
    },
  )

  test.each([
    ['initiatePayment', 'getPaymentStatus'],
    ['initiateBulkPayment', 'deleteConsent'],
    ['getPaymentStatus', 'initiatePayment'],
  ])('by %s is called for %s all the same', async (failing, working) => {
    const gate = createBankCallLimiter(LIMITS)
    for (let failure = 0; failure < LIMITS.failuresInRowMax; failure += 1) {
      await gate.pass('A', { operation: failing }, async () => answer(500))
    }
    await expect(gate.pass('A', { operation: failing }, async () => answer())).rejects.toMatchObject(TURNED_AWAY)
    expect(await gate.pass('A', { operation: working }, async () => answer())).toMatchObject({ status: 200 })
  })

  test('is distinguished from one that rejects, or from too many calls of our own', async () => {
    const gate = createBankCallLimiter({ ...LIMITS, callsPerBankMax: 1, queuePerBankMax: 0 })
    for (let rejection = 0; rejection < 10; rejection += 1) {
      await gate.pass('A', OTHER, async () => answer(rejection % 2 === 0 ? 404 : 429))
    }
    const { call, endOne } = held(gate)
    const long = call('long')
    for (let number = 0; number < 10; number += 1) {
      await expect(call('more')).rejects.toMatchObject(TURNED_AWAY)
    }
    endOne()
    await long
    expect(await gate.pass('A', OTHER, async () => answer())).toMatchObject({ status: 200 })
  })
})
