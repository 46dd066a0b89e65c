/** What the bank demands of an order of many payments: of all together, and of each as if it came by itself. */
import { type Money, parseMoney } from '../../../gateway/platform/money.ts'
import type { BankContext } from '../bank-context.ts'
import type { BankProfile, Rail } from '../fixture.ts'
import { refusalOfScript } from '../outcomes/simulate-order-outcome.ts'
import { dayProblems, problemsOf } from '../payments/payment-validation.ts'
import { referenceMember, remittanceProblems, unmetDemand } from '../payments/remittance.ts'
import { type Creditor, readCreditor, readDebtor } from '../payments/resolve-parties.ts'
import { formatProblem, type RefusalMessage, refuse, Xs2aRefusal } from '../refusal.ts'
import { type BulkElement, type BulkOrder, elementPath, requireFew } from './bulk-order.ts'

/** One payment of an order, with what was found in it. */
export type SoundElement = { readonly order: BulkElement; readonly creditor: Creditor; readonly money: Money }

/** Whom the order is about; refuses it when something is wrong with any payment in it. */
export function requireSoundBulk(
  { world, clock }: BankContext,
  bank: BankProfile,
  rails: readonly Rail[],
  order: BulkOrder,
): { readonly debtor: string; readonly elements: readonly SoundElement[] } {
  const debtor = readDebtor(world, bank, order.debtorAccount)
  const payer = 'value' in debtor ? debtor.value : undefined
  const read = order.payments.map((element) => {
    const creditor = readCreditor(world, bank, rails, element.creditorAccount)
    const problems = [
      ...('problem' in creditor ? [creditor.problem] : remittanceProblems(bank, element, creditor.value)),
      ...('value' in creditor && creditor.value.number === payer
        ? [formatProblem('creditorAccount', PAYS_ITSELF)]
        : []),
      ...problemsOf(bank, element, clock.now()),
    ]
    return { element, creditor, problems }
  })
  requireFew([
    ...('problem' in debtor ? [debtor.problem] : []),
    ...dayProblems(bank, order, clock.now()),
    ...read.flatMap(({ problems }, index) => problems.map((problem) => ofElement(problem, index))),
  ])
  const elements = read.map(({ element, creditor }) => soundElement(element, creditor))
  requireReferences(bank, elements)
  requireUnscripted(elements)
  return { debtor: payer ?? '', elements }
}

const PAYS_ITSELF = 'The receiving account is the paying one'

/** What is wrong with one payment, as a problem of the whole order. */
function ofElement(problem: RefusalMessage, index: number): RefusalMessage {
  return { ...problem, path: elementPath(index, problem.path ?? '') }
}

function soundElement(order: BulkElement, creditor: ReturnType<typeof readCreditor>): SoundElement {
  const money = parseMoney(order.instructedAmount.amount, order.instructedAmount.currency)
  if (money === undefined || 'problem' in creditor) {
    throw new Error('An order that passed every rule has no amount or party')
  }
  return { order, creditor: creditor.value, money }
}

function requireReferences(bank: BankProfile, elements: readonly SoundElement[]): void {
  for (const [index, { order, creditor }] of elements.entries()) {
    const unmet = unmetDemand(bank, creditor, order)
    if (unmet !== null) {
      throw refuse(401, bank.kidMissingCode, unmet, elementPath(index, referenceMember(bank)))
    }
  }
}

/** An amount that has a single payment refused has the whole order refused. */
function requireUnscripted(elements: readonly SoundElement[]): void {
  for (const [index, { money }] of elements.entries()) {
    const refusal = refusalOfScript(money)
    if (refusal !== undefined) {
      const { status, path = 'instructedAmount', ...message } = refusal
      throw new Xs2aRefusal(status, [{ ...message, path: elementPath(index, path) }])
    }
  }
}
