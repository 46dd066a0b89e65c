/** Applies the user's decision on the SCA page or in the app: approve, reject or leave. */

import { newToken } from '../../../gateway/platform/ids.ts'
import { updateRow } from '../../rows.ts'
import type { Context } from '../context.ts'
import { requireBankByBic, userById } from '../fixture-lookup.ts'
import { isCodeExpired } from './app-code.ts'
import {
  type Authorisation,
  type Decision,
  isEnded,
  isUnconfirmed,
  returnUrl,
  type ScaOutcome,
} from './authorisation.ts'
import { endAuthorisation, notifyScaStatus } from './end-authorisation.ts'
import { signerRejection } from './identify-signer.ts'
import { changeAuthorisation, type LockedAuthorisation } from './lock-authorisation.ts'
import { awaitsMethod } from './sca-approach.ts'
import { scriptedDecisionOf, scriptedUser } from './scripted-user-lookup.ts'

const outcomeByDecision: Readonly<Record<Decision, ScaOutcome>> = {
  approve: 'approved',
  reject: 'rejected',
  cancel: 'cancelled',
}

/** The redirect of the browser, null without the redirect approach; or why the decision does not count. */
export type DecisionResult = { readonly redirect: string | null } | { readonly rejectedBecause: string }

/**
 * Ends the authorisation as decided. One that has ended or awaits confirmation is not changed. `signer` is the user whom
 * the page of the decision showed: another one may have identified in a second window.
 */
export async function decideAuthorisation(
  context: Context,
  found: Authorisation,
  { decision, signer }: { readonly decision: Decision; readonly signer: string | undefined },
): Promise<DecisionResult> {
  const decided = await changeAuthorisation(context, found, async (context, locked): Promise<DecisionResult> => {
    const { authorisation } = locked
    if (isEnded(authorisation) || isUnconfirmed(authorisation)) {
      return { redirect: returnUrl(authorisation) }
    }
    if (signer !== undefined && signer !== authorisation.signer_id) {
      return { rejectedBecause: 'Another user has logged in meanwhile, in another window.' }
    }
    const outcome = outcomeOfDecision(context, locked, decision)
    if (outcome === 'approved' && needsConfirmation(context, locked)) {
      return await awaitConfirmation(context, locked)
    }
    await endWithOutcome(context, locked, outcome)
    return { redirect: returnUrl({ ...authorisation, outcome }) }
  })
  return decided ?? { redirect: returnUrl(found) }
}

function needsConfirmation({ fixture }: Context, { authorisation }: LockedAuthorisation): boolean {
  return authorisation.approach === 'redirect' && requireBankByBic(fixture, authorisation.bank).signing.confirmation
}

/** The browser carries a code to the third party, and the SCA is complete when the third party confirms it. */
async function awaitConfirmation(context: Context, { authorisation, target }: LockedAuthorisation) {
  const waiting = await updateRow(context, 'authorisations', authorisation, {
    sca_status: 'unconfirmed',
    confirmation_code: newToken(),
  })
  notifyScaStatus(context, waiting, target.resource, 'unconfirmed')
  return { redirect: returnUrl(waiting) }
}

/** Approval requires an identified user, an open target, and an authorisation that has not expired. */
export function outcomeOfDecision(context: Context, locked: LockedAuthorisation, decision: Decision): ScaOutcome {
  const { authorisation } = locked
  const { due_at: dueAt } = authorisation
  if (isCodeExpired(authorisation, context.clock.real())) {
    return 'lapsed'
  }
  if (dueAt !== null && Temporal.Instant.compare(dueAt, context.clock.now()) <= 0) {
    return 'expired'
  }
  const isPossible = authorisation.signer_id !== null && locked.target.isOpen
  return decision === 'approve' && !isPossible ? 'cancelled' : outcomeByDecision[decision]
}

/** Ends a locked authorisation and applies the consequences of its outcome. */
export async function endWithOutcome(
  context: Context,
  { authorisation, target }: LockedAuthorisation,
  outcome: ScaOutcome,
): Promise<void> {
  await endAuthorisation(context, authorisation, target.resource, outcome)
  const { signer_id: signerId } = authorisation
  if (outcome === 'rejected') {
    await target.reject?.()
  } else if (outcome === 'approved' && signerId !== null) {
    await target.approve({ signerId, at: context.clock.now() })
  }
}

/** Ends an expired authorisation: a scripted user decides at that moment, any other authorisation expires. */
export async function decideOnExpiry(context: Context, locked: LockedAuthorisation): Promise<void> {
  const { authorisation, target } = locked
  if (isEnded(authorisation)) {
    return await signLate(context, locked)
  }
  if (isUnconfirmed(authorisation) || awaitsMethod(authorisation)) {
    return await endWithOutcome(context, locked, 'expired')
  }
  const decision = scriptedDecisionOf(authorisation.psu_id, authorisation.subject)
  if (decision === 'forget') {
    await endWithOutcome(context, locked, 'expired')
    return await scheduleLateSignature(context, locked)
  }
  const user = userById(context.fixture, authorisation.psu_id ?? '')
  const isApproved = decision === 'approve' && target.isOpen && signerRejection(context, locked, user) === null
  const decided = isApproved
    ? await updateRow(context, 'authorisations', authorisation, { signer_id: authorisation.psu_id })
    : authorisation
  const outcome = decision === 'approve' && !isApproved ? 'cancelled' : outcomeByDecision[decision]
  await endWithOutcome(context, { target, authorisation: decided }, outcome)
  // A user who never opened the link returns all the same, or the third party would wait until it expires.
  if (decided.opened_at === null) {
    context.push.send({ kind: 'RETURN', uri: returnUrl({ ...decided, outcome }) })
  }
}

/** Schedules the late signature of a user whose authorisation has just expired. */
async function scheduleLateSignature(context: Context, { authorisation, target }: LockedAuthorisation): Promise<void> {
  const after = scriptedUser(authorisation.psu_id)?.signsLateAfter
  if (after !== undefined && target.signInNetbank !== undefined) {
    const endedAt = authorisation.due_at ?? context.clock.now()
    await updateRow(context, 'authorisations', authorisation, { due_at: endedAt.add(after).toString() })
  }
}

/** Signs in the netbank what is still open; the expired authorisation is not changed. */
async function signLate(context: Context, { authorisation, target }: LockedAuthorisation): Promise<void> {
  await updateRow(context, 'authorisations', authorisation, { due_at: null })
  await target.signInNetbank?.(authorisation.psu_id ?? undefined)
}
