/** Opens an authorisation on the SCA page or in the app, and identifies its user. */

import type { BankTransaction, Context } from '../context.ts'
import type { BankProfile, User } from '../fixture.ts'
import { isCustomer, requireBankByBic, userById } from '../fixture-lookup.ts'
import type { PushNotification } from '../push-notifications.ts'
import { isCodeExpired } from './app-code.ts'
import { type Authorisation, isEnded, isUnconfirmed, type ScaStatus } from './authorisation.ts'
import { updateAuthorisation } from './authorisation-store.ts'
import { endAuthorisation, scaNotification } from './end-authorisation.ts'
import { type LockedAuthorisation, lockAuthorisationWithTarget } from './lock-authorisation.ts'
import { awaitsMethod } from './sca-approach.ts'
import { scriptedUser } from './scripted-user-lookup.ts'

/** Records that the link or order was opened; from then on another user's authorisation does not replace it. */
export async function openAuthorisation(context: Context, found: Authorisation): Promise<void> {
  if (found.opened_at === null && !isEnded(found)) {
    const notifications = await context.database.query.transaction().execute(async (transaction) => {
      const locked = await lockAuthorisationWithTarget(context, transaction, found)
      return locked === undefined ? [] : await recordOpening(context, transaction, locked)
    })
    context.push.send(notifications)
  }
}

/** A code that was not scanned in time opens nothing, nor does an app before the user has chosen it. */
async function recordOpening(
  context: Context,
  transaction: BankTransaction,
  { authorisation, target }: LockedAuthorisation,
): Promise<readonly PushNotification[]> {
  if (authorisation.opened_at !== null || isEnded(authorisation) || awaitsMethod(authorisation)) {
    return []
  }
  if (isCodeExpired(authorisation, context.clock.real())) {
    return await endAuthorisation(transaction, authorisation, target.resource, 'lapsed')
  }
  const openedSca = openedStatus(requireBankByBic(context.fixture, authorisation.bank), authorisation)
  const opened = { opened_at: context.clock.now().toString(), sca_status: openedSca, code_expires_at: null }
  await updateAuthorisation(transaction, authorisation.id, opened)
  return openedSca === authorisation.sca_status ? [] : [scaNotification(authorisation, target.resource, openedSca)]
}

function openedStatus({ openedSca }: BankProfile, { approach }: Authorisation): ScaStatus {
  return approach === 'app' && openedSca === 'received' ? 'started' : openedSca
}

/** Identifies the user, or returns why this user may not authorise. */
export async function identifySigner(
  context: Context,
  found: Authorisation,
  userId: string,
): Promise<{ readonly rejectedBecause: string | null }> {
  const user = userById(context.fixture, userId)
  const answer = await context.database.query.transaction().execute(async (transaction) => {
    const locked = await lockAuthorisationWithTarget(context, transaction, found)
    if (locked === undefined || isEnded(locked.authorisation) || isUnconfirmed(locked.authorisation)) {
      return { rejectedBecause: null, notifications: [] }
    }
    const rejectedBecause = rejectionReason(context, locked, user)
    if (rejectedBecause !== null) {
      return { rejectedBecause, notifications: [] }
    }
    return { rejectedBecause, notifications: await recordSigner(transaction, locked, userId) }
  })
  context.push.send(answer.notifications)
  return { rejectedBecause: answer.rejectedBecause }
}

/** An app authenticates its user only together with the authorisation. */
async function recordSigner(
  transaction: BankTransaction,
  { authorisation, target }: LockedAuthorisation,
  userId: string,
): Promise<readonly PushNotification[]> {
  const scaStatus = authorisation.approach === 'app' ? authorisation.sca_status : 'psuAuthenticated'
  await updateAuthorisation(transaction, authorisation.id, { signer_id: userId, sca_status: scaStatus })
  return authorisation.approach === 'app' ? [] : [scaNotification(authorisation, target.resource, scaStatus)]
}

/** Users who may authorise this, the one named by the third party first. */
export function possibleSigners(context: Context, locked: LockedAuthorisation): readonly User[] {
  const named = locked.authorisation.psu_id
  return context.fixture.users
    .filter((user) => rejectionReason(context, locked, user) === null)
    .filter(({ id }) => id === named || scriptedUser(id) === undefined)
    .toSorted((one, other) => Number(other.id === named) - Number(one.id === named))
}

function rejectionReason(context: Context, locked: LockedAuthorisation, user: User | undefined): string | null {
  if (user === undefined || !isCustomer(context.fixture, locked.authorisation.bank, user.id)) {
    return 'The bank has no user with this id.'
  }
  const { authorisation, target } = locked
  if (awaitsMethod(authorisation)) {
    return 'The user has not chosen yet how to sign.'
  }
  if (target.signedBy.has(user.id)) {
    return `${user.name} has signed already. Another user has to sign, too.`
  }
  if (authorisation.approach === 'app' && authorisation.code_form === null && authorisation.psu_id !== user.id) {
    return 'The bank sent this to another user’s app.'
  }
  return target.rejectionReason(user)
}
