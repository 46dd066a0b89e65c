/** Describes a payroll as a partner orders it: who pays, when, and each of the many who are paid; alone and in bulk. */
import { type Static, type TProperties, Type } from 'typebox'
import { CreditorAccount, DebtorAccount, PaymentMetadata } from '../payments/domestic-payment.ts'
import { MessageRemittance, OcrRemittance } from '../payments/remittance.ts'
import { callbackUrl } from '../sca.ts'
import {
  day,
  filledText,
  Money,
  organizationNumberAsked,
  PreferredScaMethod,
  TEXT_CHARACTERS_MAX,
  taggedUnion,
} from '../shapes.ts'

/** How many payrolls one bulk holds. */
export const PAYROLLS_PER_BULK_MAX = 100

const PayrollMessage = Type.Object(
  { type: MessageRemittance.properties.type, value: MessageRemittance.properties.value },
  { title: 'PayrollMessage', description: 'A message.' },
)

export const PayrollRemittance = taggedUnion('type', [PayrollMessage, OcrRemittance], {
  title: 'PayrollRemittance',
  description: 'What a payout says to its receiver: a message, or the reference that an OCR account demands.',
  invalid: {
    type: 'InvalidRemittanceInfo',
    required: 'InvalidRemittanceInfo',
    discriminator: 'InvalidRemittanceInfo',
  },
})
export type PayrollRemittance = Static<typeof PayrollRemittance>

export const PayrollTransactionAsked = Type.Object(
  {
    metadata: PaymentMetadata,
    name: filledText(TEXT_CHARACTERS_MAX.name, 'The name of the receiver.'),
    account: Type.Object(
      { bban: CreditorAccount.properties.bban },
      { title: 'PayrollCreditorAccount', description: 'The account that is paid.' },
    ),
    amount: Money,
    remittanceInformation: PayrollRemittance,
  },
  { title: 'PayrollTransactionAsked', description: 'One payout of a payroll.' },
)
export type PayrollTransactionAsked = Static<typeof PayrollTransactionAsked>

const PayrollDebtor = Type.Object(
  {
    account: Type.Object(
      { bban: DebtorAccount.properties.bban },
      { title: 'PayrollDebtorAccount', description: 'The account that pays; one of those on the consent.' },
    ),
    name: filledText(TEXT_CHARACTERS_MAX.name, 'The name of the organisation that pays.'),
    organizationNumber: Type.Optional(organizationNumberAsked('The organisation number of the company that pays.')),
  },
  { title: 'PayrollDebtor', description: 'Who pays, and from where.' },
)

const order = {
  from: PayrollDebtor,
  transactions: Type.Array(PayrollTransactionAsked, {
    minItems: 1,
    description:
      'One entry for each payout, 10 000 at most unless the installation says otherwise, and no more than the ' +
      '`maxPayrollSize` of the bank. All are in the currency of the country, and no endToEndId comes twice.',
  }),
  dueDate: day(
    'The day on which the bank is to pay, `YYYY-MM-DD`; a bank day, since salaries must be there before a holiday.',
    {
      type: 'InvalidDueDate',
      pattern: 'InvalidDueDate',
    },
  ),
  purposeCode: Type.Enum(['SALA'], { title: 'PayrollPurposeCode', description: 'SALA salary; the only one there is.' }),
} satisfies TProperties

export const PayrollAsked = Type.Object(order, {
  title: 'PayrollAsked',
  description: 'Payouts from one account on one day, which are signed together.',
})
export type PayrollAsked = Static<typeof PayrollAsked>

export const PayrollBulkAsked = Type.Object(
  {
    callbackUrl,
    preferredScaMethod: Type.Optional(PreferredScaMethod),
    payrolls: Type.Array(PayrollAsked, {
      minItems: 1,
      maxItems: PAYROLLS_PER_BULK_MAX,
      description: 'The payrolls, which are signed together; no more than the `maxBulkSize` of the bank.',
    }),
  },
  { title: 'PayrollBulkAsked', description: 'Several payrolls that are ordered and signed at once.' },
)
export type PayrollBulkAsked = Static<typeof PayrollBulkAsked>
