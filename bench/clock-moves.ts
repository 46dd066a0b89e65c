/** Measures moves of the sandbox clock with many open payments: until the response, and until the target is reached. */
import { nextBankDay } from '../gateway/countries/bank-days.ts'
import { moveClock } from '../sdk/index.ts'
import { measurementOf } from './bench-part.ts'
import { openInitiationClient } from './environment/initiation-client.ts'
import { type RunningHavn, todayOf } from './environment/running-havn.ts'
import { barResult } from './figures.ts'

type ClockPlan = {
  /** Unsigned payments, due after the last move. */
  readonly unsigned: number
  /** Signed payments, which are settled on the next bank day. */
  readonly signed: number
  /** Consecutive moves, each by this much. */
  readonly moves: readonly string[]
}

export const clockMoves = measurementOf<ClockPlan, readonly MoveFigures[]>({
  full: { unsigned: 9_000, signed: 1_000, moves: ['PT2H', 'P1D', 'P2D'] },
  short: { unsigned: 2, signed: 2, moves: ['PT2H', 'P1D'] },
  measure: (onHavn, plan) => onHavn((havn) => measure(havn, plan)),
  lines,
})

type MoveFigures = {
  readonly advance: string
  /** Payments without a final status at the bank before the move began. */
  readonly open: number
  readonly answeredSeconds: number
  readonly endedSeconds: number
}

const CALLERS = 16
/** The account has funds for all of them. */
const AMOUNT = { amount: '10.00', currency: 'NOK' } as const
const FINAL = `('Completed', 'Rejected', 'Cancelled')`
/** After the last move. */
const UNSIGNED_DUE_IN_DAYS = 4

async function measure(havn: RunningHavn, { unsigned, signed, moves }: ClockPlan): Promise<readonly MoveFigures[]> {
  const today = await todayOf(havn)
  await order(havn, signed, nextBankDay(['NO'], today.add({ days: 1 })))
  await signAllPayments(havn)
  await order(havn, unsigned, today.add({ days: UNSIGNED_DUE_IN_DAYS }))
  const figures: MoveFigures[] = []
  for (const advance of moves) {
    figures.push(await move(havn, advance))
  }
  return figures
}

async function order(havn: RunningHavn, count: number, day: Temporal.PlainDate): Promise<void> {
  const { initiate, close } = await openInitiationClient(havn, CALLERS, { dueDate: day.toString(), amount: AMOUNT })
  let ordered = 0
  const orderSome = async () => {
    while (ordered < count) {
      ordered += 1
      await initiate()
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, orderSome))
  await close()
}

/** Signs every open payment in the netbank. */
async function signAllPayments({ bankUrl, database }: RunningHavn): Promise<void> {
  const { rows } = await database.pool.query<{ id: string }>(
    `select bank_payment_id as id from payments where status not in ${FINAL}`,
  )
  for (const { id } of rows) {
    const response = await fetch(`${bankUrl}/control/payments/${id}/sign`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    if (!response.ok) {
      throw new Error(`The sandbox bank answered ${response.status}: ${await response.text()}`)
    }
    await response.body?.cancel()
  }
}

async function move({ client, database }: RunningHavn, advance: string): Promise<MoveFigures> {
  const { rows } = await database.pool.query<{ open: bigint }>(
    `select count(*) as open from payments where status not in ${FINAL}`,
  )
  const began = performance.now()
  let answeredSeconds = 0
  const timed: typeof client.moveSandboxClock = async (call) => {
    const clock = await client.moveSandboxClock(call)
    answeredSeconds = (performance.now() - began) / 1_000
    return clock
  }
  await moveClock({ ...client, moveSandboxClock: timed }, { advance })
  const endedSeconds = (performance.now() - began) / 1_000
  return { advance, open: Number(rows[0]?.open ?? 0n), answeredSeconds, endedSeconds }
}

const ANSWERED_MAX_SECONDS = 10

function lines(moves: readonly MoveFigures[]): readonly string[] {
  return [
    'Moves of the sandbox clock with open payments:',
    ...moves.map(({ advance, open, answeredSeconds, endedSeconds }) => {
      const answered = `answered after ${answeredSeconds.toFixed(1)} s (bar: at most ${ANSWERED_MAX_SECONDS} s) ${barResult(answeredSeconds <= ANSWERED_MAX_SECONDS)}`
      return `  ${advance.padEnd(5)} ${open} open: ${answered}, ended after ${endedSeconds.toFixed(1)} s`
    }),
  ]
}
