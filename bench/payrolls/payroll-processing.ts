/** Measures payrolls with sandbox banks: the largest payroll, other requests meanwhile, and every submission mode. */
import { setTimeout as pause } from 'node:timers/promises'
import type { PayrollRequest } from '../../contract/payrolls/payroll-request.ts'
import { waitUntil } from '../../gateway/platform/wait-until.ts'
import { PAYROLL_BANKS } from '../../gateway/testing/payrolls/payroll-fixture.ts'
import { moveClock } from '../../sdk/index.ts'
import { measurementOnHavn } from '../bench-part.ts'
import { gatewayPeakMemoryMegabytes } from '../environment/process-usage.ts'
import { requestLatencyDuring } from '../environment/request-latency.ts'
import type { RunningHavn } from '../environment/running-havn.ts'
import { type CallsByOperation, callsByOperation, sumOf } from '../environment/sandbox-bank.ts'
import { atMost, line, median, quantile, seconds } from '../figures.ts'
import { openPayrollClient, type PayrollClient } from './payroll-fixture.ts'
import { measureWakeUps } from './submission-wake-up.ts'

const FULL = {
  /** Runs of the largest payroll before the measurement: code that runs once a minute is compiled late. */
  warmUps: 4,
  rounds: 10,
  /** Payrolls whose first order is waited for. */
  wakeUps: 20,
  /** Transactions of a small payroll, and of the largest. */
  small: 100,
  large: 10_000,
  /** How long other requests are measured without a payroll. */
  quietSeconds: 10,
  /** Transactions per submission mode. */
  ways: { bulk: 1_000, baskets: 30, chain: 10 },
  /** Single orders of the payroll that is cancelled. */
  cancelled: 1_000,
}
type PayrollPlan = typeof FULL

export const payrollProcessing = measurementOnHavn<PayrollPlan>(
  {
    full: FULL,
    short: {
      warmUps: 1,
      rounds: 1,
      wakeUps: 2,
      small: 4,
      large: 20,
      quietSeconds: 1,
      ways: { bulk: 3, baskets: 3, chain: 2 },
      cancelled: 3,
    },
  },
  async (havn, plan) => [
    ...(await measureLargest(havn, plan)),
    await measureBankKind(havn, 'bulk', plan),
    await measureBankKind(havn, 'baskets', plan),
    await measureBankKind(havn, 'chain', plan),
    await measureCancellation(havn, plan.cancelled),
  ],
)

const ORDER_OPERATIONS = new Set(['initiatePayment', 'initiateBulkPayment'])
const SIGNATURES = new Set([
  'startPaymentAuthorisation',
  'startSigningBasketAuthorisation',
  'startBulkPaymentAuthorisation',
])

/** The largest payroll, other requests meanwhile, and the first order where a worker submits them. */
async function measureLargest(havn: RunningHavn, plan: PayrollPlan): Promise<readonly string[]> {
  const payer = await openPayrollClient(havn, PAYROLL_BANKS.bulk)
  // Code that has never run is slow, and is optimised while it runs.
  await payer.order(payer.payroll(plan.small))
  const before = await gatewayPeakMemoryMegabytes(havn.supervisorPid)
  const small: number[] = []
  for (let round = 0; round < plan.rounds * 3; round += 1) {
    small.push((await payer.order(payer.payroll(plan.small))).milliseconds)
  }
  for (let round = 0; round < plan.warmUps; round += 1) {
    await orderAndRead(payer, payer.payroll(plan.large), [])
  }
  const quiet = await requestLatencyDuring(havn.url, () => pause(plan.quietSeconds * 1000))
  const [large, statuses, beside]: [number[], number[], number[]] = [[], [], []]
  for (let round = 0; round < plan.rounds; round += 1) {
    const payroll = payer.payroll(plan.large)
    const order = async () => void large.push(await orderAndRead(payer, payroll, statuses))
    beside.push(...(await requestLatencyDuring(havn.url, order)))
  }
  const after = await gatewayPeakMemoryMegabytes(havn.supervisorPid)
  const wakeUps = await measureWakeUps(havn, plan.wakeUps)
  const p95 = quantile(beside, 0.95)
  const costRatio = median(large) / plan.large / (median(small) / plan.small)
  const othersRatio = atMost(p95 / quantile(quiet, 0.95), 2, { unit: ' times', decimals: 2 })
  const firstOrder = atMost(Math.max(...wakeUps), 1_000, { unit: ' ms', beside: ', where a worker submits them' })
  return [
    `Payrolls, ${plan.large} transactions in one request at a bank with bulks:`,
    line('response time', atMost(median(large), 3_000, { unit: ' ms' })),
    line(`a transaction, relative to ${plan.small}`, atMost(costRatio, 1.3, { unit: ' times', decimals: 2 })),
    line('p95 of other requests', `${p95.toFixed(1)} ms, ${othersRatio}`),
    line('gateway peak memory', atMost(after, 400, { unit: ' MB', beside: `, ${before.toFixed(0)} MB before it` })),
    line('reading its status', atMost(median(statuses), 200, { unit: ' ms' })),
    line('first order at the bank', `${median(wakeUps).toFixed(0)} ms after the response, at most ${firstOrder}`),
  ]
}

