/** Declares the operations on receiver countries: list them, their payment requirements and regulatory codes. */
import { type Static, Type } from 'typebox'
import { operation } from './operation.ts'
import { countryCode, currencyCode, Money, pathParameter, text } from './shapes.ts'

const isoCountry = countryCode('The country (ISO 3166-1 alpha-2).')
const pattern = (description: string) => Type.String({ format: 'regex', description })
const daysAhead = Type.Integer({
  minimum: 0,
  description: 'How many bank days ahead a payment may be due; 0 for payments due today only.',
})

export const CountrySummary = Type.Object(
  {
    country: isoCountry,
    name: text('The English name.'),
    currencies: Type.Array(currencyCode('A currency (ISO 4217).'), {
      description:
        "The currencies in which receivers can be paid, the country's own first; empty if payments are not supported.",
    }),
    supported: Type.Boolean({ description: 'Whether payments to the country are supported.' }),
  },
  { title: 'CountrySummary', description: 'A receiver country.' },
)
export type CountrySummary = Static<typeof CountrySummary>

const AccountRequired = Type.Object(
  {
    identifier: Type.Enum(['iban', 'bban'], {
      description: "The account identifier: IBAN, or the country's own number.",
    }),
    pattern: pattern('The format, without spaces and other separators. Check digits are validated too.'),
    example: text('A valid example.'),
  },
  { title: 'AccountRequired', description: 'The account identifier. Absent if payments are not supported.' },
)

const OtherAccount = Type.Object(
  {
    pattern: pattern('The format, without separators.'),
    example: text('A valid example.'),
    clearingCodeRequired: Type.Boolean({ description: 'Whether the clearing code is needed too.' }),
  },
  { title: 'OtherAccount', description: "The country's own account number, where it is accepted instead of an IBAN." },
)

const ClearingCodeRequired = Type.Object(
  {
    required: Type.Boolean({ description: 'Whether payments without it are rejected.' }),
    scheme: Type.Optional(text('The clearing system: its ISO 20022 code if it has one. Absent if there is none.')),
    name: Type.Optional(text('Its name and composition.')),
    pattern: Type.Optional(pattern('The format. Check digits are validated too.')),
    example: Type.Optional(text('A valid example.')),
  },
  { title: 'ClearingCodeRequired', description: "The clearing code of the receiver's bank." },
)

const addressField = Type.Enum(['streetName', 'buildingNumber', 'city', 'postCode', 'country'], {
  title: 'AddressField',
  description: 'A field of the address.',
})

const AddressRequired = Type.Object(
  {
    requiredFields: Type.Array(addressField, {
      description: 'The required fields of a cross-border payment. Quotes need only the bankFields.',
    }),
    bankFields: Type.Array(addressField, {
      description: "The fields without which the receiver's bank rejects a payment.",
    }),
    postCodePattern: Type.Optional(
      pattern('The format of the post code, in capital letters; absent if the country has none: any text is accepted.'),
    ),
    postCodeExample: Type.Optional(text('A post code.')),
  },
  { title: 'AddressRequired', description: "The receiver's address." },
)

const InformationRequired = Type.Object(
  {
    type: Type.Enum(['TaxCode', 'Reason', 'Purpose'], { description: 'The type of the additionalInformation.' }),
    required: Type.Boolean({
      description: 'Whether every payment needs it, in the requested currency or, without one, in any.',
    }),
    requiredAbove: Type.Optional(Money),
    name: Type.Optional(text('Its name in the country.')),
    pattern: Type.Optional(
      pattern('The format, without separators; absent where only the listed values are accepted.'),
    ),
    example: text('A valid example.'),
    values: Type.Array(
      Type.Object(
        { code: text('The code.'), description: text('The meaning of the code.') },
        { title: 'InformationValue', description: 'An accepted code.' },
      ),
      { description: 'The accepted codes, where there is a list of them.' },
    ),
  },
  { title: 'InformationRequired', description: 'Information that the country requires, or accepts if it is sent.' },
)

