/** Tests the metrics: named as operators' tools expect, one registry each, and no label with unlimited values. */
import { describe, expect, it } from 'vitest'
import { openMetrics } from './metrics.ts'

const NAMES = [
  'havn_request_seconds',
  'havn_bank_call_seconds',
  'havn_sweep_seconds',
  'havn_sweep_failures_total',
  'havn_operator_tasks_open',
]

describe('openMetrics', () => {
  it('exports every metric to Prometheus, in seconds, with a help text', async () => {
    const metrics = openMetrics({ processMetrics: false })
    metrics.requests.observe({ method: 'GET', route: '/x', status: '200' }, 0.004)
    metrics.sweepFailures.inc({ sweep: 'payment polling' })
    const text = await metrics.registry.metrics()
    expect(NAMES.filter((name) => !text.includes(`# HELP ${name} `))).toEqual([])
    expect(text).toContain('havn_request_seconds_bucket{le="0.005",method="GET",route="/x",status="200"} 1')
    expect(text).toContain('havn_request_seconds_bucket{le="0.002",method="GET",route="/x",status="200"} 0')
    expect(text).toContain('havn_sweep_failures_total{sweep="payment polling"} 1')
  })

  it('rejects an undeclared label, such as a partner or an address', () => {
    const { requests } = openMetrics({ processMetrics: false })
    const labels: Record<string, string> = { method: 'GET', route: '/x', status: '200', partner: 'demo' }
    expect(() => requests.observe(labels, 1)).toThrow(/partner/)
  })

  it('separates the metrics of two programs in one process', async () => {
    const [one, other] = [openMetrics({ processMetrics: false }), openMetrics({ processMetrics: true })]
    one.openTasks.set({ kind: 'UnknownOutcome' }, 3)
    expect(await one.registry.metrics()).toContain('kind="UnknownOutcome"} 3')
    expect(await other.registry.metrics()).not.toContain('UnknownOutcome')
    expect(await other.registry.metrics()).toContain('process_cpu_seconds_total')
    expect(await one.registry.metrics()).not.toContain('process_cpu_seconds_total')
  })

  it('collects those of the process once, however often a start opens them', () => {
    const [first, again] = [openMetrics({ processMetrics: true }), openMetrics({ processMetrics: true })]
    const lagOf = ({ registry }: typeof first) => registry.getSingleMetric('nodejs_eventloop_lag_seconds')
    expect(lagOf(first)).toBeDefined()
    expect(lagOf(again)).toBe(lagOf(first))
  })
})
