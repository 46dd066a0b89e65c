/** Ends an authorisation with its outcome and sends the notification. */
import { updateRow } from '../../rows.ts'
import type { Context } from '../context.ts'
import type { NotificationTarget } from '../push-notifications.ts'
import {
  type Authorisation,
  isEnded,
  messageByOutcome,
  type ScaOutcome,
  type ScaStatus,
  type ScaSubject,
} from './authorisation.ts'
import { authorisationsOf } from './authorisation-store.ts'

/** The field of a notification that holds the resource's id. */
const idMembers: Readonly<Record<ScaSubject, string>> = {
  payment: 'paymentId',
  cancellation: 'paymentId',
  consent: 'consentId',
  basket: 'basketId',
}

export async function endAuthorisation(
  context: Context,
  authorisation: Authorisation,
  listener: NotificationTarget,
  outcome: ScaOutcome,
): Promise<void> {
  const scaStatus = outcome === 'approved' ? 'finalised' : 'failed'
  await updateRow(context, 'authorisations', authorisation, {
    outcome,
    sca_status: scaStatus,
    psu_message: messageByOutcome[outcome],
    due_at: null,
    code_expires_at: null,
  })
  notifyScaStatus(context, authorisation, listener, scaStatus)
}

export async function endOpenAuthorisations(
  context: Context,
  subject: ScaSubject,
  resource: NotificationTarget & { readonly id: string },
  outcome: ScaOutcome,
): Promise<void> {
  for (const authorisation of await authorisationsOf(context, subject, resource.id)) {
    if (!isEnded(authorisation)) {
      await endAuthorisation(context, authorisation, resource, outcome)
    }
  }
}

export function notifyScaStatus(
  { push }: Context,
  { id, subject, resource_id: resourceId }: Authorisation,
  { notification_uri: uri, notification_content: content }: NotificationTarget,
  scaStatus: ScaStatus,
): void {
  const target = { [idMembers[subject]]: resourceId }
  const own = subject === 'cancellation' ? { cancellationId: id } : { authorisationId: id }
  push.send({ uri, content, kind: 'SCA', last: false, body: { ...target, ...own, scaStatus } })
}
