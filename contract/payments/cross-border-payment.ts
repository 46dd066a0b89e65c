/** Describes a cross-border payment as a partner orders it, with or without exchange. */
import { type Static, type TProperties, Type } from 'typebox'
import { everyDefect } from '../errors/error-codes.ts'
import {
  bicOf,
  currencyCode,
  day,
  filledText,
  organizationNumberAsked,
  TEXT_CHARACTERS_MAX,
  textUpTo,
  uuid,
} from '../shapes.ts'
import { PaymentMetadata } from './domestic-payment.ts'

/** Ten elements are more than any country asks for. */
const ADDITIONAL_INFORMATION_MAX = 10
/** How many decimals an amount has is judged by its currency, not by its form. */
const ANY_DECIMAL = '^(0|[1-9][0-9]{0,11})(\\.[0-9]{1,20})?$'

const number = (description: string) => filledText(TEXT_CHARACTERS_MAX.accountNumber, description)

/** All five are needed: banks across borders take no address without them. `code` is that of every defect. */
export function wholeAddress(code?: 'InvalidRequest' | 'InvalidToAddress') {
  const invalid = code === undefined ? {} : everyDefect(code)
  const member = (description: string) => filledText(TEXT_CHARACTERS_MAX.addressMember, description, invalid)
  return Type.Object(
    {
      streetName: member('The street.'),
      buildingNumber: member('The number in the street.'),
      city: member('The town.'),
      postCode: member('The postal code.'),
      country: Type.String({
        pattern: '^[A-Z]{2}$',
        form: 'must be a country code of ISO 3166-1 in two capital letters, for example NO',
        invalid,
        description: 'The country (ISO 3166-1 alpha-2).',
      }),
    },
    { title: 'WholeAddress', description: 'A postal address in full.', invalid },
  )
}

function whoIs(code: 'InvalidRequest' | 'InvalidToAddress') {
  return Type.Object(
    {
      name: filledText(
        TEXT_CHARACTERS_MAX.name,
        'The name: 70 characters where money is exchanged, else as many as the maxInformationFieldLength of the debtor’s bank says.',
      ),
      telephoneNumber: Type.Optional(textUpTo(TEXT_CHARACTERS_MAX.telephoneNumber, 'The telephone number.')),
      address: wholeAddress(code),
    },
    { title: 'WholeContactInformation', description: 'Who somebody is, with a whole address.' },
  )
}

export const CrossBorderDebtorAccount = Type.Object(
  {
    type: Type.Enum(['bban'], { description: 'How the account is named.' }),
    bic: bicOf('The bank of the account: the one of the consent.', everyDefect('InvalidBIC')),
    bban: Type.String({
      minLength: 1,
      maxLength: TEXT_CHARACTERS_MAX.accountNumber,
      invalid: everyDefect('InvalidFromAccount'),
      description: 'The account number in its domestic form, or the IBAN of an account on the consent.',
    }),
  },
  { title: 'CrossBorderDebtorAccount', description: 'The account that pays; one of those on the consent.' },
)

export const CrossBorderCreditorAccount = Type.Object(
  {
    type: Type.Enum(['bban', 'iban'], {
      description: 'How the account is named. A `bban` may hold an IBAN.',
    }),
    bic: bicOf('The bank that is paid.', everyDefect('InvalidBIC')),
    bban: Type.Optional(number('With type bban: the account number as its country writes it, or its IBAN.')),
    iban: Type.Optional(number('With type iban: the IBAN.')),
    clearingCode: Type.Optional(
      textUpTo(
        TEXT_CHARACTERS_MAX.accountNumber,
        'What banks of the country are known by among themselves, where it demands that.',
      ),
    ),
  },
  { title: 'CrossBorderCreditorAccount', description: 'The account that is paid.' },
)

