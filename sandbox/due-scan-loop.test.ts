/** Tests when programs of the sandbox scan for due rows: when rows are due and after requests, and not otherwise. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openLog } from '../gateway/platform/observability/log.ts'
import { startDueScanLoop } from './due-scan-loop.ts'

const log = openLog({ program: 'test', level: 'silent' })
beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A program whose next row is due in so many milliseconds. */
function program(dueInMilliseconds: number) {
  const state = { scans: 0, hasNews: false }
  const stop = startDueScanLoop({
    scan: async () => {
      state.scans += 1
      return dueInMilliseconds
    },
    activity: {
      follow: () => undefined,
      consumeActivity: () => {
        const { hasNews } = state
        state.hasNews = false
        return hasNews
      },
    },
    log,
  })
  return { state, stop }
}

describe('a program of the sandbox', () => {
  it('scans once and then rarely while nothing is due and no request arrives', async () => {
    const { state, stop } = program(Number.POSITIVE_INFINITY)
    await vi.advanceTimersByTimeAsync(29_000)
    expect(state.scans).toBe(1)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(state.scans).toBe(3)
    await stop()
  })

  it('scans within a fifth of a second after a request', async () => {
    const { state, stop } = program(Number.POSITIVE_INFINITY)
    await vi.advanceTimersByTimeAsync(1_000)
    state.hasNews = true
    await vi.advanceTimersByTimeAsync(200)
    expect(state.scans).toBe(2)
    await stop()
  })

  it('scans when something is due, without a request', async () => {
    const { state, stop } = program(5_000)
    await vi.advanceTimersByTimeAsync(4_800)
    expect(state.scans).toBe(1)
    await vi.advanceTimersByTimeAsync(600)
    expect(state.scans).toBe(2)
    await stop()
  })
})
