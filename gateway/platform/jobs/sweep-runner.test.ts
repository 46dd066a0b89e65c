/** Tests sweeps: nothing in progress is dropped, a slow or failing one blocks no other, failures are retried. */

import { afterEach, describe, expect, it } from 'vitest'
import { eventually } from '../../testing/gateway/eventually.ts'
import { contextOf } from '../../testing/gateway/test-context.ts'
import { movableClock } from '../clock.ts'
import { DatabaseUnavailable } from '../database/database-unavailable.ts'
import { openLog } from '../observability/log.ts'
import { type Metrics, openMetrics } from '../observability/metrics.ts'
import type { Sweep } from './sweep.ts'
import { runSweepsUntilIdle, type SweepRunner, startSweeps } from './sweep-runner.ts'

let running: SweepRunner | undefined
afterEach(async () => {
  await running?.stop()
  running = undefined
})

function surroundings(lines: string[] = []) {
  const log = openLog({ program: 'test', level: 'debug', destination: { write: (line) => void lines.push(line) } })
  return contextOf({ clock: movableClock(), log, metrics: openMetrics({ processMetrics: false }), trace: null })
}

function sweepOf(name: string, run: Sweep['run']): Sweep {
  return { name, time: 'business', nextDue: async () => null, run }
}

async function counted(metrics: Metrics, measure: 'sweepFailures' | 'sweeps', sweep: string): Promise<number> {
  const { values } = await metrics[measure].get()
  const isCount = (name: string | undefined) => name === undefined || !/_(bucket|sum)$/.test(name)
  const found = values.find((value) => {
    const named = 'metricName' in value && typeof value.metricName === 'string' ? value.metricName : undefined
    return isCount(named) && value.labels.sweep === sweep
  })
  return found?.value ?? 0
}

