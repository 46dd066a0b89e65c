/** Keeps how far business time is ahead of wall time, across restarts. */
import type { BankContext } from './bank-context.ts'

/** Sets the clock to the offset that was kept. */
export async function loadClock({ database, clock }: Pick<BankContext, 'database' | 'clock'>): Promise<void> {
  const row = await database.query.selectFrom('clock').select('offset_milliseconds').executeTakeFirstOrThrow()
  clock.setOffset(Number(row.offset_milliseconds))
}

/** Moves business time to an instant; going back undoes nothing. */
export async function moveClock(context: BankContext, to: Temporal.Instant): Promise<void> {
  // Rounded up, so that what is due at that very instant is due afterwards.
  const ahead = to.since(context.clock.real()).total('milliseconds')
  await keepOffset(context, Math.ceil(ahead))
}

/** Lets business time run with wall time again. */
export async function resetClock(context: BankContext): Promise<void> {
  await keepOffset(context, 0)
}

async function keepOffset({ database, clock }: BankContext, milliseconds: number): Promise<void> {
  await database.query
    .updateTable('clock')
    .set({ offset_milliseconds: BigInt(milliseconds) })
    .execute()
  clock.setOffset(milliseconds)
}
