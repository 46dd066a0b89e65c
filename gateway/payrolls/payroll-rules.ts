/** The business rules on a payroll as a whole: who pays, how many, and when; shapes are the contract's concern. */
import type { PayrollAsked } from '../../contract/payrolls/payroll-request.ts'
import { checkDueDate } from '../orders/instructions/due-date-validation.ts'
import type { Finding, Situation } from '../orders/instructions/validation-context.ts'
import { checkSenderAccount } from '../payments/domestic/account-validation.ts'
import { checkSenderNumber } from '../payments/domestic/debtor-company-validation.ts'
import { checkName } from '../payments/text-rules.ts'
import type { Problem } from '../platform/http/errors/api-error.ts'
import { withoutNumbers } from './without-numbers.ts'

/** What a payroll is judged by besides itself. */
export type PayrollSituation = Situation & {
  /** How many payouts this gateway takes, whatever the bank does. */
  readonly transactionsMax: number
}

/** A payroll without a look at its payouts, of which it has any number. */
type Whole = Pick<PayrollAsked, 'from' | 'dueDate' | 'purposeCode'> & { readonly transactions: readonly unknown[] }
type Rule = (payroll: Whole, situation: PayrollSituation) => Finding

/** Every problem that the rules find besides those of payouts; a part that is not sound is left to its schema. */
export function wholeProblems(
  payroll: Whole,
  situation: PayrollSituation,
  isSound: (path: string) => boolean,
): readonly Problem[] {
  return rulesByPath.flatMap(([path, rule]) => {
    const finding = isSound(path) ? rule(payroll, situation) : undefined
    return finding === undefined ? [] : [{ path, ...finding }]
  })
}

/** The most payouts that a payroll may hold, and who says so. */
export function mostPayouts({ bank, transactionsMax }: Pick<PayrollSituation, 'bank' | 'transactionsMax'>): {
  readonly max: number
  readonly whose: string
} {
  const { maxPayrollSize } = bank.profile.constraints
  return maxPayrollSize !== null && maxPayrollSize <= transactionsMax
    ? { max: maxPayrollSize, whose: bank.name }
    : { max: transactionsMax, whose: 'this gateway' }
}

const rulesByPath: readonly (readonly [path: string, rule: Rule])[] = [
  ['.from.account.bban', checkAccount],
  ['.from.name', ({ from }, { bank }) => checkName(bank, from.name, 'Sender', null)],
  ['.from.organizationNumber', checkSenderNumber],
  ['.transactions', checkCount],
  ['.dueDate', checkDueDate],
]

function checkAccount({ from }: Whole, situation: PayrollSituation): Finding {
  const finding = checkSenderAccount({ from }, situation)
  return finding && { ...finding, reason: withoutNumbers(finding.reason) }
}

function checkCount({ transactions: { length } }: Whole, situation: PayrollSituation): Finding {
  const { max, whose } = mostPayouts(situation)
  return length <= max
    ? undefined
    : { code: 'InvalidRequest', reason: `holds ${length} payouts; ${whose} takes ${max} in one payroll` }
}
