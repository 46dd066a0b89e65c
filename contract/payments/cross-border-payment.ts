/** Describes the request for a cross-border payment, with or without exchange. */
import { type Static, type TProperties, Type } from 'typebox'
import { codeForEveryKeyword } from '../errors/error-codes.ts'
import { additionalInformation, anyDecimal, completeAddress, PaymentMetadata } from '../payment-parts.ts'
import {
  bicOf,
  currencyCode,
  day,
  nonBlankText,
  organizationNumberParameter,
  TEXT_CHARACTERS_MAX,
  textUpTo,
  uuid,
} from '../shapes.ts'

const number = (description: string) => nonBlankText(TEXT_CHARACTERS_MAX.accountNumber, description)

function partyDetails(code: 'InvalidRequest' | 'InvalidToAddress') {
  return Type.Object(
    {
      name: nonBlankText(
        TEXT_CHARACTERS_MAX.name,
        'The name: at most 70 characters with exchange, else the maxInformationFieldLength of the debtor’s bank.',
      ),
      telephoneNumber: Type.Optional(textUpTo(TEXT_CHARACTERS_MAX.telephoneNumber, 'The telephone number.')),
      address: completeAddress(code),
    },
    { title: 'CompleteContactInformation', description: 'Name and complete address.' },
  )
}

export const CrossBorderDebtorAccount = Type.Object(
  {
    type: Type.Enum(['bban'], { description: 'The type of account number.' }),
    bic: bicOf('The BIC of the account’s bank: that of the consent.', codeForEveryKeyword('InvalidBIC')),
    bban: Type.String({
      minLength: 1,
      maxLength: TEXT_CHARACTERS_MAX.accountNumber,
      invalid: codeForEveryKeyword('InvalidFromAccount'),
      description: 'The account number in its domestic format, or the IBAN, of an account on the consent.',
    }),
  },
  { title: 'CrossBorderDebtorAccount', description: 'The debtor account; one of those on the consent.' },
)

export const CrossBorderCreditorAccount = Type.Object(
  {
    type: Type.Enum(['bban', 'iban'], {
      description: 'The type of account number. A `bban` may hold an IBAN.',
    }),
    bic: bicOf('The BIC of the receiver’s bank.', codeForEveryKeyword('InvalidBIC')),
    bban: Type.Optional(number('With type bban: the account number in its domestic format, or the IBAN.')),
    iban: Type.Optional(number('With type iban: the IBAN.')),
    clearingCode: Type.Optional(
      textUpTo(
        TEXT_CHARACTERS_MAX.accountNumber,
        'The clearing code of the receiver’s bank, where the country requires it.',
      ),
    ),
  },
  { title: 'CrossBorderCreditorAccount', description: 'The receiver’s account.' },
)

export const CrossBorderRemittance = Type.Object(
  {
    message: nonBlankText(TEXT_CHARACTERS_MAX.remittance, 'The text shown to the receiver.'),
    additionalInformation,
    debtorReference: Type.Optional(
      nonBlankText(TEXT_CHARACTERS_MAX.remittance, 'A text shown to the debtor only, where the bank supports it.'),
    ),
  },
  {
    title: 'CrossBorderRemittance',
    description: 'The remittance information and the information for the receiving country.',
  },
)

export const RegulatoryReporting = Type.Object(
  {
    code: nonBlankText(
      TEXT_CHARACTERS_MAX.remittance,
      'The purpose of the payment: a regulatory code of the payer’s country.',
    ),
    information: Type.Optional(
      nonBlankText(
        TEXT_CHARACTERS_MAX.remittance,
        'The purpose as text, at most 35 characters. Norway only, where banks may require it.',
      ),
    ),
  },
  {
    title: 'RegulatoryReporting',
    description:
      'Reported to the authorities of the payer’s country. Norway and Sweden only; required there above 100 ' +
      '000 NOK and 150 000 SEK; other currencies are converted at the day’s reference rate.',
  },
)
export type RegulatoryReporting = Static<typeof RegulatoryReporting>

/** Like `Money`, but an invalid amount has no separate code here. */
const RequestedAmount = Type.Object(
  {
    amount: anyDecimal,
    currency: currencyCode('The currency (ISO 4217), for example `USD`, in which the receiver is paid.'),
  },
  {
    title: 'CrossBorderAmount',
    description:
      'The amount that the receiver gets. It is exchanged if its currency is not that of the debtor account.',
  },
)

/** The amount as shown in a payment response. */
export const CompleteContactInformation = partyDetails('InvalidRequest')

const order = {
  metadata: PaymentMetadata,
  quoteId: Type.Optional(uuid('The quote to book; without it a new quote is used.')),
  from: Type.Object(
    {
      account: CrossBorderDebtorAccount,
      contactInformation: CompleteContactInformation,
      currency: currencyCode('The currency of the debtor account.'),
      organizationNumber: Type.Optional(
        organizationNumberParameter('The organisation number of the company that pays.'),
      ),
    },
    { title: 'CrossBorderDebtor', description: 'The debtor and its account.' },
  ),
  to: Type.Object(
    { account: CrossBorderCreditorAccount, contactInformation: partyDetails('InvalidToAddress') },
    { title: 'CrossBorderCreditor', description: 'The creditor and its account.' },
  ),
  amount: RequestedAmount,
  dueDate: day(
    'The day on which the debtor’s bank pays, `YYYY-MM-DD`. With exchange it is the due date of the domestic ' +
      'funding payment, and the receiver is usually paid two bank days later.',
    codeForEveryKeyword('InvalidDueDate'),
  ),
  remittanceInformation: CrossBorderRemittance,
  regulatoryReporting: Type.Optional(RegulatoryReporting),
} satisfies TProperties

export const CrossBorderPayment = Type.Object(order, {
  title: 'CrossBorderPayment',
  description: 'A payment to another country, or from an account in another currency than that of its country.',
})
export type CrossBorderPayment = Static<typeof CrossBorderPayment>
