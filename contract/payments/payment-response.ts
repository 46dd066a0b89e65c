/** Describes payments in responses: the order and its outcome. */

import { type Static, type TProperties, Type } from 'typebox'
import { exchangeProgressFields } from '../fx/exchange-progress.ts'
import { exchangeTerms } from '../fx/exchange-terms.ts'
import { PaymentMetadata } from '../payment-parts.ts'
import { currencyCode, day, instant, Money, taggedUnion, text, uuid } from '../shapes.ts'
import { CompleteContactInformation, CrossBorderRemittance, RegulatoryReporting } from './cross-border-payment.ts'
import { ContactInformation, domesticTerms } from './domestic-payment.ts'
import { PaymentStatus } from './payment-status.ts'

const debtorMembers = {
  currency: currencyCode('The currency of the debtor account.'),
  organizationNumber: Type.Optional(text('The organisation number of the company that pays.')),
} satisfies TProperties

const PaymentAccount = Type.Object(
  { type: Type.Enum(['bban'], { description: 'The type of account number.' }), bban: text('The account number.') },
  { title: 'PaymentAccount', description: 'The debtor or creditor account of a payment.' },
)

const CrossBorderAccount = Type.Object(
  {
    type: Type.Enum(['bban', 'iban'], { description: 'The type of account number.' }),
    bic: text('The BIC of the account’s bank.'),
    bban: Type.Optional(text('The account number, with type bban.')),
    iban: Type.Optional(text('The IBAN, with type iban.')),
    clearingCode: Type.Optional(text('The clearing code of the bank.')),
  },
  { title: 'CrossBorderAccount', description: 'The debtor or creditor account of a cross-border payment.' },
)

/** The fields that both types of payments have. */
const recorded = {
  paymentId: uuid('Identifies the payment.'),
  metadata: PaymentMetadata,
  amount: Money,
  dueDate: day('The due date.'),
  paymentStatus: PaymentStatus,
  finalStatus: Type.Boolean({
    description: 'Whether the status is final; a bank may still change it later, for example by a return.',
  }),
  outcomeUnknown: Type.Boolean({
    description: 'Whether the outcome of the order is unknown: the bank may or may not have the payment.',
  }),
  createdAt: instant('When the payment was ordered.'),
  updatedAt: instant('When its status or status reason last changed.'),
} satisfies TProperties

const domestic = {
  type: Type.Literal('Domestic', { description: 'The type of payment.' }),
  ...recorded,
  from: Type.Object(
    { account: PaymentAccount, contactInformation: ContactInformation, ...debtorMembers },
    { title: 'PaymentDebtor', description: 'The debtor and its account.' },
  ),
  to: Type.Object(
    { account: PaymentAccount, contactInformation: ContactInformation },
    { title: 'PaymentCreditor', description: 'The creditor and its account.' },
  ),
  ...domesticTerms,
} satisfies TProperties

const crossBorder = {
  type: Type.Literal('CrossBorder', { description: 'The type of payment.' }),
  ...recorded,
  from: Type.Object(
    { account: CrossBorderAccount, contactInformation: CompleteContactInformation, ...debtorMembers },
    { title: 'CrossBorderPaymentDebtor', description: 'The debtor and its account.' },
  ),
  to: Type.Object(
    { account: CrossBorderAccount, contactInformation: CompleteContactInformation },
    { title: 'CrossBorderPaymentCreditor', description: 'The creditor and its account.' },
  ),
  remittanceInformation: CrossBorderRemittance,
  regulatoryReporting: Type.Optional(RegulatoryReporting),
  ...exchangeTerms,
} satisfies TProperties

export const PaymentSummary = taggedUnion(
  'type',
  [
    Type.Object(domestic, { title: 'DomesticPaymentListed', description: 'A domestic payment.' }),
    Type.Object(crossBorder, { title: 'CrossBorderPaymentListed', description: 'A cross-border payment.' }),
  ],
  { title: 'PaymentSummary', description: 'A payment in a list.' },
)
export type PaymentSummary = Static<typeof PaymentSummary>

const detail = {
  expectedExecutionDate: Type.Optional(
    day(
      'The day on which the bank executes the payment: if it is signed now; once it is signed, by ' +
        'the time of its signature. It is the due date unless that is not a bank day or its cut-off has passed.',
    ),
  ),
  bankEndToEndId: Type.Optional(text('The endToEndId as sent to the bank; absent if the bank accepts none.')),
  statusHistory: Type.Array(PaymentStatus, {
    description:
      'The status history, oldest first, the latest 100: one entry for each change of status or reason. A ' +
      'new bank text with an unchanged status is shown in `paymentStatus` only.',
  }),
  ...exchangeProgressFields,
} satisfies TProperties

export const Payment = taggedUnion(
  'type',
  [
    Type.Object({ ...domestic, ...detail }, { title: 'DomesticPaymentShown', description: 'A domestic payment.' }),
    Type.Object(
      { ...crossBorder, ...detail },
      { title: 'CrossBorderPaymentShown', description: 'A cross-border payment.' },
    ),
  ],
  { title: 'Payment', description: 'A payment with its status history.' },
)
export type Payment = Static<typeof Payment>
