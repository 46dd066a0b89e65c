/** Finds who has signed orders whose bank awaits further signatures, and explains the bank's rejection of a user who has. */

import type { ScaSession } from '../../authorisations/sca-session.ts'
import type { EarlierSignatures } from '../../authorisations/signature-summary.ts'
import { isBankError } from '../../banks/connector/bank-error-classification.ts'
import { type ConsentCaller, isSameUser, maskUserId } from '../../consents/consent.ts'
import { consentIdsOfUser, consentOf } from '../../consents/consent-lookup.ts'
import type { Context } from '../../context.ts'
import { apiError } from '../../platform/http/errors/api-error.ts'
import { findOrdersOf } from '../find-orders.ts'
import { instructionOf } from '../instruction.ts'
import { type AcknowledgedPayment, isAcknowledged } from '../payment.ts'
import { findApproval, listSignerConsents } from './approval-store.ts'

/** Undefined if no payment is partly signed. Users who signed elsewhere, such as in their bank's app, are unknown. */
export async function findEarlierSignatures(
  context: Context,
  { partnerId, subjectId, consentId }: Pick<ScaSession, 'partnerId' | 'subjectId' | 'consentId'>,
): Promise<EarlierSignatures | undefined> {
  const approval = await findApproval(context.database, { partnerId, id: subjectId })
  const orders = (await findOrdersOf(context, partnerId, approval?.payments ?? [])).filter(isAcknowledged)
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

/** Banks use these errors for other causes, too. Returns the bank's error unchanged unless this user has signed one of these with us. */
export async function toAlreadySignedError(
  context: Context,
  { partnerId, consent }: ConsentCaller,
  payments: readonly AcknowledgedPayment[],
  error: unknown,
): Promise<unknown> {
  const isAmbiguous = isBankError(error, 'authentication-busy', 'access-denied')
  const partlySigned = payments.filter(({ statusReason }) => statusReason === 'PartlySigned')
  if (!isAmbiguous || partlySigned.length === 0) {
    return error
  }
  const ownIds = await consentIdsOfUser(context, consent)
  for (const { paymentId, consentId } of await listSignerConsents(context.database, partnerId, partlySigned)) {
    if (ownIds.includes(consentId)) {
      const { noun, id } = instructionOf(
        partlySigned.find((order) => order.id === paymentId) ?? { id: paymentId, payrollId: null },
      )
      const message = `This user has already signed the ${noun} ${id}. Another user has to sign it now`
      return apiError('ACCESS_DENIED', message)
    }
  }
  return error
}
