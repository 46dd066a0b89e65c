/** Simulates the user of an authorisation without a browser: opens it, identifies and decides. */

import { ControlError } from '../../control-scope.ts'
import { type Authorisation, type Decision, isEnded, isUnconfirmed } from '../authorisations/authorisation.ts'
import { authorisationById } from '../authorisations/authorisation-store.ts'
import { decideAuthorisation } from '../authorisations/decide-authorisation.ts'
import { identifySigner, openAuthorisation, possibleSigners } from '../authorisations/identify-signer.ts'
import { readAuthorisationWithTarget } from '../authorisations/lock-authorisation.ts'
import type { Context } from '../context.ts'

/** The decision and the user; by default the one named by the third party, else the first who may authorise. */
export type SignerAction = { readonly decision: Decision; readonly userId: string | undefined }

/** Returns the redirect of the browser, null where there is none. */
export async function simulateSigner(
  context: Context,
  found: Authorisation,
  { decision, userId }: SignerAction,
): Promise<string | null> {
  requireOpen(found)
  await openAuthorisation(context, found)
  requireOpen(await reloadAuthorisation(context, found))
  const signer = userId ?? (await defaultSigner(context, found))
  const rejectedBecause = await identifySigner(context, found, signer)
  if (rejectedBecause !== null && (decision === 'approve' || userId !== undefined)) {
    throw new ControlError(403, rejectedBecause)
  }
  const redirect = await decideAuthorisation(context, found, decision)
  const ended = await reloadAuthorisation(context, found)
  if (decision === 'approve' && ended.outcome !== 'approved' && !isUnconfirmed(ended)) {
    throw over(ended)
  }
  return redirect
}

/** Rejects an authorisation that has ended, or that is completed neither on the bank's pages nor in an app. */
function requireOpen(authorisation: Authorisation): void {
  if (isEnded(authorisation)) {
    throw over(authorisation)
  }
  if (isUnconfirmed(authorisation)) {
    throw new ControlError(409, 'The user has signed; the third party must submit the confirmation code')
  }
  if (authorisation.approach === 'embedded') {
    throw new ControlError(
      409,
      "The bank requires the user's password from the third party; there is no page to sign on",
    )
  }
}

async function reloadAuthorisation(context: Context, { id }: Authorisation): Promise<Authorisation> {
  const again = await authorisationById(context.database.query, id)
  if (again === undefined) {
    throw new ControlError(404, 'The bank no longer has the resource of this authorisation')
  }
  return again
}

function over({ outcome, psu_message: text }: Authorisation): ControlError {
  return new ControlError(409, `The authorisation has ended (${outcome}): ${text}`)
}

async function defaultSigner(context: Context, found: Authorisation): Promise<string> {
  const locked = await readAuthorisationWithTarget(context, found)
  const [first] = locked === undefined ? [] : possibleSigners(context, locked)
  return first?.id ?? ''
}
