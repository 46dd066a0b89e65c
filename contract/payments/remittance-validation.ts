/** Declares the operation that validates a reference before it is used in a payment. */
import { type Static, type TUnsafe, Type } from 'typebox'
import { operation } from '../operation.ts'
import {
  countryCode,
  orNull,
  requiringFields,
  TEXT_CHARACTERS_MAX,
  taggedUnion,
  textOrNull,
  textUpTo,
} from '../shapes.ts'

const country = countryCode("The receiver's country (ISO 3166-1 alpha-2): NO, SE, DK or FI.")

const told = (description: string) => textUpTo(TEXT_CHARACTERS_MAX.remittance, description)

const MessageCheck = Type.Object(
  {
    country,
    type: Type.Literal('message', { description: 'A free text.' }),
    value: told('The text shown to the receiver; characters are validated by country, and a bank may accept fewer.'),
  },
  { title: 'MessageCheck', description: 'A message to validate.' },
)

const OcrCheck = Type.Object(
  {
    country,
    type: Type.Literal('ocr', { description: 'A reference that the receiver assigned.' }),
    value: told('The reference: KID in Norway, OCR in Sweden, viitenumero or RF in Finland.'),
  },
  { title: 'OcrCheck', description: 'A reference to validate.' },
)

const fikType = Type.Literal('fik', { description: 'A Danish payment form.' })

const FikLineCheck = Type.Object({
  country,
  type: fikType,
  value: told('The printed line, for example `+71<000000000000018+81234567`.'),
})

const FikPartsCheck = Type.Object({
  country,
  type: fikType,
  cardType: told('The type of form: 01, 04, 15, 71, 73 or 75.'),
  paymentId: Type.Optional(told('The identification of the payment, for the kinds that have one.')),
  creditorNumber: told("The receiver's creditor or giro number."),
  message: Type.Optional(told('A text to the receiver, for the kinds that have one.')),
})

/** Both forms in one schema, so that a FIK that is neither is reported once. */
const FikCheck: TUnsafe<Static<typeof FikLineCheck> | Static<typeof FikPartsCheck>> = Type.Unsafe({
  title: 'FikCheck',
  description: 'A Danish payment form to validate: either its printed line in `value`, or its parts.',
  type: 'object',
  required: ['country', 'type'],
  properties: { ...FikLineCheck.properties, ...FikPartsCheck.properties },
  anyOf: [FikLineCheck, FikPartsCheck].map(({ required }) => requiringFields(required)),
})

export const RemittanceValidationRequest = taggedUnion('type', [MessageCheck, OcrCheck, FikCheck], {
  title: 'RemittanceValidationRequest',
  description: 'The remittance information to validate.',
})
export type RemittanceValidationRequest = Static<typeof RemittanceValidationRequest>

const RemittanceCheckMethod = Type.Enum(
  ['Modulus10', 'Modulus10LengthDigit', 'Modulus11', 'Modulus97', 'Weights731', 'None'],
  { title: 'RemittanceCheckMethod', description: 'A check digit algorithm; None: the type has no check digit.' },
)

export const RemittanceValidation = Type.Object(
  {
    valid: Type.Boolean({
      description: 'Whether a payment to that country may carry it, by the rules of the country.',
    }),
    checkMethod: orNull(
      RemittanceCheckMethod,
      'The check digit algorithm that it passed; None if its type has no check digit, null if it is not valid.',
    ),
    normalized: textOrNull('The normalised value, without spaces and padded; null if it is not valid.'),
    reason: textOrNull('Why it is not valid, or what looks wrong although it is valid, as text.'),
  },
  { title: 'RemittanceValidation', description: 'The result of the validation.' },
)
export type RemittanceValidation = Static<typeof RemittanceValidation>

export const validateRemittance = operation({
  id: 'validateRemittance',
  method: 'POST',
  path: '/api/v2/remittance/validate',
  tag: 'Payments',
  summary: 'Validate a reference',
  description:
    "Validates a reference by the rules of the receiver's country, without asking a bank. Whether a " +
    'receiver requires a ' +
    'reference, or a certain length, only the bank knows: a payment without it is rejected with INVALID_OCR.',
  admits: 'partner',
  body: RemittanceValidationRequest,
  answer: { status: 200, schema: RemittanceValidation },
  errorStatuses: [400, 401, 403, 409, 429, 500, 503],
  validation: ['InvalidRequest'],
  idempotent: true,
})
