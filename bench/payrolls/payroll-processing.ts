/** Measures payrolls with sandbox banks: the largest payroll, other requests meanwhile, and every submission mode. */
import { setTimeout as pause } from 'node:timers/promises'
import type { PayrollRequest } from '../../contract/payrolls/payroll-request.ts'
import { PAYROLL_BANKS } from '../../gateway/testing/payrolls/payroll-fixture.ts'
import { moveClock } from '../../sdk/index.ts'
import { measurementOf } from '../bench-part.ts'
import { gatewayPeakMemoryMegabytes } from '../environment/process-usage.ts'
import { requestLatencyDuring } from '../environment/request-latency.ts'
import type { RunningHavn } from '../environment/running-havn.ts'
import { type CallsByOperation, callsByOperation, sumOf } from '../environment/sandbox-bank.ts'
import { barResult, median, quantile } from '../figures.ts'
import { type CancellationFigures, measureCancellation } from './payroll-cancellation.ts'
import { openPayrollClient, type PayrollClient } from './payroll-fixture.ts'
import { measureWakeUps } from './submission-wake-up.ts'

type PayrollPlan = {
  /** Runs of the largest payroll before the measurement: code that runs once a minute is compiled late. */
  readonly warmUps: number
  readonly rounds: number
  /** Payrolls whose first order is waited for. */
  readonly wakeUps: number
  /** Transactions of a small payroll, and of the largest. */
  readonly small: number
  readonly large: number
  /** How long other requests are measured without a payroll. */
  readonly quietSeconds: number
  /** Transactions per submission mode. */
  readonly ways: Readonly<Record<PayrollBankKind, number>>
  /** Single orders of the payroll that is cancelled. */
  readonly cancelled: number
}

export const payrollProcessing = measurementOf<PayrollPlan, PayrollFigures>({
  full: {
    warmUps: 4,
    rounds: 10,
    wakeUps: 20,
    small: 100,
    large: 10_000,
    quietSeconds: 10,
    ways: { bulk: 1_000, baskets: 30, chain: 10 },
    cancelled: 1_000,
  },
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
  measure: (onHavn, plan) => onHavn((havn) => measure(havn, plan)),
  lines,
})

/** The submission modes, each with a bank of the sandbox that uses it. */
type PayrollBankKind = Exclude<keyof typeof PAYROLL_BANKS, 'bulkOwnIds'>

type BankKindFigures = {
  readonly payouts: number
  /** Calls to submit the payroll, and to poll it until every outcome is known. */
  readonly initiations: number
  readonly otherCalls: number
  readonly signatures: number
  /** From the request until the bank has every transaction and the user has signed. */
  readonly signedMilliseconds: number
  /** From the morning of the due date until the outcome of every transaction is known. */
  readonly knownMilliseconds: number
}

type PayrollFigures = {
  readonly plan: PayrollPlan
  readonly largeMilliseconds: number
  readonly smallMilliseconds: number
  readonly statusMilliseconds: number
  readonly others: { readonly quietP95: number; readonly besideP95: number }
  /** From the answer until the bank holds the first order, where a worker submits them. */
  readonly wakeUp: { readonly median: number; readonly most: number }
  readonly peakMegabytes: { readonly before: number; readonly after: number }
  readonly ways: Readonly<Record<PayrollBankKind, BankKindFigures>>
  readonly cancellation: CancellationFigures
}

const ORDER_OPERATIONS = new Set(['initiatePayment', 'initiateBulkPayment'])
const SIGNATURES = new Set([
  'startPaymentAuthorisation',
  'startSigningBasketAuthorisation',
  'startBulkPaymentAuthorisation',
])

async function measure(havn: RunningHavn, plan: PayrollPlan): Promise<PayrollFigures> {
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
    beside.push(
      ...(await requestLatencyDuring(
        havn.url,
        async () => void large.push(await orderAndRead(payer, payroll, statuses)),
      )),
    )
  }
  const after = await gatewayPeakMemoryMegabytes(havn.supervisorPid)
  const wakeUps = await measureWakeUps(havn, plan.wakeUps)
  return {
    plan,
    largeMilliseconds: median(large),
    smallMilliseconds: median(small),
    statusMilliseconds: median(statuses),
    others: { quietP95: quantile(quiet, 0.95), besideP95: quantile(beside, 0.95) },
    wakeUp: { median: median(wakeUps), most: Math.max(...wakeUps) },
    peakMegabytes: { before, after },
    ways: {
      bulk: await measureBankKind(havn, 'bulk', plan),
      baskets: await measureBankKind(havn, 'baskets', plan),
      chain: await measureBankKind(havn, 'chain', plan),
    },
    cancellation: await measureCancellation(havn, plan.cancelled),
  }
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

