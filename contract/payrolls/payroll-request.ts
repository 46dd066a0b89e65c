/** Describes the request for a payroll, alone or in bulk: debtor, due date and transactions. */

import { type Static, type TProperties, Type } from 'typebox'
import { PaymentMetadata } from '../payment-parts.ts'
import { CreditorAccount, DebtorAccount } from '../payments/domestic-payment.ts'
import { MessageRemittance, OcrRemittance } from '../payments/remittance.ts'
import { callbackUrl } from '../sca.ts'
import {
  day,
  Money,
  nonBlankText,
  organizationNumberParameter,
  PreferredScaMethod,
  TEXT_CHARACTERS_MAX,
  taggedUnion,
} from '../shapes.ts'

/** The maximum number of payrolls in one bulk. */
export const PAYROLLS_PER_BULK_MAX = 100

const PayrollMessage = Type.Object(
  { type: MessageRemittance.properties.type, value: MessageRemittance.properties.value },
  { title: 'PayrollMessage', description: 'A message.' },
)

export const PayrollRemittance = taggedUnion('type', [PayrollMessage, OcrRemittance], {
  title: 'PayrollRemittance',
  description: 'The remittance information of a transaction: a message, or the reference that an OCR account requires.',
  invalid: {
    type: 'InvalidRemittanceInfo',
    required: 'InvalidRemittanceInfo',
    discriminator: 'InvalidRemittanceInfo',
  },
})
export type PayrollRemittance = Static<typeof PayrollRemittance>

export const PayrollTransactionRequest = Type.Object(
  {
    metadata: PaymentMetadata,
    name: nonBlankText(TEXT_CHARACTERS_MAX.name, 'The name of the receiver.', { maxLength: 'RecipientNameTooLong' }),
    account: Type.Object(
      { bban: CreditorAccount.properties.bban },
      { title: 'PayrollCreditorAccount', description: 'The receiver’s account.' },
    ),
    amount: Money,
    remittanceInformation: PayrollRemittance,
  },
  { title: 'PayrollTransactionRequest', description: 'One transaction of a payroll.' },
)
export type PayrollTransactionRequest = Static<typeof PayrollTransactionRequest>

const PayrollDebtor = Type.Object(
  {
    account: Type.Object(
      { bban: DebtorAccount.properties.bban },
      { title: 'PayrollDebtorAccount', description: 'The debtor account; one of those on the consent.' },
    ),
    name: nonBlankText(TEXT_CHARACTERS_MAX.name, 'The name of the organisation that pays.', {
      maxLength: 'SenderNameTooLong',
    }),
    organizationNumber: Type.Optional(organizationNumberParameter('The organisation number of the company that pays.')),
  },
  { title: 'PayrollDebtor', description: 'The debtor and its account.' },
)

const order = {
  from: PayrollDebtor,
  transactions: Type.Array(PayrollTransactionRequest, {
    minItems: 1,
    description:
      'The transactions, 10 000 at most unless configured otherwise, and no more than the ' +
      '`maxPayrollSize` of the bank. All are in the currency of the country, and each endToEndId is unique.',
  }),
  dueDate: day(
    'The day on which the bank pays, `YYYY-MM-DD`; must be a bank day, since salaries must arrive before a holiday.',
    {
      type: 'InvalidDueDate',
      pattern: 'InvalidDueDate',
    },
  ),
  purposeCode: Type.Enum(['SALA'], { title: 'PayrollPurposeCode', description: 'SALA salary; the only value.' }),
} satisfies TProperties

export const PayrollRequest = Type.Object(order, {
  title: 'PayrollRequest',
  description: 'Transactions from one account on one day, which are signed together.',
})
export type PayrollRequest = Static<typeof PayrollRequest>

export const PayrollBulkRequest = Type.Object(
  {
    callbackUrl,
    preferredScaMethod: Type.Optional(PreferredScaMethod),
    payrolls: Type.Array(PayrollRequest, {
      minItems: 1,
      maxItems: PAYROLLS_PER_BULK_MAX,
      description: 'The payrolls, which are signed together; no more than the `maxBulkSize` of the bank.',
    }),
  },
  { title: 'PayrollBulkRequest', description: 'Several payrolls that are ordered and signed together.' },
)
export type PayrollBulkRequest = Static<typeof PayrollBulkRequest>
