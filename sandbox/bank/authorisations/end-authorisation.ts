/** Ends an authorisation with its outcome, and tells of it. */
import type { BankTransaction } from '../bank-context.ts'
import type { Notice } from '../push-notifications.ts'
import {
  type Authorisation,
  messageByOutcome,
  type ScaOutcome,
  type ScaStatus,
  type ScaSubject,
} from './authorisation.ts'
import { updateAuthorisation } from './authorisation-store.ts'

/** How a notification names what it is about. */
const idMembers: Readonly<Record<ScaSubject, string>> = {
  payment: 'paymentId',
  cancellation: 'paymentId',
  consent: 'consentId',
  basket: 'basketId',
}

/** Who wants to be told. */
type Listener = { readonly notification_uri: string | null; readonly notification_content: string | null }

/** Ends it; nothing moves it any more. */
export async function endAuthorisation(
  transaction: BankTransaction,
  authorisation: Authorisation,
  listener: Listener,
  outcome: ScaOutcome,
): Promise<readonly Notice[]> {
  const scaStatus = outcome === 'approved' ? 'finalised' : 'failed'
  await updateAuthorisation(transaction, authorisation.id, {
    outcome,
    sca_status: scaStatus,
    psu_message: messageByOutcome[outcome],
    due_at: null,
    code_lapses_at: null,
  })
  return [scaNotice(authorisation, listener, scaStatus)]
}

/** What there is to tell when the SCA status changes. */
export function scaNotice(authorisation: Authorisation, listener: Listener, scaStatus: ScaStatus): Notice {
  const { id, subject, resource_id: resourceId } = authorisation
  const target = { [idMembers[subject]]: resourceId }
  const own = subject === 'cancellation' ? { cancellationId: id } : { authorisationId: id }
  const { notification_uri: uri, notification_content: content } = listener
  return { uri, content, kind: 'SCA', last: false, body: { ...target, ...own, scaStatus } }
}
