/** Holds the shapes that several operations share: money, address, dates, identifiers and unions. */
import { type Static, type TSchema, type TString, type TUnsafe, Type } from 'typebox'
import type { InvalidByKeyword } from './errors/error-codes.ts'

const AMOUNT = '^(0|[1-9][0-9]{0,11})(\\.[0-9]{1,4})?$'
const SIGNED_AMOUNT = '^-?(0|[1-9][0-9]{0,11})(\\.[0-9]{1,4})?$'
// Errors may quote a rejected value that is `quotable`: a code or a date, never a name, account, amount or secret.
const CURRENCY_CODE = {
  pattern: '^[A-Z]{3}$',
  form: 'must be a currency code of ISO 4217, for example NOK',
  quotable: true,
} as const
const COUNTRY = '^[A-Z]{2}$'
/** The format of a day; that the day exists is validated separately, and documented as `format: date`. */
export const DAY = '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$'
const DAY_OR_INSTANT =
  '^(000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|[12][0-9]))(T([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\\.[0-9]{1,9})?)?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9]))?$'
/** The form of timestamps in responses and webhooks, which ends their descriptions. */
export const TIMESTAMP_FORM = 'In UTC with three decimals, for example `2026-11-23T10:00:00.000Z`.'
const BIC = '^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$'
/** Something other than white space. */
export const NOT_BLANK = { pattern: '\\S', form: 'must not be blank' } as const

export const uuid = (description: string): TString => Type.String({ format: 'uuid', description })

/** A timestamp in responses and webhooks: UTC with three decimals, for example `2026-11-23T10:00:00.000Z`. */
export type Timestamp = `${string}T${string}.${number}Z`

/** A timestamp in a response or a webhook; its type allows no text without the decimals. */
export const instant = (description: string): TUnsafe<Timestamp> =>
  Type.Unsafe<Timestamp>(Type.String({ format: 'date-time', description: `${description} ${TIMESTAMP_FORM}` }))

/** A date and time of a request, in any form of RFC 3339. */
export const instantParameter = (description: string): TString =>
  Type.String({
    format: 'date-time',
    form: 'must be a date and time with offset, for example 2026-11-23T09:00:00.000Z; in a URL, + is written %2B',
    quotable: true,
    description,
  })

export const day = (description: string, invalid: InvalidByKeyword = {}): TString =>
  Type.String({ pattern: DAY, form: 'must be a date, for example 2026-11-23', quotable: true, description, invalid })

/** A day, or an instant with its offset, as accepted by filters. */
export const dayOrInstant = (description: string): TString =>
  Type.String({
    pattern: DAY_OR_INSTANT,
    form: 'must be a date, or a date and time with offset, for example 2026-11-23T09:00:00.000Z; in a URL, + is written %2B',
    quotable: true,
    description,
  })

export const text = (description: string): TString => Type.String({ description })

/** A value, or null where there is none; the description is that of both. */
export const orNull = <Schema extends TSchema>(schema: Schema, description: string) =>
  Type.Union([schema, Type.Null()], { description })

export const textOrNull = (description: string) => orNull(Type.String(), description)

/** A secret or a personal id: `hidden` is neither logged nor quoted. */
export const hiddenText = (description: string): TString => Type.String({ description, hidden: true })

/** Longer path parameters are rejected without a query. */
export const PATH_PARAMETER_CHARACTERS_MAX = 256

/** A path parameter: an unknown value of any form is a 404. */
export const pathParameter = (description: string): TString =>
  Type.String({ minLength: 1, maxLength: PATH_PARAMETER_CHARACTERS_MAX, description })

/** The maximum lengths of request texts. The limits of banks are lower and have errors of their own. */
export const TEXT_CHARACTERS_MAX = {
  /** Banks accept 140 at most; the limit of the bank has its own error code. */
  name: 1000,
  telephoneNumber: 50,
  /** An IBAN has 34 characters, and more with separators. */
  accountNumber: 100,
  addressMember: 140,
  organizationNumber: 50,
  /** A message or reference; no bank accepts more than 140 characters. */
  remittance: 1000,
  /** A URL with a long state in its query. */
  url: 4000,
  userId: 200,
  bankBranch: 200,
} as const

/** A text of a request. */
export const textUpTo = (maxLength: number, description: string, invalid: InvalidByKeyword = {}): TString =>
  Type.String({ maxLength, description, invalid })

/** A text that must not be blank. */
export const nonBlankText = (maxLength: number, description: string, invalid: InvalidByKeyword = {}): TString =>
  Type.String({ ...NOT_BLANK, maxLength, description, invalid })

