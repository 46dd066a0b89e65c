/** Stores the offset of business time from wall time, so that it survives restarts. */
import type { Context } from './context.ts'

/** Sets the clock to the stored offset. */
export async function loadClock({ database, clock }: Pick<Context, 'database' | 'clock'>): Promise<void> {
  const row = await database.query.selectFrom('clock').select('offset_milliseconds').executeTakeFirstOrThrow()
  clock.setOffset(Number(row.offset_milliseconds))
}

/** Moves business time to an instant; moving it back reverses nothing. */
export async function moveClock(context: Context, to: Temporal.Instant): Promise<void> {
  // Rounded up, so that everything due at that very instant is due afterwards.
  const ahead = to.since(context.clock.real()).total('milliseconds')
  await storeOffset(context, Math.ceil(ahead))
}

/** Resets business time to wall time. */
export async function resetClock(context: Context): Promise<void> {
  await storeOffset(context, 0)
}

async function storeOffset({ database, clock }: Context, milliseconds: number): Promise<void> {
  await database.query
    .updateTable('clock')
    .set({ offset_milliseconds: BigInt(milliseconds) })
    .execute()
  clock.setOffset(milliseconds)
}
