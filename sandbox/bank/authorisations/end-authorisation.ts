/** Ends an authorisation with its outcome and sends the notification. */
import type { BankTransaction } from '../context.ts'
import type { NotificationTarget, PushNotification } from '../push-notifications.ts'
import {
  type Authorisation,
  isEnded,
  messageByOutcome,
  type ScaOutcome,
  type ScaStatus,
  type ScaSubject,
} from './authorisation.ts'
import { authorisationsOf, updateAuthorisation } from './authorisation-store.ts'

/** The field of a notification that holds the resource's id. */
const idMembers: Readonly<Record<ScaSubject, string>> = {
  payment: 'paymentId',
  cancellation: 'paymentId',
  consent: 'consentId',
  basket: 'basketId',
}

export async function endAuthorisation(
  transaction: BankTransaction,
  authorisation: Authorisation,
  listener: NotificationTarget,
  outcome: ScaOutcome,
): Promise<readonly PushNotification[]> {
  const scaStatus = outcome === 'approved' ? 'finalised' : 'failed'
  await updateAuthorisation(transaction, authorisation.id, {
    outcome,
    sca_status: scaStatus,
    psu_message: messageByOutcome[outcome],
    due_at: null,
    code_expires_at: null,
  })
  return [scaNotification(authorisation, listener, scaStatus)]
}

export async function endOpenAuthorisations(
  transaction: BankTransaction,
  subject: ScaSubject,
  resource: NotificationTarget & { readonly id: string },
  outcome: ScaOutcome,
): Promise<readonly PushNotification[]> {
  const notifications: PushNotification[] = []
  for (const authorisation of await authorisationsOf(transaction, subject, resource.id)) {
    if (!isEnded(authorisation)) {
      notifications.push(...(await endAuthorisation(transaction, authorisation, resource, outcome)))
    }
  }
  return notifications
}

export function scaNotification(
  authorisation: Authorisation,
  listener: NotificationTarget,
  scaStatus: ScaStatus,
): PushNotification {
  const { id, subject, resource_id: resourceId } = authorisation
  const target = { [idMembers[subject]]: resourceId }
  const own = subject === 'cancellation' ? { cancellationId: id } : { authorisationId: id }
  const { notification_uri: uri, notification_content: content } = listener
  return { uri, content, kind: 'SCA', last: false, body: { ...target, ...own, scaStatus } }
}
