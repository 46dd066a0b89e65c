/** Measures moves of the sandbox clock with many open payments: until the response, and until the target is reached. */
import { nextBankDay } from '../gateway/countries/bank-days.ts'
import { openSandboxBankControl } from '../gateway/testing/banks/sandbox-bank-control.ts'
import { moveClock } from '../sdk/index.ts'
import { measurementOnHavn } from './bench-part.ts'
import { openInitiationClient } from './environment/initiation-client.ts'
import { type RunningHavn, todayOf } from './environment/running-havn.ts'
import { atMost } from './figures.ts'

const FULL = {
  /** Unsigned payments, due after the last move. */
  unsigned: 9_000,
  /** Signed payments, which are settled on the next bank day. */
  signed: 1_000,
  /** Consecutive moves, each by this much. */
  moves: ['PT2H', 'P1D', 'P2D'],
}
type ClockPlan = typeof FULL

export const clockMoves = measurementOnHavn<ClockPlan>(
  { full: FULL, short: { unsigned: 2, signed: 2, moves: ['PT2H', 'P1D'] } },
  measure,
)

const CALLERS = 16
/** The account has funds for all of them. */
const AMOUNT = { amount: '10.00', currency: 'NOK' } as const
/** After the last move. */
const UNSIGNED_DUE_IN_DAYS = 4

async function measure(havn: RunningHavn, { unsigned, signed, moves }: ClockPlan): Promise<readonly string[]> {
  const today = await todayOf(havn)
  await order(havn, signed, nextBankDay(['NO'], today.add({ days: 1 })))
  const control = openSandboxBankControl({ pagesUrl: havn.bankUrl })
  for (const id of await openPayments(havn)) {
    await control.signInNetbank(id)
  }
  await order(havn, unsigned, today.add({ days: UNSIGNED_DUE_IN_DAYS }))
  const lines = ['Moves of the sandbox clock with open payments:']
  for (const advance of moves) {
    lines.push(await move(havn, advance))
  }
  return lines
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

/** The bank's ids of the payments without a final status. */
async function openPayments({ database }: RunningHavn): Promise<readonly string[]> {
  const { rows } = await database.pool.query<{ id: string }>(
    `select bank_payment_id as id from payments where status not in ('Completed', 'Rejected', 'Cancelled')`,
  )
  return rows.map(({ id }) => id)
}

async function move(havn: RunningHavn, advance: string): Promise<string> {
  const { client } = havn
  const { length: open } = await openPayments(havn)
  const began = performance.now()
  let answeredSeconds = 0
  const timed: typeof client.moveSandboxClock = async (call) => {
    const clock = await client.moveSandboxClock(call)
    answeredSeconds = (performance.now() - began) / 1_000
    return clock
  }
  await moveClock({ ...client, moveSandboxClock: timed }, { advance })
  const endedSeconds = (performance.now() - began) / 1_000
  const answered = atMost(answeredSeconds, 10, { unit: ' s', decimals: 1 })
  return `  ${advance.padEnd(5)} ${open} open: answered after ${answered}, ended after ${endedSeconds.toFixed(1)} s`
}
