/** Declares the operations on countries that money is paid to: which there are, what each needs, and what is reported. */
import { type Static, Type } from 'typebox'
import { operation } from './operation.ts'
import { countryCode, currencyCode, Money, pathText, text } from './shapes.ts'

const isoCountry = countryCode('The country (ISO 3166-1 alpha-2).')
const pattern = (description: string) => Type.String({ format: 'regex', description })
const daysAhead = Type.Integer({
  minimum: 0,
  description: 'How many bank days ahead; 0 where it is bought today only.',
})

export const CountryListed = Type.Object(
  {
    country: isoCountry,
    name: text('What it is called in English.'),
    currencies: Type.Array(currencyCode('A currency (ISO 4217).'), {
      description: "What receivers there can be paid in, the country's own first; none where nothing is paid.",
    }),
    supported: Type.Boolean({ description: 'Whether payments go there.' }),
  },
  { title: 'CountryListed', description: 'A country of receivers.' },
)
export type CountryListed = Static<typeof CountryListed>

const AccountRequired = Type.Object(
  {
    identifier: Type.Enum(['iban', 'bban'], {
      description: "By what an account is named: its IBAN, or the country's own number.",
    }),
    pattern: pattern('What it matches, without spaces and other separators. Check digits are judged besides.'),
    example: text('One that is sound.'),
  },
  { title: 'AccountRequired', description: 'How an account is named. Absent where nothing is paid.' },
)

const OtherAccount = Type.Object(
  {
    pattern: pattern('What it matches, without separators.'),
    example: text('One that is sound.'),
    clearingCodeRequired: Type.Boolean({ description: 'Whether the clearing code is needed beside it.' }),
  },
  { title: 'OtherAccount', description: "The country's own number, where it is taken in place of an IBAN." },
)

const ClearingCodeRequired = Type.Object(
  {
    required: Type.Boolean({ description: 'Whether no payment is taken without it.' }),
    scheme: Type.Optional(text('Whose code it is: a code of ISO 20022 where it has one. Absent where there is none.')),
    name: Type.Optional(text('What it is called, and what it is made of.')),
    pattern: Type.Optional(pattern('What it matches. Check digits are judged besides.')),
    example: Type.Optional(text('One that is sound.')),
  },
  { title: 'ClearingCodeRequired', description: "The code by which the country's banks know each other." },
)

const addressField = Type.Enum(['streetName', 'buildingNumber', 'city', 'postCode', 'country'], {
  description: 'A member of the address.',
})

const AddressRequired = Type.Object(
  {
    requiredFields: Type.Array(addressField, {
      description: 'What a cross-border payment must hold. Quotes need the bankFields alone.',
    }),
    bankFields: Type.Array(addressField, {
      description: "Those without which the receiver's bank turns a payment away.",
    }),
    postCodePattern: Type.Optional(
      pattern('What the post code matches, in capital letters; absent where there are none, and any text is taken.'),
    ),
    postCodeExample: Type.Optional(text('A post code.')),
  },
  { title: 'AddressRequired', description: "The receiver's address." },
)

const InformationRequired = Type.Object(
  {
    type: Type.Enum(['TaxCode', 'Reason', 'Purpose'], { description: 'The type of the additionalInformation.' }),
    required: Type.Boolean({
      description: 'Whether every payment needs it; in the currency asked for, or else in any.',
    }),
    requiredAbove: Type.Optional(Money),
    name: Type.Optional(text('What the country calls it.')),
    pattern: Type.Optional(pattern('What it matches, without separators; absent where only the values are taken.')),
    example: text('One that is taken.'),
    values: Type.Array(
      Type.Object(
        { code: text('The code.'), description: text('What it says.') },
        { title: 'InformationValue', description: 'A code that is taken.' },
      ),
      { description: 'The codes, where there is a list of them.' },
    ),
  },
  { title: 'InformationRequired', description: 'What the country demands to be told, or takes when it is told.' },
)

