/** Tests mapping with a concurrency limit: the limit holds, and nothing starts after a failure. */
import { describe, expect, it } from 'vitest'
import { mapWithConcurrency } from './concurrency.ts'

const THINGS = Array.from({ length: 50 }, (_none, n) => n)

describe('mapping with a concurrency limit', () => {
  it('never exceeds the limit, and returns results in order', async () => {
    let underWay = 0
    let most = 0
    const results = await mapWithConcurrency(THINGS, 4, async (n) => {
      underWay += 1
      most = Math.max(most, underWay)
      await Promise.resolve()
      // Later items finish first.
      for (let turn = n % 3; turn > 0; turn -= 1) {
        await Promise.resolve()
      }
      underWay -= 1
      return n * 2
    })
    expect(most).toBe(4)
    expect(results).toEqual(THINGS.map((n) => n * 2))
  })

  it('fails with the first failure, after which nothing is started', async () => {
    const begun: number[] = []
    const requested = mapWithConcurrency(THINGS, 4, async (n) => {
      begun.push(n)
      await Promise.resolve()
      if (n === 1) {
        await Promise.resolve()
      }
      if (n === 1 || n === 2) {
        throw new Error(`${n} failed`)
      }
    })
    await expect(requested).rejects.toThrow('1 failed')
    expect(begun.length).toBeLessThan(10)
  })

  it('waits for what is in flight before it fails', async () => {
    let inFlight = 0
    const slow = Promise.withResolvers<void>()
    const mapping = mapWithConcurrency(THINGS, 4, async (n) => {
      inFlight += 1
      await (n === 0 ? Promise.reject(new Error('failed')) : slow.promise).finally(() => {
        inFlight -= 1
      })
    })
    setImmediate(() => slow.resolve())
    await expect(mapping).rejects.toThrow('failed')
    expect(inFlight).toBe(0)
  })

  it('of an empty list returns an empty list', async () => {
    expect(await mapWithConcurrency([], 4, async () => 1)).toEqual([])
  })
})
