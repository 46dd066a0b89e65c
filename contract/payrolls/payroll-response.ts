/** Describes payrolls in responses: the status of the payroll and of each transaction, and a page of the list. */
import { type Static, type TProperties, Type } from 'typebox'
import { ApprovalStatus } from '../approvals.ts'
import { PaymentWarning } from '../payments/payment-operations.ts'
import { PaymentStatusReason, PaymentStatusValue } from '../payments/payment-status.ts'
import { ScaRedirect } from '../sca.ts'
import { day, instant, Money, text, textOrNull, uuid } from '../shapes.ts'

export const payrollId = uuid('Identifies the payroll for approval, cancellation and status.')

export const currentPayrollStatus = Type.Enum([...PaymentStatusValue.enum], {
  title: 'CurrentPayrollStatus',
  description:
    'The status of all transactions; if they differ, the first of these that one of them has: ' +
    'CustomerActionRequired, Unsigned, InProgress, Completed, Rejected, Cancelled.',
})

export const PayrollTransaction = Type.Object(
  {
    endToEndId: text('The endToEndId of the transaction.'),
    timestamp: instant('When the status of the transaction was last updated.'),
    payrollStatus: PaymentStatusValue,
    payrollStatusReason: Type.Optional(PaymentStatusReason),
    payrollStatusReasonText: Type.Optional(
      text('Further information from the bank in our text: its own may contain personal data. Not for end users.'),
    ),
  },
  { title: 'PayrollTransaction', description: 'The status of one transaction.' },
)
export type PayrollTransaction = Static<typeof PayrollTransaction>

const transactions = Type.Array(PayrollTransaction, { description: 'Every transaction, in the order of the request.' })

export const PayrollWarning = Type.Object(
  {
    code: PaymentWarning.properties.code,
    reason: Type.Optional(text('The reason for the warning, as text.')),
    path: Type.Optional(text('The path of the field, for example `.transactions[3].account.bban`.')),
    expectedExecutionDate: Type.Optional(
      day('With DueDateMoved: the day on which the bank executes the transactions if they are signed now.'),
    ),
    payrollId: Type.Optional(uuid('The other payroll that the warning refers to.')),
  },
  { title: 'PayrollWarning', description: 'A warning; the payroll was accepted nevertheless.' },
)
export type PayrollWarning = Static<typeof PayrollWarning>

const warnings = Type.Optional(Type.Array(PayrollWarning, { description: 'Warnings to check; the first 1 000.' }))

export const PayrollInitiated = Type.Object(
  { payrollId, transactions, warnings },
  { title: 'PayrollInitiated', description: 'The accepted payroll.' },
)
export type PayrollInitiated = Static<typeof PayrollInitiated>

export const PayrollBulkInitiated = Type.Object(
  {
    id: uuid('Identifies the bulk, and the approval of all its payrolls.'),
    payrolls: Type.Array(PayrollInitiated, { description: 'Every payroll, in the order of the request.' }),
    status: ApprovalStatus,
    sca: Type.Optional(
      Type.Object({ redirect: ScaRedirect }, { title: 'PayrollBulkSca', description: 'How the user authenticates.' }),
    ),
  },
  { title: 'PayrollBulkInitiated', description: 'The payrolls of a bulk, and their approval.' },
)
export type PayrollBulkInitiated = Static<typeof PayrollBulkInitiated>

/** The fields of a payroll that every response has. */
const commonFields = {
  payrollId,
  currentPayrollStatus,
  finalStatus: Type.Boolean({
    description: 'Whether every status is final; a bank may still change one later, for example by a return.',
  }),
  outcomeUnknown: Type.Boolean({
    description: 'Whether the outcome of an order is unknown: the bank may or may not have it.',
  }),
} satisfies TProperties

export const PayrollStatus = Type.Object(
  { ...commonFields, transactions },
  { title: 'PayrollStatus', description: 'The status of a payroll and of each transaction.' },
)
export type PayrollStatus = Static<typeof PayrollStatus>

export const PayrollSummary = Type.Object(
  {
    ...commonFields,
    from: Type.Object(
      {
        account: Type.Object(
          { bban: text('The account number.') },
          { title: 'PayrollAccountSummary', description: 'The debtor account.' },
        ),
        name: text('The name of the organisation that pays.'),
        organizationNumber: Type.Optional(text('The organisation number of the company that pays.')),
      },
      { title: 'PayrollDebtorSummary', description: 'The debtor and its account.' },
    ),
    transactionCount: Type.Integer({ minimum: 1, description: 'The number of transactions.' }),
    totalAmount: Money,
    dueDate: day('The due date.'),
    bulkId: Type.Optional(uuid('The bulk of the payroll.')),
    createdAt: instant('When the payroll was ordered.'),
    updatedAt: instant('When the status of the payroll or of a transaction last changed.'),
  },
  { title: 'PayrollSummary', description: 'A payroll in a list, without its transactions.' },
)
export type PayrollSummary = Static<typeof PayrollSummary>

export const PayrollPage = Type.Object(
  {
    payrolls: Type.Array(PayrollSummary, { description: 'The payrolls, in an order that is stable between pages.' }),
    nextCursor: textOrNull('The cursor of the next page; null on the last one.'),
  },
  { title: 'PayrollPage', description: 'A page of payrolls.' },
)
export type PayrollPage = Static<typeof PayrollPage>