export const PaymentRequirement = Type.Object(
  {
    country: isoCountry,
    name: text('What it is called in English.'),
    supported: Type.Boolean({ description: 'Whether payments go there; where not, the rest is absent or empty.' }),
    currencies: Type.Array(
      Type.Object(
        { currency: currencyCode('The currency (ISO 4217).'), maxAmount: Money, dueDateMaxDays: daysAhead },
        {
          title: 'CurrencyPaid',
          description: 'A currency, the most that is exchanged into it at once, and how far ahead.',
        },
      ),
      { description: 'What receivers there can be paid in: all of them, or the one asked for.' },
    ),
    account: Type.Optional(AccountRequired),
    otherAccount: Type.Optional(OtherAccount),
    bic: Type.Optional(
      Type.Object(
        { required: Type.Boolean({ description: 'Whether it is needed.' }) },
        { title: 'BicRequired', description: "The BIC of the receiver's bank." },
      ),
    ),
    clearingCode: Type.Optional(ClearingCodeRequired),
    address: Type.Optional(AddressRequired),
    additionalInformation: Type.Array(InformationRequired, { description: 'What else is told.' }),
    remittanceInformation: Type.Optional(
      Type.Object(
        {
          maxLength: Type.Integer({
            minimum: 1,
            description:
              'How many characters the message has at most. Cross-border payments tell the additionalInformation in front of ' +
              'it, in the same room.',
          }),
          pattern: pattern('Messages that match are sent as they are. Others may be taken and rewritten, as ø to oe.'),
        },
        { title: 'MessageRequired', description: 'The message to the receiver.' },
      ),
    ),
    notes: Type.Array(Type.String(), { description: 'What people should know, and where all this comes from.' }),
  },
  {
    title: 'PaymentRequirement',
    description:
      "What a payment to an account in a country needs. Where the receiver is elsewhere than its bank, the bank's country counts.",
  },
)
export type PaymentRequirement = Static<typeof PaymentRequirement>

export const RegulatoryCodes = Type.Object(
  {
    countryCode: isoCountry,
    threshold: Type.Optional(Money),
    informationMaxLength: Type.Integer({
      minimum: 0,
      description: 'How many characters `information` has at most; 0 where there is none.',
    }),
    codes: Type.Array(
      Type.Object(
        {
          code: text('The code.'),
          description: text('What it says.'),
          localDescription: text("The same in the country's language."),
        },
        { title: 'RegulatoryCode', description: 'What a payment may be for.' },
      ),
      { description: 'The codes; none where nothing is reported.' },
    ),
  },
  {
    title: 'RegulatoryCodes',
    description: 'What payments abroad are reported as, and above which amount; payments that equal it are not.',
  },
)
export type RegulatoryCodes = Static<typeof RegulatoryCodes>

const read = {
  method: 'GET',
  server: 'base',
  tag: 'Countries',
  admits: 'partner',
  psu: 'none',
  failures: [],
  idempotent: false,
  sandboxOnly: false,
} as const

export const listCountries = operation({
  ...read,
  id: 'listCountries',
  path: '/api/country',
  summary: 'List the countries of receivers',
  answer: { status: 200, schema: Type.Array(CountryListed, { description: 'The countries, by name.' }) },
  refusals: [401, 403, 429, 500, 503],
  validation: [],
})

export const getPaymentRequirement = operation({
  ...read,
  id: 'getPaymentRequirement',
  path: '/api/country/{country}/paymentrequirement',
  summary: 'Read what payments to a country need',
  description:
    'The same rules judge quotes and payments: an order that follows them is not refused for its receiver. Without a ' +
    'currency the answer is what is needed in every one of them.',
  params: Type.Object({
    country: pathText("The country of the receiver's bank (ISO 3166-1 alpha-2), for example `US`."),
  }),
  query: Type.Object({ currency: Type.Optional(currencyCode('What the receiver is to be paid in.')) }),
  answer: { status: 200, schema: PaymentRequirement },
  refusals: [401, 403, 404, 429, 500, 503],
  validation: ['InvalidRequest'],
})

export const listRegulatoryCodes = operation({
  ...read,
  id: 'listRegulatoryCodes',
  path: '/api/v2/payments/regulatory-reporting/{countryCode}',
  summary: 'List the codes of regulatory reporting',
  params: Type.Object({ countryCode: pathText("The payer's country (ISO 3166-1 alpha-2): `NO`, `SE`, `DK` or `FI`.") }),
  answer: { status: 200, schema: RegulatoryCodes },
  refusals: [401, 403, 404, 429, 500, 503],
  validation: [],
})
