/** Records whether the user of a browser that returned in place of the one that left started the session. */
import type { Context } from '../context.ts'
import { isConfirmingBrowser } from './browser/requesting-browser.ts'
import { reloadScaSession } from './find-sca-sessions.ts'
import { completeScaSession, tryRefreshScaSession } from './refresh-sca-session.ts'
import { nextStepAwaitsConfirmation, type ScaSession, type ScaSubject } from './sca-session.ts'
import { type RefreshedScaSession, scaSessionStateOf } from './sca-session-state.ts'
import { trustConfirmedBrowser } from './store/callback-store.ts'

/** Yes puts the signature in force, no ends the session. Undefined for a browser that may not confirm. */
export async function confirmScaSession(
  context: Context,
  kind: ScaSubject,
  session: ScaSession,
  answer: { readonly browserToken: string | undefined; readonly isConfirmed: boolean },
): Promise<RefreshedScaSession | undefined> {
  if (session.confirmHash === null || !isConfirmingBrowser(session, answer.browserToken)) {
    return undefined
  }
  if (answer.isConfirmed) {
    const hasFurtherSteps = nextStepAwaitsConfirmation(session)
    const confirmation = { confirmHash: session.confirmHash, hasFurtherSteps, at: context.clock.real() }
    await trustConfirmedBrowser(context.database, session, confirmation)
  } else if (scaSessionStateOf(session).at === 'confirmation') {
    const ended = await completeScaSession(context, kind, session, 'rejected')
    if (ended !== undefined) {
      return ended
    }
  }
  return await tryRefreshScaSession(context, kind, await reloadScaSession(context, session))
}