export const PaymentRequirement = Type.Object(
  {
    country: isoCountry,
    name: text('The English name.'),
    supported: Type.Boolean({
      description: 'Whether payments to the country are supported; if not, the other fields are absent or empty.',
    }),
    currencies: Type.Array(
      Type.Object(
        { currency: currencyCode('The currency (ISO 4217).'), maxAmount: Money, dueDateMaxDays: daysAhead },
        {
          title: 'CurrencyPaid',
          description: 'A currency, the largest amount of one exchange, and how far ahead a payment may be due.',
        },
      ),
      { description: 'The currencies in which receivers can be paid: all, or the requested one.' },
    ),
    account: Type.Optional(AccountRequired),
    otherAccount: Type.Optional(OtherAccount),
    bic: Type.Optional(
      Type.Object(
        { required: Type.Boolean({ description: 'Whether it is required.' }) },
        { title: 'BicRequired', description: "The BIC of the receiver's bank." },
      ),
    ),
    clearingCode: Type.Optional(ClearingCodeRequired),
    address: Type.Optional(AddressRequired),
    additionalInformation: Type.Array(InformationRequired, {
      description: 'Further information that is sent with the payment.',
    }),
    remittanceInformation: Type.Optional(
      Type.Object(
        {
          maxLength: Type.Integer({
            minimum: 1,
            description:
              'The maximum length of the message. In cross-border payments the additionalInformation precedes ' +
              'it and counts towards this length.',
          }),
          pattern: pattern(
            'Messages that match are sent unchanged. Others may be transliterated, for example ø to oe.',
          ),
        },
        { title: 'MessageRequired', description: 'The message to the receiver.' },
      ),
    ),
    notes: Type.Array(Type.String(), { description: 'Notes for developers and users, with the sources.' }),
  },
  {
    title: 'PaymentRequirement',
    description:
      'The requirements of payments to a country. If receiver and bank are in different countries, the ' +
      "bank's country applies.",
  },
)
export type PaymentRequirement = Static<typeof PaymentRequirement>

export const RegulatoryCodes = Type.Object(
  {
    countryCode: isoCountry,
    threshold: Type.Optional(Money),
    informationMaxLength: Type.Integer({
      minimum: 0,
      description: 'The maximum length of `information`; 0 if it is not accepted.',
    }),
    codes: Type.Array(
      Type.Object(
        {
          code: text('The code.'),
          description: text('The meaning of the code.'),
          localDescription: text("The same in the country's language."),
        },
        { title: 'RegulatoryCode', description: 'A purpose of payment for regulatory reporting.' },
      ),
      { description: 'The codes; empty if nothing is reported.' },
    ),
  },
  {
    title: 'RegulatoryCodes',
    description: 'The reporting codes of payments abroad, and the amount above which payments are reported.',
  },
)
export type RegulatoryCodes = Static<typeof RegulatoryCodes>

const read = {
  method: 'GET',
  tag: 'Countries',
  admits: 'partner',
} as const

export const listCountries = operation({
  ...read,
  id: 'listCountries',
  path: '/api/country',
  summary: 'List the receiver countries',
  description: 'The countries to which cross-border payments can be sent.',
  answer: { status: 200, schema: Type.Array(CountrySummary, { description: 'The countries, by name.' }) },
  errorStatuses: [401, 403, 429, 500, 503],
})

export const getPaymentRequirement = operation({
  ...read,
  id: 'getPaymentRequirement',
  path: '/api/country/{country}/paymentrequirement',
  summary: 'Get the payment requirements of a country',
  description:
    'Quotes and payments are validated by the same rules: an order that meets them is not rejected for its receiver. ' +
    'Without a currency the response covers all currencies.',
  params: Type.Object({
    country: pathParameter("The country of the receiver's bank (ISO 3166-1 alpha-2), for example `US`."),
  }),
  query: Type.Object({ currency: Type.Optional(currencyCode('The currency in which the receiver is paid.')) }),
  answer: { status: 200, schema: PaymentRequirement },
  errorStatuses: [401, 403, 404, 429, 500, 503],
  validation: ['InvalidRequest'],
})

export const listRegulatoryCodes = operation({
  ...read,
  id: 'listRegulatoryCodes',
  path: '/api/v2/payments/regulatory-reporting/{countryCode}',
  summary: 'List the regulatory reporting codes',
  description: 'The codes that the central bank of the payer’s country requires with some payments abroad.',
  params: Type.Object({
    countryCode: pathParameter("The payer's country (ISO 3166-1 alpha-2): `NO`, `SE`, `DK` or `FI`."),
  }),
  answer: { status: 200, schema: RegulatoryCodes },
  errorStatuses: [401, 403, 404, 429, 500, 503],
})
