/** What is to be signed in users' apps: finds an order by the code that an app read, and ends orders that nobody scanned. */
import type { BankContext } from '../bank-context.ts'
import { hasLapsed, isCodeOf, tokenInCode } from './app-code.ts'
import { type Authorisation, isEnded } from './authorisation.ts'
import { authorisationByCode, lapsedAuthorisations } from './authorisation-store.ts'
import { endAuthorisation } from './end-authorisation.ts'
import { lockWithTarget } from './lock-sca-target.ts'

/** The order that a code was drawn for; undefined when the bank knows none. */
export async function orderOfCode(context: BankContext, code: string): Promise<Authorisation | undefined> {
  const token = tokenInCode(code)
  const found = token === undefined ? undefined : await authorisationByCode(context.database.query, token)
  return found !== undefined && isCodeOf(code, found) ? found : undefined
}

/** Ends every order whose code nobody scanned in time. */
export async function endLapsedOrders(context: BankContext): Promise<void> {
  for (const found of await lapsedAuthorisations(context.database.query, context.clock.real())) {
    await endIfLapsed(context, found)
  }
}

/** Lets the code of an order lapse now; false when nobody could scan it any more anyhow. */
export async function lapseOrder(context: BankContext, found: Authorisation): Promise<boolean> {
  if (found.code_lapses_at === null || isEnded(found)) {
    return false
  }
  return await endIfLapsed(context, found, Temporal.Instant.from(found.code_lapses_at))
}

async function endIfLapsed(
  context: BankContext,
  found: Authorisation,
  at: Temporal.Instant = context.clock.real(),
): Promise<boolean> {
  const notices = await context.database.query.transaction().execute(async (transaction) => {
    const locked = await lockWithTarget(transaction, found)
    return locked === undefined || isEnded(locked.authorisation) || !hasLapsed(locked.authorisation, at)
      ? null
      : await endAuthorisation(transaction, locked.authorisation, locked.target, 'lapsed')
  })
  context.push.send(notices ?? [])
  return notices !== null
}
