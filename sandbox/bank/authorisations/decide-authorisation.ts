/** Applies the user's decision on the SCA page or in the app: approve, reject or leave. */

import { newToken } from '../../../gateway/platform/ids.ts'
import type { BankTransaction, Context } from '../context.ts'
import { requireBankByBic, userById } from '../fixture-lookup.ts'
import type { BrowserReturn, PushNotification } from '../push-notifications.ts'
import { isCodeExpired } from './app-code.ts'
import {
  type Authorisation,
  type Decision,
  isEnded,
  isUnconfirmed,
  returnUrl,
  type ScaOutcome,
} from './authorisation.ts'
import { updateAuthorisation } from './authorisation-store.ts'
import { endAuthorisation, scaNotification } from './end-authorisation.ts'
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
  const decided = await changeAuthorisation(context, found, async (transaction, locked) => {
    const { authorisation } = locked
    if (isEnded(authorisation) || isUnconfirmed(authorisation)) {
      return { redirect: returnUrl(authorisation), notifications: [] }
    }
    if (signer !== undefined && signer !== authorisation.signer_id) {
      return { rejectedBecause: 'Another user has logged in meanwhile, in another window.', notifications: [] }
    }
    const outcome = outcomeOfDecision(context, locked, decision)
    if (outcome === 'approved' && needsConfirmation(context, locked)) {
      return await awaitConfirmation(transaction, locked)
    }
    const notifications = await endWithOutcome(context, transaction, locked, outcome)
    return { redirect: returnUrl({ ...authorisation, outcome }), notifications }
  })
  return decided ?? { redirect: returnUrl(found) }
}

function needsConfirmation({ fixture }: Context, { authorisation }: LockedAuthorisation): boolean {
  return authorisation.approach === 'redirect' && requireBankByBic(fixture, authorisation.bank).signing.confirmation
}

/** The browser carries a code to the third party, and the SCA is complete when the third party confirms it. */
async function awaitConfirmation(transaction: BankTransaction, { authorisation, target }: LockedAuthorisation) {
  const waiting = await updateAuthorisation(transaction, authorisation.id, {
    sca_status: 'unconfirmed',
    confirmation_code: newToken(),
  })
  return { redirect: returnUrl(waiting), notifications: [scaNotification(waiting, target.resource, 'unconfirmed')] }
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
  transaction: BankTransaction,
  locked: LockedAuthorisation,
  outcome: ScaOutcome,
): Promise<readonly PushNotification[]> {
  const ended = await endAuthorisation(transaction, locked.authorisation, locked.target.resource, outcome)
  return [...ended, ...(await applyOutcome(context, locked, outcome))]
}

/** Ends an expired authorisation: a scripted user decides at that moment, any other authorisation expires. */
export async function decideOnExpiry(
  context: Context,
  transaction: BankTransaction,
  locked: LockedAuthorisation,
): Promise<readonly (PushNotification | BrowserReturn)[]> {
  const { authorisation } = locked
  if (isEnded(authorisation)) {
    return await signLate(transaction, locked)
  }
  if (isUnconfirmed(authorisation) || awaitsMethod(authorisation)) {
    return await endWithOutcome(context, transaction, locked, 'expired')
  }
  const decision = scriptedDecisionOf(authorisation.psu_id, authorisation.subject)
  if (decision === 'forget') {
    const notifications = await endWithOutcome(context, transaction, locked, 'expired')
    await scheduleLateSignature(context, transaction, locked)
    return notifications
  }
  const user = userById(context.fixture, authorisation.psu_id ?? '')
  const isApproved = decision === 'approve' && locked.target.isOpen && signerRejection(context, locked, user) === null
  const decided = isApproved
    ? await updateAuthorisation(transaction, authorisation.id, { signer_id: authorisation.psu_id })
    : authorisation
  const outcome = decision === 'approve' && !isApproved ? 'cancelled' : outcomeByDecision[decision]
  const notifications = await endWithOutcome(context, transaction, { ...locked, authorisation: decided }, outcome)
  return [...notifications, ...scriptedReturn({ ...decided, outcome })]
}

/** A scripted user who never opened the link returns all the same, or the third party would wait until it expires. */
function scriptedReturn(ended: Authorisation): readonly BrowserReturn[] {
  return ended.opened_at === null ? [{ kind: 'RETURN', uri: returnUrl(ended) }] : []
}

async function applyOutcome(
  context: Context,
  { authorisation, target }: LockedAuthorisation,
  outcome: ScaOutcome,
): Promise<readonly PushNotification[]> {
  const { signer_id: signerId } = authorisation
  if (outcome === 'rejected') {
    return (await target.reject?.()) ?? []
  }
  return outcome === 'approved' && signerId !== null ? await target.approve({ signerId, at: context.clock.now() }) : []
}

/** Schedules the late signature of a user whose authorisation has just expired. */
async function scheduleLateSignature(
  context: Context,
  transaction: BankTransaction,
  { authorisation, target }: LockedAuthorisation,
): Promise<void> {
  const after = scriptedUser(authorisation.psu_id)?.signsLateAfter
  if (after !== undefined && target.signInNetbank !== undefined) {
    const endedAt = authorisation.due_at ?? context.clock.now()
    await updateAuthorisation(transaction, authorisation.id, { due_at: endedAt.add(after).toString() })
  }
}

/** Signs in the netbank what is still open; the expired authorisation is not changed. */
async function signLate(
  transaction: BankTransaction,
  { authorisation, target }: LockedAuthorisation,
): Promise<readonly PushNotification[]> {
  await updateAuthorisation(transaction, authorisation.id, { due_at: null })
  return (await target.signInNetbank?.(authorisation.psu_id ?? undefined)) ?? []
}
