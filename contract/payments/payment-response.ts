/** Describes payments as they are shown afterwards: what was asked, and what became of it. */
import { type Static, type TProperties, Type } from 'typebox'
import { exchangeShown } from '../fx/exchange-progress.ts'
import { exchangeTerms } from '../fx/exchange-terms.ts'
import { currencyCode, day, instant, Money, PaymentStatus, taggedUnion, text, uuid } from '../shapes.ts'
import { CrossBorderRemittance, RegulatoryReporting, WholeContactInformation } from './cross-border-payment.ts'
import { ContactInformation, PaymentMetadata, PurposeCode } from './domestic-payment.ts'
import { RemittanceInformation } from './remittance.ts'

const debtorMembers = {
  currency: currencyCode('The currency of the account that pays.'),
  organizationNumber: Type.Optional(text('The organisation number of the company that pays.')),
} satisfies TProperties

const PaymentAccount = Type.Object(
  { type: Type.Enum(['bban'], { description: 'How the account is named.' }), bban: text('The account number.') },
  { title: 'PaymentAccount', description: 'The account of one side of a payment.' },
)

const CrossBorderAccount = Type.Object(
  {
    type: Type.Enum(['bban', 'iban'], { description: 'How the account is named.' }),
    bic: text('The bank of the account.'),
    bban: Type.Optional(text('The account number, with type bban.')),
    iban: Type.Optional(text('The IBAN, with type iban.')),
    clearingCode: Type.Optional(text('The clearing code of the bank.')),
  },
  { title: 'CrossBorderAccount', description: 'The account of one side of a cross-border payment.' },
)

/** What both kinds have. */
const recorded = {
  paymentId: uuid('Identifies the payment.'),
  metadata: PaymentMetadata,
  amount: Money,
  dueDate: day('The day on which the bank is to pay.'),
  paymentStatus: PaymentStatus,
  finalStatus: Type.Boolean({
    description: 'Whether the status is expected to stay; banks may still change it later, for example by a return.',
  }),
  outcomeUnknown: Type.Boolean({
    description: 'Whether the bank was asked and no answer was kept, so that it may or may not hold the payment.',
  }),
  createdAt: instant('When the payment was ordered.'),
  updatedAt: instant('When its status, or the reason of that, changed last.'),
} satisfies TProperties

const domestic = {
  type: Type.Literal('Domestic', { description: 'What kind of payment it is.' }),
  ...recorded,
  from: Type.Object(
    { account: PaymentAccount, contactInformation: ContactInformation, ...debtorMembers },
    { title: 'PaymentDebtor', description: 'Who pays, and from where.' },
  ),
  to: Type.Object(
    { account: PaymentAccount, contactInformation: ContactInformation },
    { title: 'PaymentCreditor', description: 'Who is paid, and where.' },
  ),
  remittanceInformation: Type.Optional(RemittanceInformation),
  purposeCode: Type.Optional(PurposeCode),
} satisfies TProperties

const crossBorder = {
  type: Type.Literal('CrossBorder', { description: 'What kind of payment it is.' }),
  ...recorded,
  from: Type.Object(
    { account: CrossBorderAccount, contactInformation: WholeContactInformation, ...debtorMembers },
    { title: 'CrossBorderPaymentDebtor', description: 'Who pays, and from where.' },
  ),
  to: Type.Object(
    { account: CrossBorderAccount, contactInformation: WholeContactInformation },
    { title: 'CrossBorderPaymentCreditor', description: 'Who is paid, and where.' },
  ),
  remittanceInformation: CrossBorderRemittance,
  regulatoryReporting: Type.Optional(RegulatoryReporting),
  ...exchangeTerms,
} satisfies TProperties

export const PaymentListed = taggedUnion(
  'type',
  [
    Type.Object(domestic, { title: 'DomesticPaymentListed', description: 'A domestic payment.' }),
    Type.Object(crossBorder, { title: 'CrossBorderPaymentListed', description: 'A cross-border payment.' }),
  ],
  { title: 'PaymentListed', description: 'What was asked, and what became of it.' },
)
export type PaymentListed = Static<typeof PaymentListed>

const detail = {
  expectedExecutionDate: Type.Optional(
    day(
      'While the payment is open: on which day the bank carries it out, were it signed now; once it is signed, by ' +
        'the time of its signature. It is the due date unless that is no bank day or its cut-off has passed.',
    ),
  ),
  bankEndToEndId: Type.Optional(text('The endToEndId as the bank is told it; absent where its payments carry none.')),
  statusHistory: Type.Array(PaymentStatus, {
    description:
      'The statuses that the bank told, oldest first, the latest 100 of them: one for each change of status or reason. ' +
      'A new text of the bank on the same status is shown in `paymentStatus` only.',
  }),
  ...exchangeShown,
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
  { title: 'Payment', description: 'What was asked, what became of it, and how it came about.' },
)
export type Payment = Static<typeof Payment>
