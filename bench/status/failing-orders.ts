/** Measures how late a payment is read with other orders of the same bank whose status reads fail, and without them. */
import { measurementOf, measureWithStub, type StubbedHavn } from '../bench-part.ts'
import type { Initiate } from '../environment/initiation-client.ts'
import { atMost } from '../figures.ts'
import { measureStatusLatency, ordersOf, type StatusLatency, type StatusLatencyPlan, sign } from './status-latency.ts'

type FailingOrdersPlan = StatusLatencyPlan & { readonly failingOrders: number }

/** The bank answers 500, or nothing, to each status read of the failing orders, which are all due before any other. */
export const failingOrders = measurementOf<FailingOrdersPlan>(
  {
    full: { failingOrders: 50, payments: 60, seconds: 30, settledWithinSeconds: 10, storedPayments: 1_000 },
    short: { failingOrders: 12, payments: 3, seconds: 1, settledWithinSeconds: 1, storedPayments: 100 },
  },
  (onHavn, plan) => measureWithStub(onHavn, 1, (bench) => measure(bench, plan)),
)

/** In the same run: without failing orders, with those whose reads are answered with 500, and with those that hang. */
async function measure(bench: StubbedHavn, plan: FailingOrdersPlan): Promise<readonly string[]> {
  const { failingOrders: count } = plan
  const without = await measureStatusLatency(bench, plan)
  const failing = await measureStatusLatency(besideFailing(bench, count, 'error'), plan)
  const silent = await measureStatusLatency(besideFailing(bench, count, 'silence'), plan)
  const latencyLine = (kind: string, { p50Seconds, slowestSeconds }: StatusLatency) => {
    const ratio = (p50Seconds / without.p50Seconds).toFixed(2)
    const slowest = atMost(slowestSeconds, 30, { unit: ' s', decimals: 2 })
    return `  ${kind}: p50 ${p50Seconds.toFixed(2)} s, ratio ${ratio}; slowest ${slowest}`
  }
  return [
    `From the bank's status change to our event, with ${count} orders of the bank whose status reads fail:`,
    `  without them p50 ${without.p50Seconds.toFixed(2)} s, slowest ${without.slowestSeconds.toFixed(2)} s`,
    latencyLine('answered with 500', failing),
    latencyLine('without an answer', silent),
  ]
}

/** The first call orders and signs the failing ones, too. */
function besideFailing(bench: StubbedHavn, count: number, kind: 'error' | 'silence'): StubbedHavn {
  let missing = count
  const initiate: Initiate = async () => {
    const failing = await ordersOf(bench, missing)
    missing = 0
    for (const { id, bankPaymentId } of failing) {
      bench.stub.fail(bankPaymentId, kind)
      await sign(bench.havn, id)
    }
    return await bench.initiate()
  }
  return { ...bench, initiate }
}
