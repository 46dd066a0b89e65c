/** Measures what the request log and the log of bank calls cost: initiations with both of them, and without. */

import { type Initiate, initiationsPerSecond, openInitiationClient } from '../environment/initiation-client.ts'
import { type CpuTimes, cpuTimesDuring } from '../environment/process-usage.ts'
import { type OpenHavn, pointBankToStub, type RunningHavn, resetPayments } from '../environment/running-havn.ts'
import { waitUntilBankMoved } from '../environment/sandbox-bank.ts'
import { type StubBank, startStubBank } from '../environment/stub-bank.ts'
import { barResult, median } from '../figures.ts'
import { CALLERS } from './initiation-rounds.ts'

export type CallLogPlan = {
  readonly rounds: number
  readonly warmUpSeconds: number
  readonly seconds: number
  readonly storedPayments: number
}

export const FULL_CALL_LOGS: CallLogPlan = { rounds: 4, warmUpSeconds: 4, seconds: 10, storedPayments: 20_000 }
export const SHORT_CALL_LOGS: CallLogPlan = { rounds: 1, warmUpSeconds: 0, seconds: 0.5, storedPayments: 100 }

/** With both logs and without; the share of the requests with them that are in the log. */
export type CallLogRound = { readonly on: Measured; readonly off: Measured }

type Measured = {
  readonly perSecond: number
  readonly loggedShare: number
  /** Processor time of an initiation: of all programs but the load generator, which also is the bank. */
  readonly gatewayMicroseconds: number
  readonly postgresMicroseconds: number
}

const OFF = { HAVN_REQUEST_LOG: '0', HAVN_BANK_CALL_LOG: '0' }
const RATIO_MIN = 0.95

/** Which comes first alternates, so that a machine that becomes slower does not distort the ratio. */
export async function measureCallLogCost(
  open: OpenHavn,
  plan: CallLogPlan,
  interruption: Promise<never>,
): Promise<readonly CallLogRound[]> {
  const rounds: CallLogRound[] = []
  for (let number = 0; number < plan.rounds; number += 1) {
    const measure = (settings: Readonly<Record<string, string>>) => measureWith(open, settings, plan, interruption)
    const first = await measure(number % 2 === 0 ? {} : OFF)
    const second = await measure(number % 2 === 0 ? OFF : {})
    const [on, off] = number % 2 === 0 ? [first, second] : [second, first]
    rounds.push({ on, off })
  }
  return rounds
}

async function measureWith(
  open: OpenHavn,
  settings: Readonly<Record<string, string>>,
  plan: CallLogPlan,
  interruption: Promise<never>,
): Promise<Measured> {
  const stub = await startStubBank()
  const havn = await open(settings)
  const { initiate, close } = await openInitiationClient(havn, CALLERS)
  try {
    return await Promise.race([measureInitiations({ havn, stub, initiate, plan }), interruption])
  } finally {
    await close()
    await havn.close()
    await stub.close()
  }
}

async function measureInitiations({
  havn,
  stub,
  initiate,
  plan,
}: {
  readonly havn: RunningHavn
  readonly stub: StubBank
  readonly initiate: Initiate
  readonly plan: CallLogPlan
}): Promise<Measured> {
  await pointBankToStub(stub, havn)
  await waitUntilBankMoved(initiate, stub)
  await resetPayments(havn, plan.storedPayments)
  await havn.database.pool.query('truncate request_log')
  const before = stub.orders()
  const { result: perSecond, times } = await cpuTimesDuring(havn, () =>
    initiationsPerSecond(initiate, { ...plan, callers: CALLERS }),
  )
  const orders = stub.orders() - before
  const { rows } = await havn.database.pool.query<{ logged: number }>('select count(*)::int as logged from request_log')
  return {
    perSecond,
    loggedShare: (rows[0]?.logged ?? 0) / orders,
    gatewayMicroseconds: microsecondsOf(times, 'gateway', orders),
    postgresMicroseconds: microsecondsOf(times, 'postgres', orders),
  }
}

function microsecondsOf(times: CpuTimes, name: string, orders: number): number {
  return ((times.get(name) ?? 0) * 1000) / orders
}

/** One line per figure. */
export function callLogLines(rounds: readonly CallLogRound[]): readonly string[] {
  const of = (figure: (round: CallLogRound) => number) => median(rounds.map(figure))
  const ratios = rounds.map(({ on, off }) => on.perSecond / off.perSecond)
  const ratio = median(ratios)
  const each = ratios.map((one) => one.toFixed(2)).join(', ')
  const perSecond = (figure: (round: CallLogRound) => number) => `${of(figure).toFixed(0)} per second`
  return [
    `Initiations with the request log and the log of bank calls, medians of ${rounds.length} rounds, ${CALLERS} callers:`,
    `  with both logs                 ${perSecond(({ on }) => on.perSecond)}`,
    `  without them                   ${perSecond(({ off }) => off.perSecond)}`,
    `  ratio                          ${ratio.toFixed(3)} (bar: at least ${RATIO_MIN}) ${barResult(ratio >= RATIO_MIN)}; rounds: ${each}`,
    `  requests in the log            ${(of(({ on }) => on.loggedShare) * 100).toFixed(1)} % when the last one is answered`,
    cpuLine('gateway', rounds, (measured) => measured.gatewayMicroseconds),
    cpuLine('PostgreSQL', rounds, (measured) => measured.postgresMicroseconds),
  ]
}

function cpuLine(name: string, rounds: readonly CallLogRound[], of: (measured: Measured) => number): string {
  const [on, off] = [median(rounds.map((round) => of(round.on))), median(rounds.map((round) => of(round.off)))]
  const title = `${name}, processor`.padEnd(31)
  return `  ${title}${on.toFixed(0)} µs per initiation, ${off.toFixed(0)} µs without (${((on / off - 1) * 100).toFixed(1)} %)`
}