async function measureBankKind(havn: RunningHavn, way: PayrollBankKind, plan: PayrollPlan): Promise<BankKindFigures> {
  const payer = await openPayrollClient(havn, PAYROLL_BANKS[way])
  const payouts = plan.ways[way]
  const before = await callsOfBoth(havn, payer.bank.bic)
  const begun = performance.now()
  const { payrollId } = await payer.order(payer.payroll(payouts))
  await payer.sign(payrollId)
  const signedMilliseconds = performance.now() - begun
  const moved = performance.now()
  await moveClock(havn.client, { set: payer.paidBy })
  const { transactions } = await payer.status(payrollId)
  const knownMilliseconds = performance.now() - moved
  const open = transactions.filter(({ payrollStatus }) => payrollStatus !== 'Completed').length
  if (open > 0) {
    throw new Error(`${open} of ${payouts} payouts at ${payer.bank.bic} are not completed`)
  }
  const after = await callsOfBoth(havn, payer.bank.bic)
  const since = (isMeant?: (operation: string) => boolean) => sumOf(after, isMeant) - sumOf(before, isMeant)
  const [initiations, signatures] = [since((one) => ORDER_OPERATIONS.has(one)), since((one) => SIGNATURES.has(one))]
  const otherCalls = since() - initiations - signatures
  return { payouts, initiations, otherCalls, signatures, signedMilliseconds, knownMilliseconds }
}

/** Calls to a bank by the gateway and by the worker, which submits single orders. */
async function callsOfBoth(havn: RunningHavn, bic: string): Promise<CallsByOperation> {
  const ofGateway = await callsByOperation(`${havn.url}/metrics`, bic)
  const ofWorker = await callsByOperation(`${havn.workerUrl}/metrics`, bic)
  const operations = new Set([...ofGateway.keys(), ...ofWorker.keys()])
  return new Map([...operations].map((one) => [one, (ofGateway.get(one) ?? 0) + (ofWorker.get(one) ?? 0)]))
}

const LARGE_MAX_MILLISECONDS = 3_000
const STATUS_MAX_MILLISECONDS = 200
const MEMORY_MAX_MEGABYTES = 400
const WAKE_UP_MAX_MILLISECONDS = 1_000
const CANCELLATION_MAX_MILLISECONDS = 30_000
/** Maximum ratio of other requests' latency during the largest payroll, and of its cost per transaction. */
const OTHER_REQUESTS_RATIO_MAX = 2
const COST_RATIO_MAX = 1.3

function lines(figures: PayrollFigures): readonly string[] {
  const { plan, largeMilliseconds, smallMilliseconds, statusMilliseconds, others, wakeUp, peakMegabytes, ways } =
    figures
  const othersRatio = others.besideP95 / others.quietP95
  const costRatio = largeMilliseconds / plan.large / (smallMilliseconds / plan.small)
  const { before, after } = peakMegabytes
  return [
    `Payrolls, ${plan.large} transactions in one request at a bank with bulks:`,
    `  response time                    ${largeMilliseconds.toFixed(0)} ms (bar: at most ${LARGE_MAX_MILLISECONDS} ms) ${barResult(largeMilliseconds <= LARGE_MAX_MILLISECONDS)}`,
    `  a transaction, relative to ${String(plan.small).padEnd(5)} ${costRatio.toFixed(2)} times (bar: at most ${COST_RATIO_MAX} times) ${barResult(costRatio <= COST_RATIO_MAX)}`,
    `  p95 of other requests            ${others.besideP95.toFixed(1)} ms, ${othersRatio.toFixed(2)} times (bar: at most ${OTHER_REQUESTS_RATIO_MAX} times) ${barResult(othersRatio <= OTHER_REQUESTS_RATIO_MAX)}`,
    `  gateway peak memory              ${after.toFixed(0)} MB, ${before.toFixed(0)} MB before it (bar: at most ${MEMORY_MAX_MEGABYTES} MB) ${barResult(after <= MEMORY_MAX_MEGABYTES)}`,
    `  reading its status               ${statusMilliseconds.toFixed(0)} ms (bar: at most ${STATUS_MAX_MILLISECONDS} ms) ${barResult(statusMilliseconds <= STATUS_MAX_MILLISECONDS)}`,
    `  first order at the bank          ${wakeUp.median.toFixed(0)} ms after the response, at most ${wakeUp.most.toFixed(0)} ms, where a worker submits them (bar: at most ${WAKE_UP_MAX_MILLISECONDS} ms) ${barResult(wakeUp.most <= WAKE_UP_MAX_MILLISECONDS)}`,
    ...Object.entries(ways).map(([way, figuresOfWay]) => bankKindLine(way, figuresOfWay)),
    cancellationLine(figures.cancellation),
  ]
}

function bankKindLine(way: string, of: BankKindFigures): string {
  const calls = `${of.initiations} calls to submit, ${of.otherCalls} others`
  const times = `signed ${seconds(of.signedMilliseconds)} after the order, outcomes known ${seconds(of.knownMilliseconds)} after the due day`
  return `  ${way.padEnd(8)} ${of.payouts} transactions: ${calls}, ${of.signatures} signatures; ${times}`
}

function cancellationLine(of: CancellationFigures): string {
  const { orders, answeredOrders, responseMilliseconds, cancelledMilliseconds } = of
  const response = `${seconds(responseMilliseconds)} with ${answeredOrders} cancelled (bar: at most ${seconds(CANCELLATION_MAX_MILLISECONDS)}) ${barResult(responseMilliseconds <= CANCELLATION_MAX_MILLISECONDS)}`
  return `  cancelling ${orders} single orders: answered after ${response}; all cancelled after ${seconds(cancelledMilliseconds)}`
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
}