/** A URI that users return to; whether it is registered is validated later. */
export const returnUrl = (description: string): TString =>
  Type.String({
    pattern: '^[A-Za-z][A-Za-z0-9+.-]*:.',
    form: 'must be a URI, for example https://erp.example/back or myerp://back',
    maxLength: TEXT_CHARACTERS_MAX.url,
    description,
  })

/** The cursor of a list. */
export const cursorParameter = (description: string): TString =>
  Type.String({
    pattern: '^[A-Za-z0-9_-]{1,4096}$',
    form: 'is not a cursor of this list; send nextCursor unchanged',
    description,
  })

export const countryCode = (description: string, invalid: InvalidByKeyword = {}): TString =>
  Type.String({
    pattern: COUNTRY,
    form: 'must be a country code of ISO 3166-1 in two capital letters, for example NO',
    quotable: true,
    invalid,
    description,
  })

export const currencyCode = (description: string): TString => Type.String({ ...CURRENCY_CODE, description })

export const bicOf = (description: string, invalid: InvalidByKeyword = {}): TString =>
  Type.String({
    pattern: BIC,
    form: 'must be a BIC of 8 or 11 capital letters and digits, for example FJORNO22',
    quotable: true,
    description,
    invalid,
  })

/**
 * An organisation number of a request: a string. A JSON number is read as its digits, which the type and the OpenAPI
 * document leave out: clients need one type.
 */
export function organizationNumberParameter(description: string): TUnsafe<string> {
  return Type.Unsafe<string>(
    Type.Union(
      [
        Type.String({
          ...NOT_BLANK,
          maxLength: TEXT_CHARACTERS_MAX.organizationNumber,
        }),
        Type.Integer({ minimum: 1 }),
      ],
      { description },
    ),
  )
}

/** A union of objects with the discriminator `tag`; exactly one branch is validated. */
export function taggedUnion<const Members extends readonly TSchema[]>(
  tag: string,
  members: Members,
  options: { readonly title: string; readonly description: string; readonly invalid?: InvalidByKeyword },
): TUnsafe<Static<Members[number]>> {
  return Type.Unsafe<Static<Members[number]>>({
    type: 'object',
    discriminator: { propertyName: tag },
    oneOf: [...members],
    ...options,
  })
}

/** A branch of an `anyOf` that requires fields declared next to it. */
export function requiringFields(names: readonly string[]): TSchema {
  return { required: names, properties: Object.fromEntries(names.map((name) => [name, {}])) }
}

export const Money = Type.Object(
  {
    amount: Type.String({
      pattern: AMOUNT,
      form: 'must be a decimal with a point, for example 1250.00: no sign, no leading zero, at most 12 digits and 4 decimals',
      invalid: { type: 'InvalidAmount', pattern: 'InvalidAmount' },
      description: 'A decimal with a point and no sign, exponent or separators, for example `1250.00`.',
    }),
    currency: Type.String({
      ...CURRENCY_CODE,
      invalid: { type: 'InvalidAmount', pattern: 'InvalidAmount' },
      description: 'The currency (ISO 4217), for example `NOK`.',
    }),
  },
  { title: 'Money', description: 'An amount and its currency.', invalid: { type: 'InvalidAmount' } },
)
export type Money = Static<typeof Money>

export const Balance = Type.Object(
  {
    amount: Type.String({
      pattern: SIGNED_AMOUNT,
      form: 'must be a decimal with a point, for example -1250.00',
      description: 'A decimal with a point; negative when overdrawn.',
    }),
    currency: currencyCode('The currency (ISO 4217).'),
  },
  { title: 'Balance', description: 'What is on an account; may be negative.' },
)
export type Balance = Static<typeof Balance>

export const Address = Type.Object(
  {
    streetName: Type.Optional(textUpTo(TEXT_CHARACTERS_MAX.addressMember, 'The street.')),
    buildingNumber: Type.Optional(textUpTo(TEXT_CHARACTERS_MAX.addressMember, 'The number in the street.')),
    city: Type.Optional(textUpTo(TEXT_CHARACTERS_MAX.addressMember, 'The town.')),
    postCode: Type.Optional(textUpTo(TEXT_CHARACTERS_MAX.addressMember, 'The postal code.')),
    country: Type.Optional(countryCode('The country (ISO 3166-1 alpha-2).')),
  },
  {
    title: 'Address',
    description:
      'A postal address. That of the receiver is sent to the bank if its payments have a field for it and ' +
      'town and country are given; no other is sent. Its characters are validated only then.',
  },
)
export type Address = Static<typeof Address>

export const PreferredScaMethod = Type.Enum(['Redirect', 'Qr'], {
  title: 'PreferredScaMethod',
  description: 'The preferred SCA method; the bank may choose another. Qr is possible at Swedish banks only.',
})
export type PreferredScaMethod = Static<typeof PreferredScaMethod>