async function orderAndRead(payer: PayrollClient, payroll: PayrollRequest, statuses: number[]): Promise<number> {
  const { payrollId, milliseconds } = await payer.order(payroll)
  const begun = performance.now()
  const { transactions } = await payer.status(payrollId)
  statuses.push(performance.now() - begun)
  if (transactions.length !== payroll.transactions.length) {
    throw new Error(`${transactions.length} payouts were shown of ${payroll.transactions.length}`)
  }
  return milliseconds
}

/** At the bank that uses a submission mode: the calls, the time to sign, and from the due day on to know every outcome. */
async function measureBankKind(havn: RunningHavn, way: keyof PayrollPlan['ways'], plan: PayrollPlan): Promise<string> {
  const payer = await openPayrollClient(havn, PAYROLL_BANKS[way])
  const payouts = plan.ways[way]
  const before = await callsOfBoth(havn, payer.bank.bic)
  const begun = performance.now()
  const { payrollId } = await payer.order(payer.payroll(payouts))
  await payer.sign(payrollId)
  const signed = seconds(performance.now() - begun)
  const moved = performance.now()
  await moveClock(havn.client, { set: payer.paidBy })
  const { transactions } = await payer.status(payrollId)
  const known = seconds(performance.now() - moved)
  const open = transactions.filter(({ payrollStatus }) => payrollStatus !== 'Completed').length
  if (open > 0) {
    throw new Error(`${open} of ${payouts} payouts at ${payer.bank.bic} are not completed`)
  }
  const after = await callsOfBoth(havn, payer.bank.bic)
  const since = (isMeant?: (operation: string) => boolean) => sumOf(after, isMeant) - sumOf(before, isMeant)
  const [initiations, signatures] = [since((one) => ORDER_OPERATIONS.has(one)), since((one) => SIGNATURES.has(one))]
  const calls = `${initiations} calls to submit, ${since() - initiations - signatures} others, ${signatures} signatures`
  const times = `signed ${signed} after the order, outcomes known ${known} after the due day`
  return `  ${way.padEnd(8)} ${payouts} transactions: ${calls}; ${times}`
}

/** Calls to a bank by the gateway and by the worker, which submits single orders. */
async function callsOfBoth(havn: RunningHavn, bic: string): Promise<CallsByOperation> {
  const ofGateway = await callsByOperation(havn.url, bic)
  const ofWorker = await callsByOperation(havn.workerUrl, bic)
  const operations = new Set([...ofGateway.keys(), ...ofWorker.keys()])
  return new Map([...operations].map((one) => [one, (ofGateway.get(one) ?? 0) + (ofWorker.get(one) ?? 0)]))
}

const CANCELLING = { withinMilliseconds: 300_000, everyMilliseconds: 500 }

/** Of single orders, unsigned. Throws when an order is left, and when the outcome of one was unknown. */
async function measureCancellation(havn: RunningHavn, orders: number): Promise<string> {
  const payer = await openPayrollClient(havn, PAYROLL_BANKS.baskets)
  const { payrollId } = await payer.order(payer.payroll(orders))
  await payer.submitted(payrollId)
  const begun = performance.now()
  const { id, progress } = await payer.cancel(payrollId)
  const responseSeconds = (performance.now() - begun) / 1000
  await requireCancelled(payer, id, payrollId)
  const beside = ` with ${progress?.answered ?? orders} cancelled`
  const response = atMost(responseSeconds, 30, { unit: ' s', decimals: 1, beside })
  const cancelled = seconds(performance.now() - begun)
  return `  cancelling ${orders} single orders: answered after ${response}; all cancelled after ${cancelled}`
}

async function requireCancelled(payer: PayrollClient, id: string, payrollId: string): Promise<void> {
  const { cancellationRequestStatus, progress } = await waitUntil(
    () => payer.cancellation(id),
    (found) => found.cancellationRequestStatus !== undefined,
    CANCELLING,
  )
  if (cancellationRequestStatus !== 'ACCEPTED') {
    throw new Error(`The cancellation is ${cancellationRequestStatus ?? `at ${JSON.stringify(progress)}`}`)
  }
  const { transactions } = await payer.status(payrollId)
  const open = transactions.filter(({ payrollStatus }) => payrollStatus !== 'Cancelled').length
  if (open > 0) {
    throw new Error(`${open} of ${transactions.length} transactions are not cancelled`)
  }
}
