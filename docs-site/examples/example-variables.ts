/** Names the variables of the examples: ids that the response of one example has and others use, and days. */

import { readerBic, readerCompany } from '../../contract/examples/demo-fixture.ts'
import { examplesByOperation } from '../../contract/examples/examples-by-operation.ts'
import type { Operation } from '../../contract/operation.ts'
import type { OperationId } from '../../contract/operations.ts'

/** A value of the examples that is written as a variable. */
export type ExampleVariable = {
  /** In programs, for example `consentId`; Python writes it with underscores. */
  readonly name: string
  /** In shells, for example `CONSENT`. */
  readonly shellName: string
  /** The operation whose response has the value, and where in it. */
  readonly source: OperationId
  readonly path: string
  /** The value in the contract's examples. */
  readonly value: string
}

const SOURCES: readonly (readonly [source: OperationId, path: string, name: string, shellName: string])[] = [
  ['issueToken', 'access_token', 'token', 'TOKEN'],
  ['createConsent', 'id', 'consentId', 'CONSENT'],
  ['listAccounts', 'accounts[0].id', 'accountId', 'ACCOUNT_ID'],
  ['listAccountEntries', 'accountEntries[0].transactionId', 'transactionId', 'TRANSACTION'],
  ['initiateDomesticPayment', 'paymentId', 'paymentId', 'PAYMENT'],
  ['approvePayments', 'id', 'approvalId', 'APPROVAL'],
  ['cancelPayment', 'id', 'cancellationId', 'CANCELLATION'],
  ['quoteExchange', 'quoteId', 'quoteId', 'QUOTE'],
  ['initiatePayroll', 'payrollId', 'payrollId', 'PAYROLL'],
  ['approvePayrolls', 'id', 'payrollApprovalId', 'PAYROLL_APPROVAL'],
  ['cancelPayroll', 'id', 'payrollCancellationId', 'PAYROLL_CANCELLATION'],
  ['startOnboarding', 'id', 'onboardingId', 'ONBOARDING'],
  ['createWebhookSubscription', 'id', 'subscriptionId', 'SUBSCRIPTION'],
  ['testWebhookSubscription', 'deliveryId', 'deliveryId', 'DELIVERY'],
]

/** Every variable that an example defines. */
export const EXAMPLE_VARIABLES: readonly ExampleVariable[] = SOURCES.map(([source, path, name, shellName]) => ({
  source,
  path,
  name,
  shellName,
  value: String(valueAt(examplesByOperation[source][0].answer, path)),
}))

/** Values that no response has: the reader sets them, so that no destructive example acts on the demo data. */
export const READER_VARIABLES = [
  {
    name: 'companyNumber',
    shellName: 'COMPANY',
    value: readerCompany.organizationNumber,
    meaning: 'the organisation number of the company',
  },
  { name: 'faultyBic', shellName: 'FAULTY_BANK', value: readerBic, meaning: 'the BIC of the bank' },
] as const

/** Days, by the field that has them: they depend on when an example is tried. */
export const DAY_VARIABLES = [
  { name: 'today', shellName: 'TODAY', fields: ['toDate', 'from'] },
  { name: 'dueDate', shellName: 'DUE_DATE', fields: ['dueDate', 'to'] },
  { name: 'monthAgo', shellName: 'MONTH_AGO', fields: ['fromDate'] },
] as const

const DAY = /^\d{4}-\d\d-\d\d$/

/** The name of a variable in programs and in shells; `meaning` is there where the reader sets it. */
export type VariableName = Pick<ExampleVariable, 'name' | 'shellName'> & { readonly meaning?: string }

/** The variables that the response to an operation's first example defines. */
export function variablesFrom({ id }: Pick<Operation, 'id'>): readonly ExampleVariable[] {
  return EXAMPLE_VARIABLES.filter(({ source }) => source === id)
}

/** The variable that stands for a value of a field; undefined for a literal. */
export function variableOf(field: string, value: unknown): VariableName | undefined {
  if (typeof value !== 'string') {
    return undefined
  }
  return DAY.test(value)
    ? DAY_VARIABLES.find(({ fields }) => fields.some((one) => one === field))
    : [...EXAMPLE_VARIABLES, ...READER_VARIABLES].find((one) => one.value === value)
}

function valueAt(answer: unknown, path: string): unknown {
  return path
    .split(/[.[\]]+/)
    .filter((part) => part !== '')
    .reduce((value, part) => Object(value)[part], answer)
}
