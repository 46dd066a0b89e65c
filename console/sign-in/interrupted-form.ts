/** Decides which interrupted forms are stored until their user has signed in again: those of sessions, within a size. */
import type { Context } from '../../gateway/context.ts'
import { hashToken } from '../../gateway/platform/ids.ts'
import { storedSessionLimitsAt } from '../access/console-session.ts'
import { findSession } from '../sessions/console-session-store.ts'
import type { InterruptedForm } from './sign-in-page.ts'

/** Far above what a user types into a form of the console. */
const FORM_CHARACTERS_MAX = 16 * 1024

/**
 * Undefined for a form that is too long, and for one of a browser whose cookie was never a session, or was one that its
 * user or an administrator ended: a client can make up a cookie and the form token that belongs to it.
 */
export async function storableForm(
  { database, clock }: Context,
  token: string,
  form: InterruptedForm,
): Promise<InterruptedForm | undefined> {
  const isShort = form.fields.toString().length <= FORM_CHARACTERS_MAX
  const session = isShort && (await findSession(database, hashToken(token), storedSessionLimitsAt(clock.real())))
  return session ? form : undefined
}
