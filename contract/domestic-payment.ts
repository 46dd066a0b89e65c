/** Describes a domestic payment as a partner orders it. */
import { type Static, type TProperties, Type } from 'typebox'
import { RemittanceInformation } from './remittance.ts'
import { Address, currencyCode, day, filledText, Money, organizationNumberAsked, text } from './shapes.ts'

/** How long an endToEndId may be; banks that take less are told a shortened one. */
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
      invalid: { type: 'InvalidBBAN', minLength: 'InvalidBBAN' },
      description: 'The account number in its domestic form.',
    }),
  },
  { title: 'DebtorAccount', description: 'The account that pays; one of those on the consent.' },
)

export const CreditorAccount = Type.Object(
  {
    type: accountType,
    bban: Type.String({
      minLength: 1,
      invalid: { type: 'InvalidAccountNumber', minLength: 'InvalidAccountNumber' },
      description: 'The account number in its domestic form.',
    }),
  },
  { title: 'CreditorAccount', description: 'The account that is paid.' },
)

export const ContactInformation = Type.Object(
  {
    name: filledText('The name of the person or organisation.'),
    telephoneNumber: Type.Optional(text('The telephone number.')),
    address: Type.Optional(Address),
  },
  { title: 'ContactInformation', description: 'Who somebody is.' },
)
export type ContactInformation = Static<typeof ContactInformation>

export const PaymentMetadata = Type.Object(
  {
    endToEndId: Type.String({
      pattern: '\\S',
      maxLength: END_TO_END_ID_CHARACTERS_MAX,
      description: "The partner's own identification of the payment.",
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
  dueDate: day('The day on which the bank is to pay, `YYYY-MM-DD`.', {
    type: 'InvalidDueDate',
    pattern: 'InvalidDueDate',
  }),
  remittanceInformation: Type.Optional(RemittanceInformation),
  purposeCode: Type.Optional(PurposeCode),
} satisfies TProperties

export const DomesticPayment = Type.Object(order, {
  title: 'DomesticPayment',
  description: 'A payment between accounts of one country in its currency.',
})
export type DomesticPayment = Static<typeof DomesticPayment>
