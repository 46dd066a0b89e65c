/** Plays users who let the time of a signing run out, and sign in the netbank when nobody counts on it any more. */
import { updateAuthorisation } from '../authorisations/authorisation-store.ts'
import type { LockedAuthorisation } from '../authorisations/lock-sca-target.ts'
import type { BankContext, BankTransaction } from '../bank-context.ts'
import { signInNetbank } from '../payments/netbank-actions.ts'
import type { Notice } from '../push-notifications.ts'
import { scriptedUser } from './scripted-user-lookup.ts'

/** Keeps in mind that the user of a signing, whose time has just run out, signs later. */
export async function remindLateSigner(
  context: BankContext,
  transaction: BankTransaction,
  { authorisation, subject }: LockedAuthorisation,
): Promise<void> {
  const after = scriptedUser(authorisation.psu_id)?.signsLateAfter
  if (after !== undefined && (subject === 'payment' || subject === 'basket')) {
    const endedAt = authorisation.due_at ?? context.clock.now()
    const dueAt = endedAt.add(after).toString()
    await updateAuthorisation(transaction, authorisation.id, { due_at: dueAt })
  }
}

/** Signs what is still open in the netbank; the signing that ended stays as it ended. */
export async function signLate(
  context: BankContext,
  transaction: BankTransaction,
  locked: LockedAuthorisation,
): Promise<readonly Notice[]> {
  const { authorisation } = locked
  await updateAuthorisation(transaction, authorisation.id, { due_at: null })
  if (locked.subject !== 'payment' && locked.subject !== 'basket') {
    return []
  }
  const notices: Notice[] = []
  for (const payment of locked.subject === 'basket' ? locked.payments : [locked.target]) {
    const answer = await signInNetbank(context, transaction, payment, authorisation.psu_id ?? undefined)
    notices.push(...('notices' in answer ? answer.notices : []))
  }
  return notices
}
