/** Finds who has signed the payments of an approval whose bank awaits further signatures, as far as we know. */
import type { ScaSession } from '../authorisations/sca-session.ts'
import type { EarlierSignatures } from '../authorisations/session-parties.ts'
import { isSameUser, maskUserId } from '../consents/consent.ts'
import { consentOf } from '../consents/consent-lookup.ts'
import type { Context } from '../context.ts'
import { findOrdersOf } from '../orders/find-payments.ts'
import { isAcknowledged } from '../orders/payment.ts'
import { findApproval, listSignerConsents } from './approval-store.ts'

/** Undefined if no payment is partly signed. Users who signed elsewhere, such as in their bank's app, are unknown. */
export async function findEarlierSignatures(
  context: Context,
  { partnerId, subjectId, consentId }: Pick<ScaSession, 'partnerId' | 'subjectId' | 'consentId'>,
): Promise<EarlierSignatures | undefined> {
  const approval = await findApproval(context.database, { partnerId, id: subjectId })
  const ids = approval?.payments.map(({ paymentId }) => paymentId) ?? []
  const orders = (await findOrdersOf(context, partnerId, ids)).filter(isAcknowledged)
  const partlySigned = orders.filter(({ statusReason }) => statusReason === 'PartlySigned')
  const own = consentId === null ? undefined : await consentOf(context, { partnerId, consentId })
  if (partlySigned.length === 0 || own === undefined) {
    return undefined
  }
  const signed = await listSignerConsents(context.database, partnerId, partlySigned)
  const signers = await Promise.all(
    [...new Set(signed.map((signature) => signature.consentId))].map((id) =>
      consentOf(context, { partnerId, consentId: id }),
    ),
  )
  const known = signers.filter((signer) => signer !== undefined)
  const others = known.filter((signer) => !isSameUser(signer, own)).flatMap(({ userId }) => userId ?? [])
  return {
    isOwn: known.some((signer) => isSameUser(signer, own)),
    others: [...new Set(others)].map(maskUserId).toSorted(),
  }
}
