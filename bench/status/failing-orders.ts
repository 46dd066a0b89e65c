/** Measures how late a payment is read with other orders of the same bank whose status reads fail, and without them. */
import { measurementOf, measureWithStub, type StubbedHavn } from '../bench-part.ts'
import type { Initiate } from '../environment/initiation-client.ts'
import { barResult } from '../figures.ts'
import { measureStatusLatency, ordersOf, type StatusLatency, type StatusLatencyPlan, sign } from './status-latency.ts'

type FailingOrdersPlan = StatusLatencyPlan & { readonly failingOrders: number }

/** In the same run: without failing orders, with those whose reads are answered with 500, and with those that hang. */
type FailingOrdersFigures = Pick<FailingOrdersPlan, 'failingOrders'> & {
  readonly without: StatusLatency
  readonly withFailing: StatusLatency
  readonly withSilent: StatusLatency
}

/** The bank answers 500, or nothing, to each status read of the failing orders, which are all due before any other. */
export const failingOrders = measurementOf<FailingOrdersPlan, FailingOrdersFigures>({
  full: {
    failingOrders: 50,
    payments: 60,
    seconds: 30,
    settledWithinSeconds: 10,
    storedPayments: 1_000,
  },
  short: {
    failingOrders: 12,
    payments: 3,
    seconds: 1,
    settledWithinSeconds: 1,
    storedPayments: 100,
  },
  measure: (onHavn, plan) =>
    measureWithStub(onHavn, 1, async (bench) => ({
      failingOrders: plan.failingOrders,
      without: await measureStatusLatency(bench, plan),
      withFailing: await measureStatusLatency(besideFailing(bench, plan.failingOrders, 'error'), plan),
      withSilent: await measureStatusLatency(besideFailing(bench, plan.failingOrders, 'silence'), plan),
    })),
  lines,
})

const SLOWEST_MAX_SECONDS = 30

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

function lines(figures: FailingOrdersFigures): readonly string[] {
  const { failingOrders, without, withFailing, withSilent } = figures
  return [
    `From the bank's status change to our event, with ${failingOrders} orders of the bank whose status reads fail:`,
    `  without them p50 ${without.p50Seconds.toFixed(2)} s, slowest ${without.slowestSeconds.toFixed(2)} s`,
    latencyLine('answered with 500', withFailing, without),
    latencyLine('without an answer', withSilent, without),
  ]
}

function latencyLine(kind: string, { p50Seconds, slowestSeconds }: StatusLatency, without: StatusLatency): string {
  const ratio = (p50Seconds / without.p50Seconds).toFixed(2)
  const bar = `(bar: at most ${SLOWEST_MAX_SECONDS} s) ${barResult(slowestSeconds <= SLOWEST_MAX_SECONDS)}`
  return `  ${kind}: p50 ${p50Seconds.toFixed(2)} s, ratio ${ratio}; slowest ${slowestSeconds.toFixed(2)} s ${bar}`
}
