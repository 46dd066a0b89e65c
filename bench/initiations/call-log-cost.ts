/** Measures what the request log and the log of bank calls cost: initiations with both of them, and without. */
import { measurementOf, measureWithStub, type OnHavn, type StubbedHavn } from '../bench-part.ts'
import { initiationsPerSecond } from '../environment/initiation-client.ts'
import { cpuTimesDuring } from '../environment/process-usage.ts'
import { resetPayments } from '../environment/running-havn.ts'
import { atLeast, line, median } from '../figures.ts'
import { CALLERS } from './initiation-rounds.ts'

type CallLogPlan = {
  readonly rounds: number
  readonly warmUpSeconds: number
  readonly seconds: number
  readonly storedPayments: number
}

export const callLogCost = measurementOf<CallLogPlan>(
  {
    full: { rounds: 4, warmUpSeconds: 4, seconds: 10, storedPayments: 20_000 },
    short: { rounds: 1, warmUpSeconds: 0, seconds: 0.5, storedPayments: 100 },
  },
  measure,
)

type Measured = {
  readonly perSecond: number
  /** The share of the requests that are in the log when the last one is answered. */
  readonly loggedShare: number
  /** Processor time of an initiation: of all programs but the load generator, which also is the bank. */
  readonly gatewayMicroseconds: number
  readonly postgresMicroseconds: number
}

const OFF = { HAVN_REQUEST_LOG: '0', HAVN_BANK_CALL_LOG: '0' }

/** Which comes first alternates, so that a machine that becomes slower does not distort the ratio. */
async function measure(onHavn: OnHavn, plan: CallLogPlan): Promise<readonly string[]> {
  const [on, off]: [Measured[], Measured[]] = [[], []]
  const measureOn = async () => on.push(await measureWith(onHavn, plan, {}))
  const measureOff = async () => off.push(await measureWith(onHavn, plan, OFF))
  for (let number = 0; number < plan.rounds; number += 1) {
    for (const measureOne of number % 2 === 0 ? [measureOn, measureOff] : [measureOff, measureOn]) {
      await measureOne()
    }
  }
  const of = (rounds: readonly Measured[], figure: keyof Measured) => median(rounds.map((round) => round[figure]))
  const ratios = on.map(({ perSecond }, round) => perSecond / (off[round]?.perSecond ?? Number.NaN))
  const each = ratios.map((one) => one.toFixed(2)).join(', ')
  const cpu = (figure: 'gatewayMicroseconds' | 'postgresMicroseconds') => {
    const [with_, without] = [of(on, figure), of(off, figure)]
    const more = ((with_ / without - 1) * 100).toFixed(1)
    return `${with_.toFixed(0)} µs per initiation, ${without.toFixed(0)} µs without (${more} %)`
  }
  return [
    `Initiations with the request log and the log of bank calls, medians of ${plan.rounds} rounds, ${CALLERS} callers:`,
    line('with both logs', `${of(on, 'perSecond').toFixed(0)} per second`),
    line('without them', `${of(off, 'perSecond').toFixed(0)} per second`),
    line('ratio', `${atLeast(median(ratios), 0.95, { decimals: 3 })}; rounds: ${each}`),
    line('requests in the log', `${(of(on, 'loggedShare') * 100).toFixed(1)} % when the last one is answered`),
    line('gateway, processor', cpu('gatewayMicroseconds')),
    line('PostgreSQL, processor', cpu('postgresMicroseconds')),
  ]
}

async function measureWith(
  onHavn: OnHavn,
  plan: CallLogPlan,
  settings: Readonly<Record<string, string>>,
): Promise<Measured> {
  return await measureWithStub(onHavn, CALLERS, (stubbed) => measureInitiations(stubbed, plan), settings)
}

async function measureInitiations({ havn, stub, initiate }: StubbedHavn, plan: CallLogPlan): Promise<Measured> {
  const { pool } = havn.database
  await resetPayments(havn, plan.storedPayments)
  await pool.query('truncate request_log')
  const before = stub.orders()
  const { result: perSecond, times } = await cpuTimesDuring(havn, () =>
    initiationsPerSecond(initiate, { ...plan, callers: CALLERS }),
  )
  const orders = stub.orders() - before
  const { rows } = await pool.query<{ logged: number }>('select count(*)::int as logged from request_log')
  const microsecondsOf = (name: string) => ((times.get(name) ?? 0) * 1000) / orders
  return {
    perSecond,
    loggedShare: (rows[0]?.logged ?? 0) / orders,
    gatewayMicroseconds: microsecondsOf('gateway'),
    postgresMicroseconds: microsecondsOf('postgres'),
  }
}
