/** Measures what the request log and the log of bank calls cost: initiations with both of them, and without. */
import { measurementOf, measureWithStub, type OnHavn, type StubbedHavn } from '../bench-part.ts'
import { initiationsPerSecond } from '../environment/initiation-client.ts'
import { type CpuTimes, cpuTimesDuring } from '../environment/process-usage.ts'
import { resetPayments } from '../environment/running-havn.ts'
import { barResult, median } from '../figures.ts'
import { CALLERS } from './initiation-rounds.ts'

type CallLogPlan = {
  readonly rounds: number
  readonly warmUpSeconds: number
  readonly seconds: number
  readonly storedPayments: number
}

export const callLogCost = measurementOf<CallLogPlan, readonly CallLogRound[]>({
  full: { rounds: 4, warmUpSeconds: 4, seconds: 10, storedPayments: 20_000 },
  short: { rounds: 1, warmUpSeconds: 0, seconds: 0.5, storedPayments: 100 },
  measure,
  lines,
})

/** With both logs and without; the share of the requests with them that are in the log. */
type CallLogRound = { readonly on: Measured; readonly off: Measured }

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
async function measure(onHavn: OnHavn, plan: CallLogPlan): Promise<readonly CallLogRound[]> {
  const rounds: CallLogRound[] = []
  const measureWith = (settings: Readonly<Record<string, string>>) =>
    measureWithStub(onHavn, CALLERS, (stubbed) => measureInitiations(stubbed, plan), settings)
  for (let number = 0; number < plan.rounds; number += 1) {
    const first = await measureWith(number % 2 === 0 ? {} : OFF)
    const second = await measureWith(number % 2 === 0 ? OFF : {})
    const [on, off] = number % 2 === 0 ? [first, second] : [second, first]
    rounds.push({ on, off })
  }
  return rounds
}

async function measureInitiations({ havn, stub, initiate }: StubbedHavn, plan: CallLogPlan): Promise<Measured> {
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

function lines(rounds: readonly CallLogRound[]): readonly string[] {
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
