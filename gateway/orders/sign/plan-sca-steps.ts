/** Plans the SCA steps of payments: in baskets if the bank offers them, otherwise one by one. */

import type { Bank } from '../../banks/connector/bank.ts'
import type { Connector } from '../../banks/connector/connector.ts'
import { CHAINED_SCA_SESSIONS_MAX } from '../../banks/directory/profile-consistency.ts'
import { InvalidRequestError } from '../../platform/http/errors/api-error.ts'
import { newId } from '../../platform/ids.ts'
import { type AcknowledgedPayment, productAtBank } from '../payment.ts'

/** What one authorisation signs: a payment, or the payments of a basket. */
export type PlannedScaStep = {
  readonly basketId: string | null
  readonly payments: readonly [AcknowledgedPayment, ...(readonly AcknowledgedPayment[])]
}

/** The constraints on baskets: their maximum size, existing baskets by payment, and payments that must be signed separately. */
export type BasketTerms = {
  /** Null if the bank has no baskets. */
  readonly sizeMax: number | null
  readonly basketIdByPayment: ReadonlyMap<string, string>
  readonly alone: ReadonlySet<string>
}

type Group = {
  basketId: string | null
  readonly sizeMax: number
  readonly payments: [AcknowledgedPayment, ...AcknowledgedPayment[]]
}

/** The maximum number of payments in a basket; null if the bank has no baskets. */
export function maxBasketSizeOf({ profile }: Bank, { baskets }: Connector): number | null {
  return baskets === undefined ? null : profile.constraints.maxBasketSize
}

/** The terms for payments at a bank, some of which it does not accept in baskets; `constraints` are those of existing baskets. */
export function basketTermsOf(
  bank: Bank,
  connector: Connector,
  payments: readonly AcknowledgedPayment[],
  constraints: Omit<BasketTerms, 'sizeMax'>,
): BasketTerms {
  const isExcluded = {
    domestic: false,
    'cross-border': bank.profile.baskets?.domesticOnly === true,
    bulk: bank.profile.payroll?.inBaskets !== true,
    file: true,
  }
  const excluded = payments.filter((payment) => isExcluded[productAtBank(payment)]).map(({ id }) => id)
  return {
    ...constraints,
    sizeMax: maxBasketSizeOf(bank, connector),
    alone: new Set([...constraints.alone, ...excluded]),
  }
}

/**
 * The steps in order of their first payments. A basket for a single payment would only add a step. Banks accept no signed
 * order in a new basket; an existing basket has a fixed content.
 */
export function planScaSteps(
  payments: readonly AcknowledgedPayment[],
  { sizeMax, basketIdByPayment, alone }: BasketTerms,
): readonly PlannedScaStep[] {
  const groups: Group[] = []
  for (const payment of payments) {
    const basketId = basketIdByPayment.get(payment.id) ?? null
    const isForNewBasket = payment.status === 'Unsigned' && !alone.has(payment.id)
    const groupMax = basketId === null ? ((isForNewBasket ? sizeMax : null) ?? 1) : Number.POSITIVE_INFINITY
    const isOpen = (group: Group) => group.basketId === basketId && group.payments.length < group.sizeMax
    const group = groupMax > 1 ? groups.find(isOpen) : undefined
    if (group === undefined) {
      groups.push({ basketId, sizeMax: groupMax, payments: [payment] })
    } else {
      group.payments.push(payment)
    }
  }
  return groups.map(({ basketId, payments: grouped }) => ({
    basketId: basketId ?? (grouped.length > 1 ? newId() : null),
    payments: grouped,
  }))
}

/**
 * Throws 422 at the first payment beyond what can be signed behind one URL. With the bank's text where it has rejected a
 * basket, and the steps are without any.
 */
export function requireChainable(
  steps: readonly PlannedScaStep[],
  pathOf: (paymentId: string) => string,
  sizeMax: number | null,
  rejectionText?: string,
): void {
  const first = steps[CHAINED_SCA_SESSIONS_MAX]?.payments[0]
  if (first !== undefined) {
    const together = `The bank does not sign these payments together (${rejectionText}); at most ${CHAINED_SCA_SESSIONS_MAX} may be approved one at a time`
    throw limitError(pathOf(first.id), rejectionText === undefined ? limitText(sizeMax) : together)
  }
}

/** Throws 422, at the path of the first one, for more orders than can be approved together in any combination. */
export function requireWithinApprovalLimit(paths: readonly string[], sizeMax: number | null): void {
  const first = paths[CHAINED_SCA_SESSIONS_MAX * (sizeMax ?? 1)]
  if (first !== undefined) {
    throw limitError(first, limitText(sizeMax))
  }
}

function limitText(sizeMax: number | null): string {
  return sizeMax === null
    ? `This bank signs payments one at a time; at most ${CHAINED_SCA_SESSIONS_MAX} may be approved together`
    : `This bank signs up to ${sizeMax} unsigned payments at a time; at most ${CHAINED_SCA_SESSIONS_MAX} such signatures may be chained`
}

function limitError(path: string, reason: string): InvalidRequestError {
  return new InvalidRequestError([{ code: 'InvalidRequest', reason, path }])
}