export const AdditionalInformation = Type.Object(
  {
    type: Type.Enum(['TaxCode', 'Reason', 'Purpose'], {
      description: 'TaxCode: of the receiver. Reason: why it is paid, in words. Purpose: why it is paid, by a code.',
    }),
    value: filledText(TEXT_CHARACTERS_MAX.remittance, 'The code or text, as the receiving country demands it.'),
  },
  { title: 'AdditionalInformation', description: 'What the receiving country demands to be told.' },
)
export type AdditionalInformation = Static<typeof AdditionalInformation>

export const CrossBorderRemittance = Type.Object(
  {
    message: filledText(TEXT_CHARACTERS_MAX.remittance, 'The text shown to the receiver.'),
    additionalInformation: Type.Optional(
      Type.Array(AdditionalInformation, {
        maxItems: ADDITIONAL_INFORMATION_MAX,
        description: 'What the receiving country demands; its payment requirements say which.',
      }),
    ),
    debtorReference: Type.Optional(
      filledText(TEXT_CHARACTERS_MAX.remittance, 'A text shown to the debtor only, where the bank supports it.'),
    ),
  },
  { title: 'CrossBorderRemittance', description: 'What the payment says to its receiver and on the way there.' },
)

export const RegulatoryReporting = Type.Object(
  {
    code: filledText(TEXT_CHARACTERS_MAX.remittance, 'What the payment is for, by the list of the payer’s country.'),
    information: Type.Optional(
      filledText(
        TEXT_CHARACTERS_MAX.remittance,
        'The same in words, 35 characters at most. Norway only, where banks may ask for it.',
      ),
    ),
  },
  {
    title: 'RegulatoryReporting',
    description:
      'What the authorities of the payer’s country are told. Norway and Sweden only; required there above 100 000 NOK ' +
      'and 150 000 SEK, other currencies being converted at the day’s reference rate.',
  },
)
export type RegulatoryReporting = Static<typeof RegulatoryReporting>

/** Like `Money`, but no wrong amount has a code of its own here. */
const AmountAsked = Type.Object(
  {
    amount: Type.String({
      pattern: ANY_DECIMAL,
      form: 'must be a decimal with a point and no sign, for example 1250.00',
      description: 'A decimal with a point and no sign, exponent or separators, for example `1250.00`.',
    }),
    currency: currencyCode('The currency (ISO 4217), for example `USD`: what the receiver is paid in.'),
  },
  {
    title: 'CrossBorderAmount',
    description: 'What the receiver is paid. Money is exchanged where the currency is not that of the paying account.',
  },
)

/** As the record of a payment shows it. */
export const WholeContactInformation = whoIs('InvalidRequest')

const order = {
  metadata: PaymentMetadata,
  quoteId: Type.Optional(uuid('A quote to book, where one was asked for beforehand; without it a fresh one is taken.')),
  from: Type.Object(
    {
      account: CrossBorderDebtorAccount,
      contactInformation: WholeContactInformation,
      currency: currencyCode('The currency of the account that pays.'),
      organizationNumber: Type.Optional(organizationNumberAsked('The organisation number of the company that pays.')),
    },
    { title: 'CrossBorderDebtor', description: 'Who pays, and from where.' },
  ),
  to: Type.Object(
    { account: CrossBorderCreditorAccount, contactInformation: whoIs('InvalidToAddress') },
    { title: 'CrossBorderCreditor', description: 'Who is paid, and where.' },
  ),
  amount: AmountAsked,
  dueDate: day(
    'The day on which the debtor’s bank is to pay, `YYYY-MM-DD`. Where money is exchanged it is that of the domestic ' +
      'funding payment, and the receiver is usually paid two bank days later.',
    everyDefect('InvalidDueDate'),
  ),
  remittanceInformation: CrossBorderRemittance,
  regulatoryReporting: Type.Optional(RegulatoryReporting),
} satisfies TProperties

export const CrossBorderPayment = Type.Object(order, {
  title: 'CrossBorderPayment',
  description: 'A payment to another country, or from an account in another currency than that of its country.',
})
export type CrossBorderPayment = Static<typeof CrossBorderPayment>
