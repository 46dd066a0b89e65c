/** Opens an authorisation on the SCA page or in the app, and identifies its user. */

import { updateRow } from '../../rows.ts'
import type { Context } from '../context.ts'
import type { BankProfile, User } from '../fixture.ts'
import { isCustomer, requireBankByBic, userById } from '../fixture-lookup.ts'
import { isCodeExpired } from './app-code.ts'
import { type Authorisation, isEnded, isUnconfirmed, type ScaStatus } from './authorisation.ts'
import { endAuthorisation, notifyScaStatus } from './end-authorisation.ts'
import { changeAuthorisation, type LockedAuthorisation } from './lock-authorisation.ts'
import { awaitsMethod } from './sca-approach.ts'
import { scriptedUser } from './scripted-user-lookup.ts'

/** Records that the link or order was opened; from then on another user's authorisation does not replace it. */
export async function openAuthorisation(context: Context, found: Authorisation): Promise<void> {
  if (found.opened_at === null && !isEnded(found)) {
    await changeAuthorisation(context, found, recordOpening)
  }
}

/** A code that was not scanned in time opens nothing, nor does an app before the user has chosen it. */
async function recordOpening(context: Context, { authorisation, target }: LockedAuthorisation): Promise<void> {
  if (authorisation.opened_at !== null || isEnded(authorisation) || awaitsMethod(authorisation)) {
    return
  }
  if (isCodeExpired(authorisation, context.clock.real())) {
    return await endAuthorisation(context, authorisation, target.resource, 'lapsed')
  }
  const openedSca = openedStatus(requireBankByBic(context.fixture, authorisation.bank), authorisation)
  const opened = { opened_at: context.clock.now().toString(), sca_status: openedSca, code_expires_at: null }
  await updateRow(context, 'authorisations', authorisation, opened)
  if (openedSca !== authorisation.sca_status) {
    notifyScaStatus(context, authorisation, target.resource, openedSca)
  }
}

function openedStatus({ openedSca }: BankProfile, { approach }: Authorisation): ScaStatus {
  return approach === 'app' && openedSca === 'received' ? 'started' : openedSca
}

/** Identifies the user; returns why this user may not authorise, null otherwise. */
export async function identifySigner(context: Context, found: Authorisation, userId: string): Promise<string | null> {
  const user = userById(context.fixture, userId)
  const rejectedBecause = await changeAuthorisation(context, found, async (context, locked) => {
    const isOver = isEnded(locked.authorisation) || isUnconfirmed(locked.authorisation)
    const reason = isOver ? null : signerRejection(context, locked, user)
    if (!isOver && reason === null) {
      await recordSigner(context, locked, userId)
    }
    return reason
  })
  return rejectedBecause ?? null
}

/** An app authenticates its user only together with the authorisation. */
async function recordSigner(
  context: Context,
  { authorisation, target }: LockedAuthorisation,
  userId: string,
): Promise<void> {
  if (authorisation.approach === 'app') {
    await updateRow(context, 'authorisations', authorisation, { signer_id: userId })
  } else {
    await updateRow(context, 'authorisations', authorisation, { signer_id: userId, sca_status: 'psuAuthenticated' })
    notifyScaStatus(context, authorisation, target.resource, 'psuAuthenticated')
  }
}

/** Users who may authorise this, the one named by the third party first. */
export function possibleSigners(context: Context, locked: LockedAuthorisation): readonly User[] {
  const named = locked.authorisation.psu_id
  return context.fixture.users
    .filter((user) => signerRejection(context, locked, user) === null)
    .filter(({ id }) => id === named || scriptedUser(id) === undefined)
    .toSorted((one, other) => Number(other.id === named) - Number(one.id === named))
}

/** Why a user may not authorise this; null for one who may. */
export function signerRejection(context: Context, locked: LockedAuthorisation, user: User | undefined): string | null {
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
