/** Describes the request for a domestic payment. */

import { type Static, type TProperties, Type } from 'typebox'
import { PaymentMetadata } from '../payment-parts.ts'
import {
  Address,
  currencyCode,
  day,
  Money,
  nonBlankText,
  organizationNumberParameter,
  TEXT_CHARACTERS_MAX,
  textUpTo,
} from '../shapes.ts'
import { RemittanceInformation } from './remittance.ts'

/** Rails of a domestic payment: to an account, to a Swedish giro number, or by a Danish payment form. */
export const DOMESTIC_RAILS = ['account', 'bankgiro', 'plusgiro', 'payment-form'] as const
export type DomesticRail = (typeof DOMESTIC_RAILS)[number]

export const PurposeCode = Type.Enum(['SUPP', 'TAXS', 'SALA', 'VATX', 'OTHR'], {
  title: 'PurposeCode',
  description: 'SUPP supplier, TAXS tax, SALA salary, VATX value added tax, OTHR other.',
})
export type PurposeCode = Static<typeof PurposeCode>

const accountType = Type.Enum(['bban'], { description: 'The type of account number.' })

export const DebtorAccount = Type.Object(
  {
    type: accountType,
    bban: Type.String({
      minLength: 1,
      maxLength: TEXT_CHARACTERS_MAX.accountNumber,
      invalid: { type: 'InvalidBBAN', minLength: 'InvalidBBAN', maxLength: 'InvalidBBAN' },
      description:
        'The account number in its domestic format, as digits or as it is printed. Norway: 11 digits ' +
        '(`8601.11.17947`). Sweden: clearing and account number (`5439-1024039`). Denmark: registration and account ' +
        'number (`0040 0440116243`). Finland: the IBAN, or its 14 digits. The IBAN of an account on the consent is ' +
        'accepted too. Other separators are rejected, because they may be decimals of a spreadsheet.',
    }),
  },
  { title: 'DebtorAccount', description: 'The debtor account; one of those on the consent.' },
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
        'The account number in its domestic format, as digits or as it is printed, like that of the debtor; other ' +
        'separators are rejected. In Sweden also Bankgiro (`5402-9681`, `BG 54029681`) and Plusgiro (`902003-3`, ' +
        '`PG 9020033`), where the bank supports them. In Denmark, with a FIK, it is the creditor or giro number of ' +
        'the form.',
    }),
  },
  { title: 'CreditorAccount', description: 'The receiver’s account.' },
)

/** `tooLong` is the code of a name that no bank accepts; the limits of banks have the same one. */
const contactInformation = (tooLong?: 'SenderNameTooLong' | 'RecipientNameTooLong') =>
  Type.Object(
    {
      name: nonBlankText(
        TEXT_CHARACTERS_MAX.name,
        'The name of the person or organisation.',
        tooLong === undefined ? {} : { maxLength: tooLong },
      ),
      telephoneNumber: Type.Optional(textUpTo(TEXT_CHARACTERS_MAX.telephoneNumber, 'The telephone number.')),
      address: Type.Optional(Address),
    },
    { title: 'ContactInformation', description: 'Name and contact details.' },
  )

export const ContactInformation = contactInformation()
export type ContactInformation = Static<typeof ContactInformation>

/** What is ordered of a domestic payment and returned with it, unchanged. */
export const domesticTerms = {
  remittanceInformation: Type.Optional(RemittanceInformation),
  purposeCode: Type.Optional(PurposeCode),
} satisfies TProperties

const order = {
  metadata: PaymentMetadata,
  from: Type.Object(
    {
      account: DebtorAccount,
      contactInformation: contactInformation('SenderNameTooLong'),
      currency: currencyCode('The currency of the debtor account.'),
      organizationNumber: Type.Optional(
        organizationNumberParameter('The organisation number of the company that pays.'),
      ),
    },
    { title: 'Debtor', description: 'The debtor and its account.' },
  ),
  to: Type.Object(
    { account: CreditorAccount, contactInformation: contactInformation('RecipientNameTooLong') },
    { title: 'Creditor', description: 'The creditor and its account.' },
  ),
  amount: Money,
  dueDate: day(
    'The day on which the bank pays, `YYYY-MM-DD`. If banks are closed on that day, it is paid on the next ' +
      'bank day; payrolls and some banks reject such days.',
    {
      type: 'InvalidDueDate',
      pattern: 'InvalidDueDate',
    },
  ),
  ...domesticTerms,
} satisfies TProperties

export const DomesticPayment = Type.Object(order, {
  title: 'DomesticPayment',
  description: 'A payment between accounts of one country in its currency.',
})
export type DomesticPayment = Static<typeof DomesticPayment>
