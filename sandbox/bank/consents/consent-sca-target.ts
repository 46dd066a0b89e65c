/** What an authorisation needs of a consent. */
import type { ScaTarget } from '../authorisations/sca-target.ts'
import type { BankTransaction, Context } from '../context.ts'
import { xs2aError } from '../xs2a-error.ts'
import { authoriseConsent, endConsent } from './authorise-consent.ts'
import { lockConsent, updateConsent } from './consent-store.ts'

export async function lockConsentTarget(
  context: Context,
  transaction: BankTransaction,
  id: string,
): Promise<ScaTarget | undefined> {
  const consent = await lockConsent(transaction, id)
  if (consent === undefined) {
    return undefined
  }
  const isOpen = consent.status === 'received'
  return {
    resource: consent,
    path: `/consents/${id}`,
    isOpen,
    signedBy: new Set(),
    /** A payment may be authorised by another user of the company; a consent only by the user it was requested for. */
    requireStartable: async ({ headers: { psuId } }) => {
      if (isOpen && psuId !== null && consent.psu_id !== null && psuId !== consent.psu_id) {
        throw xs2aError(400, 'PARAMETER_NOT_CONSISTENT', 'The consent was requested for another user', 'PSU-ID')
      }
    },
    rejectionReason: ({ id: userId }) =>
      consent.psu_id === null || consent.psu_id === userId
        ? null
        : 'Only the user for whom it was requested can give this consent.',
    storeNotificationTarget: (change) => updateConsent(transaction, id, change),
    approve: (signed) => authoriseConsent(context, transaction, consent, signed),
    reject: async () => [await endConsent(transaction, consent, 'rejected')],
  }
}
