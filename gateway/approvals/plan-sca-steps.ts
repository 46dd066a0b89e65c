/** Plans how payments are signed: in baskets where their bank has them, one at a time otherwise. */

import type { Connector } from '../banks/connector/connector.ts'
import type { Bank } from '../banks/directory/bank.ts'
import { CHAINED_SIGNINGS_MAX } from '../banks/directory/payroll-profile-rules.ts'
import { type HeldPayment, productAtBank } from '../orders/payment.ts'
import type { Problem } from '../platform/http/errors/api-error.ts'
import { newId } from '../platform/ids.ts'

/** So many authorisations are chained behind one address. */
export const CHAINED_MAX = CHAINED_SIGNINGS_MAX

/** What one authorisation signs: one payment, or those in a basket. */
export type PlannedStep = {
  readonly basketId: string | null
  readonly payments: readonly [HeldPayment, ...(readonly HeldPayment[])]
}

/** What the bank's baskets are like, which of the payments lie in one already, and which were refused one or may be in none. */
export type BasketTerms = {
  /** Null where the bank has none. */
  readonly sizeMax: number | null
  readonly basketIdByPayment: ReadonlyMap<string, string>
  readonly alone: ReadonlySet<string>
}

type Group = { basketId: string | null; readonly sizeMax: number; readonly payments: [HeldPayment, ...HeldPayment[]] }

/** How many payments the bank takes into a basket; null where it has none. */
export function basketSizeAt({ profile }: Bank, { baskets }: Connector): number | null {
  return baskets === undefined ? null : profile.constraints.maxBasketSize
}

/** Payments that are signed alone because the bank keeps such as they are out of its baskets. */
export function outsideBaskets({ profile }: Bank, payments: readonly HeldPayment[]): readonly string[] {
  const keptOut = {
    domestic: false,
    'cross-border': profile.baskets?.domesticOnly === true,
    bulk: profile.payroll?.inBaskets !== true,
    file: true,
  }
  return payments.filter((payment) => keptOut[productAtBank(payment)]).map(({ id }) => id)
}

/** The steps in the order of their first payments. A basket of one would be in its user's way. */
export function planSteps(payments: readonly HeldPayment[], terms: BasketTerms): readonly PlannedStep[] {
  const groups: Group[] = []
  for (const payment of payments) {
    const group = groups.find((candidate) => takes(candidate, payment, terms))
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

/** What is wrong with a plan of too many steps: the first payment that finds no place in those allowed. */
export function tooManySteps(
  pathOf: (paymentId: string) => string,
  steps: readonly PlannedStep[],
  { sizeMax }: Pick<BasketTerms, 'sizeMax'>,
): readonly Problem[] {
  const [first] = steps[CHAINED_MAX]?.payments ?? []
  return first === undefined ? [] : [tooMany(pathOf(first.id), sizeMax)]
}

/** More than this many can never be approved together, whatever they are. */
export function tooManyPayments(count: number, sizeMax: number | null): readonly Problem[] {
  const most = CHAINED_MAX * (sizeMax ?? 1)
  return count > most ? [tooMany(`.payments[${most}]`, sizeMax)] : []
}

/** The same of orders, before any of them is looked at; told where the first was asked for that finds no place. */
export function tooManyOrders(
  orders: readonly Pick<HeldPayment, 'id'>[],
  pathOf: (paymentId: string) => string,
  sizeMax: number | null,
): readonly Problem[] {
  const first = orders[CHAINED_MAX * (sizeMax ?? 1)]
  return first === undefined ? [] : [tooMany(pathOf(first.id), sizeMax)]
}

function tooMany(path: string, sizeMax: number | null): Problem {
  const reason =
    sizeMax === null
      ? `This bank signs payments one at a time; ${CHAINED_MAX} at most may be approved together`
      : `This bank signs up to ${sizeMax} unsigned payments at a time; ${CHAINED_MAX} such signings at most may be chained`
  return { code: 'InvalidRequest', reason, path }
}

function takes(group: Group, payment: HeldPayment, terms: BasketTerms): boolean {
  const basketId = terms.basketIdByPayment.get(payment.id) ?? null
  return group.basketId === basketId && group.payments.length < group.sizeMax && sizeFor(payment, terms) > 1
}

function groupFor(payment: HeldPayment, terms: BasketTerms): Group {
  const basketId = terms.basketIdByPayment.get(payment.id) ?? null
  return { basketId, sizeMax: sizeFor(payment, terms), payments: [payment] }
}

/** Banks take no order into a new basket that somebody has signed; a basket that is there holds what it holds. */
function sizeFor(payment: HeldPayment, { sizeMax, basketIdByPayment, alone }: BasketTerms): number {
  if (basketIdByPayment.has(payment.id)) {
    return Number.POSITIVE_INFINITY
  }
  return payment.status === 'Unsigned' && !alone.has(payment.id) ? (sizeMax ?? 1) : 1
}
