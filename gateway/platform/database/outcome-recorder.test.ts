/** Tests how long outcomes are tried to be recorded, and how long requests wait for that. */
import { expect, test, vi } from 'vitest'
import { DatabaseUnavailable } from './database-unavailable.ts'
import { openOutcomeRecorder } from './outcome-recorder.ts'

const AWAY = new DatabaseUnavailable(new Error('Connection terminated unexpectedly'))
const recorderOf = (waitMilliseconds: number) =>
  openOutcomeRecorder({ log: { warn: () => undefined }, waitMilliseconds })

/** A database that is away until it is back. */
function outage() {
  let isAway = true
  const recorded: string[] = []
  return {
    recorded,
    end: () => {
      isAway = false
    },
    persist: (what: string) => async () => {
      if (isAway) {
        throw AWAY
      }
      recorded.push(what)
      return what
    },
  }
}

test('a request waits no longer than it may, and its outcome is recorded once the database is back', async () => {
  const [recorder, { persist, end, recorded }] = [recorderOf(1), outage()]
  await expect(recorder.recordInTime(persist('late'))).rejects.toBeInstanceOf(DatabaseUnavailable)
  const others = recorder.record(persist('waited for'))
  end()
  expect(await others).toBe('waited for')
  await recorder.stop()
  expect(recorded.sort()).toEqual(['late', 'waited for'])
  expect(await recorder.recordInTime(persist('in time'))).toBe('in time')
})

test('a deadlock is repeated; any other error is final, and reported once', async () => {
  const recorder = recorderOf(60_000)
  const errors = [Object.assign(new Error('deadlock detected'), { code: '40P01' }), new TypeError('a fault')]
  const failures: unknown[] = []
  const failing = async () => {
    throw errors.shift() ?? new Error('repeated too often')
  }
  await expect(recorder.recordInTime(failing, async (error) => void failures.push(error))).rejects.toThrow('a fault')
  expect(failures).toEqual([expect.any(TypeError)])
})

test('a program that stops gives a last chance, and reports what is lost, also when no request waits any more', async () => {
  const [recorder, { persist }] = [recorderOf(1), outage()]
  const failures: unknown[] = []
  const onFailed = async (error: unknown) => void failures.push(error)
  await expect(recorder.recordInTime(persist('lost'), onFailed)).rejects.toBeInstanceOf(DatabaseUnavailable)
  expect(failures).toEqual([])
  const stopping = recorder.stop()
  // A clock that is put back does not make it longer.
  vi.setSystemTime(0)
  await stopping
  vi.useRealTimers()
  expect(failures).toEqual([AWAY])
})
