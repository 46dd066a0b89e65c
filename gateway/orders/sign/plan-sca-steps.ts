/** Plans the SCA steps of payments: in baskets if the bank offers them, otherwise one by one. */

import type { Bank } from '../../banks/connector/bank.ts'
import type { Connector } from '../../banks/connector/connector.ts'
import { CHAINED_SCA_SESSIONS_MAX } from '../../banks/directory/profile-consistency.ts'
import { InvalidRequestError, type ValidationError } from '../../platform/http/errors/api-error.ts'
import { newId } from '../../platform/ids.ts'
import { type AcknowledgedPayment, productAtBank } from '../payment.ts'

/** The maximum number of authorisations that are chained behind one URL. */
export const CHAINED_STEPS_MAX = CHAINED_SCA_SESSIONS_MAX

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

/** The terms for payments at a bank; `constraints` are those of existing baskets. */
export function basketTermsOf(
  bank: Bank,
  connector: Connector,
  payments: readonly AcknowledgedPayment[],
  constraints: Omit<BasketTerms, 'sizeMax'>,
): BasketTerms {
  const alone = new Set([...constraints.alone, ...paymentsOutsideBaskets(bank, payments)])
  return { ...constraints, sizeMax: maxBasketSizeOf(bank, connector), alone }
}

/** Payments of types that the bank does not accept in baskets. */
function paymentsOutsideBaskets({ profile }: Bank, payments: readonly AcknowledgedPayment[]): readonly string[] {
  const isExcluded = {
    domestic: false,
    'cross-border': profile.baskets?.domesticOnly === true,
    bulk: profile.payroll?.inBaskets !== true,
    file: true,
  }
  return payments.filter((payment) => isExcluded[productAtBank(payment)]).map(({ id }) => id)
}

/** The steps in order of their first payments. A basket for a single payment would only add a step. */
export function planScaSteps(payments: readonly AcknowledgedPayment[], terms: BasketTerms): readonly PlannedScaStep[] {
  const groups: Group[] = []
  for (const payment of payments) {
    const group = groups.find((candidate) => fits(candidate, payment, terms))
    if (group === undefined) {
      groups.push(groupFor(payment, terms))
    } else {
      group.payments.push(payment)
    }
  }
  return groups.map(({ basketId, payments: grouped }) => ({
    basketId: basketId ?? (grouped.length > 1 ? newId() : null),
    payments: grouped,
  }))
}

/** Throws 422 at the first payment beyond what can be signed behind one URL. */
export function requireChainable(
  steps: readonly PlannedScaStep[],
  pathOf: (paymentId: string) => string,
  sizeMax: number | null,
): void {
  const first = firstBeyondLimit(steps)
  if (first !== undefined) {
    throw new InvalidRequestError([limitError(pathOf(first.id), sizeMax)])
  }
}

/**
 * The steps without baskets, after the bank has rejected one with this text. Throws 422 at the first payment beyond the
 * limit.
 */
export function planWithoutBaskets(
  payments: readonly AcknowledgedPayment[],
  terms: BasketTerms,
  pathOf: (paymentId: string) => string,
  rejectionText: string,
): readonly PlannedScaStep[] {
  const steps = planScaSteps(payments, { ...terms, sizeMax: null })
  const first = firstBeyondLimit(steps)
  if (first !== undefined) {
    const reason = `The bank does not sign these payments together (${rejectionText}); at most ${CHAINED_STEPS_MAX} may be approved one at a time`
    throw new InvalidRequestError([{ ...limitError(pathOf(first.id), null), reason }])
  }
  return steps
}

function firstBeyondLimit(steps: readonly PlannedScaStep[]): AcknowledgedPayment | undefined {
  return steps[CHAINED_STEPS_MAX]?.payments[0]
}

/** Throws 422, at the path of the first one, for more orders than can be approved together in any combination. */
export function requireWithinApprovalLimit(paths: readonly string[], sizeMax: number | null): void {
  const first = paths[CHAINED_STEPS_MAX * (sizeMax ?? 1)]
  if (first !== undefined) {
    throw new InvalidRequestError([limitError(first, sizeMax)])
  }
}

function limitError(path: string, sizeMax: number | null): ValidationError {
  const reason =
    sizeMax === null
      ? `This bank signs payments one at a time; at most ${CHAINED_STEPS_MAX} may be approved together`
      : `This bank signs up to ${sizeMax} unsigned payments at a time; at most ${CHAINED_STEPS_MAX} such signatures may be chained`
  return { code: 'InvalidRequest', reason, path }
}

function fits(group: Group, payment: AcknowledgedPayment, terms: BasketTerms): boolean {
  const basketId = terms.basketIdByPayment.get(payment.id) ?? null
  return group.basketId === basketId && group.payments.length < group.sizeMax && sizeFor(payment, terms) > 1
}

function groupFor(payment: AcknowledgedPayment, terms: BasketTerms): Group {
  const basketId = terms.basketIdByPayment.get(payment.id) ?? null
  return { basketId, sizeMax: sizeFor(payment, terms), payments: [payment] }
}

/** Banks accept no signed order in a new basket; an existing basket has a fixed content. */
function sizeFor(payment: AcknowledgedPayment, { sizeMax, basketIdByPayment, alone }: BasketTerms): number {
  if (basketIdByPayment.has(payment.id)) {
    return Number.POSITIVE_INFINITY
  }
  return payment.status === 'Unsigned' && !alone.has(payment.id) ? (sizeMax ?? 1) : 1
}
