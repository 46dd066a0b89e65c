/** Tests that requests which share a statement each get their own outcome, whatever happens to the others. */
import { expect, test } from 'vitest'
import { coalesce, isConstraintViolation } from './coalesce.ts'

type Row = { readonly key: string }

/** An error as PostgreSQL returns it. */
function sqlError(code: string, constraint = ''): Error {
  return Object.assign(new Error(`SQLSTATE ${code}`), { code, constraint })
}

/** A statement under the test's control: records the keys of every flush. */
function statement(run: (keys: readonly string[], flush: number) => readonly string[] | Promise<readonly string[]>) {
  const flushes: string[][] = []
  const carryOut = coalesce<Row, string>({
    keyOf: ({ key }) => key,
    rowsMax: 4,
    run: async (rows) => {
      const keys = rows.map(({ key }) => key)
      flushes.push(keys)
      return await run(keys, flushes.length)
    },
  })
  return { flushes, carryOut: (key: string) => carryOut({ key }) }
}

const doubled = (keys: readonly string[]) => keys.map((key) => key + key)

test('one flush runs at a time; rows that arrive meanwhile share the next one, sorted, up to its limit', async () => {
  const { flushes, carryOut } = statement(doubled)
  expect(await Promise.all(['c', 'f', 'b', 'e', 'a', 'd'].map(carryOut))).toEqual(['cc', 'ff', 'bb', 'ee', 'aa', 'dd'])
  expect(flushes).toEqual([['c'], ['a', 'b', 'e', 'f'], ['d']])
})

test.each([
  ['breaks a constraint', sqlError('23505', 'payments_pkey')],
  ['has a number that is too large', sqlError('22003')],
  ['has an invalid text', sqlError('22P05')],
])('a row that %s fails alone; the other rows of its flush succeed', async (_what, error) => {
  const { carryOut } = statement((keys) => {
    if (keys.includes('bad')) {
      throw error
    }
    return doubled(keys)
  })
  const outcomes = await Promise.allSettled(['first', 'good', 'bad', 'fine'].map(carryOut))
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
})

test('a deadlock repeats the flush, three times at most', async () => {
  const healing = statement((keys, flush) => {
    if (flush < 3) {
      throw sqlError('40P01')
    }
    return doubled(keys)
  })
  expect(await healing.carryOut('a')).toBe('aa')
  expect(healing.flushes).toHaveLength(3)
  const lasting = statement(() => {
    throw sqlError('40P01')
  })
  await expect(lasting.carryOut('a')).rejects.toThrow('40P01')
  expect(lasting.flushes).toHaveLength(3)
})

test('any other failure fails the whole flush once: nothing is repeated that may have been executed', async () => {
  const { flushes, carryOut } = statement(() => {
    throw sqlError('57P01')
  })
  const outcomes = await Promise.allSettled(['a', 'b', 'c'].map(carryOut))
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(flushes).toEqual([['a'], ['b', 'c']])
})

test('a statement with fewer results than rows fails the rows without one, and later rows still succeed', async () => {
  const { carryOut } = statement((keys) => (keys.length > 1 ? doubled(keys).slice(0, 1) : doubled(keys)))
  const outcomes = await Promise.allSettled(['a', 'b', 'c'].map(carryOut))
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
  expect(await carryOut('d')).toBe('dd')
})

test('a constraint violation is recognised by its class and name', () => {
  expect(isConstraintViolation(sqlError('23505', 'a'))).toBe(true)
  expect(isConstraintViolation(sqlError('23505', 'a'), 'a')).toBe(true)
  expect(isConstraintViolation(sqlError('23505', 'a'), 'b')).toBe(false)
  expect(isConstraintViolation(sqlError('40P01'))).toBe(false)
  expect(isConstraintViolation('23505')).toBe(false)
})

test('a flush with a delay collects the rows that arrive within it, up to its limit', async () => {
  const flushes: number[] = []
  const carryOut = coalesce<Row, string>({
    keyOf: ({ key }) => key,
    rowsMax: 4,
    gatherMilliseconds: 1,
    run: async (rows) => {
      flushes.push(rows.length)
      return rows.map(({ key }) => key)
    },
  })
  const keys = ['a', 'b', 'c', 'd', 'e', 'f']
  expect(await Promise.all(keys.map((key) => carryOut({ key })))).toEqual(keys)
  expect(flushes).toEqual([4, 2])
})
