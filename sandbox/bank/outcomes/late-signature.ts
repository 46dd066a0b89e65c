/** Simulates users who let an authorisation expire and sign in the netbank later. */
import { updateAuthorisation } from '../authorisations/authorisation-store.ts'
import type { LockedAuthorisation } from '../authorisations/lock-sca-target.ts'
import type { BankContext, BankTransaction } from '../bank-context.ts'
import { signInNetbank } from '../payments/netbank-actions.ts'
import type { PushNotification } from '../push-notifications.ts'
import { scriptedUser } from './scripted-user-lookup.ts'

/** Schedules the late signature of a user whose authorisation has just expired. */
export async function scheduleLateSignature(
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

/** Signs in the netbank what is still open; the expired authorisation is not changed. */
export async function signLate(
  context: BankContext,
  transaction: BankTransaction,
  locked: LockedAuthorisation,
): Promise<readonly PushNotification[]> {
  const { authorisation } = locked
  await updateAuthorisation(transaction, authorisation.id, { due_at: null })
  if (locked.subject !== 'payment' && locked.subject !== 'basket') {
    return []
  }
  const notifications: PushNotification[] = []
  for (const payment of locked.subject === 'basket' ? locked.payments : [locked.target]) {
    const answer = await signInNetbank(context, transaction, payment, authorisation.psu_id ?? undefined)
    notifications.push(...('notifications' in answer ? answer.notifications : []))
  }
  return notifications
}
