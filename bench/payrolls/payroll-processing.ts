/** Measures payrolls on a Havn of its own, with banks of the sandbox: the largest one, others beside it, and every way of taking them. */
import { setTimeout as pause } from 'node:timers/promises'
import type { PayrollAsked } from '../../contract/payrolls/payroll-request.ts'
import { PAYROLL_BANKS } from '../../gateway/testing/payrolls/payroll-fixture.ts'
import { moveClock } from '../../sdk/move-clock.ts'
import { callsByOperation, sumOf } from '../environment/bank-calls.ts'
import { othersDuring } from '../environment/request-latency.ts'
import type { RunningHavn } from '../environment/running-havn.ts'
import type { OpenHavn } from '../environment/shared-havn.ts'
import { median, quantile } from '../figures.ts'
import { gatewayPeakMegabytes } from '../gateway-process.ts'
import { openPayrollPayer, type PayrollPayer } from './payroll-fixture.ts'

/** How much of everything. */
export type PayrollPlan = {
  /** Of the largest payroll before anything is measured: what runs once in a minute is compiled late. */
  readonly warmUps: number
  readonly rounds: number
  /** Payouts of a small payroll, and of the largest. */
  readonly small: number
  readonly large: number
  /** How long others are measured while nothing else goes on. */
  readonly quietSeconds: number
  /** Payouts for each way. */
  readonly ways: Readonly<Record<PayrollWay, number>>
}

export const FULL_PAYROLLS: PayrollPlan = {
  warmUps: 4,
  rounds: 10,
  small: 100,
  large: 10_000,
  quietSeconds: 10,
  ways: { bulk: 1_000, baskets: 30, chain: 10 },
}
/** Shows that the bench works; its figures mean nothing. */
export const SHORT_PAYROLLS: PayrollPlan = {
  warmUps: 1,
  rounds: 1,
  small: 4,
  large: 20,
  quietSeconds: 1,
  ways: { bulk: 3, baskets: 3, chain: 2 },
}

/** The ways in which banks take payrolls, each with a bank of the sandbox that does. */
export type PayrollWay = Exclude<keyof typeof PAYROLL_BANKS, 'bulkOwnIds'>

export type WayFigures = {
  readonly payouts: number
  /** Calls that order, and those that follow until every outcome is known. */
  readonly initiations: number
  readonly otherCalls: number
  readonly signatures: number
  /** From asking until the bank holds every payout and the user has signed. */
  readonly signedMilliseconds: number
  /** From the morning on which the bank pays until the outcome of every payout is known. */
  readonly knownMilliseconds: number
}

export type PayrollFigures = {
  readonly plan: PayrollPlan
  readonly largeMilliseconds: number
  readonly smallMilliseconds: number
  readonly statusMilliseconds: number
  readonly others: { readonly quietP95: number; readonly besideP95: number }
  readonly peakMegabytes: { readonly before: number; readonly after: number }
  readonly ways: Readonly<Record<PayrollWay, WayFigures>>
}

const ORDERING = new Set(['initiatePayment', 'initiateBulkPayment'])
const SIGNATURES = new Set([
  'startPaymentAuthorisation',
  'startSigningBasketAuthorisation',
  'startBulkPaymentAuthorisation',
])

/** Leaves nothing behind, even when it is interrupted. */
export async function measurePayrolls(
  open: OpenHavn,
  plan: PayrollPlan,
  interrupted: Promise<never>,
): Promise<PayrollFigures> {
  const havn = await open()
  try {
    return await Promise.race([measure(havn, plan), interrupted])
  } finally {
    await havn.close()
  }
}

async function measure(havn: RunningHavn, plan: PayrollPlan): Promise<PayrollFigures> {
  const payer = await openPayrollPayer(havn, PAYROLL_BANKS.bulk)
  // Code that has never run is slow, and is made quicker while it runs.
  await payer.order(payer.payroll(plan.small))
  const before = await gatewayPeakMegabytes(havn.supervisorPid)
  const small: number[] = []
  for (let round = 0; round < plan.rounds * 3; round += 1) {
    small.push((await payer.order(payer.payroll(plan.small))).milliseconds)
  }
  for (let round = 0; round < plan.warmUps; round += 1) {
    await orderAndRead(payer, payer.payroll(plan.large), [])
  }
  const quiet = await othersDuring(havn.url, () => pause(plan.quietSeconds * 1000))
  const [large, statuses, beside]: [number[], number[], number[]] = [[], [], []]
  for (let round = 0; round < plan.rounds; round += 1) {
    const payroll = payer.payroll(plan.large)
    beside.push(
      ...(await othersDuring(havn.url, async () => void large.push(await orderAndRead(payer, payroll, statuses)))),
    )
  }
  const after = await gatewayPeakMegabytes(havn.supervisorPid)
  return {
    plan,
    largeMilliseconds: median(large),
    smallMilliseconds: median(small),
    statusMilliseconds: median(statuses),
    others: { quietP95: quantile(quiet, 0.95), besideP95: quantile(beside, 0.95) },
    peakMegabytes: { before, after },
    ways: {
      bulk: await wayOf(havn, 'bulk', plan),
      baskets: await wayOf(havn, 'baskets', plan),
      chain: await wayOf(havn, 'chain', plan),
    },
  }
}

async function orderAndRead(payer: PayrollPayer, payroll: PayrollAsked, statuses: number[]): Promise<number> {
  const { payrollId, milliseconds } = await payer.order(payroll)
  const begun = performance.now()
  const { transactions } = await payer.status(payrollId)
  statuses.push(performance.now() - begun)
  if (transactions.length !== payroll.transactions.length) {
    throw new Error(`${transactions.length} payouts were shown of ${payroll.transactions.length}`)
  }
  return milliseconds
}

async function wayOf(havn: RunningHavn, way: PayrollWay, plan: PayrollPlan): Promise<WayFigures> {
  const payer = await openPayrollPayer(havn, PAYROLL_BANKS[way])
  const payouts = plan.ways[way]
  const before = await callsByOperation(`${havn.url}/metrics`, payer.bank.bic)
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
  const after = await callsByOperation(`${havn.url}/metrics`, payer.bank.bic)
  const since = (isMeant?: (operation: string) => boolean) => sumOf(after, isMeant) - sumOf(before, isMeant)
  const [initiations, signatures] = [since((one) => ORDERING.has(one)), since((one) => SIGNATURES.has(one))]
  const otherCalls = since() - initiations - signatures
  return { payouts, initiations, otherCalls, signatures, signedMilliseconds, knownMilliseconds }
}
