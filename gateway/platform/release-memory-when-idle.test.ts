/** Tests returning memory: once after work, when the program is idle. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { releaseMemoryWhenIdle } from './release-memory-when-idle.ts'

let usedMicroseconds = 0
const collect = vi.fn()
beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('gc', collect)
  vi.spyOn(process, 'cpuUsage').mockImplementation(() => ({ user: usedMicroseconds, system: 0 }))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

it('collects garbage when work has ended, not while it continues, and not again while idle', async () => {
  const MINUTE_MILLISECONDS = 60_000
  releaseMemoryWhenIdle()
  const work = setInterval(() => {
    usedMicroseconds += 500_000
  }, 1_000)
  await vi.advanceTimersByTimeAsync(MINUTE_MILLISECONDS)
  expect(collect).not.toHaveBeenCalled()
  clearInterval(work)
  await vi.advanceTimersByTimeAsync(MINUTE_MILLISECONDS)
  expect(collect).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(MINUTE_MILLISECONDS)
  expect(collect).toHaveBeenCalledTimes(1)
})
