/** Prepares an approval by baskets, or one payment at a time where the bank does not let these be signed together. */
import { BankRefusal } from '../banks/connector/bank-error.ts'
import type { Context } from '../context.ts'
import { type HeldPayment, isPartners } from '../orders/payment.ts'
import { refusalText } from '../orders/payroll/bank-error-message.ts'
import { Invalid } from '../platform/http/errors/api-error.ts'
import type { Holder } from './approval-lease-store.ts'
import { dropBasketsOf } from './drop-basket.ts'
import { type BasketTerms, CHAINED_MAX, type PlannedStep, planSteps, tooManySteps } from './plan-sca-steps.ts'
import type { PathOf } from './require-approvable.ts'

type Planned = {
  readonly payments: readonly HeldPayment[]
  readonly pathOf: PathOf
  readonly terms: BasketTerms
}

/** Throws 422 at the first payment too many, and whatever preparing throws; then nothing of it stays at the bank. */
export async function prepareByPlan<Prepared>(
  context: Context,
  { partnerId, id: approvalId }: Holder,
  { payments, pathOf, terms }: Planned,
  prepare: (steps: readonly PlannedStep[]) => Promise<Prepared>,
): Promise<Prepared> {
  const steps = planSteps(payments, terms)
  requireFew(pathOf, steps, terms)
  try {
    return await prepare(steps)
  } catch (error) {
    await dropBasketsOf(context, { partnerId, approvalId })
    if (!(error instanceof BankRefusal && error.kind === 'basket-refused')) {
      throw error
    }
    const refusal = wordsOf(error, payments)
    context.log.info({ approvalId, refusal }, 'payments are signed one at a time instead of together')
    const alone = planSteps(payments, { ...terms, sizeMax: null })
    requireChainable(pathOf, alone, refusal)
    return await prepare(alone)
  }
}

/** Of payrolls a bank's own words go no further: they may repeat what is paid to whom. */
function wordsOf(refusal: BankRefusal, payments: readonly HeldPayment[]): string {
  return payments.every(isPartners) ? refusal.message : refusalText(refusal)
}

function requireFew(pathOf: PathOf, steps: readonly PlannedStep[], terms: BasketTerms): void {
  const problems = tooManySteps(pathOf, steps, terms)
  if (problems.length > 0) {
    throw new Invalid(problems)
  }
}

function requireChainable(pathOf: PathOf, steps: readonly PlannedStep[], refusal: string): void {
  const [problem] = tooManySteps(pathOf, steps, { sizeMax: null })
  if (problem !== undefined) {
    const reason = `The bank does not let these be signed together (${refusal}), and one at a time ${CHAINED_MAX} at most may be approved`
    throw new Invalid([{ ...problem, reason }])
  }
}
