/** Plays the user of an authorisation without a browser: opens it, says who that is, and decides. */
import { type Authorisation, type Decision, isEnded, isUnconfirmed } from '../authorisations/authorisation.ts'
import { authorisationById } from '../authorisations/authorisation-store.ts'
import { decideAuthorisation } from '../authorisations/decide-authorisation.ts'
import { identifySigner, openAuthorisation, possibleSigners } from '../authorisations/identify-signer.ts'
import { lockWithTarget } from '../authorisations/lock-sca-target.ts'
import type { BankContext } from '../bank-context.ts'
import { ControlRefusal } from './control-error.ts'

/** What the user does, and who that is; without a name the one whom the third party named, else the first who may. */
export type UserAct = { readonly decision: Decision; readonly userId: string | undefined }

/** Plays it; answers where the browser goes, null where none was sent. */
export async function playSigner(
  context: BankContext,
  found: Authorisation,
  { decision, userId }: UserAct,
): Promise<string | null> {
  requireOpen(found)
  await openAuthorisation(context, found)
  requireOpen(await authorisationAgain(context, found))
  const signer = userId ?? (await defaultSigner(context, found))
  const { refusedBecause } = await identifySigner(context, found, signer)
  if (refusedBecause !== null && (decision === 'approve' || userId !== undefined)) {
    throw new ControlRefusal(403, refusedBecause)
  }
  const redirect = await decideAuthorisation(context, found, decision)
  const ended = await authorisationAgain(context, found)
  if (decision === 'approve' && ended.outcome !== 'approved' && !isUnconfirmed(ended)) {
    throw over(ended)
  }
  return redirect
}

/** Refuses what is over, and what is signed neither on the bank's pages nor in an app. */
function requireOpen(authorisation: Authorisation): void {
  if (isEnded(authorisation)) {
    throw over(authorisation)
  }
  if (isUnconfirmed(authorisation)) {
    throw new ControlRefusal(409, 'The user has signed; the third party has yet to bring the confirmation code')
  }
  if (authorisation.approach === 'embedded') {
    throw new ControlRefusal(
      409,
      "The bank wants the user's password from the third party; there is nothing to sign on",
    )
  }
}

async function authorisationAgain(context: BankContext, { id }: Authorisation): Promise<Authorisation> {
  const again = await authorisationById(context.database.query, id)
  if (again === undefined) {
    throw new ControlRefusal(404, 'The bank no longer holds what this authorisation was of')
  }
  return again
}

function over({ outcome, psu_message: text }: Authorisation): ControlRefusal {
  return new ControlRefusal(409, `The authorisation is over (${outcome}): ${text}`)
}

async function defaultSigner(context: BankContext, found: Authorisation): Promise<string> {
  const locked = await context.database.query.transaction().execute((transaction) => lockWithTarget(transaction, found))
  const [first] = locked === undefined ? [] : possibleSigners(context, locked)
  return first?.id ?? ''
}
