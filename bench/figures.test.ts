/** Tests the reduction of measurements to figures. */
import { describe, expect, it } from 'vitest'
import { median, quantile } from './figures.ts'

describe('median', () => {
  it('returns the middle one, whatever the order', () => {
    expect(median([9, 1, 5])).toBe(5)
  })

  it('returns the mean of both middle ones of an even number', () => {
    expect(median([4, 1, 2, 100])).toBe(3)
  })
})

describe('quantile', () => {
  const values = Array.from({ length: 200 }, (_, index) => 200 - index)

  it('returns the smallest value that the given share does not exceed', () => {
    expect(quantile(values, 0.5)).toBe(100)
    expect(quantile(values, 0.99)).toBe(198)
    expect(quantile(values, 1)).toBe(200)
  })

  it('returns the only value', () => {
    expect(quantile([7], 0.99)).toBe(7)
  })
})
