/** Guarantees of the judge of answers: what it finds in answers that break the contract. */
import { describe, expect, test } from 'vitest'
import { newId } from '../foundation/ids.ts'
import { judgeByContract } from './contract-judge.ts'

const judged = (method: string, path: string, status: number, body: unknown) =>
  judgeByContract({ method, path, status, requestId: newId(), text: JSON.stringify(body) })

describe('a timestamp', () => {
  const clock = (now: string) => judged('GET', '/api/sandbox/clock', 200, { now, real: now, offsetSeconds: 0 })

  test('has three decimals and is in UTC', () => {
    expect(clock('2026-11-23T10:00:00.000Z')).toEqual([])
    const wrong = ['2026-11-23T10:00:00Z', '2026-11-23T10:00:00.123456Z', '2026-11-23T11:00:00.000+01:00']
    for (const text of wrong) {
      expect(clock(text), text).toEqual([expect.stringContaining('/now must match format "date-time"')])
    }
  })
})
