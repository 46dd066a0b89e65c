/** Guarantees of turns: never more than permitted, fewer when many ask, everybody in order and nobody forgotten. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openConcurrencyLimiter, type ReleaseSlot } from './concurrency-limiter.ts'

const LIMITS = { maxPerKey: 4, minPerKey: 1, maxTotal: 6 }

/** Asks for a turn, and notes who gets one. */
function asking(limits = LIMITS) {
  const turns = openConcurrencyLimiter(limits)
  const got: string[] = []
  const ends: ReleaseSlot[] = []
  return {
    got,
    ask: async (key: string, name: string) => {
      void Promise.resolve(turns.take(key)).then((end) => {
        got.push(end === undefined ? `${name} was sent away` : name)
        ends.push(...(end === undefined ? [] : [end]))
      })
      await settled()
    },
    close: async () => {
      turns.close()
      await settled()
    },
    endFirst: async () => {
      ends.shift()?.()
      await settled()
    },
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

it('one key has as many turns as it may, and the next who asked gets each that ends', async () => {
  const { got, ask, endFirst } = asking()
  for (const name of ['1', '2', '3', '4', '5', '6']) {
    await ask('a', name)
  }
  expect(got).toEqual(['1', '2', '3', '4'])
  await endFirst()
  await endFirst()
  expect(got).toEqual(['1', '2', '3', '4', '5', '6'])
})

it('a key that others join gives turns up as they end, and still serves everybody', async () => {
  const { got, ask, endFirst } = asking()
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'a6']) {
    await ask('a', name)
  }
  await ask('b', 'b1')
  await ask('c', 'c1')
  // Six turns for three keys are two for each: the first two that end at `a` are not handed over.
  await endFirst()
  await endFirst()
  expect(got).toEqual(['a1', 'a2', 'a3', 'a4', 'b1', 'c1'])
  for (let ended = 0; ended < 6; ended += 1) {
    await endFirst()
  }
  expect(got.toSorted()).toEqual(['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'b1', 'c1'])
})

it('every key has the least, however many there are', async () => {
  const { got, ask } = asking()
  const keys = Array.from({ length: 20 }, (_, at) => `key ${at}`)
  for (const key of keys) {
    await ask(key, key)
    await ask(key, `${key}, second`)
  }
  expect(got).toEqual(expect.arrayContaining(keys))
  expect(got.filter((name) => name.endsWith('second')).length).toBeLessThanOrEqual(LIMITS.maxTotal)
})

it('when there are to be no more, whoever waits is sent away at once, and so is whoever comes', async () => {
  const { got, ask, close, endFirst } = asking({ maxPerKey: 1, minPerKey: 1, maxTotal: 6 })
  await ask('a', '1')
  await ask('a', '2')
  await close()
  await ask('a', '3')
  await ask('b', '4')
  await endFirst()
  expect(got).toEqual(['1', '2 was sent away', '3 was sent away', '4 was sent away'])
})

it('keys that come one after the other, each with many: no more together than permitted, but for the least of each', async () => {
  const { got, ask } = asking({ maxPerKey: 4, minPerKey: 1, maxTotal: 6 })
  for (const key of ['a', 'b', 'c', 'd']) {
    for (let number = 1; number <= 9; number += 1) {
      await ask(key, `${key}${number}`)
    }
  }
  expect(got).toEqual(['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1', 'd1'])
})

it('a key that had the least while others had all has more as soon as theirs end, the first who asked first', async () => {
  const { got, ask, endFirst } = asking({ maxPerKey: 4, minPerKey: 1, maxTotal: 4 })
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'b3']) {
    await ask(name[0] ?? '', name)
  }
  expect(got).toEqual(['a1', 'a2', 'a3', 'a4', 'b1'])
  for (let ended = 0; ended < 5; ended += 1) {
    await endFirst()
  }
  expect(got).toEqual(['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'b3'])
})

it('whatever comes and ends in whatever order, nobody has too many and everybody has a turn', async () => {
  const step = fc.oneof(fc.constant('end' as const), fc.constantFrom('a', 'b', 'c', 'd', 'e'))
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 80 }), async (steps) => {
      const turns = openConcurrencyLimiter(LIMITS)
      const underWay: { readonly key: string; readonly end: ReleaseSlot }[] = []
      let [asked, given] = [0, 0]
      const countOf = (key: string) => underWay.filter((turn) => turn.key === key).length
      const check = () => {
        const keys = new Set(underWay.map(({ key }) => key))
        expect(Math.max(0, ...[...keys].map(countOf))).toBeLessThanOrEqual(LIMITS.maxPerKey)
        expect(underWay.length).toBeLessThanOrEqual(LIMITS.maxTotal + keys.size * LIMITS.minPerKey)
      }
      for (const [at, what] of steps.entries()) {
        if (what === 'end') {
          underWay.splice(at % Math.max(underWay.length, 1), 1)[0]?.end()
        } else {
          asked += 1
          void Promise.resolve(turns.take(what)).then((end) => {
            given += 1
            underWay.push(...(end === undefined ? [] : [{ key: what, end }]))
          })
        }
        await settled()
        check()
      }
      while (underWay.length > 0) {
        underWay.shift()?.end()
        await settled()
        check()
      }
      expect(given).toBe(asked)
    }),
  )
})