describe('startSweeps', () => {
  it('continues at once while there is work, and measures the rounds that found some', async () => {
    const around = surroundings()
    let left = 120
    const limits: number[] = []
    const work = sweepOf('work', async (limit) => {
      limits.push(limit)
      const found = Math.min(left, limit)
      left -= found
      return found
    })
    running = startSweeps([work], around)
    await eventually(() => expect(left).toBe(0))
    await eventually(async () =>
      expect(await counted(around.metrics, 'sweeps', 'work')).toBe(Math.ceil(120 / (limits[0] ?? 1))),
    )
  })

  it('lets a slow sweep delay no other', async () => {
    const slow = Promise.withResolvers<number>()
    let rounds = 0
    running = startSweeps(
      [
        sweepOf('slow', () => slow.promise),
        sweepOf('quick', async () => {
          rounds += 1
          return rounds < 50 ? 1 : 0
        }),
      ],
      surroundings(),
    )
    await eventually(() => expect(rounds).toBeGreaterThanOrEqual(50))
    slow.resolve(0)
  })

  it('runs a self-paced sweep on its own, stops it, and waits for its end', async () => {
    const events: string[] = []
    const ended = Promise.withResolvers<void>()
    const own: Sweep = {
      ...sweepOf('own', async () => Promise.reject(new Error('was run round by round'))),
      work: async (stopping, { beforeRound }) => {
        await beforeRound()
        stopping.addEventListener('abort', () => events.push('told'))
        await ended.promise
        events.push('ended')
      },
    }
    const around = surroundings()
    running = startSweeps([own], around, { beforeRound: async () => void events.push('before') })
    await eventually(() => expect(events).toEqual(['before']))
    const stopped = running.stop().then(() => events.push('stopped'))
    ended.resolve()
    await stopped
    expect(events).toEqual(['before', 'told', 'ended', 'stopped'])
    expect(await counted(around.metrics, 'sweepFailures', 'own')).toBe(0)
  })

  it('finishes what is in progress before it reports that it has stopped, and starts nothing after', async () => {
    const work = Promise.withResolvers<number>()
    let rounds = 0
    const sweeps = startSweeps(
      [
        sweepOf('work', () => {
          rounds += 1
          return work.promise
        }),
      ],
      surroundings(),
    )
    await eventually(() => expect(rounds).toBe(1))
    let stopped = false
    const stopping = sweeps.stop().then(() => {
      stopped = true
    })
    await new Promise((resolve) => setImmediate(resolve))
    expect(stopped).toBe(false)
    work.resolve(1)
    await stopping
    expect(rounds).toBe(1)
  })

  it('stops at once while it waits for its next round', async () => {
    let rounds = 0
    const idle = sweepOf('idle', async () => {
      rounds += 1
      return 0
    })
    const sweeps = startSweeps([idle], surroundings())
    await eventually(() => expect(rounds).toBe(1))
    await sweeps.stop()
    expect(rounds).toBe(1)
  })

  it('retries a failing round, counts and logs the failure, and lets the others continue', async () => {
    const lines: string[] = []
    const around = surroundings(lines)
    let tries = 0
    let others = 0
    running = startSweeps(
      [
        sweepOf('fragile', async () => {
          tries += 1
          if (tries === 1) {
            throw new Error('the database went away')
          }
          return 0
        }),
        sweepOf('sturdy', async () => {
          others += 1
          return others < 20 ? 1 : 0
        }),
      ],
      around,
    )
    await eventually(() => expect(others).toBeGreaterThanOrEqual(20))
    expect(await counted(around.metrics, 'sweepFailures', 'fragile')).toBe(1)
    expect(lines.join('')).toContain('the database went away')
    await eventually(() => expect(tries).toBeGreaterThanOrEqual(2))
    expect(await counted(around.metrics, 'sweepFailures', 'fragile')).toBe(1)
  })

  it('retries while the database is away, which is no failure of a sweep', async () => {
    const around = surroundings()
    let rounds = 0
    const waiting = sweepOf('waiting', async () => {
      rounds += 1
      if (rounds === 1) {
        throw new DatabaseUnavailable(new Error('Connection terminated unexpectedly'))
      }
      return 0
    })
    running = startSweeps([waiting], around)
    await eventually(() => expect(rounds).toBeGreaterThan(1))
    expect(await counted(around.metrics, 'sweepFailures', 'waiting')).toBe(0)
  })

  it('polls rarely for what is not urgent, unless it found something', async () => {
    const rounds = { prompt: 0, unhurried: 0 }
    const prompt = sweepOf('prompt', async () => {
      rounds.prompt += 1
      return 0
    })
    const unhurried = sweepOf('unhurried', async () => {
      rounds.unhurried += 1
      return rounds.unhurried < 3 ? 1 : 0
    })
    running = startSweeps([prompt, { ...unhurried, everyMilliseconds: 3_600_000 }], surroundings())
    await eventually(() => expect(rounds.prompt).toBeGreaterThanOrEqual(4))
    expect(rounds.unhurried).toBe(3)
  })

  it('synchronises the clock before each round, and runs no round without', async () => {
    const reported: string[] = []
    let mayRead = false
    const work = sweepOf('work', async () => {
      reported.push('round')
      return 0
    })
    const beforeRound = async () => {
      reported.push('clock')
      if (!mayRead) {
        mayRead = true
        throw new Error('the clock could not be read')
      }
    }
    running = startSweeps([work], surroundings(), { beforeRound })
    await eventually(() => expect(reported.slice(0, 3)).toEqual(['clock', 'clock', 'round']))
  })
})

describe('runSweepsUntilIdle', () => {
  it('repeats until one whole round finds nothing, so that sweeps can trigger each other', async () => {
    const waiting: string[] = ['order']
    const done: string[] = []
    const step = (name: string, from: string, to: string | undefined) =>
      sweepOf(name, async () => {
        const at = waiting.indexOf(from)
        if (at < 0) {
          return 0
        }
        waiting.splice(at, 1, ...(to === undefined ? [] : [to]))
        done.push(from)
        return 1
      })
    await runSweepsUntilIdle([step('second', 'signed', undefined), step('first', 'order', 'signed')])
    expect(done).toEqual(['order', 'signed'])
    expect(waiting).toEqual([])
  })

  it('throws what a sweep throws, and fails on one that finds work for ever', async () => {
    const failing = sweepOf('failing', async () => {
      throw new Error('broken')
    })
    await expect(runSweepsUntilIdle([failing])).rejects.toThrow('broken')
    await expect(runSweepsUntilIdle([sweepOf('endless', async () => 1)], 10)).rejects.toThrow('after 10 rounds')
  })
})
