/** Tests that long work does not block the event loop. */
import { expect, it } from 'vitest'
import { monotonicMilliseconds } from './clock.ts'
import { mapYieldingToEventLoop } from './concurrency.ts'

function busyFor(milliseconds: number): void {
  const until = monotonicMilliseconds() + milliseconds
  while (monotonicMilliseconds() < until) {
    // As in real long work.
  }
}

it('returns the results in order, with the position of each', async () => {
  const found = await mapYieldingToEventLoop(new Set(['a', 'b', 'c']), (thing, position) => `${thing}${position}`)
  expect(found).toEqual(['a0', 'b1', 'c2'])
})

it('yields to the event loop again and again', async () => {
  let turns = 0
  let isOver = false
  const takeTurns = () => {
    turns += 1
    if (!isOver) {
      setImmediate(takeTurns)
    }
  }
  setImmediate(takeTurns)
  const turnsBefore = await mapYieldingToEventLoop(Array.from({ length: 400 }), () => {
    busyFor(0.2)
    return turns
  })
  isOver = true
  // Eighty milliseconds of work: the clock is read after every fourth item, which is 0.8 milliseconds.
  expect(new Set(turnsBefore).size).toBeGreaterThanOrEqual(80)
})

it('stops where the work fails', async () => {
  const seen: number[] = []
  const failing = mapYieldingToEventLoop([1, 2, 3], (thing) => {
    seen.push(thing)
    if (thing === 2) {
      throw new Error('no')
    }
  })
  await expect(failing).rejects.toThrow('no')
  expect(seen).toEqual([1, 2])
})
