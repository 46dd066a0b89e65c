/** Tests identifiers: their layout, their order, and that tokens cannot be guessed. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { wallMilliseconds } from './clock.ts'
import { hashToken, isId, lowestIdAt, newId, newToken } from './ids.ts'

const MANY = 20_000

function timeIn(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
}

describe('newId', () => {
  afterEach(() => void vi.useRealTimers())

  it('has the layout of UUID version 7, with the wall time of its creation in front', () => {
    const before = wallMilliseconds()
    const id = newId()
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(timeIn(id)).toBeGreaterThanOrEqual(before)
    expect(timeIn(id)).toBeLessThanOrEqual(wallMilliseconds() + MANY / 0x1000)
  })

  it('is unique, and sorts in the order of creation', () => {
    const ids = Array.from({ length: MANY }, newId)
    expect(new Set(ids).size).toBe(MANY)
    expect(ids.toSorted()).toEqual(ids)
  })

  it('keeps the order when the wall clock is set back', () => {
    const before = newId()
    vi.useFakeTimers({ toFake: ['Date'], now: timeIn(before) - 60_000 })
    expect(newId() > before).toBe(true)
  })

  it('uses wall time again as soon as it is ahead', () => {
    const ahead = timeIn(newId()) + 60_000
    vi.useFakeTimers({ toFake: ['Date'], now: ahead })
    expect(timeIn(newId())).toBe(ahead)
  })
})

describe('isId', () => {
  it('accepts a UUID of any version, in upper case too', () => {
    expect([newId(), newId().toUpperCase(), '00000000-0000-0000-0000-000000000000'].map(isId)).toEqual([
      true,
      true,
      true,
    ])
  })

  it('rejects similar texts', () => {
    const id = newId()
    const others = ['', id.slice(1), `${id}0`, id.replaceAll('-', ''), id.replace(/^./, 'g'), `${id}\n`, `{${id}}`]
    expect(others.filter(isId)).toEqual([])
  })
})

describe('lowestIdAt', () => {
  it('is the first id before 1970, when there were none', () => {
    const [before, epoch] = ['1500-01-01T00:00:00Z', '1970-01-01T00:00:00Z'].map((at) =>
      lowestIdAt(Temporal.Instant.from(at)),
    )
    expect([isId(before ?? ''), before]).toEqual([true, epoch])
  })
})

describe('newToken', () => {
  it('is 256 random bits that fit into a URL', () => {
    const tokens = Array.from({ length: 1000 }, newToken)
    expect(new Set(tokens).size).toBe(tokens.length)
    expect(tokens.filter((token) => !/^[\w-]{43}$/.test(token))).toEqual([])
    expect(Buffer.from(tokens[0] ?? '', 'base64url')).toHaveLength(32)
  })
})

describe('hashToken', () => {
  it('is the SHA-256 of the token, so that any other program can compare it', () => {
    expect(hashToken('abc')).toBe(
      Buffer.from('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad', 'hex').toString('base64url'),
    )
  })
})
