/** Keeps how far the provider's business time is ahead of wall time, across restarts. */
import type { ProviderContext } from './provider-context.ts'

/** Sets the clock to the offset that was kept. */
export async function loadClock({ database, clock }: Pick<ProviderContext, 'database' | 'clock'>): Promise<void> {
  const row = await database.query.selectFrom('clock').select('offset_milliseconds').executeTakeFirstOrThrow()
  clock.setOffset(Number(row.offset_milliseconds))
}

/** Moves business time to an instant; going back undoes nothing. */
export async function moveClock(context: ProviderContext, to: Temporal.Instant): Promise<void> {
  // Rounded up, so that what is due at that very instant is due afterwards.
  await keepOffset(context, Math.ceil(to.since(context.clock.real()).total('milliseconds')))
}

/** Lets business time run with wall time again. */
export async function resetClock(context: ProviderContext): Promise<void> {
  await keepOffset(context, 0)
}

async function keepOffset({ database, clock }: ProviderContext, milliseconds: number): Promise<void> {
  await database.query
    .updateTable('clock')
    .set({ offset_milliseconds: BigInt(milliseconds) })
    .execute()
  clock.setOffset(milliseconds)
}
