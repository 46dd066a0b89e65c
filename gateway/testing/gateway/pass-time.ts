/** Lets business time pass in one step, for tests of what has happened afterwards. */
import { setBusinessTime } from '../../platform/database/business-clock-store.ts'
import { openProgramControl } from '../../simulation/sandbox-control.ts'
import type { TestGateway } from './test-gateway.ts'

/**
 * As if no worker had run for this long, such as `PT11M`: what became due is processed then. A move of the sandbox's clock
 * polls every session and order in between as well, at a stop of its own.
 */
export async function passTime(gateway: TestGateway, duration: string | Temporal.Duration): Promise<void> {
  await passUntil(gateway, gateway.context.clock.now().toZonedDateTimeISO('UTC').add(duration).toInstant())
}

/** The same until an instant, which is later than now. */
export async function passUntil(
  { context, bank, sweep }: TestGateway,
  instant: string | Temporal.Instant,
): Promise<void> {
  const { sandboxFxUrl } = context.config
  const time = Temporal.Instant.from(instant)
  await setBusinessTime(context.database, context.clock, time)
  // The provider first, because the bank sends it money.
  for (const url of [...(sandboxFxUrl === null ? [] : [sandboxFxUrl]), bank.pagesUrl]) {
    await openProgramControl(url, url).setClock(time)
  }
  // Circuit breakers use wall time.
  await context.banks.resetFailures()
  await sweep()
}
