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
  /** The operation whose response has the value, which of its examples, and where in it. */
  readonly source: OperationId
  readonly example: number
  readonly path: string
  /** The value in the contract's examples. */
  readonly value: string
}

type Source = readonly [source: OperationId, path: string, name: string, shellName: string, example?: number]

const SOURCES: readonly Source[] = [
  ['issueToken', 'access_token', 'token', 'TOKEN'],
  ['createConsent', 'id', 'consentId', 'CONSENT'],
  ['createConsent', 'id', 'payrollConsentId', 'PAYROLL_CONSENT', 1],
  ['listAccounts', 'accounts[0].id', 'accountId', 'ACCOUNT_ID'],
  ['listAccountEntries', 'accountEntries[0].transactionId', 'transactionId', 'TRANSACTION'],
  ['initiateDomesticPayment', 'paymentId', 'paymentId', 'PAYMENT'],
  ['initiateDomesticPayment', 'paymentId', 'otherPaymentId', 'OTHER_PAYMENT', 1],
  ['initiateCrossBorderPayment', 'paymentId', 'exchangePaymentId', 'EXCHANGE_PAYMENT', 1],
  ['approvePayments', 'id', 'approvalId', 'APPROVAL'],
  ['cancelPayment', 'id', 'cancellationId', 'CANCELLATION'],
  ['quoteExchange', 'referenceCode', 'referenceCode', 'REFERENCE'],
  ['quoteExchange', 'costAmount.amount', 'costAmount', 'COST'],
  ['initiatePayroll', 'payrollId', 'payrollId', 'PAYROLL'],
  ['initiatePayroll', 'payrollId', 'otherPayrollId', 'OTHER_PAYROLL', 1],
  ['approvePayrolls', 'id', 'payrollApprovalId', 'PAYROLL_APPROVAL'],
  ['cancelPayroll', 'id', 'payrollCancellationId', 'PAYROLL_CANCELLATION'],
  ['startOnboarding', 'id', 'onboardingId', 'ONBOARDING'],
  ['createWebhookSubscription', 'id', 'subscriptionId', 'SUBSCRIPTION'],
  ['testWebhookSubscription', 'deliveryId', 'deliveryId', 'DELIVERY'],
  ['openSandboxInbox', 'url', 'targetUrl', 'TARGET_URL'],
  ['listRequests', 'requests[1].svcRequestId', 'svcRequestId', 'REQUEST'],
]

export const EXAMPLE_VARIABLES: readonly ExampleVariable[] = SOURCES.map(
  ([source, path, name, shellName, example = 0]) => ({
    ...{ source, example, path, name, shellName },
    value: String(valueAt(examplesByOperation[source][example]?.answer, path)),
  }),
)

/** Values that no response has: the reader sets them, so that no destructive example acts on the demo data. */
export const READER_VARIABLES = [
  {
    name: 'companyNumber',
    shellName: 'COMPANY',
    value: readerCompany.organizationNumber,
    meaning: 'the organisation number of the company',
  },
  { name: 'faultyBic', shellName: 'FAULTY_BANK', value: readerBic, meaning: 'the BIC of the bank' },
  {
    name: 'targetUrl',
    shellName: 'TARGET_URL',
    value: examplesByOperation.createWebhookSubscription[0].body.targetUrl,
    meaning: 'the URL of your endpoint, or of the sandbox inbox',
  },
] as const

/** Days, by the field that has them: they depend on when an example is tried, usually so many days from today, and no weekend. */
export const DAY_VARIABLES = [
  { name: 'today', shellName: 'TODAY', fromToday: 0, fields: ['toDate', 'from', 'since', 'until', 'receivedSince'] },
  { name: 'dueDate', shellName: 'DUE_DATE', fromToday: 2, fields: ['dueDate', 'to', 'set'] },
  { name: 'monthAgo', shellName: 'MONTH_AGO', fromToday: -30, fields: ['fromDate'] },
] as const

const DAY = /^\d{4}-\d\d-\d\d(?<time>T[\d:.]+Z)?$/

export type VariableName = Pick<ExampleVariable, 'name' | 'shellName'> & {
  /** What the reader sets it to, where no response has it. */
  readonly meaning?: string
  /** The time of day that follows the variable's day in the value. */
  readonly time?: string
}

/** The variables that the response to an example of an operation defines. */
export function variablesFrom(
  { id }: Pick<Operation, 'id'>,
  { index }: { readonly index: number },
): readonly ExampleVariable[] {
  return EXAMPLE_VARIABLES.filter(({ source, example }) => source === id && example === index)
}

/** The variable of the consent that an operation needs: few banks offer payrolls, so that they have a consent of their own. */
export function consentVariable({ permission }: Pick<Operation, 'permission'>): VariableName {
  return permission === 'payroll' ? variableNamed('payrollConsentId') : variableNamed('consentId')
}

/** The variable that stands for a value of a field; undefined for a literal. */
export function variableOf(field: string, value: unknown): VariableName | undefined {
  if (typeof value !== 'string') {
    return undefined
  }
  const { groups: { time } = {} } = DAY.exec(value) ?? {}
  const day = DAY.test(value) ? DAY_VARIABLES.find(({ fields }) => fields.some((one) => one === field)) : undefined
  return day === undefined
    ? [...EXAMPLE_VARIABLES, ...READER_VARIABLES].find((one) => one.value === value)
    : { ...day, ...(time === undefined ? {} : { time }) }
}

function variableNamed(name: string): VariableName {
  const found = EXAMPLE_VARIABLES.find((one) => one.name === name)
  if (found === undefined) {
    throw new Error(`No example defines ${name}`)
  }
  return found
}

function valueAt(answer: unknown, path: string): unknown {
  return path
    .split(/[.[\]]+/)
    .filter((part) => part !== '')
    .reduce((value, part) => Object(value)[part], answer)
}
