/** Describes a domestic payment as a partner orders it. */
import { type Static, type TProperties, Type } from 'typebox'
import {
  Address,
  currencyCode,
  day,
  filledText,
  Money,
  organizationNumberAsked,
  TEXT_CHARACTERS_MAX,
  textUpTo,
} from '../shapes.ts'
import { RemittanceInformation } from './remittance.ts'

/** How long an endToEndId may be; banks that take less are told its beginning and a digest. */
const END_TO_END_ID_CHARACTERS_MAX = 255

export const PurposeCode = Type.Enum(['SUPP', 'TAXS', 'SALA', 'VATX', 'OTHR'], {
  title: 'PurposeCode',
  description: 'SUPP supplier, TAXS tax, SALA salary, VATX value added tax, OTHR other.',
})
export type PurposeCode = Static<typeof PurposeCode>

const accountType = Type.Enum(['bban'], { description: 'How the account is named.' })

export const DebtorAccount = Type.Object(
  {
    type: accountType,
    bban: Type.String({
      minLength: 1,
      maxLength: TEXT_CHARACTERS_MAX.accountNumber,
      invalid: { type: 'InvalidBBAN', minLength: 'InvalidBBAN', maxLength: 'InvalidBBAN' },
      description:
        'The account number in its domestic form; separators do not matter. Norway: 11 digits. Sweden: clearing and ' +
        'account number. Denmark: registration and account number. Finland: the IBAN, or its 14 digits. The IBAN of an ' +
        'account on the consent is taken too.',
    }),
  },
  { title: 'DebtorAccount', description: 'The account that pays; one of those on the consent.' },
)

export const CreditorAccount = Type.Object(
  {
    type: accountType,
    bban: Type.String({
      minLength: 1,
      maxLength: TEXT_CHARACTERS_MAX.accountNumber,
      invalid: {
        type: 'InvalidAccountNumber',
        minLength: 'InvalidAccountNumber',
        maxLength: 'InvalidAccountNumber',
      },
      description:
        'The account number in its domestic form; separators do not matter. Sweden takes Bankgiro (`5402-9681`, ' +
        '`BG 54029681`) and Plusgiro (`902003-3`, `PG 9020033`) too, where the bank pays to them. In Denmark, with a ' +
        'FIK, it is the creditor or giro number of the form.',
    }),
  },
  { title: 'CreditorAccount', description: 'The account that is paid.' },
)

export const ContactInformation = Type.Object(
  {
    name: filledText(TEXT_CHARACTERS_MAX.name, 'The name of the person or organisation.'),
    telephoneNumber: Type.Optional(textUpTo(TEXT_CHARACTERS_MAX.telephoneNumber, 'The telephone number.')),
    address: Type.Optional(Address),
  },
  { title: 'ContactInformation', description: 'Who somebody is.' },
)
export type ContactInformation = Static<typeof ContactInformation>

export const PaymentMetadata = Type.Object(
  {
    endToEndId: Type.String({
      pattern: '\\S',
      form: 'must not be blank',
      maxLength: END_TO_END_ID_CHARACTERS_MAX,
      description:
        "The partner's own identification of the payment. It is kept whole. A bank that carries one is told it as far as " +
        'it takes that many characters, 35 at most; of a longer one it is told the beginning, a hyphen and eight ' +
        'hexadecimal digits that tell it from others. A bank that carries none is told nothing.',
    }),
  },
  { title: 'PaymentMetadata', description: 'What identifies the payment.' },
)

const order = {
  metadata: PaymentMetadata,
  from: Type.Object(
    {
      account: DebtorAccount,
      contactInformation: ContactInformation,
      currency: currencyCode('The currency of the account that pays.'),
      organizationNumber: Type.Optional(organizationNumberAsked('The organisation number of the company that pays.')),
    },
    { title: 'Debtor', description: 'Who pays, and from where.' },
  ),
  to: Type.Object(
    { account: CreditorAccount, contactInformation: ContactInformation },
    { title: 'Creditor', description: 'Who is paid, and where.' },
  ),
  amount: Money,
  dueDate: day(
    'The day on which the bank is to pay, `YYYY-MM-DD`. On a day on which banks are closed, the next bank day is meant; ' +
      'salaries and some banks do not take such days.',
    {
      type: 'InvalidDueDate',
      pattern: 'InvalidDueDate',
    },
  ),
  remittanceInformation: Type.Optional(RemittanceInformation),
  purposeCode: Type.Optional(PurposeCode),
} satisfies TProperties

export const DomesticPayment = Type.Object(order, {
  title: 'DomesticPayment',
  description: 'A payment between accounts of one country in its currency.',
})
export type DomesticPayment = Static<typeof DomesticPayment>
