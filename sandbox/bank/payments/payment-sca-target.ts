/** What an authorisation needs of a payment: of its initiation, or of its cancellation. */
import { findRow } from '../../rows.ts'
import type { ScaTarget } from '../authorisations/sca-target.ts'
import type { Context } from '../context.ts'
import type { User } from '../fixture.ts'
import { accountOf, mayPay } from '../fixture-lookup.ts'
import { xs2aError } from '../xs2a-error.ts'
import { isPaymentInBasket } from './basket-store.ts'
import { cancellationNeedsSca, setCancelled } from './cancel-payment.ts'
import { acceptSignature } from './execute-payment.ts'
import { signInNetbank } from './netbank-actions.ts'
import { cancellability, maySign, type Payment, paymentPath } from './payment.ts'
import { updatePayment } from './payment-store.ts'
import { findSignerIds } from './signatures.ts'

export async function lockPaymentTarget(context: Context, id: string): Promise<ScaTarget | undefined> {
  const payment = await findRow(context, 'payments', { id }, { lock: true })
  if (payment === undefined) {
    return undefined
  }
  const isOpen = maySign(payment)
  return {
    ...commonParts(context, payment),
    isOpen,
    signedBy: await findCommonSigners(context, [payment]),
    requireStartable: async () => {
      if (payment.lapsed) {
        throw xs2aError(403, 'RESOURCE_EXPIRED', 'The payment was not signed in time')
      }
      if (isOpen && (await isPaymentInBasket(context, payment))) {
        throw xs2aError(400, 'RESOURCE_BLOCKED', 'The payment is signed with its basket')
      }
    },
    approve: async ({ at }) => {
      const { size: signers } = await findSignerIds(context, payment)
      await acceptSignature(context, payment, { signers, at })
    },
    signInNetbank: (userId) => signLate(context, [payment], userId),
  }
}

export async function lockCancellationTarget(context: Context, id: string): Promise<ScaTarget | undefined> {
  const payment = await findRow(context, 'payments', { id }, { lock: true })
  return (
    payment && {
      ...commonParts(context, payment),
      isOpen: cancellability(payment) !== 'never',
      signedBy: new Set(),
      requireStartable: async ({ bank }) => {
        if (!cancellationNeedsSca(bank)) {
          throw xs2aError(405, 'SERVICE_INVALID', 'This bank requires no signature for cancellations')
        }
      },
      approve: ({ at }) => setCancelled(context, payment, at),
    }
  )
}

function commonParts(
  context: Context,
  payment: Payment,
): Pick<ScaTarget, 'resource' | 'path' | 'rejectionReason' | 'storeNotificationTarget'> {
  return {
    resource: payment,
    path: paymentPath(payment),
    rejectionReason: (user) => payerRejection(context, [payment], user),
    storeNotificationTarget: (change) => updatePayment(context, payment, change, context.clock.now()),
  }
}

/** Why a user may not sign payments; null for a user who may pay from all of their accounts. */
export function payerRejection({ fixture }: Context, payments: readonly Payment[], user: User): string | null {
  const forbidden = payments.find(({ bank, debtor }) => {
    const account = accountOf(fixture, bank, debtor)
    return account === undefined || !mayPay(fixture, user.id, account)
  })
  return forbidden === undefined ? null : `${user.name} has no right to pay from account ${forbidden.debtor}.`
}

/** The users who have signed all of the open payments: only those that are partly signed have signatures. */
export async function findCommonSigners(
  context: Context,
  open: readonly Payment[],
): Promise<ReadonlySet<string | null>> {
  const [first, ...others] = open.some(({ status }) => status !== 'PATC') ? [] : open
  let signers = first === undefined ? new Set<string | null>() : await findSignerIds(context, first)
  for (const payment of others) {
    signers = signers.intersection(await findSignerIds(context, payment))
  }
  return signers
}

/** Signs in the netbank the payments that a user may still sign there. */
export async function signLate(
  context: Context,
  payments: readonly Payment[],
  userId: string | undefined,
): Promise<void> {
  for (const payment of payments) {
    await signInNetbank(context, payment, userId)
  }
}
