/** Shows that a bank gets so many calls at once and no more, and that waiting has an end. */
import { describe, expect, test } from 'vitest'
import { openCallLimit } from './call-limit.ts'

const LIMITS = { callsPerBankMax: 2, queuePerBankMax: 2, queueMilliseconds: 10_000 }

describe('calls to one bank', () => {
  test('are let through up to the limit, the next when one leaves, in order', async () => {
    const { enter } = openCallLimit(LIMITS)
    const admitted: string[] = []
    const [first] = await Promise.all([enter('A'), enter('A')])
    const third = enter('A').then((leave) => {
      admitted.push('third')
      leave()
    })
    const fourth = enter('A').then(() => admitted.push('fourth'))
    await Promise.resolve()
    expect(admitted).toEqual([])
    first?.()
    await Promise.all([third, fourth])
    expect(admitted).toEqual(['third', 'fourth'])
  })

  test('are turned away, unsent, when too many wait', async () => {
    const { enter } = openCallLimit(LIMITS)
    const leaves = await Promise.all([enter('A'), enter('A')])
    const waiting = [enter('A'), enter('A')]
    await expect(enter('A')).rejects.toMatchObject({ name: 'BankUnreachable', sent: false })
    for (const leave of leaves) {
      leave()
    }
    expect(await Promise.all(waiting)).toHaveLength(2)
  })

  test('are turned away, unsent, when they waited too long, and leave their place in the queue', async () => {
    const { enter } = openCallLimit({ ...LIMITS, callsPerBankMax: 1, queuePerBankMax: 1, queueMilliseconds: 5 })
    const leave = await enter('A')
    await expect(enter('A')).rejects.toMatchObject({ name: 'BankUnreachable', sent: false })
    await expect(enter('A')).rejects.toThrow('left no room in time')
    leave()
    expect(await enter('A')).toBeTypeOf('function')
  })

  test('do not hinder calls to others', async () => {
    const { enter } = openCallLimit({ ...LIMITS, callsPerBankMax: 1, queuePerBankMax: 0 })
    await enter('A')
    expect(await enter('B')).toBeTypeOf('function')
    await expect(enter('A')).rejects.toMatchObject({ sent: false })
  })
})
