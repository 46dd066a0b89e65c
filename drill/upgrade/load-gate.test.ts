/** Tests that a closed gate waits for what has begun, and lets nothing begin until it is opened. */
import { expect, test } from 'vitest'
import { openLoadGate } from './load-gate.ts'

test('an action behind a closed gate meets no part of the load', async () => {
  const gate = openLoadGate()
  const order: string[] = []
  const [begun, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const first = gate.pass(async () => {
    begun.resolve()
    await mayEnd.promise
    order.push('the first part ended')
  })
  await begun.promise
  const closed = gate.whileClosed(async () => {
    order.push('the action began')
    await new Promise((resolve) => setImmediate(resolve))
    order.push('the action ended')
  })
  const second = gate.pass(async () => void order.push('the second part began'))
  mayEnd.resolve()
  await Promise.all([first, closed, second])
  expect(order).toEqual(['the first part ended', 'the action began', 'the action ended', 'the second part began'])
})

test('a failed action opens the gate again', async () => {
  const gate = openLoadGate()
  await expect(gate.whileClosed(() => Promise.reject(new Error('the clock stands still')))).rejects.toThrow('clock')
  expect(await gate.pass(async () => 'passed')).toBe('passed')
})
