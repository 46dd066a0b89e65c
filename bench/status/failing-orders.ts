/** Measures how late a payment is read with other orders of the same bank whose status reads fail, and without them. */
import { type Initiate, openInitiationClient } from '../environment/initiation-client.ts'
import { type OpenHavn, pointBankToStub } from '../environment/running-havn.ts'
import { waitUntilBankMoved } from '../environment/sandbox-bank.ts'
import { startStubBank } from '../environment/stub-bank.ts'
import { barResult } from '../figures.ts'
import {
  measureStatusLatency,
  ordersOf,
  type StatusBench,
  type StatusLatency,
  type StatusLatencyPlan,
  sign,
} from './status-latency.ts'

export type FailingOrdersPlan = StatusLatencyPlan & { readonly failingOrders: number }

/** In the same run: without failing orders, and with them. */
export type FailingOrdersFigures = Pick<FailingOrdersPlan, 'failingOrders'> & {
  readonly without: StatusLatency
  readonly withFailing: StatusLatency
}

export const FULL_FAILING_ORDERS: FailingOrdersPlan = {
  failingOrders: 50,
  payments: 60,
  seconds: 30,
  settledWithinSeconds: 10,
  storedPayments: 1_000,
}
/** A short run that only shows that the bench works; its figures mean nothing. */
export const SHORT_FAILING_ORDERS: FailingOrdersPlan = {
  failingOrders: 12,
  payments: 3,
  seconds: 1,
  settledWithinSeconds: 1,
  storedPayments: 100,
}

const SLOWEST_MAX_SECONDS = 30

/** The bank answers 500 to each status read of the failing orders, which are all due before any other. */
export async function measureFailingOrders(
  open: OpenHavn,
  plan: FailingOrdersPlan,
  interruption: Promise<never>,
): Promise<FailingOrdersFigures> {
  const stub = await startStubBank()
  const havn = await open()
  const { initiate, close } = await openInitiationClient(havn, 1)
  const bench = { havn, stub, initiate }
  const measure = async () => {
    await pointBankToStub(stub, havn)
    await waitUntilBankMoved(initiate, stub)
    const without = await measureStatusLatency(bench, plan)
    const orderingFailing = { ...bench, initiate: alsoInitiateFailing(bench, plan.failingOrders) }
    return {
      failingOrders: plan.failingOrders,
      without,
      withFailing: await measureStatusLatency(orderingFailing, plan),
    }
  }
  try {
    return await Promise.race([measure(), interruption])
  } finally {
    await close()
    await havn.close()
    await stub.close()
  }
}

/** The first call orders and signs the failing ones, too. */
function alsoInitiateFailing(bench: StatusBench, count: number): Initiate {
  let missing = count
  return async () => {
    const failing = await ordersOf(bench, missing)
    missing = 0
    for (const { id, bankPaymentId } of failing) {
      bench.stub.fail(bankPaymentId)
      await sign(bench.havn, id)
    }
    return await bench.initiate()
  }
}

export function failingOrdersLines({ failingOrders, without, withFailing }: FailingOrdersFigures): readonly string[] {
  const { p50Seconds, slowestSeconds } = withFailing
  const bar = `(bar: at most ${SLOWEST_MAX_SECONDS} s) ${barResult(slowestSeconds <= SLOWEST_MAX_SECONDS)}`
  const { p50Seconds: usual, slowestSeconds: slowestUsual } = without
  return [
    `From the bank's status change to our event, with ${failingOrders} orders of the bank whose status reads fail:`,
    `  p50 ${p50Seconds.toFixed(2)} s, slowest ${slowestSeconds.toFixed(2)} s ${bar}`,
    `  without them p50 ${usual.toFixed(2)} s, slowest ${slowestUsual.toFixed(2)} s; ratio of p50 ${(p50Seconds / usual).toFixed(2)}`,
  ]
}
