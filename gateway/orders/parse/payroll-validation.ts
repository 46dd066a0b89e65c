/** Validates the business rules on a payroll apart from its transactions: debtor, number of transactions, due date. */
import type { PayrollRequest } from '../../../contract/payrolls/payroll-request.ts'
import type { ValidationError } from '../../platform/http/errors/api-error.ts'
import { parseDay } from '../../platform/time-format.ts'
import { checkDebtorAccount } from './account-validation.ts'
import { checkDebtorOrganisationNumber } from './debtor-company-validation.ts'
import type { ParsedDebtor } from './domestic-payment-parts.ts'
import { checkDueDate } from './due-date-validation.ts'
import { redactNumbers } from './redact-numbers.ts'
import { checkName } from './text-validation.ts'
import type { RuleResult, ValidationContext } from './validation-context.ts'

/** What the validation of a payroll depends on, apart from the payroll itself. */
export type PayrollSituation = ValidationContext & {
  /** The limit of this gateway, whatever the limit of the bank. */
  readonly transactionsMax: number
}

/** A payroll whose transactions are only counted. */
type PayrollHeader = Pick<PayrollRequest, 'from' | 'dueDate' | 'purposeCode'> & {
  readonly transactions: readonly unknown[]
}
type Rule = (payroll: PayrollHeader & { readonly debtor: ParsedDebtor }, situation: PayrollSituation) => RuleResult

/** All violations of these rules; a field that violates its schema is not checked again. */
export function payrollErrors(
  payroll: PayrollHeader,
  debtor: ParsedDebtor,
  situation: PayrollSituation,
  isSound: (path: string) => boolean,
): readonly ValidationError[] {
  return rulesByPath.flatMap(([path, rule]) => {
    const finding = isSound(path) ? rule({ ...payroll, debtor }, situation) : undefined
    return finding === undefined ? [] : [{ path, ...finding }]
  })
}

/** The maximum number of transactions in a payroll, and whose limit it is. */
export function maxTransactionsOf({ bank, transactionsMax }: Pick<PayrollSituation, 'bank' | 'transactionsMax'>): {
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
  ['.from.organizationNumber', checkDebtorOrganisationNumber],
  ['.transactions', checkCount],
  ['.dueDate', ({ dueDate, purposeCode }, situation) => checkDueDate(parseDay(dueDate), purposeCode, situation)],
]

function checkAccount({ debtor }: { readonly debtor: ParsedDebtor }, situation: PayrollSituation): RuleResult {
  const finding = checkDebtorAccount(debtor, situation)
  return finding && { ...finding, reason: redactNumbers(finding.reason) }
}

function checkCount({ transactions: { length } }: PayrollHeader, situation: PayrollSituation): RuleResult {
  const { max, whose } = maxTransactionsOf(situation)
  return length <= max
    ? undefined
    : { code: 'InvalidRequest', reason: `has ${length} transactions; ${whose} accepts at most ${max} in one payroll` }
}
