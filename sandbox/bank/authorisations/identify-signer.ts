/** Lets a user in on the signing page or in the app: notes the visit, and who it is if that person may sign. */
import type { BankContext, BankTransaction } from '../bank-context.ts'
import type { BankProfile, User } from '../fixture.ts'
import { scriptedUser } from '../outcomes/scripted-user-lookup.ts'
import type { Notice } from '../push-notifications.ts'
import { accountOf, bankOfRow, isCustomer, mayPay, userById } from '../world.ts'
import { hasLapsed } from './app-code.ts'
import { type Authorisation, isEnded, isUnconfirmed, type ScaStatus } from './authorisation.ts'
import { updateAuthorisation } from './authorisation-store.ts'
import { endAuthorisation, scaNotice } from './end-authorisation.ts'
import { type LockedAuthorisation, lockWithTarget } from './lock-sca-target.ts'

/** Notes that a browser opened the link, or an app the order; from then on no other user's authorisation takes its place. */
export async function openAuthorisation(context: BankContext, found: Authorisation): Promise<void> {
  if (found.opened_at === null && !isEnded(found)) {
    const notices = await context.database.query.transaction().execute(async (transaction) => {
      const locked = await lockWithTarget(transaction, found)
      return locked === undefined ? [] : await noteOpening(context, transaction, locked)
    })
    context.push.send(notices)
  }
}

/** A code that nobody scanned in time opens nothing. */
async function noteOpening(
  context: BankContext,
  transaction: BankTransaction,
  { authorisation, target }: LockedAuthorisation,
): Promise<readonly Notice[]> {
  if (authorisation.opened_at !== null || isEnded(authorisation)) {
    return []
  }
  if (hasLapsed(authorisation, context.clock.real())) {
    return await endAuthorisation(transaction, authorisation, target, 'lapsed')
  }
  const openedSca = openedStatus(bankOfRow(context.world, authorisation.bank), authorisation)
  const opened = { opened_at: context.clock.now().toString(), sca_status: openedSca, code_lapses_at: null }
  await updateAuthorisation(transaction, authorisation.id, opened)
  return openedSca === authorisation.sca_status ? [] : [scaNotice(authorisation, target, openedSca)]
}

function openedStatus({ openedSca }: BankProfile, { approach }: Authorisation): ScaStatus {
  return approach === 'app' && openedSca === 'received' ? 'started' : openedSca
}

/** Identifies the user, or says why this one may not sign. */
export async function identifySigner(
  context: BankContext,
  found: Authorisation,
  userId: string,
): Promise<{ readonly refusedBecause: string | null }> {
  const user = userById(context.world, userId)
  const answer = await context.database.query.transaction().execute(async (transaction) => {
    const locked = await lockWithTarget(transaction, found)
    if (locked === undefined || isEnded(locked.authorisation) || isUnconfirmed(locked.authorisation)) {
      return { refusedBecause: null, notices: [] }
    }
    const refusedBecause = reasonAgainst(context, locked, user)
    if (refusedBecause !== null) {
      return { refusedBecause, notices: [] }
    }
    return { refusedBecause, notices: await noteSigner(transaction, locked, userId) }
  })
  context.push.send(answer.notices)
  return { refusedBecause: answer.refusedBecause }
}

/** An app authenticates its user only with the signature. */
async function noteSigner(
  transaction: BankTransaction,
  { authorisation, target }: LockedAuthorisation,
  userId: string,
): Promise<readonly Notice[]> {
  const scaStatus = authorisation.approach === 'app' ? authorisation.sca_status : 'psuAuthenticated'
  await updateAuthorisation(transaction, authorisation.id, { signer_id: userId, sca_status: scaStatus })
  return authorisation.approach === 'app' ? [] : [scaNotice(authorisation, target, scaStatus)]
}

/** Users who may sign this, the one the third party named first. */
export function possibleSigners(context: BankContext, locked: LockedAuthorisation): readonly User[] {
  const named = locked.authorisation.psu_id
  return context.world.users
    .filter((user) => reasonAgainst(context, locked, user) === null)
    .filter(({ id }) => id === named || scriptedUser(id) === undefined)
    .toSorted((one, other) => Number(other.id === named) - Number(one.id === named))
}

function reasonAgainst(context: BankContext, locked: LockedAuthorisation, user: User | undefined): string | null {
  if (user === undefined || !isCustomer(context.world, locked.authorisation.bank, user.id)) {
    return 'The bank knows nobody by this id.'
  }
  const { authorisation, signedBy } = locked
  if (signedBy.has(user.id)) {
    return `${user.name} has signed already. Somebody else has to sign too.`
  }
  if (authorisation.approach === 'app' && authorisation.code_form === null && authorisation.psu_id !== user.id) {
    return 'The bank sent this to the app of somebody else.'
  }
  if (locked.subject === 'consent') {
    const named = locked.target.psu_id
    return named === null || named === user.id ? null : 'Only the person it was asked for can give this access.'
  }
  const payments = locked.subject === 'basket' ? locked.payments : [locked.target]
  const forbidden = payments.find(({ bank, debtor }) => {
    const account = accountOf(context.world, bank, debtor)
    return account === undefined || !mayPay(context.world, user.id, account)
  })
  return forbidden === undefined ? null : `${user.name} has no right to pay from account ${forbidden.debtor}.`
}
