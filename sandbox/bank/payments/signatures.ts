/** The signatures of a payment: who has given one, and their revocation. */
import { selectRows } from '../../rows.ts'
import type { Authorisation } from '../authorisations/authorisation.ts'
import { authorisationsOf } from '../authorisations/authorisation-store.ts'
import { endOpenAuthorisations } from '../authorisations/end-authorisation.ts'
import { endOfDay } from '../bank-calendar.ts'
import type { Context } from '../context.ts'
import { requireBankByBic } from '../fixture-lookup.ts'
import type { Payment } from './payment.ts'
import { updatePayment } from './payment-store.ts'

/** The users with a signature that was not revoked. */
export async function findSignerIds(context: Context, payment: Payment): Promise<ReadonlySet<string | null>> {
  const inNetbank = await selectRows(context, 'netbank_signatures', { payment_id: payment.id })
  const own = await authorisationsOf(context, 'payment', payment.id)
  const shared = payment.basket_id === null ? [] : await authorisationsOf(context, 'basket', payment.basket_id)
  return new Set([
    ...[...own, ...shared].filter((one) => countsAsSignature(one, payment)).map((one) => one.signer_id),
    ...inNetbank.filter(({ signed_at: at }) => isAfterRevocation(at, payment)).map((one) => one.signer_id),
  ])
}

/** Whether a signature was given and not revoked since. */
function countsAsSignature({ outcome, created_at: begunAt }: Authorisation, payment: Payment): boolean {
  return outcome === 'approved' && isAfterRevocation(begunAt, payment)
}

function isAfterRevocation(at: Temporal.Instant, { signatures_revoked_at: takenBackAt }: Payment): boolean {
  return takenBackAt === null || Temporal.Instant.compare(at, takenBackAt) > 0
}

/**
 * Revokes those of a partly signed payment, which must then be signed again: resets it to its initial status and ends open
 * authorisations. The caller holds the lock on it.
 */
export async function revokeSignatures(
  context: Context,
  payment: Payment,
  revocation: { readonly at: Temporal.Instant; readonly text: string },
): Promise<void> {
  const { at, text } = revocation
  const bank = requireBankByBic(context.fixture, payment.bank)
  const change = {
    status: bank.initialStatus,
    status_text: text,
    script_step: null,
    signatures_revoked_at: at.toString(),
    due_at: endOfDay(bank, payment.execution_on).toString(),
  }
  await updatePayment(context, payment, change, at)
  await endOpenAuthorisations(context, 'payment', payment, 'cancelled')
}
