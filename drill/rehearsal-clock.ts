/** Moves the business days of a rehearsal, and says at which wall time something happens. */
import { movableClock } from '../gateway/platform/clock.ts'
import { nextBankMorning } from '../gateway/testing/gateway/start-on-bank-day.ts'
import { type HavnClient, moveClock } from '../sdk/index.ts'
import type { Today } from './payment-load.ts'

/** Wall time: nothing moves it here. */
const CLOCK = movableClock()

export const seconds = (count: number) => new Promise((resolve) => setTimeout(resolve, count * 1_000))

export function report(text: string): void {
  console.log(`${CLOCK.real().toString({ smallestUnit: 'second' })} ${text}`)
}

type BankDay = {
  readonly today: Today
  /** Whatever falls due until then is processed by the programs that run. */
  moveToNext(): Promise<void>
}

/** The first day begins at once. */
export async function beginBankDays(client: HavnClient): Promise<BankDay> {
  let morning = nextBankMorning(CLOCK.today('Europe/Helsinki'))
  await client.moveSandboxClock({ body: { set: morning.toString() } })
  const today: Today = (timeZone) => morning.toZonedDateTimeISO(timeZone).toPlainDate()
  return {
    today,
    moveToNext: async () => {
      const next = nextBankMorning(today('Europe/Helsinki'))
      await moveClock(client, { set: next.toString() })
      morning = next
    },
  }
}
